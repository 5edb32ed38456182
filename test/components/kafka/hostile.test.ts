import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { KafkaTopicAccess } from "../../../components/kafka";
import { samples } from "../../support/components";
import { isDeep } from "../../support/deep";
import {
  eachWrong,
  expectGraphOrRefusal,
  hostileArguments,
  right,
  wrong,
  type Candidate,
} from "../../support/hostile-arguments";

/** Values of every kind, but for that which an argument takes. */
const kinds = { text: "text", number: 7, flag: true, list: [7], map: { seven: 7 } };
const notA = (path: string, ...kind: (keyof typeof kinds)[]): Candidate[] =>
  wrong(path, null, ...Object.entries(kinds).flatMap(([key, value]) => (kind.some((k) => k === key) ? [] : [value])));
/** Inside of a value: each of the kinds at that place. */
const inside = (path: string, kind: keyof typeof kinds, around: (value: unknown) => unknown): Candidate[] =>
  notA(path, kind).map(({ value, named }) => ({ value: around(value), named }));

const producer = { namespace: "shop", topics: { orders: [KafkaTopicAccess.Produce] } };
const consumer = { namespace: "sec", topics: { "orders.*": [KafkaTopicAccess.Consume] }, consumerGroups: [] };
const certificates = {
  brokerSecretName: "b-tls",
  controllerSecretName: "c-tls",
  clientCaSecretName: "clients",
  adminSecretName: "a-tls",
};
const resources = (argument: string) => [
  ...right(undefined, { cpu: "1", memoryMiB: 4096 }),
  ...notA(argument, "map"),
  ...wrong(`${argument}.cpu`, { memoryMiB: 4096 }, { cpu: 1, memoryMiB: 4096 }, { cpu: "1Gi", memoryMiB: 4096 }),
  ...wrong(`${argument}.memoryMiB`, { cpu: "1" }, { cpu: "1", memoryMiB: "4Gi" }, { cpu: "1", memoryMiB: NaN }),
  ...wrong(`${argument}.memory`, { cpu: "1", memoryMiB: 4096, memory: "4Gi" }),
];

const cluster: Readonly<Record<string, readonly Candidate[]>> = {
  namespace: [
    ...right("kafka", pulumi.output("events")),
    ...notA("namespace", "text"),
    ...wrong("namespace", undefined, "", "Events", "a.b"),
  ],
  kafkaName: [
    ...right(undefined, "events"),
    ...notA("kafkaName", "text"),
    ...wrong("kafkaName", "", "1a", "k".repeat(42)),
  ],
  clusterId: [
    ...right("Zr0kq3mWQx6bT7vJc2LhNA"),
    ...notA("clusterId", "text"),
    ...wrong("clusterId", undefined, "", "short", "5L6g3nShT-eMCtK--X86sw"),
  ],
  image: [...right(undefined, "apache/kafka:4.4.0"), ...notA("image", "text"), ...wrong("image", "", " a")],
  brokers: [...right(undefined, 3, 6), ...notA("brokers", "number"), ...wrong("brokers", 2, 3.5, NaN, Infinity)],
  controllers: [...right(undefined, 3, 5), ...notA("controllers", "number"), ...wrong("controllers", 1, 4, NaN)],
  zones: [...right(undefined, 2, 3), ...notA("zones", "number"), ...wrong("zones", 0, 1, 2.5, NaN)],
  brokerResources: resources("brokerResources"),
  controllerResources: resources("controllerResources"),
  brokerStorageGiB: [
    ...right(undefined, 1, 65_536),
    ...notA("brokerStorageGiB", "number"),
    ...wrong("brokerStorageGiB", 0, 65_537, 1.5, NaN),
  ],
  controllerStorageGiB: [
    ...right(undefined, 20),
    ...notA("controllerStorageGiB", "number"),
    ...wrong("controllerStorageGiB", -1, NaN),
  ],
  storageClassName: [
    ...right(undefined, "fast"),
    ...notA("storageClassName", "text"),
    ...wrong("storageClassName", "", "A"),
  ],
  retainVolumes: [...right(undefined, true, false), ...notA("retainVolumes", "flag")],
  nodeSelector: [
    ...right(undefined, {}, { pool: "kafka" }, pulumi.output({ pool: "kafka" })),
    ...wrong("nodeSelector", null, "pool", 7, true, ["pool"]),
    ...wrong('nodeSelector["pool"]', { pool: 7 }, { pool: "a b" }),
  ],
  tolerations: [
    ...right(undefined, [], [{ key: "kafka", operator: "Exists" }]),
    ...wrong("tolerations", null, "kafka", 7, true, {}),
    ...wrong("tolerations[0]", ["kafka"], [null]),
    ...wrong("tolerations[0].key", [{ key: 7 }]),
    ...wrong("tolerations[0].seconds", [{ key: "a", seconds: 7 }]),
    ...wrong("tolerations[0].tolerationSeconds", [{ key: "a", effect: "NoExecute", tolerationSeconds: "7" }]),
  ],
  priorityClassName: [
    ...right(undefined, "important"),
    ...notA("priorityClassName", "text"),
    ...wrong("priorityClassName", "", "A b"),
  ],
  certificates: [
    ...right(undefined, certificates),
    ...wrong("certificates", null, "b-tls", 7, true, []),
    ...inside("certificates.brokerSecretName", "text", (brokerSecretName) => ({ ...certificates, brokerSecretName })),
    ...wrong("certificates.adminSecretName", { ...certificates, adminSecretName: undefined }),
    ...wrong("certificates.clientCaSecretName", { ...certificates, clientCaSecretName: "" }),
    ...wrong("certificates.adminSecret", { ...certificates, adminSecret: "a" }),
  ],
  clients: [
    ...right(undefined, {}, { shop: producer }, { shop: producer, audit: consumer }),
    ...wrong("clients", null, "shop", 7, true, []),
    ...wrong('clients["shop"]', { shop: "shop" }, { shop: null }),
    ...wrong('clients["shop"].namespace', { shop: {} }, { shop: { namespace: 7 } }, { shop: { namespace: "a.b" } }),
    ...wrong('clients["shop"].topics', { shop: { namespace: "shop", topics: ["orders"] } }),
    ...wrong('clients["shop"].topics["orders"]', { shop: { namespace: "shop", topics: { orders: "produce" } } }),
    ...wrong('clients["shop"].topics["orders"][0]', { shop: { namespace: "shop", topics: { orders: ["write"] } } }),
    ...wrong('clients["shop"].consumerGroups', { shop: { ...consumer, consumerGroups: "shop" } }),
    ...wrong('clients["shop"].transactionalIds[0]', { shop: { ...producer, transactionalIds: [7] } }),
    ...wrong('clients["shop"].groups', { shop: { ...producer, groups: [] } }),
    ...wrong('clients["a b"]', { "a b": producer }),
  ],
  configuration: [
    ...right(undefined, {}, { retentionHours: 72, deleteTopics: false }),
    ...wrong("configuration", null, "a", 7, true, []),
    ...wrong(
      "configuration.retentionHours",
      { retentionHours: "72" },
      { retentionHours: NaN },
      { retentionHours: null },
    ),
    ...wrong("configuration.deleteTopics", { deleteTopics: "no" }),
    ...wrong("configuration.compression", { compression: 7 }, { compression: "zip" }),
    ...wrong("configuration.retention", { retention: 72 }),
  ],
  extraConfig: [
    ...right(undefined, {}, { "socket.receive.buffer.bytes": "1048576" }),
    ...wrong("extraConfig", null, "a", 7, true, []),
    ...wrong('extraConfig["socket.receive.buffer.bytes"]', { "socket.receive.buffer.bytes": 1_048_576 }),
    ...wrong('extraConfig["Bad Key"]', { "Bad Key": "1" }),
    ...wrong('extraConfig["node.id"]', { "node.id": "1" }),
  ],
  kubernetesVersion: [
    ...right(undefined, "1.36"),
    ...notA("kubernetesVersion", "text"),
    ...wrong("kubernetesVersion", "", "1", "v1.36", "latest"),
  ],
};

const { make, minimal } = samples["KafkaCluster"]!;

test("names each argument that is wrong, and makes nothing", async () => {
  for (const given of eachWrong(cluster)) await expectGraphOrRefusal({ make, ...given });
});

test("is a whole graph, or one error that names all that is wrong", async () => {
  await fc.assert(
    fc.asyncProperty(hostileArguments(cluster), fc.boolean(), (given, preview) =>
      expectGraphOrRefusal({ make, ...given, preview }),
    ),
    { numRuns: isDeep ? 200 : 8, seed: isDeep ? undefined : 20261201 },
  );
});

test.each(["broker", "storageGiB", "kafkaname", "replicas"])("there is no argument %s", async (misspelt) => {
  await expectGraphOrRefusal({ make, args: { ...minimal, [misspelt]: 5 }, named: [misspelt] });
});

test.each([[7], ["events"], [[]]])("%j are no arguments", async (args) => {
  await expectGraphOrRefusal({ make, args: args as never, named: ["args", "clusterId", "namespace"] });
});
