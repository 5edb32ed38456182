import { isUnknown, type Unknown } from "../../lib/known";
import { itemsAt, numberAt, type Properties } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { placementOf } from "../../lib/placement";
import { podSpec, selectsPodsOf, zoneLabel } from "../../lib/pods";
import { kafkaSetRule } from "./kafka-rule";
import type { KafkaSet } from "./kafka-sets";

interface Config {
  minimumZones: number;
}

/**
 * A volume binds its pod to a zone for good, so the first placement is the last. Without `minDomains` a new node in the one zone that has
 * nodes satisfies every spread.
 */
export const kafkaSpreadsOverZones = kafkaSetRule<Config>({
  name: "kafka-spreads-over-zones",
  displayName: "Kafka is spread over zones for certain",
  description:
    "Kafka's pods must be spread over zones by a constraint that can't be skipped, or each StatefulSet be pinned to one zone: where pods start once, " +
    "their volumes keep them, and brokers that share a zone lose partitions with it.",
  severity: "high",
  tags: ["kafka", "availability", "durability"],
  remediationSteps: `Ask for the spread, and for the number of zones; \`minDomains\` makes Karpenter open the zones that have no node yet:

\`\`\`ts
const labels = { "app.kubernetes.io/name": "kafka", "app.kubernetes.io/component": "broker" };
new kubernetes.apps.v1.StatefulSet("brokers", {
  spec: {
    template: {
      metadata: { labels },
      spec: {
        topologySpreadConstraints: [
          {
            topologyKey: "${zoneLabel}",
            maxSkew: 1,
            minDomains: 3,
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: { matchLabels: labels },
          },
        ],
        // ...
      },
    },
    // ...
  },
});
\`\`\`

With one StatefulSet for each zone write the zone into its \`nodeSelector\` instead. A set of one pod needs neither.`,
  configSchema: {
    properties: {
      minimumZones: {
        type: "number",
        default: 2,
        description: "The least minDomains of the constraint.",
      },
    },
  },
  check: (set, findings, config) => {
    const { props } = set.object;
    const replicas = numberAt(props, ["spec", "replicas"]);
    const constraints = valueAt(props, [...podSpec, "topologySpreadConstraints"]);
    if ((replicas ?? 1) === 1 || (set.partial && constraints === undefined)) return;
    if (isPinned(set)) return;

    const checked = itemsAt(props, [...podSpec, "topologySpreadConstraints"]).map((constraint) =>
      isUnknown(constraint) ? constraint : faultOf(constraint, set, config),
    );
    if (checked.includes("")) return;
    const unknown = [constraints, ...checked, placementOf(set.object).unknown].find(isUnknown);
    if (unknown !== undefined) {
      findings.unknown(unknown, "may leave all pods in one zone");
      return;
    }
    const fault = checked.find((c) => typeof c === "string");
    findings.report(
      fault === undefined
        ? `${podSpec.join(".")}.topologySpreadConstraints has none for ${zoneLabel}: all pods may start, and then stay, in one zone.`
        : `The spread over zones ${fault}. Otherwise all pods may start, and then stay, in one zone.`,
    );
  },
});

/** Pinned by node selector or affinity to one zone: then other sets hold the other zones. */
function isPinned(set: KafkaSet): boolean {
  const zones = placementOf(set.object).labels.get(zoneLabel);
  return zones !== undefined && (isUnknown(zones) || zones.length === 1);
}

/** What is wrong with a constraint on zones: "" if nothing; undefined for a constraint on something else. */
function faultOf(constraint: Properties, set: KafkaSet, config: Config): string | Unknown | undefined {
  const key = stringAt(constraint, ["topologyKey"]);
  if (isUnknown(key)) return key;
  if (key !== zoneLabel) return undefined;
  const [policy, domains, skew] = ["whenUnsatisfiable", "minDomains", "maxSkew"].map((p) => valueAt(constraint, [p]));
  if (!isUnknown(policy) && policy !== "DoNotSchedule")
    return "is only a wish: whenUnsatisfiable must be DoNotSchedule";
  if (!isUnknown(domains) && !(typeof domains === "number" && domains >= config.minimumZones))
    return `doesn't say how many zones there are: minDomains must be at least ${config.minimumZones}`;
  if (!isUnknown(skew) && skew !== 1) return "lets one zone have more than one pod above another: maxSkew must be 1";
  const selected = selectsPodsOf(valueAt(constraint, ["labelSelector"]), set.object);
  if (selected === false) return "counts other pods: its labelSelector must select the labels of this set's pods";
  return [policy, domains, skew, selected].find(isUnknown) ?? "";
}
