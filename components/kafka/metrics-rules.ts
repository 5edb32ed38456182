import { MetricKind, type MetricsSeries } from "../alarms";
import { KafkaRole } from "./names";

/*
 * What of Kafka's several thousand numbers is shown, and by what names. The beans were read from running servers of Kafka 4.4.0.
 *
 * How full a volume is, no bean says: `kafka_log_bytes`, for each partition, is what the messages take; sizes of volumes the kubelet knows.
 */

/** A number of Kafka: its bean, the attribute and what it is called. */
interface Rule {
  readonly bean: string;
  readonly attribute: "Value" | "Count";
  readonly name: string;
  readonly kind: MetricKind;
  readonly roles: readonly KafkaRole[];
  readonly help: string;
}

const brokers = [KafkaRole.Broker];
const controllers = [KafkaRole.Controller];

function gauge(name: string, bean: string, roles: readonly KafkaRole[], help: string): Rule {
  return { name, bean, attribute: "Value", kind: MetricKind.Gauge, roles, help };
}

function counter(name: string, bean: string, roles: readonly KafkaRole[], help: string): Rule {
  return { name, bean, attribute: "Count", kind: MetricKind.Counter, roles, help };
}

const rules: readonly Rule[] = [
  gauge(
    "kafka_under_min_isr_partitions",
    "kafka.server:type=ReplicaManager,name=UnderMinIsrPartitionCount",
    brokers,
    "Partitions led by this broker that nobody can write to, because too few copies are in sync",
  ),
  gauge(
    "kafka_under_replicated_partitions",
    "kafka.server:type=ReplicaManager,name=UnderReplicatedPartitions",
    brokers,
    "Partitions led by this broker that miss a copy",
  ),
  gauge(
    "kafka_offline_log_directories",
    "kafka.log:type=LogManager,name=OfflineLogDirectoryCount",
    brokers,
    "Volumes of this broker that failed",
  ),
  counter("kafka_messages_in_total", "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec", brokers, "Messages"),
  counter("kafka_bytes_in_total", "kafka.server:type=BrokerTopicMetrics,name=BytesInPerSec", brokers, "From producers"),
  counter("kafka_bytes_out_total", "kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec", brokers, "To consumers"),
  counter(
    "kafka_failed_produce_requests_total",
    "kafka.server:type=BrokerTopicMetrics,name=FailedProduceRequestsPerSec",
    brokers,
    "Refused writes",
  ),
  gauge(
    "kafka_active_controllers",
    "kafka.controller:type=KafkaController,name=ActiveControllerCount",
    controllers,
    "1 of the controller that leads, 0 of the others",
  ),
  gauge(
    "kafka_offline_partitions",
    "kafka.controller:type=KafkaController,name=OfflinePartitionsCount",
    controllers,
    "Partitions without a leader",
  ),
  gauge(
    "kafka_fenced_brokers",
    "kafka.controller:type=KafkaController,name=FencedBrokerCount",
    controllers,
    "Brokers that are registered and that controllers don't hear of",
  ),
  counter(
    "kafka_unclean_leader_elections_total",
    "kafka.controller:type=ControllerStats,name=UncleanLeaderElectionsPerSec",
    controllers,
    "Leaders without all acknowledged messages",
  ),
];

/** One sample for each partition of topics that aren't Kafka's own. */
export const logBytes = "kafka_log_bytes";
const logBean = "kafka.log:type=Log,name=Size";

/** The agent's file, the same for both roles: a server shows what it has. Patterns are regular expressions over `domain<k=v, k=v><>attribute`. */
export const metricsRules = `startDelaySeconds: 0
lowercaseOutputName: true
includeObjectNames:
${[...rules.map(({ bean }) => bean), `${logBean},*`].map((bean) => `  - "${bean}"`).join("\n")}
excludeObjectNames:
  - "${logBean},topic=__*,*"
rules:
${rules.map(ruleText).join("")}  - pattern: "kafka.log<type=Log, name=Size, topic=(.+), partition=(\\\\d+)><>Value"
    name: ${logBytes}
    type: GAUGE
    help: "Bytes of messages on this broker"
    labels:
      topic: "$1"
      partition: "$2"
`;

function ruleText({ bean, attribute, name, kind, help }: Rule): string {
  const [domain = "", keys = ""] = bean.split(":");
  return `  - pattern: "${domain}<${keys.replaceAll(",", ", ")}><>${attribute}"
    name: ${name}
    type: ${kind === MetricKind.Gauge ? "GAUGE" : "COUNTER"}
    help: "${help}"
`;
}

/** Of the JVM itself: always there, so that it serves as a sign of life, and counts the scrapes. */
export const heartbeat = "jvm_threads_current";

/** What servers with these roles show, but for what is told apart by pods. */
export function seriesOf(roles: readonly KafkaRole[]): MetricsSeries[] {
  const names = (kind: MetricKind) =>
    rules
      .filter((rule) => rule.kind === kind && rule.roles.some((role) => roles.includes(role)))
      .map(({ name }) => name);
  return [
    { metrics: names(MetricKind.Gauge), kind: MetricKind.Gauge },
    { metrics: names(MetricKind.Counter), kind: MetricKind.Counter },
  ];
}
