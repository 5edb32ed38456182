import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known, type Unknown } from "../../lib/known";
import { each, stringAt, valuesAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { stackRule } from "../../lib/rule";
import {
  alarmName,
  hasActions,
  isCompositeAlarm,
  isMetricAlarm,
  isOneOf,
  namesInRule,
  withoutArn,
} from "./metric-alarms";
import { outageByName, outageOf, type Outage } from "./outage-alarms";
import { silencingCall } from "./scheduled-silence";

const muteRuleTypes = new Set(["aws:cloudwatch/alarmMuteRule:AlarmMuteRule", "aws-native:cloudwatch:AlarmMuteRule"]);

/** Planned work explains too few hosts. It explains neither none at all, nor a target that nobody took out. */
export const outageAlarmsAreNeverMuted = stackRule<Record<string, never>>({
  name: "outage-alarms-are-never-muted",
  displayName: "Alarms that say an edge is down are never muted",
  description:
    "No AlarmMuteRule, no schedule that disables alarms and no composite alarm with actionsSuppressor, AND or NOT may be around an alarm that says that no healthy target is left, that " +
    "every target is unhealthy, or that one stays unhealthy; nor may its actions be disabled. Planned work makes hosts fewer for a while; when it takes the last one, or leaves " +
    "dead ones behind, that is what somebody must hear.",
  severity: "high",
  tags: ["alarms", "availability"],
  remediationSteps: `Name only the alarms in the rule that say "fewer than there should be". \`TargetHealthAlarms\` of Moorings does:

\`\`\`ts
new TargetHealthAlarms("shop", {
  // ...
  plannedWork: { patching: { schedule: "cron(0 2 * * SUN)", durationMinutes: 120, timezone: "Europe/Vienna" } },
});
\`\`\`

It mutes \`low-healthy-hosts\`, \`below-declared-minimum\`, \`host-decay-24h\` and \`ready-not-registered\`. Take alarms that say the edge is down out of
a composite alarm with \`actionsSuppressor\`, and let them page by themselves. If one fires without a reason, give it more data points
(\`evaluationPeriods\`) instead of silence.

Which alarms these are: those on \`HealthyHostCount\` below a threshold of 1 or less; those on \`UnHealthyHostCount\`, alone or together with
\`HealthyHostCount\`, unless they compare with earlier times (\`DIFF\`, \`RATE\`); and those named \`...no-healthy-hosts\`,
\`...all-targets-unhealthy\`, \`...stale-targets\` or \`...no-service\`, also of other stacks.`,
  configSchema: { properties: {} },
  check: ({ resources }, report, _config, undecided) => {
    const alarms = resources.filter((r) => isMetricAlarm(r) || isCompositeAlarm(r));
    for (const silencer of resources) {
      const silenced = silencedBy(silencer, alarms);
      if (silenced === undefined) continue;
      const told = [...saidBy(silenced.certain, alarms), ...silenced.elsewhere.flatMap(saidByName)];
      const perhaps = saidBy(silenced.perhaps, alarms);
      if (perhaps.length === silenced.perhaps.length) told.push(...perhaps);
      const outages = told.filter((said): said is Said & { outage: Outage } => typeof said.outage === "string");
      if (outages.length > 0) {
        report(message(silencer, outages), silencer.urn);
        continue;
      }
      const unknown = [...told, ...perhaps].map(({ outage }) => outage).find(isUnknown) ?? silenced.doubt;
      if (unknown !== undefined && told.length + perhaps.length > 0) undecided.add(unknown, silencer);
    }
  },
});

/** What an alarm that must be heard says, or the unknown that decides whether it is one. */
interface Said {
  readonly name: string;
  readonly outage: Outage | Unknown;
}

function saidBy(silenced: readonly PolicyResource[], alarms: readonly PolicyResource[]): Said[] {
  return silenced.flatMap((alarm) => {
    const outage = outageOf(alarm, alarms);
    return outage === undefined ? [] : [{ name: alarm.name, outage }];
  });
}

function saidByName(name: string): Said[] {
  const outage = outageByName(name);
  return outage === undefined ? [] : [{ name, outage }];
}

interface Silenced {
  /** Alarms of the stack that it silences. */
  readonly certain: readonly PolicyResource[];
  /** Names of alarms that aren't in the stack. */
  readonly elsewhere: readonly string[];
  /** Alarms of the stack of which it silences some: a name came from them, and isn't known yet. */
  readonly perhaps: readonly PolicyResource[];
  readonly doubt: Unknown | undefined;
}

/** What a resource keeps quiet; undefined if it isn't there for that. */
function silencedBy(silencer: PolicyResource, alarms: readonly PolicyResource[]): Silenced | undefined {
  if (muteRuleTypes.has(silencer.type)) {
    const whole = known(() => silencer.props["muteTargets"] as unknown);
    const values = isUnknown(whole)
      ? [whole]
      : valuesAt(silencer.props, ["muteTargets", "alarmNames", each]).map(({ value }) => value);
    return silencedByName(values, alarms, origins(silencer, "muteTargets", alarms));
  }
  const call = silencingCall(silencer);
  if (call !== undefined) return silencedByName(call.names, alarms, origins(silencer, "target", alarms));
  if (isOff(silencer)) return { certain: [silencer], elsewhere: [], perhaps: [], doubt: undefined };
  if (!isCompositeAlarm(silencer)) return undefined;
  const suppressor = known(() => silencer.props["actionsSuppressor"] as unknown);
  const suppresses = suppressor !== undefined && suppressor !== null && suppressor !== "";
  if (!suppresses && isOneOf(silencer)) return undefined;
  const rule = stringAt(silencer.props, ["alarmRule"]);
  // A rule names every alarm that it came from.
  if (typeof rule !== "string")
    return { certain: origins(silencer, "alarmRule", alarms), elsewhere: [], perhaps: [], doubt: undefined };
  if (suppresses) return silencedByName(namesInRule(rule), alarms, []);
  // "This one, but not during that": a suppressor written by hand, for alarms that tell nobody themselves.
  const mute = alarms.filter((alarm) => !hasActions(alarm));
  return { ...silencedByName(namesInRule(rule), mute, []), elsewhere: [] };
}

/** Whether an alarm has been told to do nothing. */
function isOff(alarm: PolicyResource): boolean {
  return (
    (isMetricAlarm(alarm) || isCompositeAlarm(alarm)) && known(() => alarm.props["actionsEnabled"] as unknown) === false
  );
}

function silencedByName(
  values: readonly unknown[],
  alarms: readonly PolicyResource[],
  from: readonly PolicyResource[],
): Silenced {
  const names = values.filter((value) => typeof value === "string").map(withoutArn);
  const named = alarms.filter((alarm) => names.some((name) => alarmName(alarm) === name));
  const open = values.filter(isUnknown);
  const candidates = open.length === 0 ? [] : from.filter((alarm) => !named.includes(alarm));
  // An unknown name for each of them, or more: then it is all of them.
  const all = candidates.length <= open.length;
  return {
    certain: all ? [...named, ...candidates] : named,
    elsewhere: names.filter((name) => !named.some((alarm) => alarmName(alarm) === name)),
    perhaps: all ? [] : candidates,
    doubt: open[0],
  };
}

function origins(holder: PolicyResource, property: string, alarms: readonly PolicyResource[]): PolicyResource[] {
  return alarms.filter((alarm) => alarm !== holder && cameFrom(holder, property, alarm));
}

function message(silencer: PolicyResource, told: readonly { name: string; outage: Outage }[]): string {
  if (isOff(silencer))
    return `"${silencer.name}" says that ${told[0]?.outage ?? "an edge is down"}, and tells nobody: actionsEnabled is false. Leave it out.`;
  const which = told.map(({ name, outage }) => `"${name}", which says that ${outage}`).join("; and ");
  const how = isCompositeAlarm(silencer) ? "suppresses" : "mutes";
  return (
    `"${silencer.name}" ${how} ${which}. Take it out: only alarms on too few hosts may be silent during planned work (plannedWork of ` +
    "TargetHealthAlarms names the right ones)."
  );
}
