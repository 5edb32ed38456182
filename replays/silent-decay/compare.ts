import { anchors } from "./anchors";
import type { Range } from "./cloudwatch/alarm";
import { ourAlarms, type AlarmSet } from "./ours";
import type { Situation } from "./situations/situation";
import { simulate } from "./situations/situation";
import { watch, type AlarmOverTime, type Watched } from "./watch";

/** Alarms of a situation by their keys. */
export type Alarms = Readonly<Record<string, AlarmOverTime>>;

/** What the component registers for a situation. */
export async function ours({ edge, update }: Situation): Promise<Alarms> {
  return overTime(await ourAlarms(edge), update && (await ourAlarms(update.edge)));
}

/** What others define. */
export function theirs({ edge, update }: Situation): Alarms {
  return overTime(anchors(edge), update && anchors(update.edge));
}

function overTime(alarms: AlarmSet, updated: AlarmSet = {}): Alarms {
  return Object.fromEntries(
    Object.entries(alarms).map(([key, definition]) => [key, { definition, updated: updated[key] }]),
  );
}

/** Simulates a situation once, and watches it with all these alarms. */
export function observe(situation: Situation, seed: number, alarms: Alarms): Record<string, Record<Range, Watched>> {
  const metrics = simulate(situation, seed);
  return Object.fromEntries(Object.entries(alarms).map(([key, alarm]) => [key, watch(situation, metrics, alarm)]));
}
