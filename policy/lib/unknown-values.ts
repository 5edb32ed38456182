import type { PolicyConfigSchema } from "@pulumi/policy";
import { inContext, isUnknown, Undecided, type Unknown } from "./known";

/** Configuration of every rule that a value may keep from deciding. */
export interface UnknownValuesConfig {
  unknownValues: "advisory" | "violation";
}

const inUpdates = {
  resource: "the update still stops before it writes the object, once the value is known",
  stack: "in an update the rule runs after the changes, with everything known",
};

/** Its part of the configuration schema, for a rule on one resource or on the whole stack. */
export function unknownValuesOf(kind: keyof typeof inUpdates): PolicyConfigSchema["properties"] {
  return {
    unknownValues: {
      type: "string",
      enum: ["advisory", "violation"],
      default: "advisory",
      description: `What a value is that decides and that a preview doesn't know yet. \`advisory\` lets the preview pass: ${inUpdates[kind]}. \`violation\` (strict) doesn't.`,
    },
  };
}

/** For rules that still write it into their own schema: the framework does that for all. */
export const unknownValues = unknownValuesOf("resource");

/**
 * Lets a rule run, and says what it couldn't decide: the first unknown as advisory, by throwing it, or in strict mode each one as a violation.
 *
 * @param spared whether nobody wants to hear about this resource.
 */
export function conclude(
  config: UnknownValuesConfig,
  report: (message: string, urn?: string) => void,
  spared: (urn: string) => boolean,
  rule: (undecided: Undecided) => void,
): void {
  const undecided = new Undecided();
  try {
    rule(undecided);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    undecided.add(error);
  }
  const open = undecided.doubts.filter(({ urn }) => urn === undefined || !spared(urn));
  if (config.unknownValues === "advisory") {
    if (open[0] !== undefined) throw inContext(open[0]);
    return;
  }
  const said = new Set<string>();
  for (const { unknown, where, urn } of open) {
    const message = `${where === undefined ? "" : `${where}: `}${pathOf(unknown)} isn't known yet, and without it the rule can't decide. ${advice}`;
    if (!said.has(message)) report(message, urn);
    said.add(message);
  }
}

const advice =
  'Give it a value that a preview knows, exempt the resource, or let previews pass with `unknownValues: "advisory"`.';

/** What a resource rule found: violations at once, what it couldn't decide at the end. */
export class Findings {
  private readonly undecided = new Undecided();

  constructor(
    readonly report: (message: string) => void,
    private readonly config: UnknownValuesConfig,
  ) {}

  /** @param may what the value may turn out to be, to go on with "isn't known yet and": `may be below 300`. */
  unknown(value: Unknown, may: string): void {
    if (this.config.unknownValues === "violation") this.report(`${pathOf(value)} isn't known yet and ${may}.`);
    else this.undecided.add(value);
  }

  /** Call it last: reports the first unknown as advisory, by throwing it. */
  end(): void {
    this.undecided.throwIfAny();
  }
}

function pathOf(unknown: Unknown): string {
  return unknown.props.reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : `${path}.${part}`));
}
