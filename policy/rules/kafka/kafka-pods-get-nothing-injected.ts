import { isUnknown } from "../../lib/known";
import { valueAt } from "../../lib/paths";
import { podSpec } from "../../lib/pods";
import { kafkaSetRule } from "./kafka-rule";
import type { KafkaSet } from "./kafka-sets";

/** Fields of the pod that are true unless written, and what they let in. */
const injected: Readonly<Record<string, string>> = {
  enableServiceLinks:
    "a Service called kafka becomes the variable KAFKA_PORT, which the image writes into the configuration",
  automountServiceAccountToken: "Kafka never calls the Kubernetes API, and whoever breaks into it shouldn't either",
};

/** The images make a configuration of every variable that begins with KAFKA_. */
export const kafkaPodsGetNothingInjected = kafkaSetRule<object>({
  name: "kafka-pods-get-nothing-injected",
  displayName: "Kafka pods get no service links and no API token",
  description:
    "Kafka pods must switch off what Kubernetes injects: service links turn into broker settings as soon as somebody calls a Service kafka, and " +
    "the next restart fails; the API token is of use only to an intruder.",
  severity: "high",
  tags: ["kafka", "availability", "security"],
  remediationSteps: `Switch both off in the pod template:

\`\`\`ts
new kubernetes.apps.v1.StatefulSet("brokers", {
  spec: {
    template: {
      spec: {
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        // ...
      },
    },
    // ...
  },
});
\`\`\``,
  configSchema: { properties: {} },
  check: (set, findings) => {
    for (const { path, value, on, reason } of fieldsOf(set)) {
      if (isUnknown(value)) findings.unknown(value, "may be true");
      else if (on) findings.report(`${path.join(".")} must be false: ${reason}.`);
    }
  },
  repair: {
    writes: "writes `false` into both.",
    changes: (set) => fieldsOf(set).flatMap(({ path, on }) => (on ? [{ path, value: false }] : [])),
  },
});

function fieldsOf({ object, partial }: KafkaSet) {
  return Object.entries(injected).map(([field, reason]) => {
    const path = [...podSpec, field];
    const value = valueAt(object.props, path);
    const on = value !== false && !isUnknown(value) && !(partial && value === undefined);
    return { path, value, on, reason };
  });
}
