import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import * as k8s from "@pulumi/kubernetes";
import { readProject } from "../../cli/project";
import { readStackConfig } from "../../cli/stack-config";
import { KafkaClientAuthentication } from "../../components";
import { samples } from "../../test/support/components";
import { run, type Registration } from "../../test/support/harness";
import { providerState } from "../../test/support/provider-state";
import type { KubernetesObject } from "./api-client";
import { startControlPlane, type ControlPlane } from "./control-plane";
import { installDefinitions } from "./crds";
import { eventually } from "./eventually";
import { changed, kubernetesObjects, labelOf, podOf } from "./objects";
import { countBy, podsByOwner } from "./pods";

/** What samples name without making it. */
const given: KubernetesObject[] = [
  ...["web", "kafka", "shop"].flatMap((name) => [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
    },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "default", namespace: name } },
  ]),
  { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "web", namespace: "web" } },
  { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "important" }, value: 1000 },
];

let plane: ControlPlane;
beforeAll(async () => {
  plane = await startControlPlane();
  await installDefinitions(plane.client);
  for (const object of given) await plane.client.apply(object);
});
afterAll(() => plane.stop());

/** Applies objects, and says what the server has against them, and against the pods that their controllers would make of them. */
async function complaints(objects: readonly KubernetesObject[]): Promise<string[]> {
  const found: string[] = [];
  for (const object of objects) {
    const answers = [await plane.client.apply(object)];
    if (/^(CronJob|Deployment|Job|StatefulSet)$/.test(object.kind))
      answers.push(await plane.client.create(podOf(object), { dryRun: true }));
    for (const { status, body, warnings } of answers)
      if (status >= 300 || warnings.length > 0)
        found.push(`${labelOf(object)}: ${status} ${String(body["message"])} ${warnings.join("; ")}`);
  }
  return found;
}

async function madeBy(component: string, name: string, args: object): Promise<KubernetesObject[]> {
  const { resources, errors } = await run(
    () => void samples[component]!.make(name, args, { providers: [new k8s.Provider("given", { kubeconfig: "{}" })] }),
    { state: providerState },
  );
  expect(errors).toEqual([]);
  return kubernetesObjects(resources);
}

/** How many objects the samples of each component make, with the fewest and with all arguments; Helm releases aren't counted. */
const expected: Record<string, { minimal: number; full: number }> = {
  Karpenter: { minimal: 0, full: 0 },
  KarpenterNodePool: { minimal: 2, full: 2 },
  KarpenterNodeClass: { minimal: 1, full: 1 },
  DefaultStorageClass: { minimal: 1, full: 1 },
  KafkaCluster: { minimal: 25, full: 34 }, // without the two classes that are given, with what only arguments bring
  KafkaTopic: { minimal: 1, full: 1 },
  LoadBalancerController: { minimal: 0, full: 0 },
  TargetGroupBinding: { minimal: 1, full: 1 },
  LoadBalancedService: { minimal: 2, full: 2 },
  CheckpointReset: { minimal: 6, full: 6 },
  ClusterMetrics: { minimal: 6, full: 6 },
  DrainSafeDeployment: { minimal: 2, full: 3 }, // with an autoscaler
};
const inKubernetes = Object.keys(samples).filter((component) => samples[component]!.kubernetes);

describe.each(inKubernetes)("%s", (component) => {
  test.each(["minimal", "full"] as const)("with %s arguments is accepted, and so are its pods", async (which) => {
    // Not of one name: a job can't be changed into another.
    const objects = await madeBy(component, `sample-${which}`, samples[component]![which]);
    expect(objects).toHaveLength(expected[component]?.[which] ?? NaN);
    expect(await complaints(objects)).toEqual([]);
  });
});

describe("the examples", () => {
  const folder = resolve(__dirname, "../../examples");
  interface Shown {
    readonly config?: readonly string[];
    /** How many objects of each kind, Helm releases aside. */
    readonly kinds: Record<string, number>;
  }
  const shown: Record<string, Shown> = {
    guards: { kinds: {} },
    "hand-registered": { kinds: {} },
    "kafka-client": { kinds: { Namespace: 1, ConfigMap: 2, Deployment: 1 } },
    "migrate-hand-registered-targets": { config: ["step=beside"], kinds: { Service: 1, TargetGroupBinding: 2 } },
    "replace-target-group": {
      kinds: { Namespace: 1, Service: 1, TargetGroupBinding: 1, Deployment: 1, PodDisruptionBudget: 1 },
    },
  };

  async function registeredBy(example: string): Promise<readonly Registration[]> {
    const project = readProject(join(folder, example));
    const { values } = readStackConfig(project, "dev", { overrides: shown[example]?.config ?? [] });
    const program = resolve(project.programDirectory, project.entryPoint);
    const options = { project: project.name, stack: "dev", config: { ...values }, state: providerState };
    const { resources, errors } = await run(() => import(program) as Promise<object>, options);
    expect(errors).toEqual([]);
    expect(resources.length).toBeGreaterThan(0);
    return resources;
  }

  test.each(readdirSync(folder))("%s is accepted, and so are its pods", async (example) => {
    const objects = kubernetesObjects(await registeredBy(example));
    expect(countBy(objects, ({ kind }) => kind)).toEqual(shown[example]?.kinds);
    expect(await complaints(objects)).toEqual([]);
  });
});

test("what cert-manager is asked for is accepted, for clients too", async () => {
  const { full } = samples["KafkaCluster"]!;
  const clientAuthentication = KafkaClientAuthentication.Tls;
  const objects = await madeBy("KafkaCluster", "asked", { ...full, clientAuthentication, kafkaName: "asked" });
  expect(countBy(objects, ({ kind }) => kind)["Certificate"]).toBe(5); // brokers, controllers, administrator, authority, client
  expect(await complaints(objects)).toEqual([]);
});

test("what restarts Kafka's pods may evict those very pods, and nothing else", async () => {
  const objects = await madeBy("KafkaCluster", "rights", { ...samples["KafkaCluster"]!.full, kafkaName: "rights" });
  expect(await complaints(objects)).toEqual([]);
  const may = async (verb: string, resource: string, name: string, subresource?: string, namespace = "kafka") => {
    const resourceAttributes = { verb, resource, subresource, name, namespace };
    const { body } = await plane.client.create({
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      metadata: { name: "" },
      spec: { user: "system:serviceaccount:kafka:rights-rotation", resourceAttributes },
    });
    return (body["status"] as { allowed: boolean }).allowed;
  };
  // Roles take effect a moment after they are stored.
  const evicts = await eventually(
    () => may("create", "pods", "rights-broker-100", "eviction"),
    (allowed) => allowed,
  );
  expect(evicts).toBe(true);
  expect(await may("create", "pods", "rights-controller-4", "eviction")).toBe(true);
  for (const [verb, resource, name, subresource, namespace] of [
    ["create", "pods", "another-pod", "eviction"],
    ["create", "pods", "rights-broker-100", "eviction", "shop"],
    ["create", "pods", "rights-broker-100", "exec"],
    ["delete", "pods", "rights-broker-100"],
    ["get", "secrets", "rights-broker-tls"],
  ] as const)
    expect([verb, resource, name, await may(verb, resource, name, subresource, namespace)]).toEqual([
      verb,
      resource,
      name,
      false,
    ]);
});

describe("the longest names that components take", () => {
  const a = (length: number) => "a".repeat(length);
  const kafkaName = a(41); // 63 - "-controller" - "-" and ten characters of a hash
  test.each<[string, string, object]>([
    ["KafkaCluster", "sample", { kafkaName, clients: { [a(63 - 41 - "-client-".length)]: { namespace: "shop" } } }],
    ["KarpenterNodePool", "sample", { poolName: a(63) }],
    ["KarpenterNodeClass", "sample", { className: a(63) }],
    ["DrainSafeDeployment", a(63 - "-deployment-12345678".length), {}],
    ["ClusterMetrics", a(63 - "-prometheus-12345678".length), {}],
    ["TargetGroupBinding", a(63 - "-binding-12345678".length), {}],
    ["LoadBalancedService", a(32 - "-tg-1234567".length), {}],
  ])("%s named %s is accepted, and so are its pods", async (component, name, args) => {
    const objects = await madeBy(component, name, { ...samples[component]!.minimal, ...args });
    expect(await complaints(objects)).toEqual([]);
  });

  test("leave a StatefulSet room for the hash that its controller puts into a label; one more character doesn't", async () => {
    const objects = await madeBy("KafkaCluster", "sample", { ...samples["KafkaCluster"]!.minimal, kafkaName });
    expect(await complaints(objects)).toEqual([]);
    const fits = objects.find(({ kind, metadata }) => kind === "StatefulSet" && metadata.name.endsWith("-controller"))!;
    const longer = changed(fits, { "metadata/name": `a${fits.metadata.name}` });
    await plane.client.apply(longer);
    await plane.startControllers();

    const wanted = `kafka/StatefulSet ${fits.metadata.name}`;
    const pods = await eventually(
      () => podsByOwner(plane.client),
      (found) => found[wanted] === 3,
    );
    expect(pods[wanted]).toBe(3);
    const refusal = "must be no more than 63";
    const events = await eventually(
      async () => {
        const all = await plane.client.list("v1", "Event");
        const own = all.filter((e) => (e["involvedObject"] as { name: string }).name === longer.metadata.name);
        return own.map(({ message }) => String(message)).join("\n");
      },
      (found) => found.includes(refusal),
    );
    expect(events).toContain(refusal);
    expect(await podsByOwner(plane.client)).not.toHaveProperty([`kafka/StatefulSet ${longer.metadata.name}`]);
  });
});
