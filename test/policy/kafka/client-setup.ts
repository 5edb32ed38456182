import type { Rule } from "../../../policy/lib/rule";
import type { Path } from "../../support/edited";
import { checkStack, type Given } from "../../support/policy";

export const label = { "moorings.dev/kafka-client": "orders" };
export const client: Given = {
  type: "kubernetes:apps/v1:Deployment",
  name: "shop",
  props: {
    metadata: { namespace: "shop" },
    spec: {
      template: {
        metadata: { labels: { app: "shop", ...label } },
        spec: {
          securityContext: { runAsNonRoot: true },
          containers: [{ name: "shop", env: [{ name: "LOG_LEVEL", value: "info" }] }],
          volumes: [{ name: "kafka", configMap: { name: "kafka" } }],
        },
      },
    },
  },
};
export const pod: Path = ["props", "spec", "template", "spec"];
export const env: Path = [...pod, "containers", 0, "env"];
export const map = (data: unknown): Given => ({
  type: "kubernetes:core/v1:ConfigMap",
  name: "map",
  props: { metadata: { namespace: "shop", name: "kafka" }, data },
});
// kafka.md 3.1, the profile.
export const librdkafka = {
  "bootstrap.servers": "kafka:9092",
  acks: "all",
  "enable.idempotence": "true",
  "socket.timeout.ms": "15000",
  "socket.max.fails": "1",
  "request.timeout.ms": "12000",
  "socket.connection.setup.timeout.ms": "10000",
  "message.timeout.ms": "180000",
  "statistics.interval.ms": "5000",
};
export const java = {
  "bootstrap.servers": "kafka:9092",
  "key.serializer": "StringSerializer",
  acks: "all",
  "request.timeout.ms": "15000",
  "delivery.timeout.ms": "180000",
};
export type Properties = Record<string, string | undefined>;
export const lines = (properties: Properties) =>
  Object.entries(properties).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
export const file = (properties: Properties) => lines(properties).join("\n");

/** The verdict on a client with one file. */
export const onFile = (rule: Rule, properties: Properties, name = "client.properties") =>
  checkStack(rule, [client, map({ [name]: file(properties) })]);
