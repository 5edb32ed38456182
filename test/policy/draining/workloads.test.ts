import { edited } from "../../support/edited";
import { exempt, unknown, type Given } from "../../support/policy";
import { advisory, ok, refused } from "../../support/verdicts";
import { bare, binding, budget, check, checkApp, deployment, gate, missing, pod, service, template } from "./setup";

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

  test("an exemption exempts", () => {
    expect(check([bare, service, binding], { exemptions: [exempt("app")] })).toEqual(ok);
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
