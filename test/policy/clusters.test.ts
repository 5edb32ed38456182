import type { Rule } from "../../policy/lib/rule";
import { clusterAddonsArePinned } from "../../policy/rules/cluster/cluster-addons-are-pinned";
import { clusterAdmitsByAccessEntries } from "../../policy/rules/cluster/cluster-admits-by-access-entries";
import { clusterEndpointNamesItsCallers } from "../../policy/rules/cluster/cluster-endpoint-names-its-callers";
import { clusterStaysInStandardSupport } from "../../policy/rules/cluster/cluster-stays-in-standard-support";
import { edited, type Path } from "../support/edited";
import { checkResource, unknown, type Given } from "../support/policy";
import { advisory, ok, refused, rows } from "../support/verdicts";

// eks-karpenter.md 8: private, or for explicit networks; API; STANDARD; 1.34 and newer; add-ons pinned.
const upgrade = { version: "1.36", upgradePolicy: { supportType: "STANDARD" } };
const access = { accessConfig: { authenticationMode: "API" } };
const open = { endpointPublicAccess: true, publicAccessCidrs: ["203.0.113.0/24"] };
const clusters: [type: string, vpc: Path, mode: Path, props: Record<string, unknown>][] = [
  ["aws:eks/cluster:Cluster", ["vpcConfig"], ["accessConfig"], { ...upgrade, ...access, vpcConfig: open }],
  [
    "aws-native:eks:Cluster",
    ["resourcesVpcConfig"],
    ["accessConfig"],
    { ...upgrade, ...access, resourcesVpcConfig: open },
  ],
  ["eks:index:Cluster", [], [], { ...upgrade, ...open, authenticationMode: "API" }],
];
const rules = [clusterEndpointNamesItsCallers, clusterAdmitsByAccessEntries, clusterStaysInStandardSupport];

describe.each(clusters)("%s", (type, vpc, mode, props) => {
  const given: Given = { type, name: "shop", props };
  const check = (rule: Rule, path: Path, value: unknown, config?: object) =>
    checkResource(rule, edited(given, ["props", ...path], value), config);
  const vpcAt = [...vpc, ""].join(".");

  test.each(rules.map((rule) => [rule.name, rule] as const))("as it should be is fine for %s", (_, rule) => {
    expect(checkResource(rule, given)).toEqual(ok);
    expect(checkResource(rule, { ...given, type: "aws:s3/bucket:Bucket" }).notApplicable).toBe(true);
  });

  describe("cluster-endpoint-names-its-callers", () => {
    const cidrs = (value: unknown, config?: object) =>
      check(clusterEndpointNamesItsCallers, [...vpc, "publicAccessCidrs"], value, config);

    test.each(["0.0.0.0/0", "::/0", "0:0::/0", " 0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "8000::/1", "64.0.0.0/7"])(
      "%s is everybody",
      (cidr) => {
        expect(cidrs(["203.0.113.0/24", cidr])).toEqual(
          refused(`^${vpcAt}publicAccessCidrs\\[1\\] is ${cidr}: everybody\\.`),
        );
      },
    );

    test.each(rows(["10.0.0.0/8"], ["2001:db8::/32"], ["203.0.113.7/32", "203.0.113.8/32"]))("%j isn't", (value) => {
      expect(cidrs(value)).toEqual(ok);
    });

    test("what isn't written is open, unless the endpoint is off", () => {
      expect(cidrs(undefined)).toEqual(refused(`${vpcAt}publicAccessCidrs is missing, which means 0.0.0.0/0`));
      expect(cidrs([])).toEqual(refused("is empty, which means 0.0.0.0/0"));
      const off = (value: unknown, list: unknown) => {
        const closed = edited(given, ["props", ...vpc, "endpointPublicAccess"], value);
        return checkResource(
          clusterEndpointNamesItsCallers,
          edited(closed, ["props", ...vpc, "publicAccessCidrs"], list),
        );
      };
      expect(off(false, undefined)).toEqual(ok);
      expect(off(false, ["0.0.0.0/0"])).toEqual(ok);
      expect(off(undefined, undefined)).toEqual(refused("is missing"));
      expect(off(undefined, ["203.0.113.0/24"])).toEqual(ok);
      expect(off(unknown, ["203.0.113.0/24"])).toEqual(ok);
      expect(off(unknown, ["0.0.0.0/0"])).toEqual(advisory("endpointPublicAccess"));
      expect(off(unknown, undefined)).toEqual(advisory("endpointPublicAccess"));
    });

    test("unknown networks are advisory, or a violation if configured so; they hide nothing beside them", () => {
      expect(cidrs(unknown)).toEqual(advisory("publicAccessCidrs"));
      expect(cidrs([unknown])).toEqual(advisory("publicAccessCidrs"));
      expect(cidrs([unknown], { unknownValues: "violation" })).toEqual(
        refused(/isn't known yet and may be 0\.0\.0\.0/),
      );
      expect(cidrs([unknown, "0.0.0.0/0"]).violations).toHaveLength(1);
    });
  });

  describe("cluster-admits-by-access-entries", () => {
    const admits = (value: unknown, config?: object) =>
      check(clusterAdmitsByAccessEntries, [...mode, "authenticationMode"], value, config);

    test("the ConfigMap alone is refused, also by default", () => {
      expect(admits("API_AND_CONFIG_MAP")).toEqual(ok);
      expect(admits("CONFIG_MAP")).toEqual(refused(/authenticationMode is CONFIG_MAP\. Write "API"/));
      expect(admits(undefined)).toEqual(refused(/is missing, and AWS's default is CONFIG_MAP/));
      expect(admits("api")).toEqual(refused(/is api\./));
      expect(admits(unknown)).toEqual(advisory("authenticationMode"));
      expect(admits(unknown, { unknownValues: "violation" })).toEqual(refused(/may be CONFIG_MAP/));
    });
  });

  describe("cluster-stays-in-standard-support", () => {
    const rule = clusterStaysInStandardSupport;
    const version = (value: unknown, config?: object) => check(rule, ["version"], value, config);

    // aws eks describe-cluster-versions: 1.33 left standard support on 2026-07-29.
    test("a version that is missing, no version or out of support is refused", () => {
      for (const good of ["1.34", "1.35", "1.37", 1.36]) expect(version(good)).toEqual(ok);
      expect(version(undefined)).toEqual(refused("version is missing: write the Kubernetes version"));
      expect(version("latest")).toEqual(refused("version is latest"));
      expect(version("1.33")).toEqual(refused("version is 1.33, which is out of standard support: upgrade to 1.34"));
      expect(version("1.9").violations).toHaveLength(1);
      expect(version("1.34", { oldestVersion: "1.35" })).toEqual(refused("upgrade to 1.35 or newer"));
      expect(version("1.33", { oldestVersion: "1.32" })).toEqual(ok);
      expect(version("1.33", { oldestVersion: "old" }).violations).toHaveLength(1);
      expect(version(unknown)).toEqual(advisory("version"));
    });

    test("extended support is refused, also by default", () => {
      const support = (value: unknown) => check(rule, ["upgradePolicy"], value);
      expect(support({ supportType: "EXTENDED" })).toEqual(refused(/upgradePolicy\.supportType is EXTENDED: write/));
      expect(support({})).toEqual(refused(/is missing, which means EXTENDED/));
      expect(support(undefined)).toEqual(refused(/is missing, which means EXTENDED/));
      expect(support(unknown)).toEqual(advisory("upgradePolicy"));
    });

    test("an unknown doesn't hide the other", () => {
      const both = edited(given, ["props", "version"], unknown);
      expect(checkResource(rule, edited(both, ["props", "upgradePolicy"], {})).violations).toHaveLength(1);
    });
  });
});

describe("cluster-addons-are-pinned", () => {
  const check = (type: string, props: object, config?: object) =>
    checkResource(clusterAddonsArePinned, { type, name: "addon", props: { ...props } }, config);
  const build = "v1.14.3-eksbuild.23";

  test.each(["aws:eks/addon:Addon", "aws-native:eks:Addon", "eks:index:Addon", "eks:index:VpcCniAddon"])(
    "%s",
    (type) => {
      expect(check(type, { addonName: "coredns", addonVersion: build })).toEqual(ok);
      expect(check(type, { addonName: "coredns" })).toEqual(refused(/^addonVersion is missing\. Write one build/));
      expect(check(type, { addonVersion: "" })).toEqual(refused(/is missing/));
      for (const follower of ["latest", "default", "most_recent", "Most Recent"])
        expect(check(type, { addonVersion: follower })).toEqual(refused(`addonVersion is ${follower}.`));
      expect(check(type, { addonVersion: unknown })).toEqual(advisory("addonVersion"));
      expect(check(type, { addonVersion: unknown }, { unknownValues: "violation" })).toEqual(
        refused(/may leave addonVersion open/),
      );
    },
  );

  const pinned = {
    vpcCniOptions: { addonVersion: build },
    kubeProxyAddonOptions: { version: build },
    corednsAddonOptions: { version: build },
  };
  const component = (over: object) => check("eks:index:Cluster", { ...pinned, ...over });

  test.each([
    ["vpcCniOptions.addonVersion", { vpcCniOptions: undefined }],
    ["vpcCniOptions.addonVersion", { vpcCniOptions: { enablePrefixDelegation: true } }],
    ["kubeProxyAddonOptions.version", { kubeProxyAddonOptions: {} }],
    ["corednsAddonOptions.version", { corednsAddonOptions: { enabled: true } }],
  ])("%s of @pulumi/eks, which else takes the newest", (path, over) => {
    expect(component({})).toEqual(ok);
    expect(component(over)).toEqual(refused(`${path} is missing`));
  });

  test("what a cluster of @pulumi/eks doesn't install needs no version", () => {
    expect(component({ vpcCniOptions: undefined, useDefaultVpcCni: true })).toEqual(ok);
    expect(component({ kubeProxyAddonOptions: { enabled: false } })).toEqual(ok);
    expect(component({ corednsAddonOptions: { enabled: false } })).toEqual(ok);
    expect(component({ corednsAddonOptions: undefined, skipDefaultNodeGroup: true })).toEqual(ok);
    expect(check("eks:index:Cluster", { autoMode: { enabled: true } })).toEqual(ok);
    expect(check("eks:index:Cluster", { name: "shop" }).violations).toHaveLength(3);
    expect(component({ vpcCniOptions: undefined, useDefaultVpcCni: unknown })).toEqual(advisory("useDefaultVpcCni"));
    expect(component({ vpcCniOptions: unknown })).toEqual(advisory("vpcCniOptions"));
  });
});

// test-real/engine/environments.test.ts is where it was seen: the component's child, an aws.eks.Cluster, has the arguments.
test.each([...rules, clusterAddonsArePinned].map((rule) => [rule.name, rule] as const))(
  "%s judges no component that an engine shows without its arguments, but a plain cluster that has none",
  (_, rule) => {
    const bare = (type: string) => checkResource(rule, { type, name: "shop", props: {} });
    expect(bare("eks:index:Cluster")).toEqual(ok);
    const plain = rule === clusterAddonsArePinned ? "aws:eks/addon:Addon" : "aws:eks/cluster:Cluster";
    expect(bare(plain).violations).not.toEqual([]);
  },
);
