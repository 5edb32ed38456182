import { edited } from "../../support/edited";
import { unknown, type Given } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";
import {
  check,
  checkApp,
  container,
  deployment,
  missing,
  pod,
  service,
  binding,
  budget,
  stack,
  withApp,
} from "./setup";

test("a Deployment that has everything is fine", () => {
  expect(check(stack)).toEqual(ok);
});

describe("preStop", () => {
  const preStop = (hook: unknown, config?: object) => withApp([...container, "lifecycle"], { preStop: hook }, config);
  const exec = (...command: unknown[]) => ({ exec: { command } });

  test.each(
    rows(
      { sleep: { seconds: 15 } },
      exec("sleep", "20"),
      exec("/bin/sleep", "20s"),
      exec("sh", "-c", "sleep 20 && nginx -s quit"),
      exec("sh", "-c", "nginx -s quit; sleep 10; sleep 10"),
      exec("python3", "-c", "import time; time.sleep(20)"),
      exec("sleep", "0.5m"),
      exec("sh", "-c", "# let it be seen\nsleep 20 # as long as it takes"),
      exec("sh", "-c", "nginx -s quit & sleep 20"),
      exec("sh", "-c", "sleep 20 & nginx -s quit; wait"),
      exec("sh", "-c", "echo '# draining'; sleep 20"),
      exec("sh", "-c", "echo draining >&2 && sleep 20"),
      exec("sh", "-c", "if [ -e /up ]; then sleep 20; fi"),
      exec("sh", "-c", "sleep 20 > /dev/null 2>&1"),
    ),
  )("%j waits", (hook) => {
    expect(preStop(hook)).toEqual(ok);
  });

  test.each<[unknown, string]>([
    [{ sleep: { seconds: 14 } }, 'preStop: the preStop hook of container "web" waits only 14 s, .*needs 15: write .*'],
    [exec("sleep", "5"), 'preStop: the preStop hook of container "web" waits only 5 s \\(sleep 5\\), .*'],
    [exec("nginx", "-s", "quit"), ".*waits nothing that one can see \\(nginx -s quit\\), .*"],
    [exec("sh", "-c", "sleep $DELAY"), ".*waits nothing that one can see \\(sh -c sleep \\$DELAY\\), .*"],
    [exec("sh", "-c", "# sleep 20\nnginx -s quit"), ".*waits nothing that one can see[^;]*"],
    [exec("sh", "-c", "nginx -s quit # then sleep 20; sleep 20"), ".*waits nothing that one can see.*"],
    [exec("sh", "-c", "echo sleep 20"), ".*waits nothing that one can see.*"],
    [exec("echo", "sleep 20"), ".*waits nothing that one can see.*"],
    [exec("sh", "-c", "echo 'now; sleep 20'; nginx -s quit"), ".*waits nothing that one can see.*"],
    [exec("sh", "-c", "sleep 20 &"), ".*waits nothing that one can see.*"],
    [exec("sh", "-c", "sleep 20 & nginx -s quit"), ".*waits nothing that one can see.*"],
    [exec("sh", "-c", "(sleep 20; nginx -s quit) &"), ".*waits nothing that one can see.*"],
    [exec("sh", "-c", "{ sleep 20; } & sleep 5"), ".*waits only 5 s.*"],
    [exec("usleep", "20000000"), ".*waits nothing that one can see.*"],
    [{ httpGet: { path: "/drain", port: 8080 } }, ".*waits nothing that one can see \\(GET /drain\\), .*"],
    [undefined, 'preStop: container "web" has no preStop hook: write lifecycle.*sleep: \\{ seconds: 20 \\} \\}'],
    ["sleep 20", 'preStop: container "web" has no preStop hook: .*'],
  ])("%j doesn't", (hook, text) => {
    expect(preStop(hook)).toEqual(missing(text));
  });

  test("what is known to wait may be named, and the seconds be others", () => {
    const waits = { waitingCommands: ["/wait-shutdown", "GET /drain"] };
    expect(preStop(exec("/wait-shutdown"), waits)).toEqual(ok);
    expect(preStop({ httpGet: { path: "/drain", port: 8080 } }, waits)).toEqual(ok);
    expect(preStop(exec("/quit"), waits).violations).toHaveLength(1);
    expect(preStop({ sleep: { seconds: 20 } }, { minimumPreStopSeconds: 120 })).toEqual(missing(".*only 20 s.*120.*"));
  });

  test("an unknown is advisory", () => {
    expect(preStop(unknown)).toEqual(advisory("preStop"));
    expect(preStop({ sleep: { seconds: unknown } })).toEqual(advisory("seconds"));
    expect(preStop(exec("sleep", unknown))).toEqual(advisory("command"));
    expect(withApp([...pod, "containers"], unknown)).toEqual(advisory("containers"));
  });
});

describe("which containers", () => {
  const idle = { name: "sidecar" };
  const web = (deployment.props["spec"] as { template: { spec: { containers: object[] } } }).template.spec
    .containers[0]!;
  const containers = (...list: unknown[]) => edited(deployment, [...pod, "containers"], list);

  test("only the one that the Service's port leads to has to wait, by name or by number", () => {
    expect(checkApp(containers(idle, web))).toEqual(ok);
    const byNumber = edited(service, ["props", "spec", "ports"], [{ port: 80, targetPort: 8080 }]);
    expect(check([containers(idle, web), byNumber, binding, budget])).toEqual(ok);
    const named = edited(binding, ["props", "spec", "serviceRef", "port"], "web");
    expect(check([containers(idle, web), service, named, budget])).toEqual(ok);
    const bare = { ...web, lifecycle: undefined };
    expect(checkApp(containers(bare, { ...web, name: "other", ports: [] }))).toEqual(
      missing('preStop: container "web" has no preStop hook: .*'),
    );
  });

  test("each of two that get requests must", () => {
    const ports = [
      { name: "web", port: 80, targetPort: 8080 },
      { name: "rpc", port: 90, targetPort: 9090 },
    ];
    const rpc = { ...web, name: "rpc", ports: [{ containerPort: 9090 }], lifecycle: undefined };
    const second = { ...edited(binding, ["props", "spec", "serviceRef", "port"], 90), name: "second" };
    const twice = edited(service, ["props", "spec", "ports"], ports);
    const found = check([containers(web, rpc), twice, binding, second, budget], { waived: ["readinessGate"] });
    expect(found).toEqual(
      refused(
        /^"app" is behind "binding" and "second", .* preStop: container "rpc" has no preStop hook: [^;]*$/,
        "app",
      ),
    );
  });

  test("where ports aren't declared, one of several must", () => {
    const silent = { ...web, ports: undefined };
    expect(checkApp(containers(idle, silent))).toEqual(ok);
    expect(checkApp(containers(silent))).toEqual(ok);
    expect(checkApp(containers(idle, { name: "other" })).violations[0]!.message).toContain("preStop: ");
    expect(checkApp(containers(unknown, idle))).toMatchObject({ violations: [{}], undecided: expect.anything() });
  });
});

describe("grace", () => {
  const grace = (seconds: unknown, sleep: unknown = 20) =>
    checkApp(
      edited(
        edited(deployment, [...pod, "terminationGracePeriodSeconds"], seconds),
        [...container, "lifecycle", "preStop", "sleep", "seconds"],
        sleep,
      ),
    );

  test("the hook counts against it", () => {
    expect(grace(21)).toEqual(ok);
    expect(grace(20)).toEqual(
      missing("grace: terminationGracePeriodSeconds is 20, but the preStop hook takes 20 s: .*"),
    );
    // Kubernetes' default.
    expect(grace(undefined, 25)).toEqual(ok);
    expect(grace(undefined, 30)).toEqual(
      missing("grace: .*is missing, which means 30, but the preStop hook takes 30 s.*"),
    );
  });

  test("an unknown is advisory", () => {
    expect(grace(unknown)).toEqual(advisory("terminationGracePeriodSeconds"));
  });
});

describe("readinessProbe", () => {
  test("missing, a pod is a target as soon as it starts", () => {
    expect(withApp([...container, "readinessProbe"], undefined)).toEqual(
      missing('readinessProbe: container "web" has no readinessProbe: .*'),
    );
    expect(withApp([...container, "readinessProbe"], unknown)).toEqual(advisory("readinessProbe"));
    expect(withApp([...container, "readinessProbe"], { httpGet: { port: unknown } })).toEqual(ok);
  });
});

describe("spread", () => {
  const spread = (value: unknown) => withApp([...pod, "topologySpreadConstraints"], value);
  const labelSelector = { matchLabels: { app: "web" } };
  const nothing = missing("spread: nothing spreads the pods over zones or nodes, .*topologySpreadConstraints.*");

  test.each(["topology.kubernetes.io/zone", "kubernetes.io/hostname"])("over %s is enough", (topologyKey) => {
    expect(spread([{ topologyKey, labelSelector, whenUnsatisfiable: "ScheduleAnyway" }])).toEqual(ok);
    const term = { topologyKey, labelSelector };
    const affinity = (rules: object) => {
      const bare = edited(deployment, [...pod, "topologySpreadConstraints"], undefined);
      return checkApp(edited(bare, [...pod, "affinity"], { podAntiAffinity: rules }));
    };
    expect(affinity({ requiredDuringSchedulingIgnoredDuringExecution: [term] })).toEqual(ok);
    const preferred = [{ weight: 100, podAffinityTerm: term }];
    expect(affinity({ preferredDuringSchedulingIgnoredDuringExecution: preferred })).toEqual(ok);
    expect(affinity({})).toEqual(nothing);
  });

  test.each(
    rows(
      undefined,
      [],
      [{ topologyKey: "kubernetes.io/arch", labelSelector }],
      [{ topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "other" } } }],
      [{ topologyKey: "kubernetes.io/hostname" }],
      [null, "x"],
    ),
  )("%j isn't", (constraints) => {
    expect(spread(constraints)).toEqual(nothing);
  });

  test("an unknown is advisory", () => {
    expect(spread(unknown)).toEqual(advisory("topologySpreadConstraints"));
    expect(spread([{ topologyKey: unknown, labelSelector }])).toEqual(advisory("topologyKey"));
  });

  test("one pod alone has nothing to be spread over, more of them have, and an autoscaler makes more", () => {
    const bare = edited(deployment, [...pod, "topologySpreadConstraints"], undefined);
    const replicas = (value: unknown, ...others: Given[]) =>
      checkApp(edited(bare, ["props", "spec", "replicas"], value), others, { waived: ["replicas"] });
    const scaler: Given = {
      type: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
      name: "scaler",
      props: { spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, minReplicas: 1 } },
    };
    expect(replicas(1)).toEqual(ok);
    expect(replicas(2)).toEqual(nothing);
    expect(replicas(undefined)).toEqual(nothing);
    expect(replicas(unknown)).toEqual(nothing);
    expect(replicas(1, scaler)).toEqual(nothing);
  });
});
