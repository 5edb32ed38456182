import { mayShareNamespace } from "../../lib/kubernetes";
import type { Content } from "./environment";
import { kafkaStackRule } from "./kafka-rule";
import { configuredNodes, rolesOf, type ConfiguredNode } from "./node-config";

interface Config {
  minimumInsyncReplicas: number;
}

const minIsr = "min.insync.replicas";
const factor = "default.replication.factor";

/**
 * With one copy in sync a message can be acknowledged that the next failure loses; with as many as there are copies, the next failure
 * stops writing. In Kafka 4.x the value is taken from the controllers' configuration when the cluster is made: with
 * `min.insync.replicas` in the brokers' alone it is 1 (measured with 4.4.0).
 */
export const kafkaSurvivesLosingABroker = kafkaStackRule<Config>({
  name: "kafka-survives-losing-a-broker",
  displayName: "Kafka survives the loss of a broker without losing messages or writes",
  description:
    "min.insync.replicas must be at least 2 and below default.replication.factor, in the controllers' configuration too, and unclean leader " +
    "election off: else acknowledged messages are lost with one broker, or writing stops with it.",
  severity: "critical",
  tags: ["kafka", "durability", "availability"],
  remediationSteps: `Write all three for controllers and brokers alike:

\`\`\`ts
const durable = [
  { name: "KAFKA_DEFAULT_REPLICATION_FACTOR", value: "3" },
  { name: "KAFKA_MIN_INSYNC_REPLICAS", value: "2" },
  { name: "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", value: "false" },
];
\`\`\`

The rule reads variables of the container (\`env\`, \`envFrom\`) and \`server.properties\` in ConfigMaps of the same stack that the pods mount; what
comes from a Secret or from the image it doesn't see, and doesn't judge. Topics with a replication factor of their own aren't covered.`,
  configSchema: {
    properties: {
      minimumInsyncReplicas: { type: "number", default: 2, description: "The least min.insync.replicas." },
    },
  },
  check: (stack, config) => {
    const nodes = configuredNodes(stack);
    for (const node of nodes) {
      const { set } = node;
      const fault = (content: Content | undefined, found: string | undefined) => {
        if (content?.unknown !== undefined) stack.undecided.add(content.unknown, set.object);
        else if (found !== undefined) stack.report(`"${set.object.name}": ${found}`, set.object.urn);
      };
      const unclean = node.config.get("unclean.leader.election.enable");
      fault(
        unclean,
        unclean?.text?.trim().toLowerCase() === "true"
          ? "unclean.leader.election.enable is true: a broker that missed messages may become leader, and they are lost. Write false."
          : undefined,
      );

      const cluster = nodes.filter((other) => mayBeOneCluster(node, other));
      const own = node.config.get(minIsr);
      const decides = rolesOf(node).controller || !cluster.some((other) => rolesOf(other).controller);
      const isr = own ?? (decides ? { text: "1" } : undefined);
      const copies = copiesIn([node, ...cluster]);
      const [least, most] = [numberIn(isr), numberIn(copies)];
      fault(
        isr,
        least !== undefined && least < config.minimumInsyncReplicas
          ? `${minIsr} is ${own === undefined ? "missing, which means 1" : least}: one broker may lose messages that were acknowledged. Write at least ${config.minimumInsyncReplicas}, for controllers too.`
          : undefined,
      );
      fault(
        isr === undefined ? undefined : copies,
        least !== undefined && most !== undefined && least >= config.minimumInsyncReplicas && least >= most
          ? `${minIsr} is ${least} with a ${factor} of ${most}: the loss of one broker stops all writing. Write a ${factor} of at least ${least + 1}.`
          : undefined,
      );
    }
  },
});

/** The replication factor: whichever of a cluster's nodes sets it, else Kafka's default. */
function copiesIn(nodes: readonly ConfiguredNode[]): Content {
  const all = nodes.map((node) => node.config.get(factor));
  return all.find((c) => c?.text !== undefined) ?? all.find((c) => c !== undefined) ?? { text: "1" };
}

function numberIn(content: Content | undefined): number | undefined {
  const number = Number.parseInt(content?.text ?? "", 10);
  return Number.isNaN(number) ? undefined : number;
}

/** Whether two nodes belong to one Kafka cluster, as far as one can see: the same quorum, the same cluster id. */
function mayBeOneCluster(a: ConfiguredNode, b: ConfiguredNode): boolean {
  const same = (read: (node: ConfiguredNode) => string | undefined) => {
    const [first, second] = [read(a), read(b)];
    return first === undefined || second === undefined || first === second;
  };
  return (
    mayShareNamespace(a.set.object, b.set.object) &&
    same((node) => node.environment.get("CLUSTER_ID")?.text) &&
    same((node) => node.config.get("controller.quorum.voters")?.text)
  );
}
