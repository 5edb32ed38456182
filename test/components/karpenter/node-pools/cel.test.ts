import { edited } from "../../../support/edited";
import { rulesOf, rulesOn, violations, type Kind } from "./definitions";
import { classOf, full, make, poolOf, sharing, stateful } from "./setup";

/*
 * The rules of Karpenter's definitions in CEL, evaluated with a library. The API server evaluates the real thing in
 * test-real/apiserver/refusals.test.ts; here are all of them, each with an object that it must refuse.
 */

const specs: Record<Kind, unknown> = { pool: undefined, nodeClass: undefined };
const all: Record<string, { readonly kind: Kind; readonly spec: unknown }> = {};

beforeAll(async () => {
  for (const [name, change] of Object.entries({
    minimal: {},
    stateful,
    full,
    bottlerocket: { amiAlias: "bottlerocket@v1.46.0" },
    profile: { nodeRoleName: undefined, instanceProfileName: "nodes" },
    shared: sharing,
  })) {
    const { resources, errors } = await make(change);
    expect(errors).toEqual([]);
    all[`pool ${name}`] = { kind: "pool", spec: poolOf(resources) };
    if (name !== "shared") all[`class ${name}`] = { kind: "nodeClass", spec: classOf(resources) };
  }
  specs.pool = all["pool full"]?.spec;
  specs.nodeClass = all["class full"]?.spec;
});

test("what components make is refused by none of them, nor by the schema", () => {
  for (const [name, { kind, spec }] of Object.entries(all)) {
    expect([name, violations(kind, spec)]).toEqual([name, []]);
    expect([name, [...rulesOn(kind, spec, spec).refused]]).toEqual([name, []]);
  }
});

test("all of them have been asked, but for those on what components never write", () => {
  const asked = Object.values(all).map(({ kind, spec }) => [kind, rulesOn(kind, spec, spec).asked] as const);
  const unasked = (kind: Kind) => {
    const keys = new Set(asked.flatMap(([of, some]) => (of === kind ? [...some] : [])));
    return rulesOf(kind).flatMap(({ key }) => (keys.has(key) ? [] : [key]));
  };
  expect(unasked("pool")).toEqual([]);
  // Images, groups and reservations are named, not found by tags; interfaces and placement groups are EC2's own.
  expect(unasked("nodeClass")).toEqual([
    "amiSelectorTerms[].tags#0",
    "capacityReservationSelectorTerms[].tags#0",
    "networkInterfaces#0",
    "networkInterfaces#1",
    "placementGroupSelector#0",
    "placementGroupSelector#1",
    "securityGroupSelectorTerms[].tags#0",
    "subnetSelectorTerms[].tags#0",
  ]);
});

const none = { "": "x" };
const term = (...more: object[]) => more.map((m) => ({ ...m }));
const ebs = { volumeType: "gp3", encrypted: true };
const requirement = (key: string, operator: string, values: string[] | undefined, minValues?: number) => [
  { key, operator, values, minValues },
];
const card = { networkCardIndex: 0, deviceIndex: 0, interfaceType: "interface" };

/** For each rule an edit of what components make that it refuses, and the other rules that do as well. */
const refusals: Record<Kind, Record<string, [path: string, value: unknown, ...also: string[]]>> = {
  pool: {
    "#0": ["replicas", 3, "#1", "#2"],
    "#1": ["replicas", 3, "#0", "#2"],
    "#2": ["replicas", 3, "#0", "#1"],
    "disruption.budgets#0": ["disruption.budgets.0", { nodes: "1", schedule: "@daily" }],
    "template.metadata.labels#0": ["template.metadata.labels", { "karpenter.sh/team": "x" }],
    "template.metadata.labels#1": ["template.metadata.labels", { "karpenter.sh/nodepool": "x" }],
    "template.metadata.labels#2": ["template.metadata.labels", { "kubernetes.io/hostname": "x" }],
    "template.metadata.labels#3": ["template.metadata.labels", { "karpenter.k8s.aws/team": "x" }],
    "template.spec.nodeClassRef#0": ["template.spec.nodeClassRef.group", "karpenter.kwok.sh"],
    "template.spec.nodeClassRef#1": ["template.spec.nodeClassRef.kind", "KWOKNodeClass"],
    "template.spec.nodeClassRef.group#0": ["template.spec.nodeClassRef.group", "", "template.spec.nodeClassRef#0"],
    "template.spec.nodeClassRef.kind#0": ["template.spec.nodeClassRef.kind", "", "template.spec.nodeClassRef#1"],
    "template.spec.nodeClassRef.name#0": ["template.spec.nodeClassRef.name", ""],
    "template.spec.requirements#0": ["template.spec.requirements", requirement("a", "In", [])],
    "template.spec.requirements#1": ["template.spec.requirements", requirement("a", "Gte", ["x"])],
    "template.spec.requirements#2": ["template.spec.requirements", requirement("a", "In", ["x"], 2)],
    "template.spec.requirements[].key#0": ["template.spec.requirements.0.key", "karpenter.sh/team"],
    "template.spec.requirements[].key#1": ["template.spec.requirements.0.key", "karpenter.sh/nodepool"],
    "template.spec.requirements[].key#2": ["template.spec.requirements.0.key", "kubernetes.io/hostname"],
    "template.spec.requirements[].key#3": ["template.spec.requirements.0.key", "karpenter.k8s.aws/team"],
  },
  nodeClass: {
    "#0": ["instanceProfile", "nodes"],
    "#1": ["amiSelectorTerms.0.alias", "al2@v20240703"],
    "#2": ["amiFamily", "Bottlerocket"],
    "#3": ["amiSelectorTerms.0.alias", "bottlerocket@v1.46.0"],
    "#4": ["amiSelectorTerms.0.alias", "windows2019@latest"],
    "#5": ["amiSelectorTerms.0.alias", "windows2022@latest"],
    "#6": ["amiSelectorTerms.0.alias", "windows2025@latest"],
    "#7": ["amiSelectorTerms", term({ id: "ami-0a" })],
    "amiSelectorTerms#0": ["amiSelectorTerms", term({ owner: "self" }), "#7"],
    "amiSelectorTerms#1": ["amiSelectorTerms", term({ id: "ami-0a", name: "x" }), "#7"],
    "amiSelectorTerms#2": ["amiSelectorTerms", term({ alias: "al2023@v20240703", name: "x" })],
    "amiSelectorTerms#3": ["amiSelectorTerms", term({ alias: "al2023@v20240703" }, { id: "ami-0a" })],
    "amiSelectorTerms[].alias#0": ["amiSelectorTerms.0.alias", "al2023"],
    "amiSelectorTerms[].alias#1": ["amiSelectorTerms.0.alias", "al2024@v20240703"],
    "amiSelectorTerms[].alias#2": ["amiSelectorTerms.0.alias", "windows2022@v1"],
    "amiSelectorTerms[].tags#0": ["amiSelectorTerms", term({ tags: none }), "#7"],
    "blockDeviceMappings#0": ["blockDeviceMappings", term({ rootVolume: true }, { rootVolume: true })],
    "blockDeviceMappings[].ebs#0": ["blockDeviceMappings.0.ebs", ebs],
    "blockDeviceMappings[].ebs#1": [
      "blockDeviceMappings.0.ebs",
      { ...ebs, volumeSize: "50Gi", volumeInitializationRate: 100 },
    ],
    "capacityReservationSelectorTerms#0": ["capacityReservationSelectorTerms", term({ ownerID: "123456789012" })],
    "capacityReservationSelectorTerms#1": [
      "capacityReservationSelectorTerms",
      term({ id: "cr-0a", ownerID: "123456789012" }),
    ],
    "capacityReservationSelectorTerms[].tags#0": ["capacityReservationSelectorTerms", term({ tags: none })],
    "connectionTracking#0": ["connectionTracking", {}],
    "instanceProfile#0": ["instanceProfile", "", "#0"],
    "networkInterfaces#0": ["networkInterfaces", [{ ...card, networkCardIndex: 1 }]],
    "networkInterfaces#1": ["networkInterfaces", [card, card]],
    "placementGroupSelector#0": ["placementGroupSelector", {}],
    "placementGroupSelector#1": ["placementGroupSelector", { name: "a", id: "pg-0a" }],
    "role#0": ["role", ""],
    "securityGroupSelectorTerms#0": [
      "securityGroupSelectorTerms",
      [],
      "securityGroupSelectorTerms#2",
      "securityGroupSelectorTerms#3",
    ],
    "securityGroupSelectorTerms#1": ["securityGroupSelectorTerms", [{}]],
    "securityGroupSelectorTerms#2": [
      "securityGroupSelectorTerms",
      term({ id: "sg-0a", name: "x" }),
      "securityGroupSelectorTerms#3",
    ],
    "securityGroupSelectorTerms#3": ["securityGroupSelectorTerms", term({ name: "x", tags: { a: "b" } })],
    "securityGroupSelectorTerms[].tags#0": ["securityGroupSelectorTerms", term({ tags: none })],
    "subnetSelectorTerms#0": ["subnetSelectorTerms", [], "subnetSelectorTerms#2"],
    "subnetSelectorTerms#1": ["subnetSelectorTerms", [{}]],
    "subnetSelectorTerms#2": ["subnetSelectorTerms", term({ id: "subnet-0a", tags: { a: "b" } })],
    "subnetSelectorTerms[].tags#0": ["subnetSelectorTerms", term({ tags: none })],
    "tags#0": ["tags", none],
    "tags#1": ["tags", { "eks:eks-cluster-name": "x" }],
    "tags#2": ["tags", { "kubernetes.io/cluster/shop": "owned" }],
    "tags#3": ["tags", { "karpenter.sh/nodepool": "x" }],
    "tags#4": ["tags", { "karpenter.sh/nodeclaim": "x" }],
    "tags#5": ["tags", { "karpenter.k8s.aws/ec2nodeclass": "x" }],
  },
};

describe.each<Kind>(["pool", "nodeClass"])("each rule on the %s can refuse", (kind) => {
  test("and has an object here that it must refuse", () => {
    expect(Object.keys(refusals[kind])).toEqual(rulesOf(kind).map(({ key }) => key));
  });

  test.each(Object.entries(refusals[kind]))("%s", (key, [path, value, ...also]) => {
    // The rules on the family are asked only of a class that names one.
    const family = kind === "nodeClass" && /^#[1-6]$/.test(key) ? { amiFamily: "AL2023" } : {};
    const before = { ...(specs[kind] as object), ...family };
    const after = edited(before, path.split("."), value);
    expect([...rulesOn(kind, after, before).refused].sort()).toEqual([key, ...also].sort());
  });
});
