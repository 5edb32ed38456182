import { labelKeyProblem, labelValueProblem } from "../internal/labels";
import type { Problems } from "../internal/validate";

/** What a taint does to pods that don't tolerate it. */
export enum TaintEffect {
  /** They don't come here. */
  NoSchedule = "NoSchedule",
  /** They come here only if there is no other place. */
  PreferNoSchedule = "PreferNoSchedule",
  /** They don't come here, and those that are here go. */
  NoExecute = "NoExecute",
}

/** Keeps pods off a node. */
export interface NodeTaint {
  /** Name of the taint, such as `example.com/dedicated`. */
  key: string;
  /** Value of the taint. Defaults to none. */
  value?: string;
  /** What it does. */
  effect: TaintEffect;
}

/** Lets a pod onto nodes in spite of a taint, in the spelling of pods. */
export interface NodeToleration {
  /** Name of the taint. */
  readonly key: string;
  /** `Equal` where the taint has a value, else `Exists`. */
  readonly operator: string;
  /** Value of the taint, if it has one. */
  readonly value?: string;
  /** Effect of the taint. */
  readonly effect: string;
}

/** What pods need to come to nodes with these taints. */
export function tolerationsOf(taints: NodeTaint[]): NodeToleration[] {
  return taints.map(({ key, value, effect }) =>
    value === undefined || value === ""
      ? { key, operator: "Exists", effect }
      : { key, operator: "Equal", value, effect },
  );
}

/** Karpenter finds these only after the API server has taken them, and then the pool isn't ready. */
export function taintProblems(problems: Problems, lists: Record<string, NodeTaint[]>): void {
  const seen = new Map<string, string>();
  for (const [argument, taints] of Object.entries(lists))
    taints.forEach(({ key, value, effect }, index) => {
      const where = `${argument}[${index}]`;
      problems.add(`${where}.key`, labelKeyProblem(key));
      if (value !== undefined && value !== "" && labelValueProblem(value) !== undefined)
        problems.add(`${where}.value`, `must be a word such as "kafka", not "${value}"`);
      const effects = Object.values(TaintEffect);
      problems.unless(
        effects.includes(effect),
        `${where}.effect`,
        `must be one of ${effects.join(", ")}, not "${effect as string}"`,
      );
      const other = seen.get(`${key} ${effect}`);
      problems.unless(other === undefined, where, `has key and effect of ${other ?? ""}: write one of them`);
      seen.set(`${key} ${effect}`, where);
    });
}
