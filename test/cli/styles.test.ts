import { moorings, Workspace, type Result } from "../support/moorings";

const work = new Workspace();
afterAll(() => work.dispose());

let result: Result;
beforeAll(async () => {
  const project = ["--project", work.program("styles"), "--policy-pack", work.publishedPack()];
  result = await moorings(["check", ...project, "--json", work.path("styles.json")]);
});

/** What a reader of the fixture's files finds in them, and what is right there and so isn't in the table: `-instance(s)`, `loose`, `https`. */
const found: Record<string, Record<string, string[]>> = {
  "classic-alb.js": {
    "shop-pods": ["ip-target-group-has-alarms", "ip-target-group-needs-binding"],
    "shop-pod": ["no-attachments-on-ip-target-groups", "no-hand-registered-ip-targets"],
  },
  // What the load balancer makes itself is in the closed box, but its arguments say of which type the group is.
  "awsx-lb.js": { "front-pod": ["no-attachments-on-ip-target-groups", "no-hand-registered-ip-targets"] },
  "inline-rules.js": {
    "nodes-inline": ["no-inline-rules-on-cluster-security-groups"],
    "https-again": ["no-equal-security-group-rules"],
  },
  // Of the second chart nothing is seen offline, and of the second group its text.
  "manifests.js": {
    "shop/legacy": ["no-hand-registered-ip-targets"],
    "texts-v2": ["no-ip-targets-in-templates", "no-target-registration-in-scripts"],
    controller: [
      "controller-chart-is-current",
      "controller-knows-where-it-is",
      "controller-survives-a-drain",
      "controller-webhooks-block-nothing",
    ],
  },
  "plain-karpenter.js": {
    shop: [
      "cluster-admits-by-access-entries",
      "cluster-endpoint-names-its-callers",
      "cluster-stays-in-standard-support",
    ],
    "default-class": ["node-class-pins-ami"],
    "default-pool": [
      "node-pool-expiry-needs-grace",
      "node-pool-has-budgets",
      "node-pool-has-limits",
      "node-pool-waits-for-its-nodes",
    ],
  },
};

test.each(Object.entries(found))(
  "in %s, which knows nothing of Moorings, the pack finds what is wrong",
  (_, expected) => {
    const names = Object.keys(expected);
    const said = work.plan("styles.json").policies.map((v) => [v.urn.split("::")[3] ?? "", v.policy] as const);
    const own = (name: string) =>
      [...new Set(said.filter(([where]) => where === name).map(([, policy]) => policy))].sort();
    expect(Object.fromEntries(names.map((name) => [name, own(name)]))).toEqual(expected);
  },
);

test("it finds nothing else, and says what it couldn't look into", () => {
  const names = Object.values(found).flatMap((resources) => Object.keys(resources));
  const others = work.plan("styles.json").policies.map((v) => v.urn.split("::")[3] ?? "");
  expect(others.filter((name) => !names.includes(name))).toEqual([]);
  expect(work.plan("styles.json").closedBoxes.map((urn) => urn.split("::").slice(2).join(" "))).toEqual([
    "awsx:lb:ApplicationLoadBalancer front",
    "awsx:lb:TargetGroupAttachment front-pod",
    "kubernetes:helm.sh/v4:Chart controller-v4",
    "kubernetes:yaml/v2:ConfigGroup texts-v2",
  ]);
  expect(result.stdout).toContain("Closed boxes: 4 remote components");
  expect(result.code).toBe(3);
});
