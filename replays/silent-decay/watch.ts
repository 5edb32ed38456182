import { Alarm } from "./cloudwatch/alarm";
import type { Metrics } from "./cloudwatch/metrics";
import type { AlarmSet } from "./ours";
import type { Situation } from "./situations/situation";
import { end, indexOf, start } from "./time";

/** What an alarm did. */
export interface Watched {
  /** When it went off. Negative times are of the three days before. */
  readonly pages: readonly number[];
  /** Whether it was on when the two weeks began: then it pages for nothing that comes. */
  readonly alreadyOn: boolean;
}

/**
 * Watches a situation with alarms.
 *
 * @param extra Periods that CloudWatch looks back beyond N: one of `extraPeriods`.
 * @param updated What the alarms are from the situation's update on.
 */
export function watch<Key extends string>(
  situation: Situation,
  metrics: Metrics,
  extra: number,
  alarms: Readonly<Record<Key, AlarmSet[string]>>,
  updated: AlarmSet = alarms,
): Record<Key, Watched> {
  const created = situation.created ?? start;
  const watched = Object.entries<AlarmSet[string]>(alarms).map(([key, definition]) => {
    const alarm = new Alarm(definition, metrics, indexOf(created), extra);
    const pages: number[] = [];
    let alreadyOn = false;
    for (let minute = created; minute < end; minute++) {
      const update = minute === situation.update?.at ? updated[key] : undefined;
      if (update !== undefined) alarm.update(update);
      if (minute === 0) alreadyOn = alarm.state === "ALARM";
      if (alarm.evaluate(indexOf(minute))) pages.push(minute);
    }
    return [key, { pages, alreadyOn }] as const;
  });
  return Object.fromEntries(watched) as Record<Key, Watched>;
}

/** The first page from the beginning on, in minutes: "on" where the alarm was on before, so that nobody is paged. */
export function firstPage({ pages, alreadyOn }: Watched): number | "on" | "never" {
  return alreadyOn ? "on" : (pages.find((page) => page >= 0) ?? "never");
}

/** Pages in the two weeks: "on" where the alarm is on all the time. */
export function pagesIn({ pages, alreadyOn }: Watched): number | "on" {
  const within = pages.filter((page) => page >= 0).length;
  return alreadyOn && within === 0 ? "on" : within;
}
