import type { PolicyConfigSchema } from "@pulumi/policy";
import { matchesAny } from "./glob";
import { isUnknown } from "./known";
import { entriesOf, isProperties } from "./kubernetes";
import { valueAt } from "./paths";
import { tagsOf } from "./tags";
import { textOf } from "./text";

/** Lets a rule leave resources alone until a date, and says why. */
export interface Exemption {
  readonly name?: string;
  readonly urn?: string;
  readonly tag?: string;
  readonly reason: string;
  readonly expires: string;
}

/** A resource as far as an exemption looks at it. */
export interface Exemptable {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly props: Record<string, unknown>;
}

const selectors = ["name", "urn", "tag"] as const;

/** What every wrong exemption is answered with. */
const example = '{ "name": "web", "reason": "moves to its own cluster", "expires": "2030-06-30" }';

/** Their part of every rule's configuration schema. Three properties, of which two are required: exactly one of name, urn and tag. */
export const exemptions: PolicyConfigSchema["properties"] = {
  exemptions: {
    type: "array",
    default: [],
    description:
      "Resources that this rule leaves alone: each with exactly one of `name` (`*` stands for any text), `urn` (likewise) and `tag` (`key` or `key=value`), with the `reason`, and with `expires`, the last day (UTC) on which it holds.",
    items: {
      type: "object",
      description: `Write exactly one of name, urn and tag, with reason and expires: ${example}.`,
      properties: {
        name: { type: "string", minLength: 1, description: "Name of the resource in the program." },
        urn: { type: "string", minLength: 1, description: "URN of the resource." },
        tag: { type: "string", pattern: "^[^=]", description: "A tag of the resource: `key` or `key=value`." },
        reason: { type: "string", pattern: "\\S", description: "Why the rule needn't hold: a text for people." },
        expires: {
          type: "string",
          pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
          description: "The last day on which it holds, YYYY-MM-DD.",
        },
      },
      required: ["reason", "expires"],
      additionalProperties: false,
      minProperties: 3,
      maxProperties: 3,
    },
  },
};

/** What the configuration of one rule exempts today. */
export class Exemptions {
  private readonly holding: Exemption[] = [];
  private readonly ended: Exemption[] = [];
  /** About exemptions that aren't any. Pulumi refuses them by the schema, other callers of the protocol may not. */
  private readonly malformed: string[] = [];

  /** @param today as YYYY-MM-DD, in UTC: texts of this form are in the order of their days. */
  constructor(configured: unknown, today: string) {
    if (!Array.isArray(configured))
      this.malformed.push(`exemptions is no list: it exempts nothing. Write [${example}].`);
    else
      configured.forEach((item: unknown, i) => {
        const fault = faultOf(item);
        if (fault !== undefined)
          this.malformed.push(`exemptions[${i}] ${fault}: it exempts nothing. Write ${example}.`);
        else if (isExemption(item)) (item.expires < today ? this.ended : this.holding).push(item);
      });
  }

  /** Whether nothing is written: then no resource has to be asked, which would be most of what a rule costs. */
  get none(): boolean {
    return this.holding.length + this.ended.length + this.malformed.length === 0;
  }

  cover(resource: Exemptable): boolean {
    return this.holding.some((exemption) => names(exemption, resource));
  }

  /** What to say at a resource that an exemption covered until it ended. */
  endedAt(resource: Exemptable): string[] {
    return this.ended.filter((exemption) => names(exemption, resource)).map(endedMessage);
  }

  /** What to say at the stack, whatever is in it. */
  faults(): string[] {
    return [...this.malformed, ...this.ended.map(endedMessage)];
  }

  /** The same, of a stack of which everything is known: what has ended and names none of its resources, and what is none. */
  faultsBeside(resources: readonly Exemptable[]): string[] {
    const unnamed = this.ended.filter((exemption) => !resources.some((resource) => names(exemption, resource)));
    return [...this.malformed, ...unnamed.map(endedMessage)];
  }
}

const nothing = new Exemptions([], "");

/** The exemptions of a rule's configuration. Most have none: that must cost nothing at each resource. */
export function exemptionsIn(config: { exemptions: unknown }): Exemptions {
  if (Array.isArray(config.exemptions) && config.exemptions.length === 0) return nothing;
  return new Exemptions(config.exemptions, new Date().toISOString().slice(0, 10));
}

function faultOf(item: unknown): string | undefined {
  if (!isProperties(item)) return "is no object";
  const given = selectors.filter((key) => item[key] !== undefined);
  if (given.length !== 1) return `has ${given.join(" and ") || "no name, urn or tag"}, and must have exactly one`;
  const text = item[given[0]!];
  if (typeof text !== "string" || text === "") return `has a ${given[0]} that is no text`;
  if (typeof item["reason"] !== "string" || item["reason"].trim() === "") return "has no reason";
  return isDay(item["expires"]) ? undefined : "has no day as YYYY-MM-DD in expires";
}

function isExemption(item: unknown): item is Exemption {
  return faultOf(item) === undefined;
}

function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  // Of 30 February JavaScript makes a day in March.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

function names({ name, urn, tag }: Exemption, resource: Exemptable): boolean {
  if (name !== undefined) return matchesAny(resource.name, [name]);
  if (urn !== undefined) return matchesAny(resource.urn, [urn]);
  return tag !== undefined && hasTag(resource, tag);
}

/**
 * Whether a resource has a tag: in `tags` or `tagsAll`, or as a label or annotation of a Kubernetes object. An unknown key or value shows no
 * exemption, and an exemption that nobody sees is none.
 */
function hasTag({ type, props }: Exemptable, wanted: string): boolean {
  const tags = type.startsWith("kubernetes:")
    ? ["labels", "annotations"].flatMap((map) => entriesOf(valueAt(props, ["metadata", map])))
    : [...tagsOf(props).values];
  // A key may hold an equals sign itself.
  return tags.some(([key, value]) => key === wanted || (!isUnknown(value) && `${key}=${textOf(value)}` === wanted));
}

function endedMessage({ name, urn, tag, reason, expires }: Exemption): string {
  const what = name !== undefined ? `name "${name}"` : urn !== undefined ? `urn "${urn}"` : `tag "${tag}"`;
  return (
    `The exemption by ${what} (reason: ${reason}) ended on ${expires}: it exempts nothing any more. Do what the rule asks and take it out of ` +
    "`exemptions`; if the reason still holds, somebody has to say so with a new date."
  );
}
