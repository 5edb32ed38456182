import { NodeArchitecture } from "../cluster";
import { isGraviton, isInstanceType } from "../internal/instance-types";
import { labelKeyProblem, labelValueProblem } from "../internal/labels";
import { isDnsLabel } from "../internal/object-names";
import { quantityProblem } from "../internal/quantities";
import { oneOf, type Problems } from "../internal/validate";
import { NodePoolProfile } from "./disruption";
import { KarpenterChartVersion } from "./karpenter-versions";
import { nodeLabelProblem } from "./node-labels";
import {
  CapacityType,
  RequirementOperator,
  type KarpenterNodePoolArgs,
  type NodePoolLimits,
  type NodeRequirement,
} from "./node-pool-args";
import { typedRequirements } from "./node-pool-spec";
import { contradictions } from "./requirement-sets";
import { taintProblems } from "./taints";

/** Checks whatever is known when the component is constructed, but for how nodes are taken away. */
export function nodePoolProblems(problems: Problems, poolName: string, args: KarpenterNodePoolArgs): void {
  const before = problems.count;
  problems.add("poolName", poolNameProblem(poolName));
  problems.add("chartVersion", oneOf(KarpenterChartVersion, args.chartVersion));
  limitProblems(problems, args.limits);
  instanceProblems(problems, args);
  (args.requirements ?? []).forEach((requirement, index) =>
    requirementProblems(problems, requirement, `requirements[${index}]`),
  );
  // Only what is right by itself can be taken together.
  if (problems.count === before) contradictions(problems, args);
  const ours = typedRequirements(args).length;
  const theirs = args.requirements?.length ?? 0;
  problems.unless(
    theirs + ours <= most,
    "requirements",
    `has ${theirs} entries; the definition of a NodePool takes ${most}, of which other arguments make ${ours}: leave ${theirs + ours - most} out`,
  );
  const labels = Object.keys(args.labels ?? {}).length;
  problems.unless(
    labels <= most,
    "labels",
    `has ${labels} entries; the definition of a NodePool takes ${most}: leave ${labels - most} out`,
  );
  taintProblems(problems, { taints: args.taints ?? [], startupTaints: args.startupTaints ?? [] });
  problems.unless(
    args.weight === undefined || (Number.isInteger(args.weight) && args.weight >= 1 && args.weight <= 100),
    "weight",
    `must be a whole number from 1 to 100, not ${args.weight ?? ""}`,
  );
}

/** Requirements and labels of a NodePool (karpenter.sh_nodepools.yaml, `maxItems` and `maxProperties`). */
const most = 100;

/** What is wrong with the name of a pool or a class, which becomes the value of labels; or undefined. */
export function poolNameProblem(name: string): string | undefined {
  return isDnsLabel(name) && name.length <= 63
    ? undefined
    : `must be a DNS label (at most 63 lower-case letters, digits and hyphens, no hyphen at either end), not "${name}"`;
}

function limitProblems(problems: Problems, given: NodePoolLimits | undefined): void {
  if (given === undefined) {
    problems.add(
      "limits",
      'is missing: write how much the pool may make, such as { cpu: "200", memory: "800Gi" }; without limits a mistake costs without end',
    );
    return;
  }
  for (const [key, example] of [
    ["cpu", "200"],
    ["memory", "800Gi"],
  ] as const)
    problems.add(`limits.${key}`, quantityProblem(given[key], example));
  problems.unless(
    given.nodes === undefined || (Number.isInteger(given.nodes) && given.nodes >= 1),
    "limits.nodes",
    `must be a whole number of at least 1, not ${given.nodes ?? ""}`,
  );
}

/** EC2's instance types end at the eighth generation in November 2026 (m8g, c8i, r8gd); a few years' room. */
const latestGeneration = 12;

/** How the values are spelt. Others would be taken, and never met. */
const spellings = {
  instanceTypes: { is: isInstanceType, such: "an instance type such as m7i.large" },
  instanceCategories: {
    is: (value: string) => /^[a-z]+$/.test(value),
    such: "a category, the letters before the generation, such as m of m7i.large",
  },
  zones: {
    // Availability zones, and local ones such as us-west-2-lax-1a and us-east-1-wl1-bos-wlz-1.
    is: (value: string) => /^[a-z]{2,4}(-[a-z]+)+-\d+([a-z]|(-[a-z0-9]+)+)$/.test(value),
    such: "the name of a zone such as eu-west-1a (not of a region, nor an id such as euw1-az1)",
  },
};

function instanceProblems(problems: Problems, args: KarpenterNodePoolArgs): void {
  choices(problems, "architectures", args.architectures, Object.values(NodeArchitecture));
  choices(problems, "capacityTypes", args.capacityTypes, Object.values(CapacityType));
  for (const [argument, { is, such }] of Object.entries(spellings)) {
    const values = args[argument as keyof typeof spellings];
    problems.unless(values?.length !== 0, argument, "is empty, so no node could be made: name some, or leave it out");
    values?.forEach((value, index) =>
      problems.unless(is(value) && value.length <= 63, `${argument}[${index}]`, `must be ${such}, not "${value}"`),
    );
  }

  const capacity = args.capacityTypes ?? [CapacityType.OnDemand];
  problems.unless(
    args.profile !== NodePoolProfile.Stateful || !capacity.includes(CapacityType.Spot),
    "capacityTypes",
    "can't have spot with NodePoolProfile.Stateful: two minutes' notice are too few to move its pods in order",
  );
  problems.unless(
    args.nodeClassName !== undefined ||
      capacity.includes(CapacityType.Reserved) === (args.capacityReservationIds !== undefined),
    "capacityReservationIds",
    "and CapacityType.Reserved in capacityTypes need each other: give both or neither",
  );
  problems.unless(
    args.instanceTypes === undefined || (args.instanceCategories ?? args.minInstanceGeneration) === undefined,
    "instanceTypes",
    "can't be given together with instanceCategories or minInstanceGeneration: write the one or the others",
  );
  const generation = args.minInstanceGeneration;
  problems.unless(
    generation === undefined || (Number.isInteger(generation) && generation >= 1 && generation <= latestGeneration),
    "minInstanceGeneration",
    `must be a whole number from 1 to ${latestGeneration}, not ${generation ?? ""}: no type has a later one`,
  );
  // Graviton types carry a "g" after the generation: m7g, c6gn, x2gd.
  const architectures = args.architectures ?? [NodeArchitecture.X86];
  const misfits = (args.instanceTypes ?? []).filter(
    (type) => !architectures.includes(isGraviton(type) ? NodeArchitecture.Arm64 : NodeArchitecture.X86),
  );
  problems.unless(
    misfits.length === 0,
    "instanceTypes",
    `has ${misfits.join(", ")}, which architectures (${architectures.join(", ")}) exclude: change the one or the other`,
  );
}

function choices(problems: Problems, argument: string, given: string[] | undefined, known: string[]): void {
  problems.unless(
    given === undefined || (given.length > 0 && given.every((choice) => known.includes(choice))),
    argument,
    `must be some of ${known.join(", ")}, not ${given === undefined || given.length === 0 ? "none" : given.join(", ")}`,
  );
}

function requirementProblems(problems: Problems, requirement: NodeRequirement, where: string): void {
  const { key, operator, minValues } = requirement;
  const values = requirement.values ?? [];
  const operators = Object.values(RequirementOperator);
  problems.add(`${where}.key`, labelKeyProblem(key) ?? nodeLabelProblem(key));
  // The definition's own limit, one less than the longest key of a label.
  problems.unless(key.length <= 316, `${where}.key`, `must have at most 316 characters, not ${key.length}`);
  for (const value of values) problems.add(`${where}.values`, labelValueProblem(value));
  problems.unless(
    minValues === undefined || (Number.isInteger(minValues) && minValues >= 1 && minValues <= 50),
    `${where}.minValues`,
    `must be a whole number from 1 to 50, not ${minValues ?? ""}`,
  );
  switch (operator) {
    case RequirementOperator.In:
      problems.unless(values.length > 0, `${where}.values`, "is empty: In needs at least one");
      problems.unless(
        minValues === undefined || values.length >= minValues,
        `${where}.minValues`,
        `demands ${minValues ?? ""} values, but there are only ${values.length}`,
      );
      break;
    case RequirementOperator.NotIn:
      problems.unless(values.length > 0, `${where}.values`, "is empty: NotIn needs at least one");
      break;
    case RequirementOperator.Exists:
    case RequirementOperator.DoesNotExist:
      problems.unless(values.length === 0, `${where}.values`, `must be left out with ${operator}`);
      break;
    case RequirementOperator.Gt:
    case RequirementOperator.Lt:
    case RequirementOperator.Gte:
    case RequirementOperator.Lte:
      problems.unless(
        values.length === 1 && /^[0-9]+$/.test(values[0]!),
        `${where}.values`,
        `must be one whole number in quotes with ${operator}, not ${values.join(", ") || "none"}`,
      );
      break;
    default:
      problems.add(`${where}.operator`, `must be one of ${operators.join(", ")}, not "${operator as string}"`);
  }
}
