import { isUnknown } from "../../lib/known";
import { valueAt } from "../../lib/paths";
import { podSpec } from "../../lib/pods";
import { kafkaSetRule } from "./kafka-rule";

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
    for (const [field, reason] of Object.entries(injected)) {
      const value = valueAt(set.object.props, [...podSpec, field]);
      if (isUnknown(value)) findings.unknown(value, "may be true");
      else if (value !== false && !(set.partial && value === undefined))
        findings.report(`${[...podSpec, field].join(".")} must be false: ${reason}.`);
    }
  },
});
