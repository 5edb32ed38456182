import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultVersion } from "../../components/cluster/versions";
import { KarpenterChartVersion } from "../../components/karpenter/karpenter-versions";
import { defaultImage } from "../../components/kafka/plan";
import packageJson from "../../package.json";
import { buildFlags, versionOf, type GoModule } from "../../test-real/servers/go";
import { karpenter, tools } from "../../test-real/servers/tools";

/* The pins of tools belong to versions that are pinned elsewhere. */

const pinned = tools.pulumi.module;
const goModOf = ({ folder }: GoModule) => readFileSync(join(resolve(__dirname, "../.."), folder, "go.mod"), "utf8");
/** Those of which Go builds a tool as it is, with parts of Kubernetes. */
const ofKubernetes = [pinned, karpenter].map((module): [string, GoModule] => [module.folder, module]);

test("the Pulumi engine has the version of the SDK", () => {
  const sdk = packageJson.devDependencies["@pulumi/pulumi"];
  expect(versionOf(pinned, "github.com/pulumi/pulumi/pkg/v3")).toBe(`v${sdk}`);
});

test("the API server has the Kubernetes version that clusters get", () => {
  expect(versionOf(pinned, "k8s.io/kubernetes")).toMatch(new RegExp(`^v${defaultVersion}\\.\\d+$`));
});

test("Karpenter is one that can be installed", () => {
  expect(versionOf(karpenter, "sigs.k8s.io/karpenter")).toBe(`v${KarpenterChartVersion.V1_14_1}`);
});

test("the brokers that are tested have the version that clusters get, and so do their tools", () => {
  const pom = readFileSync(resolve(__dirname, "../../tools/kafka/pom.xml"), "utf8");
  const versions = [...pom.matchAll(/<groupId>org\.apache\.kafka<.*\n.*\n *<version>(.+)</g)].map(
    ([, version]) => version,
  );
  expect(versions.map((version) => `apache/kafka:${version}`)).toEqual([defaultImage, defaultImage]);
});

test.each(ofKubernetes)("all parts of Kubernetes in %s have one version", (_, module) => {
  const [, patch] = /^v1\.(\d+\.\d+)$/.exec(versionOf(module, "k8s.io/kubernetes"))!;
  const replaced = [...goModOf(module).matchAll(/^\t(k8s\.io\/\S+) => (\S+) (\S+)$/gm)].map(([, from, to, version]) => [
    from,
    to,
    version,
  ]);
  expect(replaced.length).toBeGreaterThan(30);
  expect(replaced.filter(([from, to, version]) => from !== to || version !== `v0.${patch}`)).toEqual([]);
});

test("programs are stamped with their versions", () => {
  expect(buildFlags(pinned).join(" ")).toMatch(
    /^-trimpath -gcflags=all=-dwarf=false -l -ldflags -s -w -X \S+\/sdk\/v3\/go\/common\/version\.Version=v3\.\d+\.\d+ -X k8s\.io\/component-base\/version\.gitVersion=v1\.\d+\.\d+$/,
  );
});

test.each(ofKubernetes)("every package is a tool of the module %s, so that the module's sums cover it", (_, module) => {
  const own = Object.values(tools).filter((tool) => tool.module === module);
  expect(own.length).toBeGreaterThan(0);
  for (const tool of own) expect(goModOf(module)).toContain(`\n\t${tool.package}\n`);
});
