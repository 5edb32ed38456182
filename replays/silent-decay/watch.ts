import { Alarm, extraPeriods, type Range } from "./cloudwatch/alarm";
import type { AlarmDefinition } from "./cloudwatch/definition";
import type { Metrics } from "./cloudwatch/metrics";
import { pointsOf } from "./cloudwatch/points";
import type { Situation } from "./situations/situation";
import { end, indexOf, start } from "./time";

/** What an alarm did. */
export interface Watched {
  /** When it went off. Negative times are of the three days before. */
  readonly pages: readonly number[];
  /** Whether it was on when the two weeks began: then it pages for nothing that comes. */
  readonly alreadyOn: boolean;
}

/** An alarm, and what the situation's update makes of it. */
export interface AlarmOverTime {
  readonly definition: AlarmDefinition;
  readonly updated?: AlarmDefinition;
}

/** Watches a situation with an alarm, looking back as far as documented and as calibrated. */
export function watch(situation: Situation, metrics: Metrics, alarm: AlarmOverTime): Record<Range, Watched> {
  const { created = start, update } = situation;
  const { definition, updated = definition } = alarm;
  const points = pointsOf(definition, metrics);
  const pointsUpdated = updated === definition ? points : pointsOf(updated, metrics);
  const over = (range: Range): Watched => {
    const watching = new Alarm(definition, points, indexOf(created), extraPeriods[range]);
    const pages: number[] = [];
    let alreadyOn = false;
    for (let minute = created; minute < end; minute++) {
      if (minute === update?.at) watching.update(updated, pointsUpdated);
      if (minute === 0) alreadyOn = watching.state === "ALARM";
      if (watching.evaluate(indexOf(minute))) pages.push(minute);
    }
    return { pages, alreadyOn };
  };
  return { documented: over("documented"), calibrated: over("calibrated") };
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
