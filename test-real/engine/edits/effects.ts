import { nameOf, typeOf } from "../../../cli/engine/urn";
import type { Operation } from "../cloud/cloud";
import type { Session, StateResource } from "../session";

/** What an update does to resources, each written as the last part of its type and its name: `NodeGroup cluster-system`. */
export interface Effects {
  readonly create?: readonly string[];
  readonly update?: readonly string[];
  /** The new one is made first, then the old one goes. */
  readonly replace?: readonly string[];
  /** The old one goes first: its name can't be given twice. */
  readonly recreate?: readonly string[];
  readonly remove?: readonly string[];
}

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly newState?: StateResource;
  readonly oldState?: StateResource;
}

export function label(urn: string): string {
  const type = typeOf(urn).split("$").pop() ?? "";
  return `${String(type.split(/[:/]/).pop())} ${nameOf(urn)}`;
}

/**
 * Effects as sorted lines. A preview doesn't say which of the two goes first, so it has `replace` for both. What has another name afterwards
 * (`MetricAlarm old -> new`) has its new name in a preview, and in the cloud one after the other.
 */
export function lines(effects: Effects, { ofPreview }: { readonly ofPreview: boolean }): string[] {
  const all = Object.entries(effects) as [keyof Effects, readonly string[]][];
  return all
    .flatMap(([kind, names]) =>
      names.flatMap((name) => {
        const [, type, old, fresh] = /^(\w+) (\S+) -> (\S+)$/.exec(name) ?? [];
        if (type === undefined) return [`${ofPreview && kind === "recreate" ? "replace" : kind} ${name}`];
        return ofPreview ? [`replace ${type} ${fresh}`] : [`create ${type} ${fresh}`, `remove ${type} ${old}`];
      }),
    )
    .sort();
}

/** What a preview says that it would do to resources and to providers that the program makes. Components are only names for what is in them. */
export async function planned(session: Session, ...options: readonly string[]): Promise<string[]> {
  const text = await session.succeed("preview", "--json", ...options);
  const { steps } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as { steps: readonly Step[] };
  const kinds: Readonly<Record<string, string>> = { delete: "remove" };
  return steps
    .filter(({ op, newState, oldState }) => !["same", "read"].includes(op) && (newState ?? oldState)?.custom === true)
    .map(({ op, urn }) => `${kinds[op] ?? op} ${label(urn)}`)
    .sort();
}

/** What operations of the cloud did. */
export function done(operations: readonly Operation[]): string[] {
  const kinds = new Map<string, string[]>();
  for (const { kind, urn } of operations) kinds.set(urn, [...(kinds.get(urn) ?? []), kind]);
  const words: Readonly<Record<string, string>> = {
    "create delete": "replace",
    "delete create": "recreate",
    delete: "remove",
  };
  return [...kinds].map(([urn, sequence]) => `${words[sequence.join(" ")] ?? sequence.join(" ")} ${label(urn)}`).sort();
}
