import type { AlarmDefinition } from "./definition";
import { isMissing } from "./math";
import type { Points } from "./metrics";
import { pointAt } from "./points";
import { verdict, type Point, type State } from "./verdict";

/**
 * How many periods more than N CloudWatch fetches, in case newer ones are missing. It isn't published for periods of a minute: the
 * guide's examples have 2; an alarm on a group that lost all targets fired as if it were 7 (alarms research, ADR4: 3 of 3 minutes,
 * 9 min 48 s). Both are tried everywhere.
 */
export const extraPeriods = { documented: 2, calibrated: 7 } as const;
export type Range = keyof typeof extraPeriods;
export const ranges: readonly Range[] = ["documented", "calibrated"];

const day = 24 * 60;
const hour = 60;

/** An alarm at work. Times are minutes of the simulation. */
export class Alarm {
  public state: State = "INSUFFICIENT_DATA";
  private warm: boolean;

  /** @param points Its data points: `pointsOf` the definition. */
  constructor(
    private definition: AlarmDefinition,
    private points: Points,
    private readonly created: number,
    private readonly extra: number,
  ) {
    this.warm = definition.warmUp === undefined;
  }

  /** What an update of the alarm does: it keeps its state, and doesn't warm up again (the provider's documentation). */
  update(definition: AlarmDefinition, points: Points): void {
    this.definition = definition;
    this.points = points;
  }

  /** Evaluates, as happens at the beginning of every minute, and says whether the alarm has just gone off. */
  evaluate(now: number): boolean {
    const { period, evaluationPeriods } = this.definition;
    // With windows of more than a day: every hour.
    if (period * evaluationPeriods > day && now % hour !== 0) return false;
    const range = this.range(now);
    this.warm ||= this.warmedUp(now, range);
    if (!this.warm) return false;
    const before = this.state;
    this.state = verdict(range, this.definition) ?? before;
    return this.state === "ALARM" && before !== "ALARM";
  }

  /** Strictly, warm-up lasts its whole time; otherwise until there are enough data points for a verdict. */
  private warmedUp(now: number, range: readonly Point[]): boolean {
    const { warmUp, evaluationPeriods } = this.definition;
    if (warmUp === undefined || now >= this.created + warmUp.minutes) return true;
    return !warmUp.strict && range.filter((point) => point !== "missing").length >= evaluationPeriods;
  }

  /** The data points of the evaluation range, oldest first. Windows slide: the newest ends now. */
  private range(now: number): Point[] {
    const { period, evaluationPeriods, breaches } = this.definition;
    const range: Point[] = [];
    for (let back = evaluationPeriods + this.extra - 1; back >= 0; back--) {
      const value = pointAt(this.points, now - back * period, now);
      range.push(isMissing(value) ? "missing" : breaches(value) ? "breaching" : "within");
    }
    return range;
  }
}
