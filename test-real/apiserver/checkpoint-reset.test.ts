import * as k8s from "@pulumi/kubernetes";
import { CheckpointReset } from "../../components";
import { run } from "../../test/support/harness";
import { providerState } from "../../test/support/provider-state";
import type { ApiClient, KubernetesObject } from "./api-client";
import { startControlPlane, type ControlPlane } from "./control-plane";
import { installDefinitions } from "./crds";
import { eventually } from "./eventually";
import { kubernetesObjects } from "./objects";

/*
 * The job's account, by the server's own judgement: it may take the checkpoint away from a binding, and nothing else. Roles can't say
 * that; the admission policy beside them does.
 */

const checkpoint = "elbv2.k8s.aws/checkpoint";
const owner = { apiVersion: "v1", kind: "Service", name: "web", uid: "6f9619ff-8b86-d011-b42d-00cf4fc964ff" };

/** A binding as the controller leaves it. */
const binding: KubernetesObject = {
  apiVersion: "elbv2.k8s.aws/v1beta1",
  kind: "TargetGroupBinding",
  metadata: {
    name: "web",
    namespace: "default",
    labels: { team: "shop" },
    annotations: { [checkpoint]: "endpoints/spec", "elbv2.k8s.aws/checkpoint-timestamp": "1", team: "shop" },
    finalizers: ["elbv2.k8s.aws/resources"],
    ownerReferences: [owner],
  },
  spec: { serviceRef: { name: "web", port: 80 }, targetGroupARN: "arn:aws:elasticloadbalancing:x:1:targetgroup/a/b" },
};
/** One that carries nothing of anybody's. */
const bare: KubernetesObject = { ...binding, metadata: { name: "bare", namespace: "default" } };

let plane: ControlPlane;
let account: ApiClient;
beforeAll(async () => {
  plane = await startControlPlane();
  await installDefinitions(plane.client);
  const { resources, errors } = await run(
    () => void new CheckpointReset("reset", {}, { providers: [new k8s.Provider("given", { kubeconfig: "{}" })] }),
    { state: providerState },
  );
  expect(errors).toEqual([]);
  for (const object of kubernetesObjects(resources)) expect((await plane.client.apply(object)).status).toBe(201);
  for (const object of [binding, bare]) expect((await plane.client.apply(object)).status).toBe(201);
  account = plane.client.asServiceAccount("kube-system", "reset-account-3f7a2b1c");
  // Roles and policies take effect a moment after they are stored. Each try is another change: the same again would be none.
  let tries = 0;
  const refused = await eventually(
    () => account.merge(bare, { metadata: { annotations: { try: String(tries++) } } }),
    ({ status }) => status === 422,
  );
  expect(refused.status).toBe(422);
});
beforeEach(async () => {
  expect((await plane.client.apply(binding)).status).toBe(200);
});
afterAll(async () => {
  account.close();
  await plane.stop();
});

test("it sees the bindings of all namespaces, and takes the checkpoint away from each", async () => {
  const found = await account.list(binding.apiVersion, binding.kind);
  expect(found.map(({ metadata }) => metadata.name).sort()).toEqual(["bare", "web"]);
  const { status } = await account.merge(binding, { metadata: { annotations: { [checkpoint]: null } } });
  expect(status).toBe(200);
  const { metadata, spec } = await plane.client.read(binding);
  expect(spec).toEqual(binding["spec"]);
  expect(metadata).toMatchObject({
    annotations: { "elbv2.k8s.aws/checkpoint-timestamp": "1", team: "shop" },
    labels: { team: "shop" },
    finalizers: ["elbv2.k8s.aws/resources"],
  });
  expect(metadata["annotations"]).not.toHaveProperty([checkpoint]);
});

test("a binding without a checkpoint is no obstacle", async () => {
  expect((await account.merge(bare, { metadata: { annotations: { [checkpoint]: null } } })).status).toBe(200);
});

const annotations = (changes: Record<string, string | null>) => ({
  metadata: { annotations: { [checkpoint]: null, ...changes } },
});
const metadata = (changes: object) => ({ metadata: { annotations: { [checkpoint]: null }, ...changes } });

/** Change, and words of the refusal. The checkpoint goes in each but the first, so that nothing else is wrong. */
const changes: [string, object, string][] = [
  ["another checkpoint, so that the controller looks away", annotations({ [checkpoint]: "x" }), "checkpoint must go"],
  ["another annotation", annotations({ other: "x" }), "no annotation may be added or changed"],
  ["another value", annotations({ team: "other" }), "no annotation may be added or changed"],
  ["an annotation away", annotations({ team: null }), "other annotations must stay"],
  ["all annotations away", { metadata: { annotations: null } }, "other annotations must stay"],
  ["a label", metadata({ labels: { "ingress.k8s.aws/stack": "x" } }), "metadata.labels must stay"],
  ["all labels away", metadata({ labels: null }), "metadata.labels must stay"],
  ["the finalizer away, so that targets stay behind", metadata({ finalizers: null }), "metadata.finalizers must stay"],
  ["an owner away", metadata({ ownerReferences: null }), "metadata.ownerReferences must stay"],
  [
    "another Service",
    { ...metadata({}), spec: { serviceRef: { name: "other", port: 80 } } },
    "spec must stay: it may only take the checkpoint away",
  ],
];
test.each(changes)("it is refused %s; an administrator isn't", async (_, change, because) => {
  const { status, body } = await account.merge(binding, change);
  expect([status, body["message"]]).toEqual([422, expect.stringContaining(because)]);
  expect((await plane.client.read(binding)).metadata["annotations"]).toHaveProperty([checkpoint], "endpoints/spec");
  expect((await plane.client.merge(binding, change)).status).toBe(200);
});

test("a binding that has nothing may be given nothing", async () => {
  for (const change of [annotations({ other: "x" }), metadata({ labels: { team: "x" } })])
    expect((await account.merge(bare, change)).status).toBe(422);
});

test("its role lets it do nothing else", async () => {
  const made = { ...binding, metadata: { name: "made", namespace: "default" } };
  const answers = [
    await account.create(made),
    await account.remove(binding),
    await account.patchStatus(binding, { observedGeneration: 9 }),
    await account.merge({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } }, {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  await expect(account.list("v1", "Secret")).rejects.toThrow("403");
});
