import { readFileSync } from "node:fs";

/** What a class of an SDK says of its resource: which outputs only the provider knows, and of what type each is. */
export interface Shape {
  /** Name of an output that is no input -> its declared TypeScript type. */
  readonly computed: ReadonlyMap<string, string>;
  /** Arguments without which the provider's Check fails. */
  readonly required: readonly string[];
  /** Whether the argument `name` (or `bucket`, ...) exists. */
  readonly accepts: (argument: string) => boolean;
}

const shapes = new Map<string, Shape>();

/**
 * Shape of a resource of a bridged provider, read from the package's own class: `resourceInputs["arn"] = undefined` marks an output.
 * Kubernetes types have none: their providers give back what they were given, and a status.
 */
export function shapeOf(type: string): Shape {
  const known = shapes.get(type);
  if (known !== undefined) return known;
  const shape = type.startsWith("kubernetes:")
    ? { computed: new Map(), required: [], accepts: () => false }
    : readShape(type);
  shapes.set(type, shape);
  return shape;
}

function readShape(type: string): Shape {
  const [pkg, module] = type.split(":");
  const path = (module ?? "").replace(/^index\//, "");
  const file = require.resolve(`@pulumi/${String(pkg)}/${path}.js`);
  const code = readFileSync(file, "utf8");
  const declarations = readFileSync(file.replace(/js$/, "d.ts"), "utf8");
  const computed = new Map<string, string>();
  for (const [, name] of code.matchAll(/resourceInputs\["(\w+)"\] = undefined \/\*out\*\//g)) {
    const declared = new RegExp(`readonly ${String(name)}: pulumi\\.Output<([^;]*)>;`).exec(declarations);
    computed.set(String(name), declared?.[1] ?? "");
  }
  const required = [...code.matchAll(/Missing required property '(\w+)'/g)].map(([, name]) => String(name));
  return { computed, required, accepts: (argument) => code.includes(`args?.${argument}`) };
}
