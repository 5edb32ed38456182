import { reservedValueProblems } from "../internal/chart-values";
import { isClusterName, requireNameFits } from "../internal/names";
import { policyArnProblem } from "../internal/policy-arn";
import { oneOf, type Problems } from "../internal/validate";
import { reservedValues } from "./controller-reserved-values";
import { gatesKnownTo, type KarpenterFeatureGates } from "./feature-gates";
import { KarpenterIdentity } from "./identity";
import { interruptionRules } from "./interruption";
import type { KarpenterArgs } from "./karpenter-args";
import { compatibilityProblem, KarpenterChartVersion } from "./karpenter-versions";
import { nodePolicies } from "./node-role";

/** Checks whatever is known when the component is constructed. */
export function karpenterProblems(
  problems: Problems,
  name: string,
  args: KarpenterArgs,
  version: KarpenterChartVersion,
  replicas: number,
): void {
  for (const role of ["controller", "node"]) requireNameFits(problems, "IAM role", `${name}-${role}`);
  requireNameFits(problems, "SQS queue", `${name}-interruptions`);
  const [longestRule] = Object.keys(interruptionRules).sort((a, b) => b.length - a.length);
  requireNameFits(problems, "EventBridge rule", `${name}-${longestRule!}`);

  problems.unless(
    isClusterName(args.cluster.name),
    "cluster.name",
    `is "${args.cluster.name}"; it becomes part of tags and ARNs: write the name of the EKS cluster (letters, digits, - and _, at most 100)`,
  );
  problems.unless(
    Number.isInteger(replicas) && replicas >= 2,
    "replicas",
    `must be a whole number of at least 2, not ${replicas}: one pod can't be moved without stopping what makes nodes`,
  );
  problems.add("identity", oneOf(KarpenterIdentity, args.identity));
  problems.unless(
    !Array.isArray(args.extraValues),
    "extraValues",
    'is a list, as it was before 0.1.0: write nested values, for example { logLevel: "debug" }',
  );
  reservedValueProblems(problems, "extraValues", args.extraValues ?? {}, reservedValues);
  problems.unless(
    args.chartRepository === undefined || /^((oci|https):\/\/|\.{0,2}\/)\S*[^/\s]$/.test(args.chartRepository),
    "chartRepository",
    `must be the address of a repository (oci://... or https://...) or a directory, without a slash at its end, not "${args.chartRepository ?? ""}"`,
  );
  nodePolicyProblems(problems, args);
  versionProblems(problems, args, version);
}

function versionProblems(problems: Problems, args: KarpenterArgs, version: KarpenterChartVersion): void {
  const versions = Object.values(KarpenterChartVersion);
  if (!versions.includes(version)) {
    // Without knowing the release there is no saying which permissions it needs.
    problems.add("chartVersion", `must be one of ${versions.join(", ")}, not "${version as string}"`);
    return;
  }
  if (args.kubernetesVersion !== undefined)
    problems.add("kubernetesVersion", compatibilityProblem(version, args.kubernetesVersion));
  for (const [gate, on] of Object.entries(args.featureGates ?? {}))
    problems.unless(
      on === undefined || gatesKnownTo[version].includes(gate as keyof KarpenterFeatureGates),
      `featureGates.${gate}`,
      `isn't known to Karpenter ${version}, which would ignore it: leave it out, or choose another chartVersion`,
    );
}

function nodePolicyProblems(problems: Problems, args: KarpenterArgs): void {
  for (const [key, arn] of Object.entries(args.nodePolicyArns ?? {})) {
    problems.unless(
      /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(key) && !nodePolicies.includes(key),
      `nodePolicyArns["${key}"]`,
      nodePolicies.includes(key) ? "is attached anyway: leave it out" : "must have a key of letters, digits, - and _",
    );
    problems.add(`nodePolicyArns.${key}`, typeof arn === "string" ? policyArnProblem(arn) : undefined);
  }
  const boundary = args.permissionsBoundaryArn;
  problems.add("permissionsBoundaryArn", typeof boundary === "string" ? policyArnProblem(boundary) : undefined);
}
