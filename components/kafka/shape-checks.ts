import { misfits, type Shape } from "../internal/shapes";
import type { Problems } from "../internal/validate";

/** Whether an argument is what it must be, so that it can be checked further; what isn't is reported. */
export function fitsShape(problems: Problems, argument: string, value: unknown, shape: Shape): boolean {
  const wrong = misfits(value, shape, argument);
  for (const { path, reason } of wrong) problems.add(path, reason);
  return wrong.length === 0;
}
