import * as pulumi from "@pulumi/pulumi";
import { checked, type Problems } from "../../internal/validate";
import { asciiProblem, longestDescription, runbookOf } from "../alarm-parts";
import type { TargetHealthAlarmsArgs } from "./args";
import type { CombinedAlarm } from "./combined";
import { lookAtAlarms, lookAtTargets, type Place } from "./commands";
import { targetHealthSuffixes } from "./definitions";
import type { Plan } from "./plan";
import type { PlannedAlarm } from "./planned-alarm";
import { failedLayer, happened, looksForAll, visitorsSee } from "./texts";

/** Links and names that a description ends with. */
interface Links {
  readonly owner?: string;
  readonly runbookUrl?: string;
  readonly dashboardUrl?: string;
}
type LateLinks = Pick<TargetHealthAlarmsArgs, keyof Links>;

/**
 * The text of an alarm: what happened, which layer failed, what a visitor sees, whose it is, what to type first, and where to read on.
 */
function describe(
  alarm: PlannedAlarm | CombinedAlarm,
  { edge }: Pick<Plan, "edge">,
  place: Place,
  links: Links,
): string {
  const { owner, runbookUrl, dashboardUrl } = links;
  const [page, first, sentences] =
    "of" in alarm
      ? [
          alarm.suffix,
          // The names of its alarms begin like its own, unless they were given.
          lookAtAlarms(place, alarm.alarmName.slice(0, -alarm.suffix.length)),
          [
            `At least one of these alarms is on: ${[...new Set(alarm.of.map(({ key }) => targetHealthSuffixes[key]))].join(", ")}. Another one that joins it doesn't page again.`,
            `Visitors see: ${visitorsSee(alarm.of[0]!.key, edge)}.`,
          ],
        ]
      : [
          targetHealthSuffixes[alarm.key],
          lookAtTargets(place, looksForAll(alarm.key)),
          [
            happened(alarm, edge),
            `Failed: ${failedLayer[alarm.key]}.`,
            `Visitors see: ${visitorsSee(alarm.key, edge)}.`,
          ],
        ];
  return [
    ...sentences,
    ...(owner === undefined ? [] : [`Owner: ${owner}`]),
    `First: ${first}`,
    `Runbook: ${runbookOf(page, runbookUrl)}`,
    ...(dashboardUrl === undefined ? [] : [`Dashboard: ${dashboardUrl}`]),
  ].join("\n");
}

/** The description of an alarm, once everything in it is known. */
export function description(
  alarm: PlannedAlarm | CombinedAlarm,
  plan: Plan,
  place: pulumi.Output<Place>,
  given: LateLinks,
): pulumi.Output<string> {
  const link = (which: keyof Links) =>
    checked<string | undefined>(given[which], which, (text) => asciiProblem(text ?? ""));
  const text = pulumi
    .all([place, link("owner"), link("runbookUrl"), link("dashboardUrl")])
    .apply(([place, owner, runbookUrl, dashboardUrl]) =>
      describe(alarm, plan, place, { owner, runbookUrl, dashboardUrl }),
    );
  return checked(text, "runbookUrl", textProblem);
}

/**
 * Records descriptions that wouldn't fit, before anything is made: else CloudWatch would refuse a text in the middle of an update.
 *
 * @param longest where the edge is, in names that are at least as long as those that aren't known yet.
 */
export function checkDescriptions(plan: Plan, longest: Place, args: LateLinks, problems: Problems): void {
  // What isn't known yet may be short; the check of the whole text comes later.
  const plain = (link: pulumi.Input<string> | undefined) =>
    link === undefined || typeof link === "string" ? link : "";
  const links = {
    owner: plain(args.owner),
    runbookUrl: plain(args.runbookUrl),
    dashboardUrl: plain(args.dashboardUrl),
  };
  for (const [which, text] of Object.entries(links)) problems.add(which, asciiProblem(text ?? ""));
  const reasons = [...plan.alarms, ...plan.combined].map((alarm) => textProblem(describe(alarm, plan, longest, links)));
  problems.add(
    "runbookUrl",
    reasons.find((reason) => reason !== undefined),
  );
}

function textProblem(text: string): string | undefined {
  return text.length <= longestDescription
    ? undefined
    : `makes, with owner and dashboardUrl, an alarm description of ${text.length} characters; CloudWatch takes ${longestDescription}: use shorter ones`;
}
