import type { Rule } from "../../../policy/lib/rule";
import { kafkaAdvertisesNames } from "../../../policy/rules/kafka/kafka-advertises-names";
import { kafkaHasADisruptionBudget } from "../../../policy/rules/kafka/kafka-has-a-disruption-budget";
import { kafkaHasItsOwnClusterId } from "../../../policy/rules/kafka/kafka-has-its-own-cluster-id";
import { kafkaKeepsItsData } from "../../../policy/rules/kafka/kafka-keeps-its-data";
import { kafkaNodesOutliveTheShutdown } from "../../../policy/rules/kafka/kafka-nodes-outlive-the-shutdown";
import { kafkaPodsGetNothingInjected } from "../../../policy/rules/kafka/kafka-pods-get-nothing-injected";
import { kafkaShutsDownInTime } from "../../../policy/rules/kafka/kafka-shuts-down-in-time";
import { kafkaSpreadsOverZones } from "../../../policy/rules/kafka/kafka-spreads-over-zones";
import { kafkaStartsTogether } from "../../../policy/rules/kafka/kafka-starts-together";
import { kafkaSurvivesLosingABroker } from "../../../policy/rules/kafka/kafka-survives-losing-a-broker";
import { kafkaVolumesWaitForTheirPod } from "../../../policy/rules/kafka/kafka-volumes-wait-for-their-pod";
import { noKafkaServerStopHook } from "../../../policy/rules/kafka/no-kafka-server-stop-hook";
import { edited } from "../../support/edited";
import { checkResource, checkStack, exempt, unknown, type Given } from "../../support/policy";
import { advisory, ok, rows } from "../../support/verdicts";
import { broker, budget, container, labels, named, object, pod, pool, refused, service, set, storage } from "./setup";

const setRules = [
  kafkaShutsDownInTime,
  kafkaPodsGetNothingInjected,
  kafkaSpreadsOverZones,
  kafkaKeepsItsData,
  noKafkaServerStopHook,
];
const stackRules = [
  kafkaStartsTogether,
  kafkaHasADisruptionBudget,
  kafkaVolumesWaitForTheirPod,
  kafkaNodesOutliveTheShutdown,
  kafkaSurvivesLosingABroker,
  kafkaHasItsOwnClusterId,
  kafkaAdvertisesNames,
];
const bad = { labels: labels("x"), spec: { containers: [{ image: "apache/kafka" }] } };
const oddSpecs = rows(
  undefined,
  null,
  "text",
  7,
  [],
  {},
  { template: null },
  { template: [bad] },
  { template: { spec: "x" } },
  {
    replicas: "3",
    volumeClaimTemplates: "x",
    persistentVolumeClaimRetentionPolicy: [],
    template: {
      metadata: { labels: ["kafka"] },
      spec: {
        containers: [
          null,
          "x",
          3,
          [],
          { image: 7, env: "x", command: {} },
          { image: "apache/kafka", env: [null, "x", {}] },
        ],
        topologySpreadConstraints: [null, "x", {}],
        volumes: [null, { configMap: "x" }],
        nodeSelector: ["x"],
        affinity: "x",
      },
    },
  },
);
const neighbours = [budget, service, storage, pool].flatMap((given) => [
  given,
  { ...given, name: `odd-${given.name}`, props: { metadata: "x", spec: ["x"], volumeBindingMode: {} } },
  { ...given, name: `null-${given.name}`, props: { metadata: null, spec: null } },
]);

describe.each(setRules.map((r) => [r.name, r] as const))("%s", (_, rule) => {
  const check = (given: Given, config?: object) => checkResource(rule, given, config);
  test("is content with brokers and controllers, in any version of the API", () => {
    expect(check(broker)).toEqual(ok);
    expect(check(set("controller"))).toEqual(ok);
    expect(check({ ...broker, type: "kubernetes:apps/v1beta2:StatefulSet" })).toEqual(ok);
    expect(check({ ...broker, type: "kubernetes:apps/v1:Deployment" }).notApplicable).toBe(true);
  });
  test("says nothing about StatefulSets of something else, nor about what a patch leaves out", () => {
    expect(
      check(
        object("kubernetes:apps/v1:StatefulSet", "db", {
          spec: { template: { spec: { containers: [{ image: "postgres:18" }] } } },
        }),
      ),
    ).toEqual(ok);
    const image = { spec: { template: { spec: { containers: [{ image: "apache/kafka:4.4.1" }] } } } };
    expect(check(object("kubernetes:apps/v1:StatefulSetPatch", "kafka", image))).toEqual(ok);
  });
  test.each(oddSpecs)("reads %j without falling over", (spec) => {
    expect(check({ ...broker, props: { metadata: named("x").metadata, spec } }).undecided).toBeUndefined();
    expect(check({ ...broker, props: { metadata: { labels: labels("broker") }, spec } }).undecided).toBeUndefined();
  });
  test("an unknown image is advisory only where a name says Kafka", () => {
    const image = { spec: { template: { spec: { containers: [{ name: "main", image: unknown }] } } } };
    expect(check(object(broker.type, "db", image))).toEqual(ok);
    expect(check(object(broker.type, "my-kafka", image))).toEqual(advisory("image"));
    expect(check(object(broker.type, "my-kafka", image), { unknownValues: "violation" })).toEqual(
      refused(/^spec\.template\.spec\.containers\[0\]\.image isn't known yet and may/, "my-kafka"),
    );
  });
});

describe.each(stackRules.map((r) => [r.name, r] as const))("%s", (_, rule) => {
  const check = (given: Given[]) => checkStack(rule, given);
  test("is content with brokers and controllers in a stack of their own", () => {
    const controllers = set("controller");
    const second = edited(
      edited(budget, ["props", "spec", "selector", "matchLabels"], labels("controller")),
      ["name"],
      "b2",
    );
    expect(check([broker, controllers, service, budget, second, storage, pool])).toEqual(ok);
    expect(check([])).toEqual(ok);
  });
  test("says nothing about a patch, nor about other StatefulSets", () => {
    const patch = { ...broker, type: `${broker.type}Patch`, props: { spec: { template: { spec: bad.spec } } } };
    const db = edited(edited(broker, container, { image: "postgres:18" }), [...pod.slice(0, -1), "metadata"], {});
    expect(check([patch, db])).toEqual(ok);
  });
  test.each(oddSpecs)("reads %j without falling over", (spec) => {
    const found = check([{ ...broker, props: { metadata: { labels: labels("broker") }, spec } }, ...neighbours]);
    expect(found.undecided).toBeUndefined();
  });
});

describe("a StatefulSet is Kafka's", () => {
  const check = (spec: object, metadata: object = {}, config?: object) => {
    const props = { metadata, spec: { template: { spec } } };
    return checkResource(kafkaPodsGetNothingInjected, object(broker.type, "node", props), config).violations.length > 0;
  };
  const image = (name: string) => ({ containers: [{ image: "envoy:1" }, { image: name }] });

  test.each([
    "apache/kafka:4.4.0",
    "apache/kafka",
    "apache/kafka-native:4.4.0",
    "confluentinc/cp-kafka:8.1.0",
    "confluentinc/cp-server@sha256:0123",
    "docker.io/bitnamilegacy/kafka:4.0.0",
    "quay.io/strimzi/kafka:1.2.0-kafka-4.3.1",
    "localhost:5000/apache/kafka",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com/docker-hub/apache/kafka:4.4.0@sha256:0123",
  ])("by the image %s", (name) => expect(check(image(name))).toBe(true));

  test.each(["apache/kafka-connect:1", "acme/kafka:1", "myapache/kafka-ui", "confluentinc/cp-kafka-rest:8", "apache"])(
    "not by the image %s",
    (name) => expect(check(image(name))).toBe(false),
  );

  test("by its label, by a variable that only a node has, and by what the configuration names", () => {
    expect(check(image("x"), { labels: { "app.kubernetes.io/name": "kafka" } })).toBe(true);
    expect(check(image("x"), { labels: { "app.kubernetes.io/name": "kafka-ui" } })).toBe(false);
    expect(check({ containers: [{ image: unknown, env: [{ name: "KAFKA_PROCESS_ROLES", value: "broker" }] }] })).toBe(
      true,
    );
    expect(check({ containers: [{ env: [{ name: "KAFKA_CFG_PROCESS_ROLES" }] }] })).toBe(true);
    expect(check({ containers: [{ env: [{ name: "KAFKA_BOOTSTRAP_SERVERS" }] }] })).toBe(false);
    expect(check(image("acme/kafka:1"), {}, { kafkaImages: ["acme/*"] })).toBe(true);
    expect(check(image("x"), { labels: { "app.kubernetes.io/name": "events" } }, { kafkaNames: ["events"] })).toBe(
      true,
    );
  });
});

test("exemptions and other configuration reach the rules on Kafka", () => {
  const wrong = edited(broker, ["props", "spec", "podManagementPolicy"], undefined);
  expect(checkStack(kafkaStartsTogether, [wrong], { exemptions: [exempt("brok*")] })).toEqual(ok);
  expect(checkStack(kafkaStartsTogether, [wrong], { kafkaImages: [], kafkaNames: [] }).violations).toHaveLength(1);
  const rules: Rule[] = [...setRules, ...stackRules];
  for (const rule of rules)
    expect(Object.keys(rule.configSchema.properties)).toEqual(expect.arrayContaining(["kafkaImages"]));
});
