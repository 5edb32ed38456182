import { nodeClassEncryptsVolumes } from "../../../policy/rules/karpenter/node-class-encrypts-volumes";
import { nodeClassHidesItsRole } from "../../../policy/rules/karpenter/node-class-hides-its-role";
import { nodePoolFieldsAreRead } from "../../../policy/rules/karpenter/node-pool-fields-are-read";
import { nodePoolKeepsItsName } from "../../../policy/rules/karpenter/node-pool-keeps-its-name";
import { nodePoolWaitsForItsNodes } from "../../../policy/rules/karpenter/node-pool-waits-for-its-nodes";
import type { Rule } from "../../../policy/lib/rule";
import { checkResource, unknown } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";
import { classType, onPool, poolType, stateful, stateless } from "./setup";

const odd = rows(undefined, null, "text", 7, [], [null], { limits: [], disruption: "x", template: [1] });
const onClass =
  (rule: Rule) =>
  (spec: unknown, config?: object, type: string = classType) =>
    checkResource(rule, { type, name: "class", props: { metadata: { name: "web" }, spec } }, config);

describe("node-pool-keeps-its-name", () => {
  const named = (metadata: unknown, type = poolType, config?: object) =>
    checkResource(nodePoolKeepsItsName, { type, name: "pool", props: { metadata, spec: {} } }, config);

  test.each([poolType, classType, "kubernetes:karpenter.sh/v1beta1:NodePool"])("%s with a name is fine", (type) => {
    expect(named({ name: "web" }, type)).toEqual(ok);
    expect(named({}, type)).toEqual(refused(/^metadata\.name is missing\. Write the name/));
  });

  test.each(rows(undefined, null, "web", [], {}, { name: "" }, { name: null }, { name: 5 }, { labels: { a: "b" } }))(
    "%j is no name",
    (metadata) => expect(named(metadata)).toEqual(refused(/^metadata\.name is missing/)),
  );

  test("a generated name is another one each time", () => {
    expect(named({ generateName: "web-" })).toEqual(refused(/generateName makes a new one each time/));
  });

  test("unknowns are advisory, or violations; patches and other kinds are nobody's business here", () => {
    expect(named({ name: unknown })).toEqual(advisory("name"));
    expect(named(unknown)).toEqual(advisory("metadata"));
    expect(named({ name: unknown }, poolType, { unknownValues: "violation" })).toEqual(
      refused(/^metadata\.name isn't known yet and may be another one/),
    );
    expect(named({}, `${poolType}Patch`)).toEqual(ok);
    expect(named({}, "kubernetes:karpenter.sh/v1:NodeClaim").notApplicable).toBe(true);
  });
});

describe("node-pool-waits-for-its-nodes", () => {
  const waits = (grace: unknown, deleteSeconds?: number, config?: object) =>
    checkResource(
      nodePoolWaitsForItsNodes,
      {
        type: poolType,
        name: "pool",
        deleteSeconds,
        props: { metadata: { name: "web" }, spec: { template: { spec: { terminationGracePeriod: grace } } } },
      },
      config,
    );

  test.each<[string | undefined, number | undefined]>([
    ["1h", 4500],
    ["1h", 3601],
    ["5m", undefined], // ten minutes, the provider's default
    ["1h30m", 7200],
    [undefined, 7200],
    [undefined, 60],
    ["30d", 7200], // no duration: the API server refuses it
  ])("a grace of %s and a timeout of %s are fine", (grace, seconds) => {
    expect(waits(grace, seconds)).toEqual(ok);
  });

  test.each<[string | undefined, number | undefined, RegExp]>([
    ["1h", undefined, /after ten minutes, the default, .* 1h to drain .* \{ delete: "75m" \}/],
    ["10m", undefined, /ten minutes, the default, .*\{ delete: "25m" \}/],
    ["1h", 3600, /after 60 minutes, .*\{ delete: "75m" \}/],
    ["6h", 7200, /after 120 minutes, .*\{ delete: "375m" \}/],
    [undefined, undefined, /as long as they like to drain\. .*\{ delete: "120m" \}/],
  ])("a grace of %s and a timeout of %s aren't", (grace, seconds, message) => {
    expect(waits(grace, seconds)).toEqual(refused(message));
  });

  test.each(odd)("takes %j for a pool without a bound", (spec) => {
    expect(onPool(nodePoolWaitsForItsNodes)(spec)).toEqual(refused(/as long as they like/));
  });

  test("unknowns are advisory, or violations; a patch is made and deleted by nobody", () => {
    expect(waits(unknown, 7200)).toEqual(advisory("terminationGracePeriod"));
    expect(waits(unknown, 7200, { unknownValues: "violation" })).toEqual(refused(/may be longer than/));
    expect(onPool(nodePoolWaitsForItsNodes)({}, {}, `${poolType}Patch`)).toEqual(ok);
    expect(onPool(nodePoolWaitsForItsNodes)({}, {}, classType).notApplicable).toBe(true);
  });
});

describe("node-pool-fields-are-read", () => {
  const check = onPool(nodePoolFieldsAreRead);
  const ref = { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "web" };

  test("both profiles are fine, and a class with all that v1 has in such places", () => {
    for (const profile of [stateless, stateful]) {
      const template = { metadata: { labels: { a: "b" } }, spec: { nodeClassRef: ref, requirements: [], taints: [] } };
      expect(check({ ...profile, weight: 1, template })).toEqual(ok);
    }
    const spec = { kubelet: { maxPods: 9 }, tags: {}, subnetSelectorTerms: [], amiFamily: "AL2023" };
    expect(onClass(nodePoolFieldsAreRead)(spec)).toEqual(ok);
  });

  test.each<[string, object, string]>([
    ["spec.budgets", { budgets: [{ nodes: "1" }] }, "spec.disruption of"],
    ["spec.template.spec.budgets", { template: { spec: { budgets: [] } } }, "spec.disruption of"],
    ["spec.consolidateAfter", { consolidateAfter: "5m" }, "spec.disruption of"],
    [
      "spec.template.spec.consolidationPolicy",
      { template: { spec: { consolidationPolicy: "WhenEmpty" } } },
      "spec.dis",
    ],
    ["spec.template.spec.disruption", { template: { spec: { disruption: {} } } }, "spec of the NodePool"],
    ["spec.template.disruption", { template: { disruption: {} } }, "spec of the NodePool"],
    ["spec.template.spec.limits", { template: { spec: { limits: { cpu: "1" } } } }, "spec of the NodePool"],
    ["spec.template.spec.weight", { template: { spec: { weight: 1 } } }, "spec of the NodePool"],
    ["spec.requirements", { requirements: [] }, "spec.template.spec of"],
    ["spec.taints", { taints: [] }, "spec.template.spec of"],
    ["spec.startupTaints", { startupTaints: [] }, "spec.template.spec of"],
    ["spec.nodeClassRef", { nodeClassRef: ref }, "spec.template.spec of"],
    ["spec.labels", { labels: {} }, "spec.template.metadata of"],
    ["spec.template.spec.kubelet", { template: { spec: { kubelet: { maxPods: 9 } } } }, "spec of the EC2NodeClass"],
    ["spec.kubeletConfiguration", { kubeletConfiguration: {} }, "spec of the EC2NodeClass"],
    [
      "spec.ttlSecondsUntilExpired",
      { ttlSecondsUntilExpired: 1 },
      "spec.template.spec of the NodePool, as expireAfter",
    ],
    ["spec.ttlSecondsAfterEmpty", { ttlSecondsAfterEmpty: 30 }, "spec.disruption of the NodePool, as consolidateAfter"],
    ["spec.providerRef", { providerRef: { name: "x" } }, "spec.template.spec of the NodePool, as nodeClassRef"],
  ])("%s is dropped", (path, spec, place) => {
    const found = check(spec);
    expect(found).toEqual(refused(/ has no effect, the API server drops it\. It is read in /));
    expect(found.violations[0]!.message).toContain(`${path} has no effect`);
    expect(found.violations[0]!.message).toContain(`read in ${place}`);
    expect(check(spec, {}, `${poolType}Patch`).violations).toHaveLength(1);
  });

  test.each<[string, object, string]>([
    ["spec.subnetSelector", { subnetSelector: {} }, "subnetSelectorTerms"],
    ["spec.securityGroupSelector", { securityGroupSelector: {} }, "securityGroupSelectorTerms"],
    ["spec.amiSelector", { amiSelector: {} }, "amiSelectorTerms"],
    ["spec.launchTemplate", { launchTemplate: "lt" }, "nothing any more"],
    ["spec.taints", { taints: [] }, "spec.template.spec of the NodePool"],
    ["spec.expireAfter", { expireAfter: "720h" }, "spec.template.spec of the NodePool"],
  ])("%s of a class is dropped", (path, spec, place) => {
    expect(onClass(nodePoolFieldsAreRead)(spec)).toEqual(
      refused(new RegExp(`^${path} has no effect.* read in .*${place}`)),
    );
  });

  test("other versions and other kinds are gone", () => {
    const old = check(stateless, {}, "kubernetes:karpenter.sh/v1beta1:NodePool");
    expect(old).toEqual(refused(/^Its API version is v1beta1.*Write v1/));
    expect(check({}, {}, "kubernetes:karpenter.k8s.aws/v1beta1:EC2NodeClass").violations).toHaveLength(1);
    expect(check({}, {}, "kubernetes:karpenter.sh/v1alpha5:Provisioner")).toEqual(refused(/Write a NodePool/));
    const template = "kubernetes:karpenter.k8s.aws/v1alpha1:AWSNodeTemplate";
    expect(check({}, {}, template)).toEqual(refused(/Write an EC2NodeClass/));
    expect(check({}, {}, "kubernetes:karpenter.sh/v1:NodeClaim").notApplicable).toBe(true);
  });

  test("a policy of v1beta1 is refused, one that isn't known is advisory", () => {
    const policy = (consolidationPolicy: unknown) => check({ disruption: { consolidationPolicy } });
    expect(policy("WhenUnderutilized")).toEqual(refused(/which v1beta1 had\. Write WhenEmptyOrUnderutilized/));
    expect(policy("Balanced")).toEqual(ok);
    expect(policy(unknown)).toEqual(advisory("consolidationPolicy"));
    expect(check({ disruption: { consolidationPolicy: unknown } }, { unknownValues: "violation" })).toEqual(
      refused(/may be one that v1 doesn't have/),
    );
  });

  test("says nothing about what it can't see", () => {
    expect(check({ template: unknown, requirements: unknown })).toEqual(ok);
  });
  test.each(odd)("takes %j for nothing written", (spec) => {
    expect(check(spec)).toEqual(ok);
    expect(onClass(nodePoolFieldsAreRead)(spec)).toEqual(ok);
  });
});

describe("node-class-hides-its-role", () => {
  const check = onClass(nodeClassHidesItsRole);
  const options = (metadataOptions: unknown, config?: object) => check({ metadataOptions }, config);

  test.each(rows(undefined, {}, { httpTokens: "required", httpPutResponseHopLimit: 1 }, { httpEndpoint: "disabled" }))(
    "%j keeps pods away",
    (given) => expect(options(given)).toEqual(ok),
  );

  test.each([2, 64])("%d hops don't", (httpPutResponseHopLimit) => {
    expect(options({ httpPutResponseHopLimit })).toEqual(refused(/httpPutResponseHopLimit is .* Write 1/));
  });

  test("requests without a token are refused", () => {
    expect(options({ httpTokens: "optional" })).toEqual(refused(/httpTokens is "optional".*Write "required"/));
    expect(options({ httpTokens: "optional", httpPutResponseHopLimit: 2 }).violations).toHaveLength(2);
  });

  test("unknowns are advisory, or violations", () => {
    expect(options(unknown)).toEqual(advisory("metadataOptions"));
    expect(options({ httpPutResponseHopLimit: unknown })).toEqual(advisory("httpPutResponseHopLimit"));
    expect(options({ httpTokens: unknown })).toEqual(advisory("httpTokens"));
    expect(options(unknown, { unknownValues: "violation" })).toEqual(refused(/may be above 1/));
    expect(onPool(nodeClassHidesItsRole)({}).notApplicable).toBe(true);
  });

  test.each(odd)("takes %j for nothing written", (spec) => expect(check(spec)).toEqual(ok));
});

describe("node-class-encrypts-volumes", () => {
  const check = onClass(nodeClassEncryptsVolumes);
  const disks = (...ebs: unknown[]) =>
    check({ blockDeviceMappings: ebs.map((e) => ({ deviceName: "/dev/xvda", ebs: e })) });

  test("nothing written, and volumes that say so, are fine; a mapping without a volume describes none", () => {
    expect(check({})).toEqual(ok);
    expect(check({ blockDeviceMappings: [{ deviceName: "/dev/xvdb" }] })).toEqual(ok);
    expect(disks({ volumeSize: "50Gi", encrypted: true }, { encrypted: true })).toEqual(ok);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^spec\.blockDeviceMappings\[1\] doesn't say whether/],
    [false, /^spec\.blockDeviceMappings\[1\] isn't encrypted\. Write ebs\.encrypted: true/],
    ["true", /isn't encrypted/],
    [null, /doesn't say/],
  ])("encrypted %j isn't", (encrypted, message) => {
    expect(disks({ encrypted: true }, { volumeSize: "50Gi", encrypted })).toEqual(refused(message));
  });

  test("unknowns are advisory, or violations", () => {
    expect(check({ blockDeviceMappings: unknown })).toEqual(advisory("blockDeviceMappings"));
    expect(disks(unknown)).toEqual(advisory("ebs"));
    expect(disks({ encrypted: unknown })).toEqual(advisory("encrypted"));
    expect(check({ blockDeviceMappings: [unknown, { ebs: {} }] })).toMatchObject({
      violations: [{ message: expect.stringContaining("[1]") as string }],
    });
    expect(check(unknown, { unknownValues: "violation" })).toEqual(refused(/may hold volumes that aren't encrypted/));
    expect(onPool(nodeClassEncryptsVolumes)({}).notApplicable).toBe(true);
  });

  test.each(odd)("takes %j for nothing written", (spec) => expect(check(spec)).toEqual(ok));
});
