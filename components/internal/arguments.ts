import { nearest } from "./nearest";
import { misfits, type Shape } from "./shapes";
import { isMap, type Problems } from "./validate";

/** What a component's arguments are. */
export interface KnownArguments<Args extends object> {
  /** A record of all arguments, so that the compiler misses none. */
  readonly shapes: Readonly<Record<keyof Args, Shape>>;
  /** Arguments without which nothing can be checked, and what to write. */
  readonly missing?: { readonly [Argument in keyof Args]?: string };
  /** What takes the place of an argument that is wrong, so that the others can be checked. Defaults to nothing, as if it weren't given. */
  readonly standIns?: { readonly [Argument in keyof Args]?: Args[Argument] };
  /** What to say of names that aren't arguments, but that people look for. */
  readonly elsewhere?: Readonly<Record<string, string>>;
}

/** Reports what isn't what it must be, and returns the arguments with what to put in its place, so that the rest can be checked. */
export function corrected<Args extends object>(problems: Problems, given: Args, known: KnownArguments<Args>): Args {
  // Programs without types may pass anything, or nothing.
  const args: unknown = given;
  if (args !== undefined && !isMap(args)) {
    problems.add("args", "must be an object with the arguments by their names");
    return corrected(problems, {} as Args, known);
  }
  const all = new Map<string, unknown>(Object.entries(args ?? {}).filter(([, value]) => value !== undefined));
  const shapes = new Map<string, Shape>(Object.entries(known.shapes));
  const wrong = new Set<string>();
  const report = (argument: string, path: string, reason: string) => {
    wrong.add(argument);
    problems.add(path, reason);
  };
  for (const [argument, value] of all) {
    const shape = shapes.get(argument);
    if (shape === undefined) report(argument, argument, known.elsewhere?.[argument] ?? notAnArgument(argument, shapes));
    else for (const { path, reason } of misfits(value, shape, argument)) report(argument, path, reason);
  }
  for (const [argument, reason] of Object.entries(known.missing ?? {}))
    if (!all.has(argument)) report(argument, argument, String(reason));
  const instead = new Map<string, unknown>(Object.entries(known.standIns ?? {}));
  return { ...given, ...Object.fromEntries([...wrong].map((argument) => [argument, instead.get(argument)])) };
}

/** Says what was meant, where a name is an argument's but for case, or for a few letters. */
function notAnArgument(name: string, shapes: ReadonlyMap<string, Shape>): string {
  const near = nearest(name, [...shapes.keys()]);
  return near === undefined ? "isn't an argument: leave it out" : `isn't an argument: write ${near}`;
}
