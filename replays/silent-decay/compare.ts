import { anchors } from "./anchors";
import { extraPeriods } from "./cloudwatch/alarm";
import { ourAlarms, type AlarmSet } from "./ours";
import { simulate, type Situation } from "./situations/situation";
import { watch, type Watched } from "./watch";

/** The evaluation ranges that are tried. */
export type Range = keyof typeof extraPeriods;
export const ranges: readonly Range[] = ["documented", "calibrated"];

/** Alarms of a situation, and what its update makes of them. */
export interface Alarms {
  readonly alarms: AlarmSet;
  readonly updated?: AlarmSet;
}

/** What the component registers for a situation. */
export async function ours({ edge, update }: Situation): Promise<Alarms> {
  return { alarms: await ourAlarms(edge), updated: update && (await ourAlarms(update.edge)) };
}

/** The same, and what others define. */
export async function everybodys(situation: Situation): Promise<Alarms> {
  const { alarms, updated } = await ours(situation);
  const { edge, update } = situation;
  return { alarms: { ...alarms, ...anchors(edge) }, updated: update && { ...updated, ...anchors(update.edge) } };
}

/** What was seen of one situation with one seed, by range and alarm. */
export type Seen = Readonly<Record<Range, Readonly<Record<string, Watched>>>>;

/** Simulates a situation once, and watches it with all alarms and both evaluation ranges. */
export function observe(situation: Situation, seed: number, { alarms, updated }: Alarms): Seen {
  const metrics = simulate(situation, seed);
  const seen = (range: Range) => watch(situation, metrics, extraPeriods[range], alarms, updated);
  return { documented: seen("documented"), calibrated: seen("calibrated") };
}
