import { isUnknown, type Unknown } from "../../lib/known";
import { numberAt } from "../../lib/kubernetes";
import { containerName, defaultGraceSeconds, podSpec } from "../../lib/pods";
import { passesSignals, scriptIn, wordsAt } from "../../lib/scripts";
import { kafkaSetRule } from "./kafka-rule";
import { isControllerOnly, type KafkaSet } from "./kafka-sets";

interface Config {
  minimumGraceSeconds: number;
  minimumControllerGraceSeconds: number;
}

/**
 * A broker hands over its leaders before it stops, and gives itself five minutes for it (KafkaBroker.shutdown). It needs to hear the
 * signal, and to live that long.
 */
export const kafkaShutsDownInTime = kafkaSetRule<Config>({
  name: "kafka-shuts-down-in-time",
  displayName: "Kafka hears the stop signal and has time to follow it",
  description:
    "A broker needs up to five minutes to hand over its partitions: its pod must give it 300 s, and the stop signal must reach it. Cut " +
    "short, or behind a shell that swallows the signal, it is killed: partitions lose their leader and the next start recovers the log.",
  severity: "high",
  tags: ["kafka", "availability", "durability"],
  remediationSteps: `Give the pod the five minutes that Kafka takes at most, and what a preStop hook may take on top. A shell in front of Kafka
must replace itself by it:

\`\`\`ts
new kubernetes.apps.v1.StatefulSet("brokers", {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: 360,
        containers: [
          {
            name: "kafka",
            image: "apache/kafka:4.4.0",
            command: ["bash", "-ec", "ulimit -n 100000\\nexec /etc/kafka/docker/run"],
            // ...
          },
        ],
      },
    },
    // ...
  },
});
\`\`\`

A dedicated controller (\`KAFKA_PROCESS_ROLES\` or the label \`app.kubernetes.io/component\` says \`controller\`) has nothing to hand over:
Kubernetes' default of 30 s is enough for it.`,
  configSchema: {
    properties: {
      minimumGraceSeconds: {
        type: "number",
        default: 300,
        description: "The least terminationGracePeriodSeconds of pods with a broker.",
      },
      minimumControllerGraceSeconds: {
        type: "number",
        default: defaultGraceSeconds,
        description: "The least terminationGracePeriodSeconds of pods with a dedicated controller.",
      },
    },
  },
  check: (set, findings, config) => {
    const { written, least } = graceOf(set, config);
    if (isUnknown(written)) findings.unknown(written, `may be below ${least}`);
    else if (isShort(set, config))
      findings.report(
        `${grace.join(".")} is ${written ?? `missing, which means ${defaultGraceSeconds}`}. Kafka needs at least ${least} s to hand over its partitions.`,
      );

    for (const container of set.containers) {
      const words = isUnknown(container) ? container : wordsAt(container, ["command"], ["args"]);
      if (isUnknown(container) || isUnknown(words)) {
        if (isUnknown(words)) findings.unknown(words, "may start Kafka in a way that keeps the stop signal from it");
        continue;
      }
      const script = scriptIn(words);
      // This one passes signals on to the whole process group.
      if (script !== undefined && !words[0]!.endsWith("dumb-init") && !passesSignals(script))
        findings.report(
          `The script of ${containerName(container)} starts Kafka as a child of the shell, which ignores the stop signal: Kafka would be killed at the end of the grace period. Write exec before the last command.`,
        );
    }
  },
  repair: {
    writes: "raises `terminationGracePeriodSeconds` to the least that is asked for. Commands stay as they are.",
    changes: (set, config) => (isShort(set, config) ? [{ path: grace, value: graceOf(set, config).least }] : []),
  },
});

const grace = [...podSpec, "terminationGracePeriodSeconds"];

function graceOf(set: KafkaSet, config: Config): { written: number | Unknown | undefined; least: number } {
  const least = isControllerOnly(set) ? config.minimumControllerGraceSeconds : config.minimumGraceSeconds;
  return { written: numberAt(set.object.props, grace), least };
}

function isShort(set: KafkaSet, config: Config): boolean {
  const { written, least } = graceOf(set, config);
  if (isUnknown(written) || (set.partial && written === undefined)) return false;
  return (written ?? defaultGraceSeconds) < least;
}
