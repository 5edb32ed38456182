import { isUnknown, type Unknown } from "../../lib/known";
import { isProperties, type Properties } from "../../lib/kubernetes";
import { containerName } from "../../lib/pods";
import { commandsOf, scriptIn, wordsAt } from "../../lib/scripts";
import { kafkaSetRule } from "./kafka-rule";

/** Commands that do nothing by themselves in a hook. */
const idle = /^(sleep|exit|true|set|echo|cd|export|fi|done)\b|^:/;
const stop = /(^|\/|\s)kafka-server-stop(\.sh)?\b/;

/** It looks like a graceful stop and is none: the kubelet sends the same signal a moment later anyway. */
export const noKafkaServerStopHook = kafkaSetRule<object>({
  name: "no-kafka-server-stop-hook",
  displayName: "No preStop hook that only calls kafka-server-stop",
  description:
    "A preStop hook should do more than call kafka-server-stop, which adds nothing: it sends SIGTERM and returns at once, as the kubelet does after it. In " +
    "apache/kafka it isn't in the PATH and fails, in the native image it finds no process: whoever relies on it has no graceful stop.",
  severity: "medium",
  enforcementLevel: "advisory",
  tags: ["kafka", "availability"],
  remediationSteps: `Leave the hook out; the grace period is what lets Kafka stop in order:

\`\`\`ts
new kubernetes.apps.v1.StatefulSet("brokers", {
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: 360,
        containers: [{ name: "kafka", image: "apache/kafka:4.4.0" }], // no lifecycle.preStop
      },
    },
    // ...
  },
});
\`\`\`

A hook is worth having where it waits for something, e.g. until no partition would fall below its minimum of replicas.`,
  configSchema: { properties: {} },
  check: (set, findings) => {
    for (const container of set.containers) {
      if (isUnknown(container)) continue;
      const words = hookOf(container);
      if (isUnknown(words)) {
        findings.unknown(words, "may only call kafka-server-stop");
        continue;
      }
      if (onlyStops(words))
        findings.report(
          `The preStop hook of ${containerName(container)} only calls kafka-server-stop, which sends the signal that the kubelet sends anyway. Remove it.`,
        );
    }
  },
  repair: {
    writes: "takes the hook away: the signal that it sends comes without it.",
    changes: (set) =>
      set.containers.filter(isProperties).flatMap((container) => {
        const words = hookOf(container);
        return isUnknown(words) || !onlyStops(words)
          ? []
          : [{ path: [...set.placeOf(container), "lifecycle", "preStop"], value: undefined }];
      }),
  },
});

function hookOf(container: Properties): string[] | Unknown {
  return wordsAt(container, ["lifecycle", "preStop", "exec", "command"]);
}

function onlyStops(words: readonly string[]): boolean {
  const commands = commandsOf(scriptIn(words) ?? words.join(" "));
  return commands.some((c) => stop.test(c)) && commands.every((c) => stop.test(c) || idle.test(c));
}
