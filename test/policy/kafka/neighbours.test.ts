import { kafkaHasADisruptionBudget } from "../../../policy/rules/kafka/kafka-has-a-disruption-budget";
import { kafkaNodesOutliveTheShutdown } from "../../../policy/rules/kafka/kafka-nodes-outlive-the-shutdown";
import { kafkaStartsTogether } from "../../../policy/rules/kafka/kafka-starts-together";
import { kafkaVolumesWaitForTheirPod } from "../../../policy/rules/kafka/kafka-volumes-wait-for-their-pod";
import { edited, type Path } from "../../support/edited";
import { checkStack, unknown, type Given } from "../../support/policy";
import { advisory, ok } from "../../support/verdicts";
import { broker, budget, labels, pod, pool, refused, service, storage } from "./setup";

describe("kafka-starts-together", () => {
  const check = (given: Given, ...others: Given[]) => checkStack(kafkaStartsTogether, [given, ...others]);
  const policy: Path = ["props", "spec", "podManagementPolicy"];

  test("one after the other is refused, also by default", () => {
    expect(check(edited(broker, policy, "OrderedReady"))).toEqual(refused(/^"broker" starts its pods one after/));
    expect(check(edited(broker, policy, undefined))).toEqual(refused(/is missing, which means OrderedReady/));
    expect(check(edited(broker, policy, unknown))).toEqual(advisory("podManagementPolicy"));
  });

  const publish: Path = ["props", "spec", "publishNotReadyAddresses"];
  const hiding = edited(service, publish, undefined);

  test("the Service that names the pods must publish them early", () => {
    for (const value of [undefined, false, null])
      expect(check(broker, edited(service, publish, value))).toEqual(refused(/Service "peers", which hides them/));
    expect(check(broker, edited(service, publish, unknown))).toEqual(advisory("publishNotReadyAddresses"));
  });

  test("another Service needn't", () => {
    expect(check(broker, edited(hiding, ["props", "metadata", "name"], "bootstrap"))).toEqual(ok);
    expect(check(broker, edited(hiding, ["props", "metadata", "namespace"], "other"))).toEqual(ok);
    expect(check(edited(broker, ["props", "spec", "serviceName"], undefined), hiding)).toEqual(ok);
  });

  test("while its name isn't known it is a headless one that the set refers to", () => {
    const dim = edited(hiding, ["props", "metadata", "name"], unknown);
    const waiting = {
      ...edited(broker, ["props", "spec", "serviceName"], unknown),
      propertyDependencies: { spec: ["peers"] },
    };
    expect(check(waiting, dim).violations).toHaveLength(1);
    expect(check(waiting, edited(dim, ["props", "spec", "clusterIP"], undefined))).toEqual(ok);
    expect(check({ ...waiting, propertyDependencies: {} }, dim)).toEqual(ok);
  });
});

describe("kafka-has-a-disruption-budget", () => {
  const check = (...given: Given[]) => checkStack(kafkaHasADisruptionBudget, given);
  const spec: Path = ["props", "spec"];
  const none = /^No PodDisruptionBudget in this stack selects the pods of "broker"/;

  test("without one every pod may go at once", () => {
    expect(check(broker)).toEqual(refused(none));
    expect(check(broker, edited(budget, ["props", "metadata", "namespace"], "other"))).toEqual(refused(none));
    expect(check(broker, { ...budget, type: `${budget.type}Patch` })).toEqual(refused(none));
  });

  test.each<[object | null]>([
    [{ matchLabels: labels("controller") }],
    [{ matchLabels: { ...labels("broker"), more: "x" } }],
    [{ matchExpressions: [{ key: "app.kubernetes.io/component", operator: "NotIn", values: ["broker"] }] }],
    [{ matchExpressions: [{ key: "app.kubernetes.io/name", operator: "DoesNotExist" }] }],
    [null],
  ])("%j doesn't select the pods", (selector) => {
    expect(check(broker, edited(budget, [...spec, "selector"], selector))).toEqual(refused(none));
  });

  test.each<[object]>([
    [{}],
    [{ matchExpressions: [{ key: "app.kubernetes.io/component", operator: "In", values: ["broker", "x"] }] }],
    [{ matchExpressions: [{ key: "app.kubernetes.io/name", operator: "Exists" }] }],
    [{ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["x"] }] }],
  ])("%j does", (selector) => {
    expect(check(broker, edited(budget, [...spec, "selector"], selector))).toEqual(ok);
  });

  test.each([
    [{ maxUnavailable: 0 }, false],
    [{ maxUnavailable: 2 }, false],
    // Of 3 pods, rounded up: 1.02, 0.99, and 1.98 that stay.
    [{ maxUnavailable: "34%" }, false],
    [{ maxUnavailable: "33%" }, true],
    [{ minAvailable: "66%" }, true],
    [{ maxUnavailable: "1" }, false],
    [{}, false],
    [{ minAvailable: 1 }, false],
    [{ minAvailable: 3 }, false],
    [{ minAvailable: 2 }, true],
  ])("%j lets exactly one pod go: %s", (limit, fine) => {
    const other = edited(budget, spec, { selector: { matchLabels: labels("broker") }, ...limit });
    expect(check(broker, other)).toEqual(fine ? ok : refused(/"budget" doesn't let exactly one pod of "broker"/));
  });

  test("two budgets block every eviction", () => {
    expect(check(broker, budget, { ...budget, name: "again" })).toEqual(refused(/^2 .*\(budget, again\).*Keep one/));
  });

  test("unknowns are advisory", () => {
    expect(check(broker, edited(budget, [...spec, "maxUnavailable"], unknown))).toEqual(advisory("maxUnavailable"));
    expect(check(broker, edited(budget, [...spec, "selector"], unknown))).toEqual(advisory("selector"));
    expect(check(broker, edited(budget, [...spec, "selector", "matchLabels"], unknown))).toEqual(
      advisory("matchLabels"),
    );
    const labelled = edited(broker, ["props", "spec", "template", "metadata", "labels"], unknown);
    expect(check(labelled, budget)).toEqual(advisory("labels"));
    expect(check(edited(broker, ["props", "metadata", "namespace"], unknown), budget)).toEqual(ok);
    const wanting = edited(budget, [...spec, "selector", "matchLabels"], { ...labels("controller"), name: unknown });
    expect(check(broker, wanting)).toEqual(refused(none));
  });
});

describe("kafka-volumes-wait-for-their-pod", () => {
  const check = (given: Given, storageClass: Given) => checkStack(kafkaVolumesWaitForTheirPod, [given, storageClass]);
  const mode: Path = ["props", "volumeBindingMode"];
  const atOnce = edited(storage, mode, undefined);
  const wanted: Path = ["props", "spec", "volumeClaimTemplates", 0, "spec", "storageClassName"];
  const early = /of the StorageClass "storage", which binds them before/;

  test("a class that binds at once is refused, also by default", () => {
    expect(check(broker, edited(storage, mode, "Immediate"))).toEqual(refused(early));
    expect(check(broker, atOnce)).toEqual(refused(early));
    expect(check(broker, edited(storage, mode, unknown))).toEqual(advisory("volumeBindingMode"));
  });

  test("other classes don't matter, the cluster's default does where none is named", () => {
    expect(check(broker, edited(atOnce, ["props", "metadata", "name"], "other"))).toEqual(ok);
    const unnamed = edited(broker, wanted, undefined);
    expect(check(unnamed, atOnce)).toEqual(ok);
    const standard = { "storageclass.kubernetes.io/is-default-class": "true" };
    expect(check(unnamed, edited(atOnce, ["props", "metadata", "annotations"], standard))).toEqual(refused(early));
  });

  test("a class whose name isn't known yet is found through the dependency", () => {
    const waiting = edited(broker, wanted, unknown);
    expect(check({ ...waiting, propertyDependencies: { spec: ["storage"] } }, atOnce)).toEqual(refused(early));
    expect(check(waiting, atOnce)).toEqual(ok);
  });
});

describe("kafka-nodes-outlive-the-shutdown", () => {
  const check = (nodes: Given, given = broker) => checkStack(kafkaNodesOutliveTheShutdown, [given, nodes]);
  const template: Path = ["props", "spec", "template", "spec"];
  const requirements = (...list: unknown[]) => check(edited(pool, [...template, "requirements"], list));
  const capacity = (operator: string, ...values: unknown[]) => ({
    key: "karpenter.sh/capacity-type",
    operator,
    values,
  });
  const spot = /^"pool" may launch spot instances for "broker"/;

  test.each<[object[]]>([
    [[capacity("In", "spot", "on-demand")]],
    [[capacity("NotIn", "reserved")]],
    [[capacity("Exists")]],
    [[{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }]],
    [[]], // karpenter-provider-aws instance.go, getCapacityType: without a requirement spot comes before on-demand
  ])("%j lets spot through", (list) => expect(requirements(...list)).toEqual(refused(spot, "pool")));

  test.each<[object[]]>([
    [[capacity("In", "reserved", "on-demand")]],
    [[capacity("NotIn", "spot")]],
    [[capacity("DoesNotExist")]],
    [[capacity("In", "spot", "on-demand"), capacity("NotIn", "spot")]],
  ])("%j doesn't", (list) => expect(requirements(...list)).toEqual(ok));

  test("pods that ask for on-demand never go to spot; nor does a pool whose nodes are labelled so have any", () => {
    const loose = edited(pool, [...template, "requirements"], []);
    const asking = { "karpenter.sh/nodepool": "kafka", "karpenter.sh/capacity-type": "on-demand" };
    expect(check(loose, edited(broker, [...pod, "nodeSelector"], asking))).toEqual(ok);
    const label = { "karpenter.sh/capacity-type": "on-demand" };
    expect(check(edited(loose, ["props", "spec", "template", "metadata"], { labels: label }))).toEqual(ok);
  });

  const grace = (node: unknown, given = broker) =>
    check(edited(pool, [...template, "terminationGracePeriod"], node), given);

  test("the node's grace must be above the pod's", () => {
    expect(grace("1h")).toEqual(ok);
    expect(grace("6m1s")).toEqual(ok);
    for (const short of ["6m", "30s", "360s"])
      expect(grace(short)).toEqual(
        refused(`terminationGracePeriod of ${short}, but the pods of "broker" need 360 s`, "pool"),
      );
    const brief = edited(broker, [...pod, "terminationGracePeriodSeconds"], undefined);
    expect(grace("30s", brief)).toEqual(refused(/need 30 s/, "pool"));
    expect(grace("31s", brief)).toEqual(ok);
  });

  test("another pool may do as it likes", () => {
    const spotty = edited(edited(pool, [...template, "requirements"], []), ["props", "metadata", "name"], "web");
    expect(check(spotty)).toEqual(ok);
    expect(
      check(edited(pool, [...template, "requirements"], []), edited(broker, [...pod, "nodeSelector"], undefined)),
    ).toEqual(ok);
  });

  test("unknowns are advisory", () => {
    expect(grace(unknown)).toEqual(advisory("terminationGracePeriod"));
    expect(grace("10m", edited(broker, [...pod, "terminationGracePeriodSeconds"], unknown))).toEqual(
      advisory("Seconds"),
    );
    expect(requirements(unknown)).toEqual(advisory("requirements"));
    expect(requirements(capacity("In", unknown))).toEqual(advisory("values"));
    expect(requirements(unknown, capacity("In", "on-demand"))).toEqual(ok);
  });
});
