import type { PolicyConfigSchema } from "@pulumi/policy";
import { Undecided, type Unknown } from "./known";

/** Configuration of a resource rule that decides by values which a preview may not know. */
export interface UnknownValuesConfig {
  unknownValues: "advisory" | "violation";
}

/** Its part of the configuration schema. */
export const unknownValues: PolicyConfigSchema["properties"] = {
  unknownValues: {
    type: "string",
    enum: ["advisory", "violation"],
    default: "advisory",
    description:
      "What a value is that decides and that a preview doesn't know yet. `advisory` lets the preview pass: the update still stops before it writes the object, once the value is known.",
  },
};

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
