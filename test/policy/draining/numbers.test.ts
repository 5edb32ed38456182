import { edited, type Path } from "../../support/edited";
import { unknown, type Given } from "../../support/policy";
import { advisory, ok, rows } from "../../support/verdicts";
import { bare, binding, budget, check, checkApp, deployment, labels, missing, service, stack, template } from "./setup";

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

  const stuck = missing(
    'budget: the PodDisruptionBudget "budget" lets no pod go, so that no node .* maxUnavailable: 1.*',
  );

  // policy/v1: an eviction is refused while disruptionsAllowed is 0, for as long as it stays so.
  test.each(
    rows(
      { maxUnavailable: 0 },
      { maxUnavailable: "0%" },
      { minAvailable: 3 },
      { minAvailable: 4 },
      { minAvailable: "100%" },
      { minAvailable: "67%" }, // Of 3, rounded up: 3.
    ),
  )("%j lets no pod go", (spec) => {
    expect(says(spec)).toEqual(stuck);
  });

  test("where the number of pods isn't known, only what keeps all of any number is refused", () => {
    for (const replicas of [null, unknown]) {
      const said = (spec: unknown) => says(spec, replicas).violations.map((v) => v.message);
      for (const spec of [{ maxUnavailable: 0 }, { minAvailable: "100%" }])
        expect(said(spec)).toEqual([expect.stringMatching(/lets no pod go/)]);
      expect(said({ minAvailable: 3 }).join()).not.toContain("lets no pod go");
    }
    const scaler: Given = {
      type: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
      name: "scaler",
      props: { spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, minReplicas: 2 } },
    };
    expect(says({ minAvailable: 2 }, null, scaler)).toEqual(stuck);
    expect(says({ minAvailable: 1 }, null, scaler)).toEqual(ok);
  });

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
