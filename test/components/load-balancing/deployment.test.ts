import * as pulumi from "@pulumi/pulumi";
import { DrainSafeDeployment, ZoneSpread, type DrainSafeDeploymentArgs } from "../../../components/load-balancing";
import { find } from "../../support/graph";
import type { Registration, RunOptions } from "../../support/harness";
import { inputs, messages, namesOf, previewState, types, withCluster, workloadArgs } from "./setup";

describe("DrainSafeDeployment", () => {
  const make = (change: Partial<DrainSafeDeploymentArgs> = {}, options: RunOptions = {}, name = "web") =>
    withCluster(
      (opts) => ({ min: new DrainSafeDeployment(name, { ...workloadArgs, ...change }, opts).minReplicas }),
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

  // Left out, the number would fall to 1 when a Deployment with a fixed one gets an autoscaler; sent again, to the minimum with each update.
  test("with an autoscaler the number of pods is its own, and its minimum is the one value", async () => {
    const { resources, outputs } = await make({ replicas: undefined, autoscale: { min: 4, max: 12, cpuPercent: 70 } });
    expect(inputs(resources, types.deployment)["spec"]).toMatchObject({ replicas: 4 });
    expect(find(resources, types.deployment).ignoreChanges).toEqual(["spec.replicas"]);
    expect(find((await make()).resources, types.deployment).ignoreChanges).toEqual([]);
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
    [
      "a load balancer that cuts the longest request",
      { deregistrationDelaySeconds: 29 },
      /deregistrationDelaySeconds: must be from 30 \(.*\) to 60 \(.*\), not 29: .* would cut requests/,
    ],
    ["one that waits for nobody", { deregistrationDelaySeconds: 61 }, /not 61: .* would wait for a pod that is gone/],
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
    // The API server takes the Deployment; its pods never come.
    ["root", { runAsUser: 0 }, /runAsUser: must be .* from 1 to 2147483647, not 0: the pods must not be root/],
    ["half a user", { runAsUser: 1.5 }, /runAsUser: must be .* not 1\.5/],
    ["a user beyond the last", { runAsUser: 2_147_483_648 }, /runAsUser: must be .* not 2147483648/],
    ["an image with a space before it", { image: " x" }, /image: must be the name of an image, .* not " x"/],
    ["a late user", { runAsUser: pulumi.output(0) }, /runAsUser must be a whole number from 1/],
    ["a late image", { image: pulumi.output("x\n") }, /image must be the name of an image/],
    ["a late label", { podLabels: { app: pulumi.output("a b") } }, /podLabels\["app"\] must be at most 63/],
    [
      "a late limit",
      { resources: { cpu: "1", memory: "2Gi", memoryLimit: pulumi.output("1Gi") } },
      /resources\.memoryLimit must be at least memory \(2Gi\), not 1Gi/,
    ],
    [
      "a limit below a late request",
      { resources: { cpu: "1", memory: pulumi.output("2Gi"), memoryLimit: "2G" } },
      /resources\.memoryLimit must be at least memory/,
    ],
    ["a late gate", { readinessGates: ["a", pulumi.output("a b")] }, /readinessGates\[1\] must be a key/],
  ])("refuses %s", async (_, change, expected) => {
    const { errors, resources } = await make(change);
    expect(messages(errors)).toMatch(expected);
    expect(resources.filter((r) => r.type === types.deployment)).toEqual([]);
  });

  test("refuses all at once, each by its argument", async () => {
    const { errors } = await make(
      {
        namespace: "Shop",
        image: "",
        port: 0,
        podLabels: { "a b": "x", app: "my web", tier: "t".repeat(64) },
        probes: { readinessPath: "", livenessPath: "alive" },
        resources: { cpu: "0.25 cores", memory: "256MB", memoryLimit: "-1" },
        readinessGates: ["ready", "not a label"],
        env: { "": "x", "A=B": "x", Größe: "x" },
        envFromSecrets: ["Database"],
        serviceAccountName: "Web",
        runAsUser: -1,
      },
      {},
      "my_web",
    );
    expect(errors).toHaveLength(1);
    const found = [...errors[0]!.message.matchAll(/\n {2}- (.*?): /g)].map(([, argument]) => argument);
    expect(found.sort()).toEqual(
      [
        "name",
        "namespace",
        "image",
        "port",
        'podLabels["a b"]',
        'podLabels["app"]',
        'podLabels["tier"]',
        "probes.readinessPath",
        "probes.livenessPath",
        "resources.cpu",
        "resources.memory",
        "resources.memoryLimit",
        "readinessGates[1]",
        'env[""]',
        'env["A=B"]',
        'env["Größe"]',
        "envFromSecrets[0]",
        "serviceAccountName",
        "runAsUser",
      ].sort(),
    );
    expect(messages((await make({ resources: { cpu: "1", memory: "256Mi", memoryLimit: "128Mi" } })).errors)).toContain(
      "\n  - resources.memoryLimit: must be at least memory (256Mi), not 128Mi",
    );
  });

  test.each<Partial<DrainSafeDeploymentArgs>>([
    { runAsUser: 1 },
    { deregistrationDelaySeconds: 30 },
    { deregistrationDelaySeconds: 60 },
    { runAsUser: 2_147_483_647 },
    { resources: { cpu: "0.5", memory: "1Gi", memoryLimit: "1024Mi" } },
    { env: { "Logging:Level": "x", "1 st": "x" } },
    { podLabels: { "app.kubernetes.io/name": "", app: "a".repeat(63) } },
    { envFromSecrets: ["a.b-1"], serviceAccountName: "1" },
  ])("takes %j", async (change) => expect((await make(change)).errors).toEqual([]));

  // Before Kubernetes 1.36 a Service's name must begin with a letter.
  test.each(["Web", "my_web", "web.", "-web", "1web"])("can't be called %j", async (name) =>
    expect(messages((await make({}, {}, name)).errors)).toMatch(
      /name: makes the Kubernetes object ".*-deployment", which can't be named so/,
    ),
  );
});
