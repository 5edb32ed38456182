import { exposedBy } from "../../test/support/agent";
import type { KubernetesObject } from "../apiserver/api-client";
import { eventually } from "../apiserver/eventually";
import { nodeClassName } from "./adapted";
import { patience, startLab, type Lab } from "./lab";
import { say } from "./say";

/*
 * What `KarpenterAlarms` listens to, in what the real Karpenter exposes: names, types, labels, and when a series comes and goes. Of its provider for EC2
 * nothing runs here, so calls to AWS, the queue and node classes aren't among it, nor is the leader's gauge, as only one pod is played.
 */

jest.setTimeout(patience);

let lab: Lab;
beforeAll(async () => {
  lab = await startLab([]);
});
afterAll(() => lab.stop());

interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of a metric (Prometheus' text format), and its type. */
async function series(name: string): Promise<{ type: string | undefined; samples: Sample[] }> {
  const text = await lab.metrics();
  const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, "gm"))].map(
    ([, labels = "", value]) => ({
      labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label!, text!])),
      value: Number(value),
    }),
  );
  return { type: new RegExp(`^# TYPE ${name} (\\w+)$`, "m").exec(text)?.[1], samples };
}

const isNotReady = ({ labels }: Sample) => labels["type"] === "Ready" && labels["status"] === "False";

/** How many pods Karpenter says that it can't place. */
const count = async () => (await series("karpenter_scheduler_unschedulable_pods_count")).samples[0]?.value;

const pool = (name: string, nodeClass: string): KubernetesObject => ({
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name },
  spec: {
    limits: { cpu: "10" },
    template: {
      spec: {
        nodeClassRef: { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: nodeClass },
        requirements: [{ key: "kubernetes.io/os", operator: "In", values: ["linux"] }],
      },
    },
  },
});
const tooLarge: KubernetesObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "too-large", namespace: "default" },
  spec: { containers: [{ name: "c", image: "registry.example/c", resources: { requests: { cpu: "1000" } } }] },
};

/** Metrics of the fixture that aren't here: what asks AWS, the leader's, and counters that begin with what didn't happen. */
const notHere =
  /^(aws_|karpenter_(interruption|nodeclaims_disrupted|voluntary|nodepools_allowed|pods_eviction|cloudprovider))|leader_/;

test("a pod that no node can have, and a pool without its class, show as the alarms expect", async () => {
  for (const object of [pool("ready", nodeClassName), pool("broken", "missing"), tooLarge])
    expect((await lab.client.apply(object)).status).toBeLessThan(300);
  const waiting = await eventually(
    () => series("karpenter_pods_unbound_time_seconds"),
    ({ samples }) => samples.length > 0,
  );
  expect(waiting).toMatchObject({ type: "gauge", samples: [{ labels: { name: "too-large", namespace: "default" } }] });
  const conditions = await eventually(
    () => series("operator_nodepool_status_condition_count"),
    ({ samples }) => samples.some(isNotReady),
  );
  expect(conditions.type).toBe("gauge");
  expect(conditions.samples.filter(isNotReady)).toMatchObject([{ labels: { name: "broken" }, value: 1 }]);

  expect(await eventually(count, (pods) => pods === 1)).toBe(1);

  // Whatever the fixture says that it exposes, and can be here, is there with that type and those labels.
  const exposed = Object.entries(exposedBy["karpenter"]!.metrics).filter(
    ([name, { type }]) => !notHere.test(name) && type !== "histogram",
  );
  for (const [name, { type, labels }] of exposed) {
    const found = await series(name);
    expect([name, found.type]).toEqual([name, type]);
    const shown = new Set(found.samples.flatMap((sample) => Object.keys(sample.labels)));
    for (const label of Object.keys(labels)) expect([name, ...shown]).toContain(label);
  }
  say(`seen: ${exposed.map(([name]) => name).join(", ")}`);
  // From their first moment, and so with their first error: a counter that begins with one would show its second.
  const { samples } = await series("controller_runtime_reconcile_errors_total");
  const controllers = samples.map(({ labels }) => labels["controller"]);
  expect(controllers).toEqual(
    expect.arrayContaining([
      "provisioner",
      "nodeclaim.lifecycle",
      "disruption",
      "disruption.queue",
      "node.termination",
    ]),
  );
});

test("the series of a pod goes with the pod; Karpenter's count of them doesn't (its issue 1993)", async () => {
  await lab.client.remove(tooLarge);
  const left = await eventually(
    () => series("karpenter_pods_unbound_time_seconds"),
    ({ samples }) => samples.length === 0,
  );
  expect(left.samples).toEqual([]);
  say(`pods that wait: 0; karpenter_scheduler_unschedulable_pods_count: ${await count()}`);
});
