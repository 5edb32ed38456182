import { say } from "../../karpenter/say";
import type { Count } from "../../../test/support/kafka/counted";
import type { Lab, Node } from "../lab";
import type { Reaction } from "../../../test/support/kafka/statistics";

/** Who runs when a test does: it is started before the first. */
export type LabOf = () => Lab;

export const nothingLost = { lost: 0, failed: 0 };
export const exactlyOnce = { ...nothingLost, duplicated: 0, disordered: 0 };

export const victimId = 101;
export const victimOf = (lab: Lab): Node => lab.brokers.find(({ id }) => id === victimId)!;

/** Seconds since 1970. */
export const now = () => Date.now() / 1000;
export const told = (value: number | undefined) => (value === undefined ? "never" : `${value.toFixed(1)} s`);

/** How a script calls one of Kafka's tools. */
export const tool = (name: string) =>
  `/opt/kafka/bin/kafka-${name}.sh --bootstrap-server "$BOOTSTRAP_SERVERS" --command-config "$ADMIN_PROPERTIES"`;

/**
 * Waits until all nodes serve and every copy is in sync, and lets each partition's first copy lead again: who was away has no leaders at first, and
 * a fault of it would hurt nobody. Kafka does that by itself every five minutes.
 */
export async function whole(lab: Lab): Promise<void> {
  for (const node of [...lab.controllers, ...lab.brokers]) await node.ready();
  await lab.administer(`for try in {1..20}; do
  behind=$(${tool("topics")} --describe --under-replicated-partitions)
  if [[ -z $behind ]]; then
    /opt/kafka/bin/kafka-leader-election.sh --bootstrap-server "$BOOTSTRAP_SERVERS" --command-config "$ADMIN_PROPERTIES" \\
      --election-type preferred --all-topic-partitions || true
    exit 0
  fi
done
echo "$behind"
exit 1`);
}

/** Says what became of a producer's messages: a row of the table in docs/kafka-black-hole.md. */
export function report(fault: string, name: string, count: Count, reaction?: Reaction): void {
  const what =
    reaction === undefined
      ? ""
      : `dropped ${told(reaction.dropped)}, drained ${told(reaction.drained)}, peak queue ${reaction.peakQueue}, ` +
        `healthy brokers dropped: ${reaction.healthyDropped.join(", ") || "none"}; `;
  const { acknowledged, lost, duplicated, failed } = count;
  say(
    `${fault} | ${name}: ${what}${acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated, ${failed} failed`,
  );
}
