import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { KafkaTopic, type KafkaTopicArgs } from "../../../components/kafka";
import { find } from "../../support/graph";
import { run } from "../../support/harness";
import { types } from "./setup";

/* Topics: their arguments, what the job is told, and its script with tools that answer as those of Kafka 4.4 did. */

const kafka = {
  kafkaName: "kafka",
  namespace: "events",
  image: "apache/kafka:4.4.0",
  adminServers: "kafka-broker-100.kafka-brokers.events.svc.cluster.local:9094",
  adminSecretName: "kafka-admin",
};
const make = (args: Partial<KafkaTopicArgs> | (() => Partial<KafkaTopicArgs>), name = "orders") =>
  run(() => {
    const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
    const given = typeof args === "function" ? args() : args;
    const topic = new KafkaTopic(name, { kafka, ...given }, { providers: [cluster] });
    return { topicName: topic.topicName };
  });
const told = async (args: Partial<KafkaTopicArgs>, name?: string) => {
  const { errors, resources } = await make(args, name);
  expect(errors).toEqual([]);
  const { template } = find(resources, types.job).inputs["spec"] as {
    template: { spec: { containers: { command: string[] }[] } };
  };
  return template.spec.containers[0]!.command;
};
/** Paths that an error names. */
const refused = async (args: object, name?: string) => {
  const { errors, resources } = await make(args as Partial<KafkaTopicArgs>, name);
  expect(resources.filter((r) => r.type === types.job)).toEqual([]);
  return errors.flatMap(({ message }) => message.split("\n  - ").slice(1));
};

describe("arguments", () => {
  test("what isn't said is left to Kafka", async () => {
    expect((await told({})).slice(3)).toEqual(["orders-job", "orders", "", "", ""]);
  });

  test("what is said reaches the script, later values too", async () => {
    const args = {
      topicName: "orders.v1",
      partitions: 12,
      replicationFactor: 5,
      config: { "retention.ms": pulumi.output("-1"), "cleanup.policy": "compact,delete", "min.insync.replicas": "4" },
      extraConfig: { "share.something": "on" },
    };
    expect((await told(args)).slice(4)).toEqual([
      "orders.v1",
      "12",
      "5",
      "retention.ms=-1\ncleanup.policy=compact,delete\nmin.insync.replicas=4\nshare.something=on",
    ]);
  });

  // org.apache.kafka.storage.internals.log.LogConfig of 4.4.0: its ranges at their edges, and defaults that have no short form.
  test("every kind of value that Kafka takes", async () => {
    const config = {
      "compression.gzip.level": "-1",
      "compression.lz4.level": "17",
      "compression.type": "zstd",
      "compression.zstd.level": "-131072",
      "delete.retention.ms": "0",
      "errors.deadletterqueue.group.enable": "false",
      "flush.messages": "9223372036854775807",
      "local.retention.ms": "-2",
      "max.message.bytes": "2147483647",
      "message.timestamp.type": "LogAppendTime",
      "min.cleanable.dirty.ratio": "0.5",
      preallocate: "true",
      "segment.bytes": "1048576",
      "unclean.leader.election.enable": "false",
    };
    expect((await told({ config }))[7]!.split("\n")).toHaveLength(14);
  });

  test.each<[object, string[]]>([
    [{ config: { "retention-ms": "1" } }, ['config["retention-ms"]: is no setting of topics: write "retention.ms"']],
    [{ config: { retentionMs: "1" } }, ['config["retentionMs"]: is no setting of topics: write "retention.ms"']],
    [{ config: { "retention.mss": "1" } }, ['write "retention.ms"']],
    [{ config: { "log.segment.bytes": "1" } }, ['write "segment.bytes"']],
    [{ config: { "log.retention.hours": "72" } }, ['write "retention.ms"']],
    [{ config: { "message.max.bytes": "72" } }, ['write "max.message.bytes"']],
    [{ config: { "no.such": "1" } }, ["is no setting of topics in Kafka 4.4: see its topic configuration, or"]],
    [{ config: { "leader.replication.throttled.replicas": "*" } }, ["belongs to whoever moves replicas"]],
    [{ extraConfig: { "follower.replication.throttled.replicas": "*" } }, ["belongs to whoever moves replicas"]],
    [{ extraConfig: { "retention.ms": "1" } }, ['extraConfig["retention.ms"]: is a setting that is known: write it']],
    [{ extraConfig: { "Retention ms": "1" } }, ['extraConfig["Retention ms"]: is no name of a setting']],
    [{ extraConfig: { "a.b": "1]\nx=[2" } }, ['extraConfig["a.b"]: must be a single line']],
    [{ config: { "retention.ms": "7d" } }, ['must be a whole number from -1, not "7d"']],
    [{ config: { "retention.ms": "9223372036854775808" } }, ["must be a whole number from -1"]],
    [{ config: { "retention.ms": "" } }, ["leave it out for the brokers' value"]],
    [{ config: { "segment.bytes": "1048575" } }, ["must be a whole number from 1048576 to 2147483647"]],
    [{ config: { "cleanup.policy": "compact, delete" } }, ["must be delete, compact or"]],
    [{ config: { "cleanup.policy": "delete,delete" } }, ["must be delete, compact or"]],
    [{ config: { "min.cleanable.dirty.ratio": "1.5" } }, ["must be a number from 0 to 1"]],
    [{ config: { "min.insync.replicas": "3" } }, ["must be less than 3, the number of copies, not 3"]],
    [{ config: { "unclean.leader.election.enable": "true" } }, ['must be "false" or left out']],
    [{ config: { "retention.ms": 604800000 } }, ['config["retention.ms"]: must be text, in quotes']],
    [{ partitions: 0, replicationFactor: 2 }, ["partitions: ", "replicationFactor: "]],
    [{ partitions: 1.5, topicName: "a/b" }, ["topicName: ", "partitions: "]],
    [{ topicName: "__consumer_offsets" }, ["topicName: is"]],
    [{ kafka: undefined }, ["kafka: is missing: write the Kafka cluster, KafkaCluster.ref"]],
    [
      { kafka: { kafkaName: "kafka" }, replicas: 3 },
      ["replicas: isn't an argument: write replicationFactor", "kafka."],
    ],
  ])("%j is refused", async (args, said) => {
    const problems = await refused(args);
    const missing = said.filter((text) => !problems.some((problem) => problem.includes(text)));
    expect([missing, problems]).toEqual([[], problems]);
  });

  test("a name of the component that is no topic's is told as such", async () => {
    expect(await refused({}, "or ders")).toContainEqual(expect.stringContaining("name: must be 1 to 249 letters"));
  });

  test("a wrong value that comes late stops the job", async () => {
    const { errors, resources } = await make(() => ({ config: { "retention.ms": pulumi.output("soon") } }));
    expect(errors.join()).toContain('config["retention.ms"] must be a whole number from -1, not "soon"');
    expect(resources.filter((r) => r.type === types.job)).toEqual([]);
  });
});

describe("the script", () => {
  let folder: string;
  let command: string[];
  beforeAll(async () => {
    command = await told({});
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "topic-"));
    for (const [tool, text] of Object.entries({ "kafka-topics.sh": topics, "kafka-configs.sh": configs })) {
      writeFileSync(join(folder, tool), text);
      chmodSync(join(folder, tool), 0o755);
    }
    for (const file of ["topics", "settings", "calls"]) writeFileSync(join(folder, file), "");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const read = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n").filter(Boolean);
  /** What there is, in lines: `topic partitions`, and `topic name value`. */
  const before = (there: { topics?: string[]; settings?: string[]; late?: number }) => {
    for (const [file, lines] of Object.entries({ topics: there.topics ?? [], settings: there.settings ?? [] }))
      writeFileSync(join(folder, file), lines.map((line) => `${line}\n`).join(""));
    writeFileSync(join(folder, "late"), String(there.late ?? 0));
  };
  const runs = (topic: string, partitions = "", copies = "", settings = "") => {
    const [shell, option, script] = command;
    execFileSync(
      shell!,
      [option!, script!.replaceAll("/opt/kafka/bin", folder), "job", topic, partitions, copies, settings],
      {
        env: {
          PATH: process.env["PATH"],
          BOOTSTRAP_SERVERS: "b:9094",
          ADMIN_PROPERTIES: join(folder, "p"),
          PAUSE: "0",
        },
        stdio: "pipe",
        encoding: "utf8",
      },
    );
    return { topics: read("topics"), settings: read("settings").sort(), calls: read("calls") };
  };

  test("makes a topic with all that is wanted at once", () => {
    before({ topics: ["other 1"] });
    const { topics, settings } = runs("orders", "12", "3", "retention.ms=1000\ncleanup.policy=compact,delete");
    expect(topics).toEqual(["other 1", "orders 12"]);
    expect(settings).toEqual(["orders cleanup.policy compact,delete", "orders retention.ms 1000"]);
    expect(read("calls")[0]).toBe(
      "topics --create --if-not-exists --topic orders --partitions 12 --replication-factor 3 --config retention.ms=1000 --config cleanup.policy=compact,delete",
    );
  });

  test("leaves what is as wanted", () => {
    before({ topics: ["orders 3"], settings: ["orders retention.ms 1000"] });
    const { topics, settings, calls } = runs("orders", "3", "3", "retention.ms=1000");
    expect([topics, settings]).toEqual([["orders 3"], ["orders retention.ms 1000"]]);
    expect(calls.filter((call) => /--alter .*(--partitions|--delete-config)/.test(call))).toEqual([]);
  });

  test("adds partitions to this topic, not to one whose name is alike", () => {
    before({ topics: ["axb 3", "a.b 3"] });
    expect(runs("a.b", "6").topics).toEqual(["axb 3", "a.b 6"]);
  });

  test("says that partitions can't be taken away, and changes nothing", () => {
    before({ topics: ["orders 12"], settings: ["orders retention.ms 1000"] });
    expect(() => runs("orders", "6", "", "segment.ms=5")).toThrow(
      "orders has 12 partitions, and 6 are wanted: Kafka can't take partitions away. Write 12, or make another topic.",
    );
    expect(read("settings")).toEqual(["orders retention.ms 1000"]);
  });

  test("gives settings back that nobody wants any more, but not the throttles of a move", () => {
    const throttle = "orders leader.replication.throttled.replicas 0:100,1:101";
    before({
      topics: ["orders 3"],
      settings: ["orders retention.ms 1000", "orders segment.ms 5", "orders segment.jitter.ms 5", throttle],
    });
    const { settings, calls } = runs("orders", "", "", "retention.ms=2000");
    expect(settings).toEqual([throttle, "orders retention.ms 2000"].sort());
    expect(calls.filter((call) => call.includes("--delete-config"))).toEqual([
      "configs --entity-type topics --entity-name orders --alter --delete-config segment.ms,segment.jitter.ms",
    ]);
  });

  test("waits for a broker that hasn't heard of the topic, but not for ever", () => {
    before({ late: 2 });
    expect(runs("orders").topics).toEqual(["orders 3"]);
    before({ topics: [], late: 99 });
    expect(() => runs("orders")).toThrow("does not exist as expected");
  });

  test("fails where a tool does", () => {
    before({ topics: ["orders 3"] });
    expect(() => runs("orders", "", "", "no.such=1")).toThrow("Unknown topic config name: no.such");
  });
});

/* Both keep what there is in files, and take to describe and to alter a pattern as Kafka's do (org.apache.kafka.tools.TopicCommand). */

const start = `#!/bin/bash
set -eu
cd "$(dirname "$0")"
shift 4
`;
const topics = `${start}
echo "topics $*" >> calls
verb=$1 settings=() partitions=3; shift
while (($#)); do
  case $1 in
    --if-not-exists) shift ;;
    --topic) topic=$2; shift 2 ;;
    --partitions) partitions=$2; shift 2 ;;
    --replication-factor) shift 2 ;;
    --config) settings+=("$2"); shift 2 ;;
  esac
done
case $verb in
  --create)
    grep -q "^\${topic//./\\\\.} " topics && exit
    echo "$topic $partitions" >> topics
    for one in \${settings+"\${settings[@]}"}; do echo "$topic \${one%%=*} \${one#*=}" >> settings; done
    echo "Created topic $topic." ;;
  --describe)
    late=$(<late); echo $((late - 1)) > late
    if ((late > 0)) || ! grep -qE "^$topic " topics; then
      echo "Error while executing topic command : Topic '$topic' does not exist as expected" >&2; exit 1
    fi
    while read -r name count; do
      printf 'Topic: %s\\tTopicId: D44i2D3ZRxKvy0Dw0UZHRw\\tPartitionCount: %s\\tReplicationFactor: 3\\tConfigs: min.insync.replicas=2\\n' "$name" "$count"
    done < <(grep -E "^$topic " topics) ;;
  --alter)
    if grep -qE "^$topic $partitions$" topics; then echo "Topic already has $partitions partition(s)." >&2; exit 1; fi
    sed -i -E "s/^($topic) .*/\\1 $partitions/" topics ;;
esac
`;
const configs = `${start}
echo "configs $*" >> calls
topic=$4 verb=$5
case "$verb \${6:-}" in
  "--describe ")
    echo "Dynamic configs for topic $topic are:"
    while read -r of name value; do
      [[ $of != "$topic" ]] || echo "  $name=$value sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:$name=$value, DEFAULT_CONFIG:log.$name=x}"
    done < settings ;;
  "--alter --delete-config")
    for name in \${7//,/ }; do sed -i "/^$topic \${name//./\\\\.} /d" settings; done ;;
  "--alter --add-config")
    sed -E 's/\\],?/\\n/g; s/=\\[/ /g' <<<"$7" | while read -r name value; do
      [[ -n $name ]] || continue
      [[ $name != no.such ]] || { echo "Unknown topic config name: $name" >&2; exit 1; }
      sed -i "/^$topic \${name//./\\\\.} /d" settings
      echo "$topic $name $value" >> settings
    done || exit 1 ;;
esac
`;
