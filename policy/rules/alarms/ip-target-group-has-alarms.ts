import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { stringAt, valueAt } from "../../lib/paths";
import { stackRule } from "../../lib/rule";
import { keysOfSource } from "../../lib/stack-index";
import { tellsWhy } from "../../lib/tags";
import { forwarders, forwardsTo } from "../listeners/forwards";
import { isLoadBalancerTargetGroup, takesAddresses } from "../targets/target-groups";
import {
  alarmsByGroup,
  comparisonOf,
  expressions,
  hasActions,
  isCompositeAlarm,
  isIn,
  isOneOf,
  measuresGroup,
  metricNames,
  metrics,
  secondsToRing,
  standsFor,
  suffixOf,
  thresholdOf,
} from "./metric-alarms";

interface Config {
  exemptTags: string[];
}

/** Tag of a target group whose alarms are made by something else: another stack, an outside service. */
export const alarmedElsewhereTag = "moorings-alarmed-elsewhere";

const enough =
  'What is enough: an alarm on HealthyHostCount with this group\'s dimension in which silence counts (treatMissingData "breaching" and a comparison ' +
  '"less than", or FILL(..., 0) in its metric math), that rings within an hour and tells somebody (alarmActions, its own or those of a composite alarm over it)';

/** When the last target is gone CloudWatch reports nothing, and every other metric of the group stays green. */
export const ipTargetGroupHasAlarms = stackRule<Config>({
  name: "ip-target-group-has-alarms",
  displayName: "Every ip target group that gets requests has alarms",
  description:
    "A target group of type ip that a listener or one of its rules forwards to must have an alarm on its healthy hosts, its own or that of an edge " +
    "of several groups, in which silence counts. A group can lose its targets one by one for weeks while every other metric is green, and with " +
    "the last one the metric itself disappears.",
  severity: "high",
  tags: ["load-balancing", "alarms", "availability"],
  remediationSteps: `Make the set of alarms; \`LoadBalancedService\` of Moorings does it by itself:

\`\`\`ts
new TargetHealthAlarms("shop", {
  routes: topics.routes,
  loadBalancerArnSuffix: loadBalancer.arnSuffix,
  targetGroupArnSuffix: targetGroup.arnSuffix, // or targetGroupArnSuffixes: { blue: ..., green: ... } for several that serve together
  minReplicas: 3,
});
\`\`\`

${enough}:

\`\`\`ts
new aws.cloudwatch.MetricAlarm("shop-no-healthy-hosts", {
  metricQueries: [
    { id: "h", metric: {
      namespace: "AWS/ApplicationELB", metricName: "HealthyHostCount", stat: "Maximum", period: 60,
      dimensions: { LoadBalancer: loadBalancer.arnSuffix, TargetGroup: targetGroup.arnSuffix },
    } },
    { id: "result", expression: "FILL(h, 0)", returnData: true },
  ],
  comparisonOperator: "LessThanThreshold", threshold: 1, evaluationPeriods: 5, datapointsToAlarm: 5, treatMissingData: "breaching",
  alarmActions: [topic.arn],
});
\`\`\`

It is the least: it rings when the last target is gone. The set also rings when the first one is.

If the alarms are made elsewhere (another stack, an outside service), say where in a tag of the group:
\`tags: { "${alarmedElsewhereTag}": "New Relic, policy shop" }\`.`,
  configSchema: {
    properties: {
      exemptTags: {
        type: "array",
        items: { type: "string" },
        default: [alarmedElsewhereTag],
        description:
          "Tags of target groups that need no alarm in this stack. Their values are for people: who is told by what; `false` and nothing don't count.",
      },
    },
  },
  check: ({ resources }, report, config, undecided) => {
    const alarms = alarmsByGroup(resources);
    const holders = forwarders(resources);
    const composites = resources.filter(isCompositeAlarm);
    const groups = resources.filter((r) => isLoadBalancerTargetGroup(r) && !isExempt(r, config));
    const keysOf = (group: PolicyResource) =>
      keysOfSource(group, [...["arn", "targetGroupArn"].map((id) => stringAt(group.props, [id])), suffixOf(group)]);
    for (const group of groups.filter((g) => holders.sharing(keysOf(g)).some((r) => forwardsTo(r, g)))) {
      const verdicts = alarms
        .sharing(keysOf(group))
        .filter((alarm) => measuresGroup(alarm, group))
        .map((alarm) => ({ alarm, verdict: shortcoming(alarm, composites) }));
      if (verdicts.some(({ verdict }) => verdict === undefined)) continue;
      const ip = takesAddresses(group);
      if (ip === false) continue;
      const unknown = isUnknown(ip) ? ip : verdicts.map(({ verdict }) => verdict).find(isUnknown);
      if (unknown !== undefined) undecided.add(unknown, group);
      else report(message(group, verdicts), group.urn);
    }
  },
});

function message(
  group: PolicyResource,
  verdicts: readonly { alarm: PolicyResource; verdict: string | Unknown | undefined }[],
): string {
  const found = verdicts.flatMap(({ alarm, verdict }) =>
    typeof verdict === "string" ? [`"${alarm.name}" ${verdict}`] : [],
  );
  return (
    `The ip target group "${group.name}" gets requests, and no alarm in this stack would tell anybody that its last target is gone` +
    `${found.length === 0 ? "" : ` (${found.join("; ")})`}. Make TargetHealthAlarms for it, or for the edge that it belongs to. ${enough}. ` +
    `If it is watched from elsewhere, tag it "${alarmedElsewhereTag}".`
  );
}

/** Why an alarm on a group isn't enough; undefined if it is, and an unknown where it depends on one. */
function shortcoming(alarm: PolicyResource, composites: readonly PolicyResource[]): string | Unknown | undefined {
  const names = metricNames(alarm);
  if (!names.includes("HealthyHostCount")) return names.find(isUnknown) ?? "doesn't measure HealthyHostCount";
  const useless = neverTells(alarm);
  if (useless !== undefined) return useless;
  const silence = hearsSilence(alarm);
  if (isUnknown(silence)) return silence;
  if (!silence) return "takes silence for no news";
  return isHeard(alarm, composites) ? undefined : "tells nobody";
}

/** Where a load balancer's hosts are counted. */
const namespaces = ["AWS/ApplicationELB", "AWS/NetworkELB"];

/** Seconds after which an alarm is no alarm any more: customers have told by then. */
const latest = 3600;

/** Why an alarm on healthy hosts tells nothing about them; undefined if it may. */
function neverTells(alarm: PolicyResource): string | undefined {
  const hosts = metrics(alarm)
    .map(({ value }) => value)
    .filter((metric) => !isUnknown(metric) && stringAt(metric, ["metricName"]) === "HealthyHostCount");
  for (const metric of hosts) {
    const namespace = stringAt(metric, ["namespace"]);
    if (typeof namespace === "string" && !namespaces.includes(namespace))
      return `looks into ${namespace}, where such hosts aren't counted`;
    const statistic = [metric, alarm.props].map((one) => valueAt(one, ["stat"]) ?? valueAt(one, ["statistic"]));
    if (statistic.includes("SampleCount")) return "counts reports (SampleCount) and not hosts";
  }
  const late = secondsToRing(alarm);
  if (late > latest) return `rings only after ${Math.ceil(late / 60)} minutes without hosts`;
  const [comparison, threshold] = [comparisonOf(alarm), thresholdOf(alarm)];
  const least = comparison === "LessThanThreshold" ? 0 : -1;
  if (typeof comparison === "string" && comparison.startsWith("LessThan") && typeof threshold === "number")
    return threshold <= least ? `waits for hosts fewer than none (${comparison} ${threshold})` : undefined;
  return undefined;
}

/** Whether an alarm fires when nothing is reported any more. */
function hearsSilence(alarm: PolicyResource): boolean | Unknown {
  const math = expressions(alarm);
  const missing = stringAt(alarm.props, ["treatMissingData"]);
  const comparison = comparisonOf(alarm);
  // Few hosts are what it waits for, or what its expression does.
  const less = typeof comparison === "string" && comparison.startsWith("LessThan");
  const few = less || math.some((expression) => typeof expression === "string" && expression.includes("<"));
  const filled = math.some((expression) => typeof expression === "string" && fillsHealthy(alarm, expression));
  const unknown = [...math, missing, comparison].find(isUnknown);
  return (few && (filled || missing === "breaching")) || (unknown ?? false);
}

/** Whether an expression makes zeros of healthy hosts that aren't reported. */
function fillsHealthy(alarm: PolicyResource, expression: string): boolean {
  const fills = expression.matchAll(/\bFILL\s*\(\s*(\w+)(?:\([^()]*\))?\s*,\s*0+(?:\.0*)?\s*\)/g);
  return [...fills].some(([, filled = ""]) => filled === "METRICS" || standsFor(alarm, filled, "HealthyHostCount"));
}

function isHeard(alarm: PolicyResource, composites: readonly PolicyResource[], seen: readonly string[] = []): boolean {
  return (
    hasActions(alarm) ||
    composites.some(
      (composite) =>
        !seen.includes(composite.urn) &&
        isIn(composite, alarm) &&
        isOneOf(composite) &&
        isHeard(composite, composites, [...seen, composite.urn]),
    )
  );
}

function isExempt(group: PolicyResource, config: Config): boolean {
  return tellsWhy(group.props, config.exemptTags);
}
