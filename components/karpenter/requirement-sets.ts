import { isLate, type Problems } from "../internal/validate";
import { RequirementOperator, type KarpenterNodePoolArgs, type NodeRequirement } from "./node-pool-args";
import { typedRequirements } from "./node-pool-spec";

/*
 * Whether a node can be at all that has everything a pool demands. Karpenter takes requirements of one key together, and labels with them; where
 * nothing is left it makes no node, and says so in the events of pods that wait.
 */

/** What a pool demands of the values of one key, and where that stands. */
interface Demand {
  readonly where: string;
  readonly key: string;
  readonly operator: NodeRequirement["operator"];
  readonly values: readonly string[];
}

/** Records each demand that contradicts those before it. */
export function contradictions(problems: Problems, args: KarpenterNodePoolArgs): void {
  const byKey = new Map<string, Demand[]>();
  for (const demand of demandsOf(args)) {
    const before = byKey.get(demand.key) ?? [];
    if (isPossible([...before, demand])) byKey.set(demand.key, [...before, demand]);
    else
      problems.add(
        demand.where,
        before.length === 0
          ? `leaves no value of ${demand.key}, so no node could be made: change it`
          : `leaves no value of ${demand.key}, for which ${before.map(described).join(" and ")}, so no node could be made: change the one or the other`,
      );
  }
}

function described({ where, operator, values }: Demand): string {
  return `${where} says ${[operator, ...values].join(" ")}`;
}

/** In the order in which a reader would look: arguments of their own, labels, requirements. */
function demandsOf(args: KarpenterNodePoolArgs): Demand[] {
  const labels = Object.entries(args.labels ?? {}).flatMap(([key, value]): Demand[] =>
    isLate(value) ? [] : [{ where: `labels["${key}"]`, key, operator: RequirementOperator.In, values: [value] }],
  );
  const further = (args.requirements ?? []).map(({ key, operator, values = [] }, index) => ({
    where: `requirements[${index}]`,
    key,
    operator,
    values,
  }));
  const typed = typedRequirements(args).map(({ argument, key, operator, values = [] }) => ({
    where: argument,
    key,
    operator,
    values,
  }));
  return [...typed, ...labels, ...further];
}

/** Whether a value, or its absence, meets all of them. */
function isPossible(demands: readonly Demand[]): boolean {
  const absent = [RequirementOperator.DoesNotExist, RequirementOperator.NotIn];
  if (demands.every(({ operator }) => absent.includes(operator))) return true;
  if (demands.some(({ operator }) => operator === RequirementOperator.DoesNotExist)) return false;
  const lists = demands.filter(({ operator }) => operator === RequirementOperator.In);
  const [first, ...others] = lists;
  if (first !== undefined)
    return first.values.some((value) => [...others, ...demands].every((demand) => admits(demand, value)));
  // Without a list any number within the bounds will do, and beside the few that are excluded there is always another.
  const numbers = (operators: readonly string[]) =>
    demands
      .filter(({ operator }) => operators.includes(operator))
      .map(({ operator, values }) => bound(operator, values));
  const least = Math.max(0, ...numbers([RequirementOperator.Gt, RequirementOperator.Gte]));
  const most = Math.min(Infinity, ...numbers([RequirementOperator.Lt, RequirementOperator.Lte]));
  const excluded = demands
    .filter(({ operator }) => operator === RequirementOperator.NotIn)
    .flatMap(({ values }) => values);
  const candidates = Array.from({ length: excluded.length + 1 }, (_, n) => least + n);
  return candidates.some((number) => number <= most && !excluded.includes(String(number)));
}

/** The nearest whole number that a bound admits. */
function bound(operator: string, [value]: readonly string[]): number {
  const beside = operator === RequirementOperator.Gt ? 1 : operator === RequirementOperator.Lt ? -1 : 0;
  return Number(value) + beside;
}

function admits({ operator, values }: Demand, value: string): boolean {
  const number = Number(value);
  const limit = Number(values[0]);
  switch (operator) {
    case RequirementOperator.In:
      return values.includes(value);
    case RequirementOperator.NotIn:
      return !values.includes(value);
    case RequirementOperator.Gt:
      return number > limit;
    case RequirementOperator.Gte:
      return number >= limit;
    case RequirementOperator.Lt:
      return number < limit;
    case RequirementOperator.Lte:
      return number <= limit;
    case RequirementOperator.Exists:
      return true;
    case RequirementOperator.DoesNotExist:
      return false;
  }
}
