import { addressIn } from "../../policy/lib/addresses";
import { networkKey } from "../../policy/lib/networks";
import { withParents } from "../../policy/lib/parents";
import { foregroundOf, passesSignals } from "../../policy/lib/scripts";
import { policies } from "../../policy/policies";
import { namesInRule } from "../../policy/rules/alarms/metric-alarms";
import { readYaml } from "../../policy/rules/carriers/yaml-templates";
import { Environment } from "../../policy/rules/kafka/environment";
import { givenResources, type Given } from "../support/policy";
import { workload } from "../../tools/policies/workload";
import { onFile } from "./kafka/client-setup";
import { targetGroupsIn } from "../../policy/rules/targets/target-groups";
import { set } from "./kafka/setup";
import { kafkaClientDropsDeadBrokers } from "../../policy/rules/kafka-clients/kafka-client-drops-dead-brokers";

/*
 * What once made a rule go on for ever, or for hours. No clock: with the fault back, a test of these doesn't end, or the memory does.
 */

describe("parents in a circle", () => {
  const everywhere: Given[] = [
    ...workload(18),
    ...["broker", "controller"].map(set),
    { type: "kubernetes:core/v1:ConfigMap", name: "map", props: { metadata: {} } },
    { type: "aws:eks/cluster:Cluster", name: "cluster", props: { name: "shop" } },
    {
      type: "kubernetes:apps/v1:Deployment",
      name: "by-hand",
      props: { spec: { template: { spec: { containers: [{ image: "eks/aws-load-balancer-controller:v3.5.0" }] } } } },
    },
  ];

  test("each is a parent once", () => {
    const [a, b, c] = givenResources(["a", "b", "c"].map((name) => ({ type: "x:y:Z", name, props: {} })));
    [a!.parent, b!.parent, c!.parent] = [b, c, b];
    expect(withParents(a!).map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });

  test.each(policies.flatMap((p) => ("validateStack" in p ? [[p.name, p.validateStack] as const] : [])))(
    "%s ends",
    (_, validate) => {
      const resources = givenResources(everywhere.map((given) => ({ ...given, parent: "cluster" })));
      const args = { resources, stackTags: new Map(), getConfig: () => ({}), notApplicable: () => undefined };
      expect(() => validate(args as never, () => undefined)).not.toThrow();
    },
  );
});

test("a target group stays one where it is the parent of another", () => {
  const group = (name: string) => ({ type: "aws:lb/targetGroup:TargetGroup", name, props: {} });
  const resources = givenResources([group("a"), { ...group("b"), parent: "a" }]);
  expect(targetGroupsIn(resources).map(({ name }) => name)).toEqual(["a", "b"]);
});

describe("texts", () => {
  const long = 1_000_000;

  test("an assignment that looks like a pattern of case is tried as one of them", () => {
    expect(passesSignals(`${"a=) ".repeat(100)}java`)).toBe(false);
    expect(passesSignals("A=$(b) a) B=1 exec java")).toBe(true);
  });

  test("a script without anything in the background is looked through once", () => {
    const script = "a".repeat(long);
    expect(foregroundOf(script)).toBe(script);
    expect(foregroundOf("sleep 20 & echo; sleep 5\nsleep 7 &")).toBe("; :; sleep 5\n;");
  });

  test("spaces", () => {
    const spaces = " ".repeat(long);
    expect(networkKey(`${spaces}10.0.0.0`)).toBe(`${spaces}10.0.0.0`);
    expect(namesInRule(`ALARM(${spaces}`)).toEqual([]);
    expect(namesInRule(`ALARM(${spaces}a b${spaces})`)).toEqual(["a b"]);
    expect(addressIn(`${spaces}10.0.0.1${spaces}`)).toBe("10.0.0.1");
    expect(readYaml(`${spaces}\n-${spaces}x`, "", new Map())).toEqual([]);
    const group = "Type: AWS::ElasticLoadBalancingV2::TargetGroup\nTargets:\n- Id:";
    expect(readYaml(`${group}${spaces}}`, "", new Map())).toEqual([]);
    expect(readYaml(`${group}${spaces}10.0.0.1`, "", new Map())).toEqual([
      { path: ", line 1: Targets[0].Id", address: "10.0.0.1" },
    ]);
    const found = onFile(kafkaClientDropsDeadBrokers, { acks: "all", "socket.max.fails": `${spaces}\u2028x` });
    expect(found.violations.length).toBeGreaterThan(0);
  });

  test("what begins again and again", () => {
    expect(namesInRule("ALARM(".repeat(long))).toEqual([]);
    expect(addressIn(`${"%".repeat(long)}\nx`)).toBeUndefined();
  });

  // execve(2): a variable of more than 128 KiB starts no container.
  test("variables that name each other a hundred times stay as long as a variable may be", () => {
    const names = ["A", "B", "C", "D", "E", "F", "G"];
    const env = names.map((name, i) => ({ name, value: `$(${names[i + 1] ?? "A"})`.repeat(100) }));
    const environment = new Environment({ env }, () => undefined);
    expect(environment.expanded("A")!.text!.length).toBeLessThan(2 * 131_072);
    const short = new Environment(
      {
        env: [
          { name: "A", value: "$(B)-$(B)" },
          { name: "B", value: "b" },
        ],
      },
      () => undefined,
    );
    expect(short.expanded("A")).toEqual({ text: "b-b" });
  });
});
