import type { ControlPlane } from "../apiserver/control-plane";
import type { Session } from "../engine/session";
import { printedValues, useLocalCharts } from "./charts";
import { startRealKubernetes, type RealKubernetes } from "./real-kubernetes";

/*
 * The whole of dev, with AWS simulated and Kubernetes real: the provider's own schemas, server-side apply, waiting and Helm against an API
 * server. What kubelets and controllers would do to make things ready is played.
 */

let real: RealKubernetes;
let plane: ControlPlane;
let session: Session;

beforeAll(async () => {
  real = await startRealKubernetes();
  ({ plane, session } = real);
  session.useTestValues("dev");
  session.change(
    "dev",
    new Map([
      [["moorings:protected"], true],
      [["moorings:kafka", "retainVolumes"], true],
    ]),
  );
  useLocalCharts(session.project);
  await session.succeed("stack", "init", "dev");
});
afterAll(() => real.stop());

const deployed = async () => {
  const names = async (apiVersion: string, kind: string) =>
    (await plane.client.list(apiVersion, kind)).map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{8}$/, ""));
  return {
    deployments: (await names("apps/v1", "Deployment")).sort(),
    statefulSets: (await names("apps/v1", "StatefulSet")).sort(),
  };
};

test("up makes everything and waits until it is ready", async () => {
  await session.succeed("up", "--yes", "--stack", "dev");
  expect(real.kubelet.problems).toEqual([]);
  expect(await deployed()).toEqual({
    deployments: ["cluster-metrics-agent", "kafka-demo-producer", "web-app-deployment"],
    statefulSets: ["kafka-broker", "kafka-controller"],
  });
});

test("releases get the values that the components give", async () => {
  const maps = await plane.client.list("v1", "ConfigMap");
  const valuesOf = (chart: string) => printedValues(maps.find(({ metadata }) => metadata.name === `${chart}-values`)!);
  expect(valuesOf("karpenter")).toMatchObject({ settings: { clusterName: "moorings-dev" } });
  expect(valuesOf("aws-load-balancer-controller")).toMatchObject({ clusterName: "moorings-dev", region: "eu-west-1" });
});

test("a second up, a preview and a refresh find nothing to do", async () => {
  session.cloud.takeOperations();
  await session.succeed("up", "--yes", "--skip-preview", "--stack", "dev");
  await session.succeed("preview", "--expect-no-changes", "--stack", "dev");
  await session.succeed("refresh", "--yes", "--skip-preview", "--expect-no-changes", "--stack", "dev");
  await session.succeed("preview", "--expect-no-changes", "--stack", "dev");
  expect(session.cloud.takeOperations()).toEqual([]);
});

const brokers = async () =>
  (await plane.client.list("v1", "Pod"))
    .filter(({ metadata }) => metadata.name.startsWith("kafka-broker-"))
    .map(({ metadata }) => metadata["uid"])
    .sort();
const brokerSet = async () =>
  (await plane.client.list("apps/v1", "StatefulSet")).find(({ metadata }) => metadata.name === "kafka-broker")!;

test("another size of the brokers' volumes is refused; as documented it is taken, and no broker restarts", async () => {
  const before = await brokers();
  expect(before).toHaveLength(3);
  session.change("dev", new Map([[["moorings:kafka", "brokerStorageGiB"], 20]]));
  const refused = await session.pulumi("preview", "--stack", "dev");
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(/kafka-broker.*protected|unable to replace resource.*kafka-broker/);

  // `kubectl delete statefulset kafka-broker --cascade=orphan`, then `pulumi up --refresh`. (Claims can't be enlarged here: no volume is bound.)
  await plane.client.remove({ ...(await brokerSet()), apiVersion: "apps/v1", kind: "StatefulSet" }, "Orphan");
  await session.succeed("up", "--yes", "--refresh", "--stack", "dev");
  expect(JSON.stringify(await brokerSet())).toContain('"storage":"20Gi"');
  expect(await brokers()).toEqual(before);
});

test("destroy, by its documented way, takes everything but the kept volumes", async () => {
  session.change("dev", new Map([[["moorings:protected"], false]]));
  await session.succeed("up", "--yes", "--stack", "dev");
  await session.succeed("destroy", "--yes", "--stack", "dev");
  expect(await deployed()).toEqual({ deployments: [], statefulSets: [] });
  expect(await plane.client.list("v1", "Pod")).toEqual([]);
  expect(session.cloud.living).toEqual([]);
});
