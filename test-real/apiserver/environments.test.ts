import { isDeepStrictEqual } from "node:util";
import { environments } from "../../test/support/environments";
import { registeredBy } from "../../test/support/platform";
import type { Answer, KubernetesObject } from "./api-client";
import { startControlPlane, type ControlPlane } from "./control-plane";
import { installDefinitions } from "./crds";
import { eventually } from "./eventually";
import { kubernetesObjects, labelOf } from "./objects";
import { countBy, expectedPods, plainPod, podsByOwner } from "./pods";

/** Kinds of objects in every environment, counted in stacks/layers and the components that they make. */
const kinds = {
  Namespace: 3,
  Deployment: 4,
  HorizontalPodAutoscaler: 1,
  StatefulSet: 2,
  PodDisruptionBudget: 3,
  ServiceAccount: 2,
  ClusterRole: 1,
  ClusterRoleBinding: 1,
  ConfigMap: 6,
  Job: 3,
  Secret: 5,
  Service: 4,
  NetworkPolicy: 4,
  PriorityClass: 1,
  StorageClass: 2,
  EC2NodeClass: 2,
  NodePool: 2,
  TargetGroupBinding: 1,
};

/** `minReplicas` of the web service in the settings files: what its autoscaler asks for without metrics. */
const webPods: Record<string, number> = { dev: 2, staging: 3, prod: 3 };

describe.each(environments)("the objects of %s, in a real API server", (environment) => {
  let plane: ControlPlane;
  let objects: KubernetesObject[];
  let first: Answer[];
  let second: Answer[];
  beforeAll(async () => {
    objects = kubernetesObjects(await registeredBy(environment));
    plane = await startControlPlane();
    await installDefinitions(plane.client);
    // Nobody else writes yet: what changes is our own doing.
    first = await applyAll();
    second = await applyAll();
  });
  afterAll(() => plane.stop());

  async function applyAll(): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const object of objects) answers.push(await plane.client.apply(object));
    return answers;
  }
  const eachOf = (values: readonly unknown[]) =>
    Object.fromEntries(objects.map((object, i) => [labelOf(object), values[i]]));
  const versions = (answers: Answer[]) => eachOf(answers.map(({ body }) => body.metadata.resourceVersion));

  test("are all of them", () => {
    expect(countBy(objects, ({ kind }) => kind)).toEqual(kinds);
  });

  test("are accepted by strict validation, without a warning", () => {
    const answers = first.map(({ status, body, warnings }) => [
      status,
      status < 300 ? "" : body["message"],
      ...warnings,
    ]);
    expect(eachOf(answers)).toEqual(eachOf(objects.map(() => [201, ""])));
  });

  test("change nothing when they are applied again", () => {
    expect(eachOf(second.map(({ status }) => status))).toEqual(eachOf(objects.map(() => 200)));
    expect(versions(second)).toEqual(versions(first));
  });

  describe("once the controllers run", () => {
    const wanted = {
      "web/Deployment web-app-deployment-3f7a2b1c": webPods[environment],
      "kafka/StatefulSet kafka-broker": 3,
      "kafka/StatefulSet kafka-controller": 3,
      "kafka/Job kafka-access": 1,
      "kafka/Job kafka-drain-3f7a2b1c": 1,
      "kafka/Job kafka-demo-topic-job-3f7a2b1c": 1,
      "kafka/Deployment kafka-certificates": 1,
      "kafka-demo/Deployment kafka-demo-producer-3f7a2b1c": 1,
      "kube-system/Deployment cluster-metrics-agent-3f7a2b1c": 1,
    };
    beforeAll(() => plane.startControllers());

    test("get all their pods, each admitted", async () => {
      const found = await eventually(
        () => podsByOwner(plane.client),
        (pods) => isDeepStrictEqual(pods, wanted),
      );
      expect(found).toEqual(wanted);
    });

    test("have disruption budgets that select these pods", async () => {
      const expected = { "web-app-pdb-3f7a2b1c": webPods[environment], "kafka-broker": 3, "kafka-controller": 3 };
      const found = await eventually(
        () => expectedPods(plane.client),
        (pods) => isDeepStrictEqual(pods, expected),
      );
      expect(found).toEqual(expected);
    });

    test("are in namespaces that refuse a pod without the restricted profile", async () => {
      const namespaces = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
      expect(namespaces.sort()).toEqual(["kafka", "kafka-demo", "web"]);
      for (const namespace of namespaces) {
        const { status, body } = await plane.client.create(plainPod(namespace), { dryRun: true });
        expect([status, body["message"]]).toEqual([
          403,
          expect.stringContaining('violates PodSecurity "restricted:latest"'),
        ]);
      }
    });

    test("don't fight the controllers when they are applied again", async () => {
      const generations = async () =>
        eachOf(await Promise.all(objects.map(async (object) => (await plane.client.read(object)).metadata.generation)));
      const before = await generations();
      await applyAll();
      expect(await generations()).toEqual(before);
    });
  });
});
