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

/**
 * Reports what isn't what it must be, and returns the arguments with what to put in its place, so that the rest can be checked. Throws where
 * there is no object with arguments at all.
 */
export function corrected<Args extends object>(problems: Problems, given: Args, known: KnownArguments<Args>): Args {
  // Programs without types may pass anything, or nothing.
  const args: unknown = given;
  if (args !== undefined && !isMap(args)) {
    problems.add("args", "must be an object with the arguments by their names");
    problems.throwIfAny(); // there is nothing else to look at
  }
  const all = new Map<string, unknown>(Object.entries(args ?? {}).filter(([, value]) => value !== undefined));
  const shapes = new Map<string, Shape>(Object.entries(known.shapes));
  // A map, because every object answers to "constructor".
  const elsewhere = new Map(Object.entries(known.elsewhere ?? {}));
  const wrong = new Set<string>();
  const report = (argument: string, path: string, reason: string) => {
    wrong.add(argument);
    problems.add(path, reason);
  };
  for (const [argument, value] of all) {
    const shape = shapes.get(argument);
    if (shape === undefined) report(argument, argument, elsewhere.get(argument) ?? notAnArgument(argument, shapes));
    else for (const { path, reason } of misfits(value, shape, argument)) report(argument, path, reason);
  }
  for (const [argument, reason] of Object.entries(known.missing ?? {}))
    if (!all.has(argument)) report(argument, argument, String(reason));
  const instead = new Map<string, unknown>(Object.entries(known.standIns ?? {}));
  return { ...given, ...Object.fromEntries([...wrong].map((argument) => [argument, instead.get(argument)])) };
}

/** Says what was meant. */
function notAnArgument(name: string, shapes: ReadonlyMap<string, Shape>): string {
  const near = nearest(name, shapes.keys());
  return near === undefined ? "isn't an argument: leave it out" : `isn't an argument: write ${near}`;
}

/** The name that was meant, where one is it but for case and punctuation, or for a letter. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
  return [...known].find((one) => isNear(letters(one), letters(name)));
}

/** Whether a letter too much, too few or another makes one text of the other. */
function isNear(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = short.slice(same);
  return rest === long.slice(same + 1) || (short.length === long.length && rest.slice(1) === long.slice(same + 1));
}
