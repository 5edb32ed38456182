import { DrainSafeDeployment, ZoneSpread, type DrainSafeDeploymentArgs } from "../../../components/load-balancing";
import type { Registration, RunOptions } from "../../support/harness";
import { inputs, messages, namesOf, previewState, types, withCluster, workloadArgs } from "./setup";

describe("DrainSafeDeployment", () => {
  const make = (change: Partial<DrainSafeDeploymentArgs> = {}, options: RunOptions = {}) =>
    withCluster(
      (opts) => ({ min: new DrainSafeDeployment("web", { ...workloadArgs, ...change }, opts).minReplicas }),
      options,
    );
  const podOf = (resources: readonly Registration[]) => {
    const spec = inputs(resources, types.deployment)["spec"] as { template: { spec: Record<string, unknown> } };
    return spec.template.spec;
  };
  const containerOf = (resources: readonly Registration[]) =>
    (podOf(resources)["containers"] as Record<string, unknown>[])[0]!;

  test("a rollout adds before it takes away, and a drain takes one at a time", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(inputs(resources, types.deployment)).toMatchObject({
      metadata: { namespace: "shop" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "25%" } },
        template: { metadata: { labels: { app: "web" } } },
      },
    });
    expect(inputs(resources, types.pdb)["spec"]).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: { app: "web" } },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    });
    expect(resources.some((r) => r.type === types.hpa)).toBe(false);
  });

  test("with an autoscaler the number of pods is its own, and its minimum is the one value", async () => {
    const { resources, outputs } = await make({ replicas: undefined, autoscale: { min: 4, max: 12, cpuPercent: 70 } });
    expect(inputs(resources, types.deployment)["spec"]).not.toHaveProperty("replicas");
    expect(inputs(resources, types.hpa)["spec"]).toEqual({
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web-deployment-1a2b3c4d" },
      minReplicas: 4,
      maxReplicas: 12,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
      ],
    });
    expect(outputs?.min).toBe(4);
  });

  // 20 s until the load balancer has taken notice, 30 s for the longest request, 10 s to close.
  test("a leaving pod serves on, finishes, then closes", async () => {
    const { resources } = await make();
    expect(containerOf(resources)["lifecycle"]).toEqual({ preStop: { sleep: { seconds: 20 } } });
    expect(podOf(resources)["terminationGracePeriodSeconds"]).toBe(60);
    const slow = await make({ preStopSeconds: 25, longestRequestSeconds: 300 });
    expect(podOf(slow.resources)["terminationGracePeriodSeconds"]).toBe(335);
  });

  test("waits for what the load balancer says of its pods", async () => {
    const { resources } = await make({ readinessGates: ["target-health.elbv2.k8s.aws/web-pods-binding-1a2b3c4d"] });
    expect(podOf(resources)["readinessGates"]).toEqual([
      { conditionType: "target-health.elbv2.k8s.aws/web-pods-binding-1a2b3c4d" },
    ]);
  });

  test("spreads each rollout over zones, strictly, and over nodes", async () => {
    const spread = async (zoneSpread?: ZoneSpread) =>
      (podOf((await make({ zoneSpread })).resources)["topologySpreadConstraints"] as Record<string, unknown>[]).map(
        (s) => [s["topologyKey"], s["whenUnsatisfiable"], s["matchLabelKeys"]],
      );
    const hosts = ["kubernetes.io/hostname", "ScheduleAnyway", ["pod-template-hash"]];
    expect(await spread()).toEqual([["topology.kubernetes.io/zone", "DoNotSchedule", ["pod-template-hash"]], hosts]);
    expect(await spread(ZoneSpread.Preferred)).toEqual([
      ["topology.kubernetes.io/zone", "ScheduleAnyway", ["pod-template-hash"]],
      hosts,
    ]);
  });

  // kubernetes.io, Pod Security Standards, profile "restricted".
  test("passes the restricted Pod Security Standard", async () => {
    const { resources } = await make({ writablePaths: ["/tmp"], runAsUser: 101 });
    const pod = podOf(resources);
    expect(pod["securityContext"]).toEqual({
      runAsNonRoot: true,
      runAsUser: 101,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(containerOf(resources)["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod["volumes"]).toEqual([{ name: "writable-tmp", emptyDir: {} }]);
    expect(containerOf(resources)["volumeMounts"]).toEqual([{ name: "writable-tmp", mountPath: "/tmp" }]);
    expect(pod["automountServiceAccountToken"]).toBe(false);
  });

  test("probes: readiness always, liveness and start only where asked for", async () => {
    const ready = containerOf((await make()).resources);
    expect(ready["readinessProbe"]).toEqual({
      httpGet: { path: "/healthz", port: 8080 },
      periodSeconds: 5,
      timeoutSeconds: 3,
      failureThreshold: 3,
    });
    expect(ready).not.toHaveProperty("livenessProbe");
    const probes = { readinessPath: "/healthz", livenessPath: "/alive", startupSeconds: 61 };
    const live = containerOf((await make({ probes })).resources);
    expect(live["livenessProbe"]).toMatchObject({ httpGet: { path: "/alive" }, failureThreshold: 6 });
    expect(live["startupProbe"]).toMatchObject({ httpGet: { path: "/alive" }, failureThreshold: 13 });
  });

  test("environment, secrets, service account and memory reach the container", async () => {
    const { resources } = await make({
      env: { ZONE: "eu", LOG: "info" },
      envFromSecrets: ["web-secrets"],
      serviceAccountName: "web",
    });
    expect(containerOf(resources)).toMatchObject({
      image: "registry.example/web@sha256:0123",
      env: [
        { name: "LOG", value: "info" },
        { name: "ZONE", value: "eu" },
      ],
      envFrom: [{ secretRef: { name: "web-secrets" } }],
      resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "128Mi" } },
    });
    expect(podOf(resources)).toMatchObject({ serviceAccountName: "web", automountServiceAccountToken: true });
  });

  test("works in a preview", async () => {
    const autoscaled = { replicas: undefined, autoscale: { min: 2, max: 4 } };
    const [update, preview] = [await make(autoscaled), await make(autoscaled, { preview: true, state: previewState })];
    expect(preview.errors).toEqual([]);
    expect(namesOf(preview.resources)).toEqual(namesOf(update.resources));
  });

  test.each<[string, Partial<DrainSafeDeploymentArgs>, RegExp]>([
    ["one pod", { replicas: 1 }, /replicas: must be .* at least 2, not 1: with one pod every drain is an outage/],
    ["no number of pods", { replicas: undefined }, /replicas: is missing/],
    ["two numbers of pods", { autoscale: { min: 2, max: 4 } }, /replicas: can't be given together with autoscale/],
    ["a maximum below the minimum", { replicas: undefined, autoscale: { min: 4, max: 3 } }, /autoscale\.max: must be/],
    [
      "a grace that cuts requests off",
      { terminationGracePeriodSeconds: 30 },
      /at least 60 .* not 30: the pod would be killed/,
    ],
    ["no time to take notice", { preStopSeconds: 0 }, /preStopSeconds: must be .* at least 1, not 0/],
    ["a rollout that can't proceed", { maxSurgePercent: 0 }, /maxSurgePercent: must be/],
    ["no labels", { podLabels: {} }, /podLabels: is empty/],
    ["a relative path", { writablePaths: ["tmp"] }, /writablePaths\[0\]: must be an absolute path/],
    ["paths of one volume", { writablePaths: ["/a-b", "/a/b"] }, /writablePaths\[1\]: is too like another one/],
    [
      "a start without liveness",
      { probes: { readinessPath: "/", startupSeconds: 60 } },
      /has no effect without probes/,
    ],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });
});
