import type { PolicyResource } from "@pulumi/policy";
import { isUnknown } from "../../lib/known";
import { stringAt } from "../../lib/paths";
import { stackRule } from "../../lib/rule";
import { isDefaultProvider, regionOf } from "./places";

/** What AWS makes of a name that is taken. */
enum Taken {
  /** The call that creates also updates (PutMetricAlarm, PutCompositeAlarm, PutDashboard, PutRule, PutMetricFilter, PutAlarmMuteRule). */
  Overwritten = "AWS makes one of the two, as it is written last, and deleting either deletes it",
  /** The provider asks first ("already exists"); two at the same time may both be told that there is none, and then share one. */
  Refused = "the second is refused in the middle of an update, or the two share one and deleting either deletes it",
}

interface Named {
  /** Types of one kind share their names. */
  readonly kind: string;
  readonly name: string;
  readonly taken: Taken;
  /** What the name belongs to, if that isn't the whole region. */
  readonly within?: string;
}

/** Metric alarms and composite alarms have their names together (PutCompositeAlarm). */
const alarm = { kind: "alarm", taken: Taken.Overwritten };
const dashboard: Named = { kind: "dashboard", name: "dashboardName", taken: Taken.Overwritten };
const eventRule: Named = { kind: "event rule", name: "name", taken: Taken.Overwritten, within: "eventBusName" };
const muteRule: Named = { kind: "mute rule", name: "name", taken: Taken.Overwritten };
const filter = { kind: "metric filter", taken: Taken.Overwritten, within: "logGroupName" };
const targetGroup: Named = { kind: "target group", name: "name", taken: Taken.Refused };
const loadBalancer: Named = { kind: "load balancer", name: "name", taken: Taken.Refused };

const namedTypes: Readonly<Record<string, Named>> = {
  "aws:cloudwatch/metricAlarm:MetricAlarm": { ...alarm, name: "name" },
  "aws:cloudwatch/compositeAlarm:CompositeAlarm": { ...alarm, name: "alarmName" },
  "aws-native:cloudwatch:Alarm": { ...alarm, name: "alarmName" },
  "aws-native:cloudwatch:CompositeAlarm": { ...alarm, name: "alarmName" },
  "aws:cloudwatch/dashboard:Dashboard": dashboard,
  "aws-native:cloudwatch:Dashboard": dashboard,
  "aws:cloudwatch/alarmMuteRule:AlarmMuteRule": muteRule,
  "aws-native:cloudwatch:AlarmMuteRule": muteRule,
  "aws:cloudwatch/eventRule:EventRule": eventRule,
  "aws-native:events:Rule": eventRule,
  "aws:cloudwatch/logMetricFilter:LogMetricFilter": { ...filter, name: "name" },
  "aws-native:logs:MetricFilter": { ...filter, name: "filterName" },
  "aws:lb/targetGroup:TargetGroup": targetGroup,
  "aws:elasticloadbalancingv2/targetGroup:TargetGroup": targetGroup,
  "aws:alb/targetGroup:TargetGroup": targetGroup,
  "aws:applicationloadbalancing/targetGroup:TargetGroup": targetGroup,
  "aws-native:elasticloadbalancingv2:TargetGroup": targetGroup,
  "aws:lb/loadBalancer:LoadBalancer": loadBalancer,
  "aws:elasticloadbalancingv2/loadBalancer:LoadBalancer": loadBalancer,
  "aws:alb/loadBalancer:LoadBalancer": loadBalancer,
  "aws:applicationloadbalancing/loadBalancer:LoadBalancer": loadBalancer,
  "aws-native:elasticloadbalancingv2:LoadBalancer": loadBalancer,
};

/**
 * Pulumi takes two resources of one physical name for two, and shows both as created. An alarm that another one has overwritten is missed on
 * the day it should have rung.
 */
export const noEqualPhysicalNames = stackRule<object>({
  name: "no-equal-physical-names",
  displayName: "No two alarms, rules or target groups of one physical name",
  description:
    "Two alarms (metric or composite), dashboards, mute rules, event rules, metric filters, target groups or load balancers of one region must differ in their physical name: " +
    "most of them AWS overwrites without a word, so that one of two alarms is never there; the others it refuses in the middle of an update.",
  severity: "high",
  tags: ["alarms", "load-balancing", "availability"],
  remediationSteps: `Leave the name out, and Pulumi makes one of the resource's name and a suffix that nobody else has. Where a name must be known, put
in what tells the two apart:

\`\`\`ts
for (const service of ["shop", "search"])
  new aws.cloudwatch.MetricAlarm(\`\${service}-low\`, {
    name: \`\${service}-low-healthy-hosts\`, // not "low-healthy-hosts" for both
    // ...
  });
\`\`\`

Resources of two regions or of two providers of your own may have one name. Names in other stacks aren't seen: put the stack's name into them.`,
  certainOnly: true,
  configSchema: { properties: {} },
  check: ({ resources }, report) => {
    const firstByKey = new Map<string, PolicyResource>();
    for (const resource of resources) {
      const named = namedTypes[resource.type];
      const key = named && keyOf(resource, named);
      if (named === undefined || key === undefined) continue;
      const first = firstByKey.get(key);
      if (first === undefined) firstByKey.set(key, resource);
      else
        report(
          `"${resource.name}" and "${first.name}" are both the ${named.kind} ${String(stringAt(resource.props, [named.name]))}: ${named.taken}. Give one of them another ${named.name}, or leave it to Pulumi.`,
          resource.urn,
        );
    }
  },
});

/** What no other resource may have; undefined while the name, or what it belongs to, isn't known: Pulumi's own differ. */
function keyOf(resource: PolicyResource, { kind, name, within }: Named): string | undefined {
  const own = stringAt(resource.props, [name]);
  const region = regionOf(resource);
  const outer = within === undefined ? undefined : (stringAt(resource.props, [within]) ?? "default");
  if (typeof own !== "string" || own === "" || isUnknown(region) || isUnknown(outer)) return undefined;
  // Two providers of the program's own may be two accounts. The default ones, of whatever package and version, are one.
  const account = resource.provider === undefined || isDefaultProvider(resource.provider) ? "" : resource.provider.urn;
  return JSON.stringify([kind, account, region ?? "", outer ?? "", own]);
}
