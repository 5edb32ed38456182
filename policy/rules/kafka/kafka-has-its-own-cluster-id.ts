import { stringAt } from "../../lib/paths";
import { valueAt } from "../../lib/paths";
import type { Content } from "./environment";
import { kafkaStackRule } from "./kafka-rule";
import { configuredNodes, type ConfiguredNode } from "./node-config";

interface Config {
  publicClusterIds: string[];
}

/** Variables that carry the id, of the images of Apache and Confluent, and of Bitnami. */
const variables = ["CLUSTER_ID", "KAFKA_CLUSTER_ID", "KAFKA_KRAFT_CLUSTER_ID"];

/** What apache/kafka takes if nothing is set (docker/resources/common-scripts/configureDefaults). */
const imageDefault = "5L6g3nShT-eMCtK--X86sw";

/** The id is what keeps a broker from joining a cluster that isn't its own, or from opening a volume of another. */
export const kafkaHasItsOwnClusterId = kafkaStackRule<Config>({
  name: "kafka-has-its-own-cluster-id",
  displayName: "Each Kafka cluster has an id of its own",
  description:
    "CLUSTER_ID must be an id made for this cluster, not the image's default or one out of an example: clusters with one id take each other's brokers " +
    "and volumes for their own, and it can't be changed later.",
  severity: "high",
  tags: ["kafka", "durability"],
  remediationSteps: `Make an id once (\`kafka-storage.sh random-uuid\`, or \`openssl rand 16 | basenc --base64url | tr -d =\`), and keep it in the stack's configuration:

\`\`\`ts
const container = {
  name: "kafka",
  image: "apache/kafka:4.4.0",
  env: [{ name: "CLUSTER_ID", value: config.require("kafkaClusterId") }],
};
\`\`\`

A cluster that runs with a public id keeps it until its data has moved to a new cluster: exempt its StatefulSets until then.`,
  configSchema: {
    properties: {
      publicClusterIds: {
        type: "array",
        items: { type: "string" },
        // The default of apache/kafka, and those of the examples of Apache and of Confluent.
        default: [imageDefault, "4L6g3nShT-eMCtK--X86sw", "MkU3OEVBNTcwNTJENDM2Qk"],
        description: "Ids that everybody knows.",
      },
    },
  },
  check: (stack, config) => {
    for (const node of configuredNodes(stack)) {
      const { object } = node.set;
      const id = idOf(node);
      if (id.unknown !== undefined) stack.undecided.add(id.unknown, object);
      else if (id.text !== undefined && config.publicClusterIds.includes(id.text.trim()))
        stack.report(
          `"${object.name}" has the cluster id ${id.text}, which is public: other clusters have it too. Make one with kafka-storage.sh random-uuid and set it as CLUSTER_ID.`,
          object.urn,
        );
      else if (id.text === "")
        stack.report(
          `"${object.name}" has no CLUSTER_ID, and the image then takes ${imageDefault}, which every other such cluster has too. Make one with kafka-storage.sh random-uuid.`,
          object.urn,
        );
    }
  },
});

/** The id that a node is given; "" if it is left to an image with a public default. */
function idOf({ environment, container }: ConfiguredNode): Content {
  const given = variables.map((name) => environment.expanded(name)).find((c) => c !== undefined);
  if (given !== undefined) return given;
  const image = stringAt(container, ["image"]);
  const byDefault = /(^|\/)apache\/kafka(-native)?(:|@|$)/.test(String(image));
  // Another command may bring its own id.
  const entryPoint = valueAt(container, ["command"]) === undefined;
  return environment.missing ?? (byDefault && entryPoint ? { text: "" } : {});
}
