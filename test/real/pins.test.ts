import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defaultVersion } from "../../components/cluster/versions";
import packageJson from "../../package.json";
import { buildFlags, versionOf } from "../../test-real/servers/go";
import { tools } from "../../test-real/servers/tools";

/* The pins of tools/go.mod belong to versions that are pinned elsewhere. */

const goMod = readFileSync(join(resolve(__dirname, "../.."), "tools/go.mod"), "utf8");
const pinned = tools.pulumi.module;

test("the Pulumi engine has the version of the SDK", () => {
  const sdk = packageJson.devDependencies["@pulumi/pulumi"];
  expect(versionOf(pinned, "github.com/pulumi/pulumi/pkg/v3")).toBe(`v${sdk}`);
});

test("the API server has the Kubernetes version that clusters get", () => {
  expect(versionOf(pinned, "k8s.io/kubernetes")).toMatch(new RegExp(`^v${defaultVersion}\\.\\d+$`));
});

test("all parts of Kubernetes have one version", () => {
  const [, patch] = /^v1\.(\d+\.\d+)$/.exec(versionOf(pinned, "k8s.io/kubernetes"))!;
  const replaced = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => (\S+) (\S+)$/gm)].map(([, from, to, version]) => [
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

test("every package is a tool of the module, so that the module's sums cover it", () => {
  const own = Object.values(tools).filter(({ module }) => module === pinned);
  expect(own.length).toBeGreaterThan(0);
  for (const tool of own) expect(goMod).toContain(`\n\t${tool.package}\n`);
});
