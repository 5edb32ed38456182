import type { KafkaClusterArgs } from "../../../components/kafka";
import { find, reaches } from "../../support/graph";
import { commandOf, tell } from "./scripts";
import { make, types } from "./setup";

/* Jobs of day two. Tools answer as those of Kafka 4.4.0 did on real servers. */

const job = async (name: string, change: Partial<KafkaClusterArgs>) => {
  const { resources, errors } = await make(change);
  expect(errors).toEqual([]);
  return commandOf(resources, name);
};

describe("fewer brokers", () => {
  /** What `kafka-topics.sh --describe` says; brokers of each partition of one topic. */
  const topics = (...replicas: string[]) =>
    [
      "Topic: orders\tTopicId: u_G0DMDASDWswGiHWWRVRw\tPartitionCount: 2\tReplicationFactor: 3\tConfigs: min.insync.replicas=2",
      ...replicas.map(
        (ids, partition) =>
          `\tTopic: orders\tPartition: ${partition}\tLeader: 100\tReplicas: ${ids}\tIsr: ${ids}\tElr: \tLastKnownElr: `,
      ),
    ].join("\n");
  const idle = "No partition reassignments found.";
  const tools = (before: string, after = before, moving = "Current partition reassignments:") => ({
    "kafka-topics.sh": `if ((CALLS == 0)); then cat <<'E'\n${before}\nE\nelse cat <<'E'\n${after}\nE\nfi`,
    "kafka-configs.sh": "exit 0",
    "kafka-reassign-partitions.sh": `case " $* " in
*" --list "*) ((CALLS == 0 || CALLS > 3)) && echo "${idle}" || echo "${moving}" ;;
*" --generate "*) cat "$(sed 's/.*json-file \\([^ ]*\\).*/\\1/' <<<"$*")" >&2
  printf 'Current partition replica assignment\\n{"old":1}\\n\\nProposed partition reassignment configuration\\n{"new":1}\\n' ;;
*" --execute "*) cat "$(sed 's/.*json-file \\([^ ]*\\).*/\\1/' <<<"$*")" >&2 ;;
esac`,
    sleep: "exit 0",
  });

  test("nothing happens while nobody goes", async () => {
    const command = await job("k-drain", {});
    expect(command.slice(-3)).toEqual(["100", "103", ""]);
    const told = tell(command, tools(topics("100,101,102", "102,100,101")));
    expect(told).toMatchObject({ status: 0, calls: ["kafka-topics.sh --describe"] });
    expect(told.log).toContain("No partition has a copy on a broker from 103 on.");
  });

  test("stops the update where a broker that goes has copies, and says what to write", async () => {
    const told = tell(await job("k-drain", { brokers: 3 }), tools(topics("100,101,103", "102,104,101")));
    expect(told.status).toBe(1);
    expect(told.log).toContain("Broker 103 would go, with copies of 1 topics. Write it into drained");
    expect(told.calls).toEqual(["kafka-topics.sh --describe"]);
  });

  test("also where only one of two was named", async () => {
    const told = tell(await job("k-drain", { drained: [103] }), tools(topics("100,101,103", "102,104,101")));
    expect(told.status).toBe(1);
    expect(told.log).toContain("Broker 104 would go");
    expect(told.calls.filter((call) => call.includes("reassign"))).toEqual([]);
  });

  test("moves copies away: no new ones, Kafka's plan over those that stay, until nothing is left", async () => {
    const command = await job("k-drain", { brokers: 4, drained: [104, 105] });
    expect(command.slice(-3)).toEqual(["100", "104", "104 105"]);
    const told = tell(command, tools(topics("100,101,104", "105,104,101"), topics("100,101,102", "103,102,101")));
    expect(told.status).toBe(0);
    const cordon = "kafka-configs.sh --alter --entity-type brokers --entity-name";
    const list = "kafka-reassign-partitions.sh --list";
    expect(told.calls.filter((call) => !call.startsWith("sleep"))).toEqual([
      "kafka-topics.sh --describe",
      `${cordon} 104 --add-config cordoned.log.dirs=*`,
      `${cordon} 105 --add-config cordoned.log.dirs=*`,
      list, // nobody else moves anything
      "kafka-reassign-partitions.sh --generate --topics-to-move-json-file /topics.json --broker-list 100,101,102,103",
      "kafka-reassign-partitions.sh --execute --reassignment-json-file /plan.json",
      list,
      list, // done
      "kafka-topics.sh --describe",
    ]);
    expect(told.log).toContain('{"version":1,"topics":[{"topic":"orders"}]}');
    expect(told.log).toContain('{"new":1}');
    expect(told.log).toContain("No partition has a copy on a broker from 104 on.");
  });

  test("gives up where copies stay", async () => {
    const told = tell(await job("k-drain", { drained: [103] }), tools(topics("100,101,103")));
    expect(told.status).toBe(1);
    expect(told.log).toContain("After five rounds there are still copies on brokers that go:\norders 103\n");
  });

  test.each([
    [
      "no broker has an address yet: there is no cluster",
      "No resolvable bootstrap urls given in bootstrap.servers",
      0,
      0,
    ],
    ["names aren't found at all: there may be one", "No resolvable bootstrap urls given in bootstrap.servers", 2, 1],
    ["nobody answers", "Timed out waiting for a node assignment. Call: listTopics", 0, 1],
  ])("%s", async (_, error, getent, status) => {
    const told = tell(await job("k-drain", {}), {
      "kafka-topics.sh": `echo "${error}" >&2; exit 1`,
      getent: `exit ${getent}`,
    });
    expect(told.status).toBe(status);
    expect(told.log).toContain(status === 0 ? "No brokers yet." : error);
  });

  test("is asked before the brokers change, and has time; the cluster forgets them after", async () => {
    const { resources } = await make({ brokers: 4, drained: [104] });
    const brokers = find(resources, types.statefulSet, "k-broker");
    const [drain, unregister] = ["k-drain", "k-unregister"].map((name) => find(resources, types.job, name));
    expect(reaches(resources, brokers, drain!)).toBe(true);
    expect(reaches(resources, unregister!, brokers)).toBe(true);
    // Half a day, and five minutes for Pulumi to see how it ends.
    expect(drain!.inputs["spec"]).toMatchObject({ activeDeadlineSeconds: 43_200 });
    expect(drain!.customTimeouts.create).toBe("725m");
    // It may not replace what depends on it.
    expect(drain!.inputs["metadata"]).toEqual({ namespace: "events" });
    expect(find((await make()).resources, types.job, "k-drain").inputs["spec"]).toMatchObject({
      activeDeadlineSeconds: 900,
    });
    expect((await make()).resources.filter(({ name }) => name === "k-unregister")).toEqual([]);
  });

  test.each([
    ["goes", "Broker 104 is no longer registered.", 0, 0],
    ["is gone already", "BrokerIdNotRegisteredException: No node with id 104 found.", 1, 0],
    ["can't be forgotten", "Timed out", 1, 1],
  ])("a broker that %s", async (_, answer, fails, status) => {
    const told = tell(await job("k-unregister", { brokers: 4, drained: [104] }), {
      "kafka-cluster.sh": `echo "${answer}"; exit ${fails}`,
      "kafka-configs.sh": "exit 0",
      sleep: "exit 0",
    });
    expect(told.status).toBe(status);
    const controllers = [0, 1, 2].map((id) => `kafka-controller-${id}.kafka-controllers.events.svc.cluster.local:9093`);
    expect(told.calls.slice(0, 2)).toEqual([
      `kafka-configs.sh --bootstrap-controller ${controllers.join(",")} --alter --entity-type brokers --entity-name 104 --delete-config cordoned.log.dirs`,
      "kafka-cluster.sh unregister --config /admin.properties --id 104",
    ]);
  });
});

describe("quotas", () => {
  const change = ["kafka-configs.sh --entity-type users --entity-default"];
  const present =
    "Quota configs for the default user-principal are request_percentage=200.0, producer_byte_rate=1000.0";

  test.each<[string, KafkaClusterArgs["quotas"], string, string[]]>([
    [
      "are made",
      { producerBytesPerSecond: 5, requestPercent: 50 },
      "",
      ["--alter --add-config producer_byte_rate=5,request_percentage=50"],
    ],
    [
      "are changed, and taken away",
      { consumerBytesPerSecond: 7 },
      present,
      ["--alter --delete-config producer_byte_rate,request_percentage", "--alter --add-config consumer_byte_rate=7"],
    ],
    ["all go", {}, present, ["--alter --delete-config producer_byte_rate,request_percentage"]],
    ["aren't there", {}, "", []],
  ])("%s", async (_, quotas, shown, expected) => {
    const told = tell(await job("k-quotas", { quotas }), {
      "kafka-configs.sh": `[[ " $* " == *" --describe "* ]] && echo "${shown}"; exit 0`,
    });
    const calls = ["--describe", ...expected, "--describe"].map((rest) => `${change[0]} ${rest}`);
    expect(told).toMatchObject({ status: 0, calls });
  });

  test("come from the size, or from nowhere", async () => {
    const size = { messagesPerSecond: 2000, averageMessageBytes: 500, retentionHours: 24 };
    expect((await job("k-quotas", { size })).at(-1)).toBe("producer_byte_rate=1000000");
    expect((await job("k-quotas", { size, quotas: { requestPercent: 100 } })).at(-1)).toBe("request_percentage=100");
    expect((await make()).resources.filter(({ name }) => name === "k-quotas")).toEqual([]);
  });
});

describe("the metadata's version", () => {
  const features = (final: string) => ({
    "kafka-features.sh": `case " $* " in
*" describe "*) echo "Feature: kraft.version    SupportedMinVersion: 0    FinalizedVersionLevel: 0    Epoch: 28"
  echo "Feature: metadata.version  SupportedMinVersion: 3.3-IV3  SupportedMaxVersion: 4.4-IV2  FinalizedVersionLevel: ${final}  Epoch: 28"
  echo "Feature: transaction.version  SupportedMinVersion: 0  FinalizedVersionLevel: 2    Epoch: 28" ;;
*" version-mapping "*) printf 'metadata.version=33 (4.4)\\nkraft.version=1\\ntransaction.version=2\\n' ;;
esac`,
  });
  const upgrade = "kafka-features.sh upgrade --feature metadata.version=33 --feature transaction.version=2";

  test.each(["4.2-IV1", "4.4-IV2"])("goes up from %s, but that of the quorum stays", async (final) => {
    const told = tell(await job("k-metadata-version", { metadataVersion: "4.4" }), features(final));
    expect(told.status).toBe(0);
    expect(told.calls).toContain(upgrade);
  });

  test("never goes down", async () => {
    const told = tell(await job("k-metadata-version", { metadataVersion: "4.4" }), features("4.10-IV0"));
    expect(told.status).toBe(1);
    expect(told.log).toContain('The metadata is newer than 4.4 already: write metadataVersion: "4.10".');
    expect(told.calls).toEqual(["kafka-features.sh describe"]);
  });

  test("stays what it is without the argument, and follows the pods", async () => {
    expect((await make()).resources.filter(({ name }) => name === "k-metadata-version")).toEqual([]);
    const { resources } = await make({ metadataVersion: "4.4" });
    const [job, brokers] = [
      find(resources, types.job, "k-metadata-version"),
      find(resources, types.statefulSet, "k-broker"),
    ];
    expect(reaches(resources, job, brokers)).toBe(true);
  });
});

describe("sizes", () => {
  /** By hand: MB/s x 3 copies / brokers x seconds / 0.7; cached for 300 s, with 512 MiB beside the heap, which is half, at most 5 GiB. */
  test.each([
    // 1,000,000 B/s a broker x 86,400 s / 0.7 = 123.4e9 B = 114.95 GiB. 287 MiB cached + 512 = 799, twice: 1598, and the least is 2048.
    [{ messagesPerSecond: 2000, averageMessageBytes: 500, retentionHours: 24 }, 3, "115Gi", "2048Mi", "24"],
    // 20,000,000 B/s x 3 / 6 = 10,000,000 B/s x 259,200 s / 0.7 = 3448.4 GiB. 2862 + 512 = 3374, twice in steps of 256: 6912.
    [{ messagesPerSecond: 20_000, averageMessageBytes: 1000, retentionHours: 72 }, 6, "3449Gi", "6912Mi", "72"],
    // 50,000,000 B/s x 3600 s / 0.7 = 239.5 GiB. 14,306 + 512 = 14,818 and a heap of 5120: 19,938, so 19,968.
    [{ messagesPerSecond: 50_000, averageMessageBytes: 1000, retentionHours: 1 }, 3, "240Gi", "19968Mi", "1"],
    [{ messagesPerSecond: 1, averageMessageBytes: 10, retentionHours: 1 }, 3, "10Gi", "2048Mi", "1"],
  ])("of %j with %i brokers", async (size, brokers, storage, memory, hours) => {
    const { resources, errors } = await make({ size, brokers });
    expect(errors).toEqual([]);
    const spec = JSON.stringify(find(resources, types.statefulSet, "k-broker").inputs["spec"]);
    expect(spec).toContain(`"requests":{"storage":"${storage}"}`);
    expect(spec).toContain(`"limits":{"memory":"${memory}"}`);
    const config = find(resources, types.config, "k-broker-config").inputs["data"] as Record<string, string>;
    expect(config["server.properties"]).toContain(`\nlog.retention.hours=${hours}\n`);
  });

  test("count where nothing else is given", async () => {
    const size = { messagesPerSecond: 20_000, averageMessageBytes: 1000, retentionHours: 72 };
    const { resources } = await make({ size, brokerStorageGiB: 500, brokerResources: { cpu: "2", memoryMiB: 4096 } });
    const spec = JSON.stringify(find(resources, types.statefulSet, "k-broker").inputs["spec"]);
    expect(spec).toContain('"requests":{"storage":"500Gi"}');
    expect(spec).toContain('"limits":{"memory":"4096Mi"}');
    const { errors } = await make({ size, configuration: { retentionHours: 168 } });
    expect(errors[0]?.message).toContain(
      "configuration.retentionHours: is 168, and size.retentionHours 72: leave it out",
    );
  });

  test("that no volume can hold are refused", async () => {
    const { errors } = await make({ size: { messagesPerSecond: 1e6, averageMessageBytes: 1000, retentionHours: 168 } });
    expect(errors[0]?.message).toMatch(/brokerStorageGiB: must be .* not \d+: add brokers instead/);
  });
});
