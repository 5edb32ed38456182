import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { isProperties } from "../../lib/kubernetes";
import { each, stringAt, valuesAt, type Path } from "../../lib/paths";

/** Schedules that may call any action of AWS by themselves: "universal targets" of EventBridge Scheduler. */
const scheduleTypes = new Set(["aws:scheduler/schedule:Schedule", "aws-native:scheduler:Schedule"]);

/** Where each call that keeps an alarm quiet names the alarms, in the JSON that a schedule hands to it. */
const silencingCalls: Readonly<Record<string, readonly Path[]>> = {
  disablealarmactions: [["AlarmNames", each]],
  deletealarms: [["AlarmNames", each]],
  setalarmstate: [["AlarmName"]],
  putalarmmuterule: [["MuteTargets", "AlarmNames", each]],
};

/** The alarms that a schedule disables, deletes, mutes or resets, by name; undefined if it does nothing of the kind. */
export function silencingCall({ type, props }: PolicyResource): { names: (string | Unknown)[] } | undefined {
  if (!scheduleTypes.has(type)) return undefined;
  const arn = stringAt(props, ["target", "arn"]);
  const [, call = ""] = /:aws-sdk:cloudwatch:(\w+)$/i.exec(typeof arn === "string" ? arn : "") ?? [];
  const paths = silencingCalls[call.toLowerCase()];
  if (paths === undefined) return undefined;
  const input = stringAt(props, ["target", "input"]);
  if (isUnknown(input)) return { names: [input] };
  const request = parsed(input ?? "");
  const names = paths.flatMap((path) => valuesAt(request, path).map(({ value }) => value));
  return { names: names.filter((name) => typeof name === "string") };
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return isProperties(value) ? value : {};
  } catch {
    return {};
  }
}
