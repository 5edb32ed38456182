import { isLate, isMap } from "./validate";

/*
 * What values are at all. The compiler sees to it for programs with types; others, and those that cast, may pass anything, and a check that asks a
 * number for its length would end in a TypeError about the library's insides.
 */

/** What a value must be before anything else can be asked of it. */
export interface Shape {
  readonly is: "text" | "number" | "flag" | "list" | "map" | "fields" | "anything";
  /** What is in a list or a map. */
  readonly of?: Shape;
  /** What an object may have; a field that isn't here is nobody's. */
  readonly fields?: Readonly<Record<string, Shape>>;
  /** Whether an object may have others, too. */
  readonly open?: true;
  /** Whether it may be an output, whose value comes later. */
  readonly late?: true;
  /** Whether it must be there, as a field of something. */
  readonly required?: true;
}

export const text: Shape = { is: "text" };
export const number: Shape = { is: "number" };
export const flag: Shape = { is: "flag" };
export const anything: Shape = { is: "anything" };
export const listOf = (of: Shape): Shape => ({ is: "list", of });
export const mapOf = (of: Shape): Shape => ({ is: "map", of });
export const fields = (of: Readonly<Record<string, Shape>>): Shape => ({ is: "fields", fields: of });
/** The same, or an output of it. */
export const late = (shape: Shape): Shape => ({ ...shape, late: true });

/** What comes later as often as not. */
export const lateText = late(text);
export const lateNumber = late(number);
export const lateTexts = late(listOf(lateText));
/** Texts by key, such as tags and labels. */
export const lateTextMap = late(mapOf(lateText));

/** The same, and it must be there. */
export const required = (shape: Shape): Shape => ({ ...shape, required: true });

/** Something that isn't what it must be. */
export interface Misfit {
  /** Where, from the value that was looked at: `budgets[1].nodes`. */
  readonly path: string;
  readonly reason: string;
}

/** What of a value isn't what it must be. */
export function misfits(value: unknown, shape: Shape, path: string): Misfit[] {
  if (shape.is === "anything" || (shape.late === true && isOutput(value))) return [];
  const wrong = (words: string): Misfit[] => [{ path, reason: `must be ${words}, not ${shown(value)}` }];
  switch (shape.is) {
    case "text":
      return typeof value === "string" ? [] : wrong(typeof value === "number" ? "text, in quotes" : "text");
    case "number":
      return typeof value === "number" ? [] : wrong("a number");
    case "flag":
      return typeof value === "boolean" ? [] : wrong("true or false");
    case "list":
      return Array.isArray(value)
        ? value.flatMap((item: unknown, index) => misfits(item, shape.of ?? anything, `${path}[${index}]`))
        : wrong("a list");
    case "map":
      return isMap(value)
        ? Object.entries(value).flatMap(([key, item]) => misfits(item, shape.of ?? anything, `${path}["${key}"]`))
        : wrong("an object with a value for each key");
    case "fields":
      return isMap(value) ? fieldMisfits(value, shape, path) : wrong("an object with named fields");
  }
}

function fieldMisfits(value: Readonly<Record<string, unknown>>, shape: Shape, path: string): Misfit[] {
  const known = shape.fields ?? {};
  const missing = Object.keys(known).filter((key) => known[key]?.required === true && value[key] === undefined);
  const wrong = Object.entries(value).flatMap(([key, item]): Misfit[] => {
    // As if it hadn't been written.
    if (item === undefined) return [];
    const where = `${path}.${key}`;
    if (Object.hasOwn(known, key)) return misfits(item, known[key]!, where);
    return shape.open === true ? [] : [{ path: where, reason: `isn't one of ${Object.keys(known).join(", ")}` }];
  });
  return [...missing.map((key) => ({ path: `${path}.${key}`, reason: "is missing" })), ...wrong];
}

function isOutput(value: unknown): boolean {
  return isLate<unknown>(value);
}

/** A value that isn't what it should be, in few words. An output, a symbol or a circle can't be shown. */
function shown(value: unknown): string {
  if (isOutput(value)) return "an output: it decides what is made, so that it must be known when the program runs";
  if (typeof value === "string") return `the text "${value.length > 40 ? `${value.slice(0, 40)}...` : value}"`;
  if (typeof value === "number" || typeof value === "boolean" || value === undefined || value === null)
    return String(value);
  return Array.isArray(value) ? "a list" : `a value of type ${typeof value}`;
}
