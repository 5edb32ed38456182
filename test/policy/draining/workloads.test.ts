import { edited, type Path } from "../../support/edited";
import { unknown, type Given } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";
import {
  binding,
  budget,
  check,
  checkApp,
  deployment,
  gate,
  labels,
  missing,
  pod,
  service,
  stack,
  template,
} from "./setup";

/** The same Deployment with nothing but its image. */
const bare = edited(deployment, ["props", "spec"], {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
});

describe("bound-workload-drains", () => {
  test("says all that is missing in one message", () => {
    const found = check([bare, service, binding]);
    expect(found.violations).toHaveLength(1);
    const [first] = found.violations;
    for (const requirement of ["preStop", "readinessProbe", "readinessGate", "budget", "rollout", "replicas", "spread"])
      expect(first!.message).toContain(` ${requirement}: `);
    expect(found.undecided).toBeUndefined();
  });

  test("what is waived isn't missed", () => {
    const waived = ["preStop", "readinessProbe", "readinessGate", "budget", "rollout", "replicas"];
    expect(check([bare, service, binding], { waived })).toEqual(missing("spread: .*"));
    expect(check([bare, service, binding], { waived: [...waived, "spread"] })).toEqual(ok);
  });

  test.each([
    "kubernetes:apps/v1:Deployment",
    "kubernetes:apps/v1beta2:Deployment",
    "kubernetes:extensions/v1beta1:Deployment",
    "kubernetes:apps/v1:StatefulSet",
  ])("%s counts", (type) => {
    expect(check([{ ...bare, type }, service, binding]).violations).toHaveLength(1);
    expect(check([{ ...bare, type: `${type}Patch` }, service, binding])).toEqual(ok);
  });

  test("only workloads behind a binding count", () => {
    expect(check([bare, service])).toEqual(ok);
    expect(check([bare, binding])).toEqual(ok);
    const elsewhere = edited(bare, ["props", "metadata", "namespace"], "other");
    expect(check([elsewhere, service, binding])).toEqual(ok);
    const others = edited(bare, [...template, "metadata", "labels"], { app: "api" });
    expect(check([others, service, binding])).toEqual(ok);
    for (const selector of [undefined, {}, null])
      expect(check([bare, edited(service, ["props", "spec", "selector"], selector), binding])).toEqual(ok);
    expect(check([{ ...bare, type: "kubernetes:apps/v1:DaemonSet" }, service, binding])).toEqual(ok);
  });

  test("pods behind the ports of instances don't count", () => {
    const typed = (targetType: unknown) => edited(binding, ["props", "spec", "targetType"], targetType);
    expect(check([bare, service, typed("instance")])).toEqual(ok);
    expect(check([bare, service, typed(unknown)]).violations).toEqual([]);
    expect(check([bare, service, typed(unknown)]).undecided).toMatch(/^binding: .*targetType/);
    const group = (targetType: unknown): Given => ({
      type: "aws:lb/targetGroup:TargetGroup",
      name: "group",
      props: { arn: "arn", targetType },
    });
    // The controller looks the type up.
    expect(check([bare, service, typed(undefined), group("ip")]).violations).toHaveLength(1);
    expect(check([bare, service, typed(undefined), group("instance")])).toEqual(ok);
    expect(check([bare, service, typed(undefined), group(unknown)]).violations).toEqual([]);
    const named = edited(typed(undefined), ["props", "spec", "targetGroupARN"], undefined);
    const byName = edited(named, ["props", "spec", "targetGroupName"], "shop-web");
    const called = edited(group("ip"), ["props", "name"], "shop-web");
    expect(check([bare, service, byName, called]).violations).toHaveLength(1);
    // Of a group made elsewhere nobody here can tell.
    expect(check([bare, service, typed(undefined)])).toEqual(advisory("targetType"));
    const others = edited(service, ["props", "spec", "selector"], { app: "api" });
    expect(check([bare, others, typed(undefined)])).toEqual(ok);
  });

  test("labels and selectors that aren't known yet are advisory", () => {
    const dim = edited(service, ["props", "spec", "selector"], unknown);
    expect(check([bare, dim, binding])).toEqual(advisory("selector"));
    expect(check([edited(bare, [...template, "metadata", "labels"], unknown), service, binding])).toEqual(
      advisory("labels"),
    );
  });

  test("of a cluster that doesn't exist yet nothing is known, and nothing is said against it", () => {
    const nothing = (given: Given, from: string[] = []) => ({
      ...given,
      props: {},
      propertyDependencies: { spec: from },
    });
    const found = check([nothing(deployment), nothing(service), nothing(binding, ["service"]), nothing(budget)]);
    expect(found.violations).toEqual([]);
    expect(found.undecided).toMatch(/^binding: /);
  });

  test("an unknown doesn't hide what else is missing", () => {
    const found = checkApp(edited(bare, ["props", "spec", "replicas"], unknown));
    expect(found.violations[0]!.message).not.toContain("replicas: ");
    expect(found.undecided).toMatch(/^app: .*replicas/);
  });

  test("exemptResources exempts", () => {
    expect(check([bare, service, binding], { exemptResources: ["app"] })).toEqual(ok);
  });
});

describe("budget", () => {
  const change = (path: Path, value: unknown) => edited(budget, ["props", ...path], value);
  const none = missing("budget: no PodDisruptionBudget selects the pods: .*maxUnavailable: 1");

  test("none, of other pods, in another namespace or only a patch", () => {
    expect(check([deployment, service, binding])).toEqual(none);
    const others = { matchLabels: { app: "api" } };
    expect(check([deployment, service, binding, change(["spec", "selector"], others)])).toEqual(none);
    expect(check([deployment, service, binding, change(["metadata", "namespace"], "other")])).toEqual(none);
    expect(check([deployment, service, binding, { ...budget, type: `${budget.type}Patch` }])).toEqual(none);
    expect(check([deployment, service, binding, { ...budget, type: "kubernetes:policy/v1beta1:PodDisruptionBudget" }])) //
      .toEqual(ok);
  });

  test("two of them refuse every eviction", () => {
    expect(check([...stack, { ...budget, name: "again" }])).toEqual(
      missing("budget: 2 PodDisruptionBudgets select the pods \\(budget, again\\), .*keep one"),
    );
  });

  const says = (spec: unknown, replicas: unknown = 3, ...others: Given[]) => {
    const given = change(["spec"], Object.assign({ selector: { matchLabels: labels } }, spec));
    return check([edited(deployment, ["props", "spec", "replicas"], replicas), service, binding, given, ...others]);
  };

  test.each(
    rows(
      {},
      { minAvailable: 0 },
      { minAvailable: "0%" },
      { maxUnavailable: "100%" },
      { maxUnavailable: 3 },
      { maxUnavailable: 4 },
      { maxUnavailable: "67%" }, // Of 3, rounded up: 3.
    ),
  )("%j protects nothing", (spec) => {
    expect(says(spec)).toEqual(
      missing('budget: the PodDisruptionBudget "budget" lets a drain take all pods at once.*'),
    );
  });

  test.each(rows({ minAvailable: 1 }, { minAvailable: "1%" }, { maxUnavailable: 2 }, { maxUnavailable: "66%" }))(
    "%j keeps a pod",
    (spec) => {
      expect(says(spec)).toEqual(ok);
    },
  );

  test("all pods that it covers count, as far as their number is known", () => {
    const more = { ...edited(deployment, ["props", "metadata", "name"], "more"), name: "more" };
    expect(says({ maxUnavailable: 3 }, 3, more)).toEqual(ok);
    const config = { waived: ["replicas"] };
    const uncounted = (spec: object, replicas: unknown) =>
      check(
        [
          edited(deployment, ["props", "spec", "replicas"], replicas),
          service,
          binding,
          change(["spec"], { selector: { matchLabels: labels }, ...spec }),
        ],
        config,
      );
    expect(uncounted({ maxUnavailable: 3 }, undefined)).toEqual(ok);
    expect(uncounted({ maxUnavailable: 3 }, unknown)).toEqual(advisory("replicas"));
    expect(uncounted({ maxUnavailable: 1 }, unknown)).toEqual(ok);
    for (const replicas of [undefined, unknown])
      expect(uncounted({ minAvailable: 0 }, replicas)).toEqual(missing("budget: .*"));
    expect(says({ maxUnavailable: unknown })).toEqual(advisory("maxUnavailable"));
  });

  test("an unknown selector is advisory", () => {
    expect(check([deployment, service, binding, change(["spec", "selector"], unknown)])).toEqual(advisory("selector"));
  });
});

describe("rollout", () => {
  const strategy = (value: unknown, replicas: unknown = 10, ...others: Given[]) =>
    checkApp(
      edited(edited(deployment, ["props", "spec", "strategy"], value), ["props", "spec", "replicas"], replicas),
      others,
    );

  test.each(rows(0, "0", "0%"))("maxUnavailable %j takes nothing away first", (maxUnavailable) => {
    expect(strategy({ rollingUpdate: { maxUnavailable } })).toEqual(ok);
  });

  test.each<[unknown, string]>([
    [undefined, "25%, the default"],
    [{ rollingUpdate: { maxUnavailable: 1 } }, "1"],
    [{ rollingUpdate: { maxUnavailable: "10%" } }, "10%"],
    [{ rollingUpdate: {} }, "25%, the default"],
  ])("%j does", (value, written) => {
    expect(strategy(value)).toEqual(missing(`rollout: maxUnavailable is ${written}: .*`));
  });

  // 25% of 2 is 0.5 and of 4 is 1; 10% of 9 is 0.9.
  test("a share of a fixed number of replicas is rounded down", () => {
    for (const replicas of [2, 3]) expect(strategy(undefined, replicas)).toEqual(ok);
    expect(strategy(undefined, 4)).toEqual(missing("rollout: maxUnavailable is 25%, the default: .*"));
    expect(strategy({ rollingUpdate: { maxUnavailable: "10%", maxSurge: 1 } }, 9)).toEqual(ok);
    expect(strategy({ rollingUpdate: { maxUnavailable: 1 } }, 2)).toEqual(missing("rollout: maxUnavailable is 1: .*"));
    expect(strategy({ rollingUpdate: { maxUnavailable: "50%" } }, 2)).toEqual(missing("rollout: .*"));
    expect(strategy(undefined, unknown)).toEqual(advisory("replicas"));
  });

  test("not where no pod may be made first, or an autoscaler makes more", () => {
    expect(strategy({ rollingUpdate: { maxSurge: 0 } }, 2)).toEqual(missing("rollout: maxUnavailable is 25%.*"));
    expect(strategy({ rollingUpdate: { maxSurge: unknown } }, 2)).toEqual(advisory("maxSurge"));
    const scaler = (name: unknown): Given => ({
      type: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
      name: "scaler",
      props: { spec: { scaleTargetRef: { kind: "Deployment", name }, minReplicas: 2 } },
    });
    expect(strategy(undefined, 2, scaler("web"))).toEqual(missing("rollout: maxUnavailable is 25%.*"));
    expect(strategy(undefined, 2, scaler("api"))).toEqual(ok);
    expect(strategy(undefined, 2, scaler(unknown))).toEqual(advisory("name"));
  });

  test("Recreate stops all of them", () => {
    expect(strategy({ type: "Recreate" })).toEqual(missing("rollout: strategy Recreate stops all pods.*"));
  });

  test("a StatefulSet has no choice; an unknown is advisory", () => {
    const set = {
      ...edited(deployment, ["props", "spec", "strategy"], undefined),
      type: "kubernetes:apps/v1:StatefulSet",
    };
    expect(checkApp(set)).toEqual(ok);
    expect(strategy({ rollingUpdate: { maxUnavailable: unknown } })).toEqual(advisory("maxUnavailable"));
    expect(strategy({ type: unknown, rollingUpdate: { maxUnavailable: 0 } })).toEqual(advisory("type"));
  });
});

describe("replicas", () => {
  const replicas = (value: unknown) => edited(deployment, ["props", "spec", "replicas"], value);
  const scaler = (spec: object, more: Partial<Given> = {}): Given => ({
    type: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
    name: "scaler",
    props: { spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, ...spec } },
    ...more,
  });

  test("fewer than two are an outage at each move", () => {
    expect(checkApp(replicas(1))).toEqual(missing("replicas: replicas is 1: .*Write replicas: 2 or more"));
    expect(checkApp(replicas(undefined))).toEqual(missing("replicas: replicas is missing, which means 1: .*"));
    expect(checkApp(replicas(2), [], { minimumReplicas: 3 })).toEqual(missing("replicas: replicas is 2: .*3 or more"));
    expect(checkApp(replicas(unknown))).toEqual(advisory("replicas"));
  });

  test.each([
    "kubernetes:autoscaling/v1:HorizontalPodAutoscaler",
    "kubernetes:autoscaling/v2beta2:HorizontalPodAutoscaler",
    "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
  ])("%s decides instead", (type) => {
    expect(checkApp(replicas(undefined), [scaler({ minReplicas: 2 }, { type })])).toEqual(ok);
    expect(checkApp(replicas(5), [scaler({}, { type })])).toEqual(
      missing('replicas: minReplicas of "scaler" is missing, which means 1: .*'),
    );
    expect(checkApp(replicas(undefined), [scaler({ minReplicas: unknown }, { type })])).toEqual(
      advisory("minReplicas"),
    );
  });

  test("so does KEDA's", () => {
    const keda = scaler(
      { scaleTargetRef: { name: "web" }, minReplicaCount: 2 },
      { type: "kubernetes:keda.sh/v1alpha1:ScaledObject" },
    );
    expect(checkApp(replicas(undefined), [keda])).toEqual(ok);
  });

  test("what is behind one Service counts together", () => {
    const second = (count: unknown) => ({
      ...edited(edited(deployment, ["props", "spec", "replicas"], count), ["props", "metadata", "name"], "canary"),
      name: "canary",
    });
    expect(checkApp(replicas(2), [second(1)])).toEqual(ok);
    expect(checkApp(replicas(1), [second(1)])).toEqual(ok);
    expect(checkApp(replicas(1), [second(unknown)]).undecided).toMatch(/replicas/);
    expect(checkApp(replicas(1), [second(1)], { minimumReplicas: 3 }).violations).toHaveLength(2);
    // Behind another Service it is no help.
    const other = edited(second(5), [...template, "metadata", "labels"], { app: "api" });
    expect(checkApp(replicas(1), [other])).toEqual(missing("replicas: replicas is 1: .*"));
  });

  test("a colour that is off has no pods to move", () => {
    const off = { ...edited(bare, ["props", "spec", "replicas"], 0), name: "off" };
    expect(checkApp(deployment, [off])).toEqual(ok);
    expect(check([off, service, binding]).violations).toHaveLength(1);
    expect(checkApp(replicas(0), [off]).violations).toHaveLength(2);
    const named = edited(off, ["props", "metadata", "name"], "off");
    const scaled = scaler({ scaleTargetRef: { kind: "Deployment", name: "off" }, minReplicas: 2 });
    expect(checkApp(deployment, [named, scaled]).violations).toHaveLength(1);
  });

  test("an autoscaler of something else doesn't", () => {
    const other = scaler({ scaleTargetRef: { kind: "Deployment", name: "api" }, minReplicas: 5 });
    expect(checkApp(replicas(undefined), [other]).violations).toHaveLength(1);
    const kind = scaler({ scaleTargetRef: { kind: "StatefulSet", name: "web" }, minReplicas: 5 });
    expect(checkApp(replicas(undefined), [kind]).violations).toHaveLength(1);
  });

  test("while names aren't known, it is found by where its target came from, or may be any", () => {
    const dim = (from: string[]) =>
      scaler(
        { scaleTargetRef: { kind: "Deployment", name: unknown }, minReplicas: 2 },
        { propertyDependencies: { spec: from } },
      );
    expect(checkApp(replicas(undefined), [dim(["app"])])).toEqual(ok);
    expect(checkApp(replicas(undefined), [dim([])])).toEqual(advisory("name"));
    expect(checkApp(replicas(2), [dim([])])).toEqual(ok);
  });
});

describe("readinessGate", () => {
  const gates = (...conditions: unknown[]) =>
    edited(
      deployment,
      [...pod, "readinessGates"],
      conditions.map((conditionType) => ({ conditionType })),
    );
  const none = missing("readinessGate: no readiness gate, .*pod-readiness-gate-inject: enabled .*gatedNamespaces\\)");
  const namespace = (label: unknown, more: Partial<Given> = {}): Given => ({
    type: "kubernetes:core/v1:Namespace",
    name: "ns",
    props: { metadata: { name: "shop", labels: { "elbv2.k8s.aws/pod-readiness-gate-inject": label } } },
    ...more,
  });

  test("it must be that of the binding", () => {
    expect(checkApp(gates(gate, "other"))).toEqual(ok);
    for (const conditions of [[], ["other"], ["target-health.elbv2.k8s.aws/other"]])
      expect(checkApp(gates(...conditions))).toEqual(none);
  });

  test("while the binding's name isn't known, one that came from it, or names any, is enough", () => {
    const unnamed = edited(binding, ["props", "metadata", "name"], unknown);
    const from = { ...gates(unknown), propertyDependencies: { spec: ["binding"] } };
    expect(check([from, service, unnamed, budget])).toEqual(ok);
    expect(check([from, service, edited(binding, ["props", "metadata", "name"], undefined), budget])).toEqual(ok);
    expect(check([gates(unknown), service, unnamed, budget])).toEqual(advisory("conditionType"));
    expect(check([gates("target-health.elbv2.k8s.aws/web-1a2b3c4d"), service, unnamed, budget])).toEqual(ok);
    expect(check([gates("other"), service, unnamed, budget])).toEqual(none);
  });

  test("a workload behind two bindings needs both gates", () => {
    const second = { ...edited(binding, ["props", "metadata", "name"], "new"), name: "second" };
    const both = (app: Given) => check([app, service, binding, second, budget]);
    expect(both(gates(gate, "target-health.elbv2.k8s.aws/new"))).toEqual(ok);
    expect(both(gates(gate))).toEqual(refused(/^"app" is behind "binding" and "second", .*readinessGate: /, "app"));
  });

  // The group of the binding's API stands in both: seen on a cluster with Auto Mode.
  test("EKS Auto Mode has another gate and label", () => {
    const autoMode = { ...binding, type: "kubernetes:eks.amazonaws.com/v1:TargetGroupBinding" };
    const verdict = (app: Given, ...more: Given[]) => check([app, service, autoMode, budget, ...more]);
    expect(verdict(gates("target-health.eks.amazonaws.com/web"))).toEqual(ok);
    expect(verdict(gates(gate))).toEqual(missing("readinessGate: .*target-health.eks.amazonaws.com/.*"));
    expect(verdict(gates(), namespace("enabled")).violations).toHaveLength(1);
    const labels = { "eks.amazonaws.com/pod-readiness-gate-inject": "enabled" };
    expect(verdict(gates(), namespace("", { props: { metadata: { name: "shop", labels } } }))).toEqual(ok);
  });

  test("the namespace's label makes the webhook add it", () => {
    expect(checkApp(gates(), [namespace("enabled")])).toEqual(ok);
    expect(checkApp(gates(), [namespace("enabled", { type: "kubernetes:core/v1:NamespacePatch" })])).toEqual(ok);
    expect(checkApp(gates(), [namespace("disabled")])).toEqual(none);
    expect(checkApp(gates(), [namespace(unknown)])).toEqual(advisory("pod-readiness-gate-inject"));
    const other = {
      props: { metadata: { name: "other", labels: { "elbv2.k8s.aws/pod-readiness-gate-inject": "enabled" } } },
    };
    expect(checkApp(gates(), [namespace("enabled", other)])).toEqual(none);
    expect(checkApp(gates(), [], { gatedNamespaces: ["shop"] })).toEqual(ok);
  });

  test("a namespace whose name isn't known is found by where it came from", () => {
    const unnamed = edited(namespace("enabled"), ["props", "metadata", "name"], unknown);
    const inIt = {
      ...edited(gates(), ["props", "metadata", "namespace"], unknown),
      propertyDependencies: { metadata: ["ns"] },
    };
    expect(checkApp(inIt, [unnamed])).toEqual(ok);
    expect(checkApp(edited(gates(), ["props", "metadata", "namespace"], unknown))).toEqual(advisory("namespace"));
  });
});
