import type * as pulumi from "@pulumi/pulumi";
import type { AlarmSeverity } from "../routes";
import type { TargetHealthDefinition, TargetHealthKey } from "./definitions";

export const actionKinds = ["alarmActions", "okActions", "insufficientDataActions"] as const;
export type ActionKind = (typeof actionKinds)[number];

/** An alarm as it will be created. */
export interface PlannedAlarm extends TargetHealthDefinition {
  readonly key: TargetHealthKey;
  /** What ARN and name are given out under: the key, with the level if there are several. */
  readonly output: string;
  /** Last part of the name, with the level if there are several. */
  readonly suffix: string;
  /** Physical name. */
  readonly alarmName: string;
  readonly severity: AlarmSeverity;
  /** Minutes before the first verdict; 0 for none. */
  readonly warmUpMinutes: number;
  /** Actions that were given; the others are the topics of the severity. */
  readonly actions: Readonly<Partial<Record<ActionKind, pulumi.Input<string>[]>>>;
}

/** `<prefix>-<name>-<suffix>`, without saying the prefix twice. */
export function alarmNameOf(prefix: string | undefined, name: string, suffix: string): string {
  const own = `${name}-${suffix}`;
  return prefix === undefined || prefix === "" || own.startsWith(`${prefix}-`) ? own : `${prefix}-${own}`;
}
