import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
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

/* Topics of random arguments: a job, or one error that names what is wrong. */

const kafka = (samples["KafkaTopic"]!.minimal as { kafka: object }).kafka;
const candidates: Record<string, Candidate[]> = {
  kafka: [
    ...right(kafka, { ...kafka, namespace: pulumi.output("kafka"), tolerations: [{ key: "a", operator: "Exists" }] }),
    ...wrong("kafka", undefined, "kafka", null, 5, []),
    ...wrong("kafka.kafkaName", { ...kafka, kafkaName: 5 }, { ...kafka, kafkaName: undefined }),
    ...wrong("kafka.bootstrapServers", { ...kafka, bootstrapServers: "b:9092" }),
    ...wrong("kafka.tolerations[0].key", { ...kafka, tolerations: [{}] }),
  ],
  topicName: [
    ...right(undefined, "orders", "orders.v1_x-Y", "a".repeat(249)),
    ...wrong("topicName", "", ".", "..", "a b", "a/b", "*", "a".repeat(250), "__own", "a\nb", 5, pulumi.output("a")),
  ],
  partitions: [
    ...right(undefined, 1, 10_000),
    ...wrong("partitions", 0, -1, 1.5, 10_001, Number.NaN, "3", pulumi.output(3)),
  ],
  replicationFactor: [
    ...right(undefined, 3, 9),
    ...wrong("replicationFactor", 0, 2, 3.5, 10, Number.POSITIVE_INFINITY, "3"),
  ],
  config: [
    ...right(undefined, {}, { "retention.ms": "-1", "cleanup.policy": pulumi.output("compact") }),
    ...wrong("config", [], "retention.ms=1", null),
    ...wrong(
      'config["retention.ms"]',
      { "retention.ms": 5 },
      { "retention.ms": "1\nx=y" },
      { "retention.ms": undefined },
    ),
    ...wrong('config["toString"]', { toString: "1" }),
    ...wrong('config["__proto__"]', JSON.parse('{"__proto__":"1"}')),
    ...wrong('config["min.insync.replicas"]', { "min.insync.replicas": "9" }),
  ],
  extraConfig: [
    ...right(undefined, {}, { "new.setting": "x" }),
    ...wrong('extraConfig["retention.ms"]', { "retention.ms": "1" }),
    ...wrong('extraConfig["a b"]', { "a b": "1" }),
    ...wrong('extraConfig["new.setting"]', { "new.setting": "[1]" }, { "new.setting": "a=b" }, { "new.setting": " " }),
  ],
};
const { make } = samples["KafkaTopic"]!;

test("topics of random arguments", async () => {
  await fc.assert(
    fc.asyncProperty(hostileArguments(candidates), fc.boolean(), (hostile, preview) =>
      expectGraphOrRefusal({ make, name: "orders", preview, ...hostile }),
    ),
    { numRuns: isDeep ? 600 : 30 },
  );
});

test("each wrong argument of a topic", async () => {
  for (const hostile of eachWrong(candidates)) await expectGraphOrRefusal({ make, name: "orders", ...hostile });
});
