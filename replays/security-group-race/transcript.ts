import type { Operation } from "./aws/api";
import { second } from "./clock";
import type { Simulation } from "./simulation";

/** The clock's zero, as the time of day of the outage. */
const zero = 9 * 3600;

/** A time of day such as 09:55:16.4, in milliseconds of the clock. */
export function timeOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(":").map(Number);
  return Math.round((hours * 3600 + minutes * 60 + seconds - zero) * second);
}

function timeOfDay(clock: number): string {
  const total = Math.floor(clock / second) + zero;
  const parts = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

const shortened: Partial<Record<Operation, string>> = {
  AuthorizeSecurityGroupIngress: "Authorize",
  RevokeSecurityGroupIngress: "Revoke",
};

/** The mutations of rules since a time, as CloudTrail would list them: `09:55:16 Authorize tcp 3000-3008 from sg-...`. */
export function ruleChanges(simulation: Simulation, since = 0): string[] {
  return simulation.aws.calls.flatMap(({ at, operation, what, error }) => {
    const name = shortened[operation];
    if (name === undefined || at < since) return [];
    return [`${timeOfDay(at)} ${name} ${what.join(", ")}${error === undefined ? "" : ` -> ${error}`}`];
  });
}

/** The calls since a time, by their names. */
export function callsSince(simulation: Simulation, since: number): Operation[] {
  return simulation.aws.calls.filter(({ at }) => at >= since).map(({ operation }) => operation);
}
