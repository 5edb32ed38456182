import type * as pulumi from "@pulumi/pulumi";
import { reservedValueProblems } from "../internal/chart-values";
import { policyArnProblem } from "../internal/formats";
import { nodePolicies } from "../internal/iam";
import { checkedLabelsInput, labelKeyProblem } from "../internal/labels";
import { isClusterName, requireNameFits } from "../internal/names";
import { systemNodeLabels } from "../internal/system-nodes";
import { isMap, oneOf, type Problems } from "../internal/validate";
import { reservedValues } from "./controller-reserved-values";
import { gatesKnownTo, type KarpenterFeatureGates } from "./feature-gates";
import { interruptionRules } from "./interruption";
import { KarpenterIdentity, type KarpenterArgs } from "./karpenter-args";
import { compatibilityProblem, defaultChartVersion, KarpenterChartVersion } from "./karpenter-versions";

/** Arguments that may only be known later: checked when they are. */
export interface KarpenterInputs {
  readonly permissionsBoundaryArn: pulumi.Input<string> | undefined;
  readonly nodePolicyArns: Readonly<Record<string, pulumi.Input<string>>>;
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Records what is wrong with the arguments, and returns those that may only be known later. */
export function karpenterProblems(
  problems: Problems,
  name: string,
  args: KarpenterArgs,
  version: KarpenterChartVersion,
  replicas: number,
): KarpenterInputs {
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
  const { extraValues = {} } = args;
  reservedValueProblems(problems, "extraValues", extraValues, reservedValues);
  imageProblems(problems, extraValues);
  problems.unless(
    args.chartRepository === undefined || /^((oci|https):\/\/|\.{0,2}\/)\S*[^/\s]$/.test(args.chartRepository),
    "chartRepository",
    `must be the address of a repository (oci://... or https://...) or a directory, without a slash at its end, not "${args.chartRepository ?? ""}"`,
  );
  versionProblems(problems, args, version);
  return {
    permissionsBoundaryArn: problems.input(args.permissionsBoundaryArn, "permissionsBoundaryArn", policyArnProblem),
    nodePolicyArns: nodePolicyArns(problems, args.nodePolicyArns ?? {}),
    nodeSelector: checkedLabelsInput(
      problems,
      "nodeSelector",
      args.nodeSelector ?? systemNodeLabels,
      selectorKeyProblem,
    ),
  };
}

/** A mirror may have the image, of the same version. What would be another one is refused; `controller.image.tag` is reserved. */
function imageProblems(problems: Problems, extraValues: unknown): void {
  const below = (value: unknown, key: string) => (isMap(value) ? value[key] : undefined);
  const image = ["controller", "image"].reduce(below, extraValues);
  const { digest, repository } = isMap(image) ? image : {};
  // A digest wins over the tag, and so over the version; the chart has that of the public image.
  if (digest !== undefined && digest !== "" && digest !== null)
    problems.add(
      "extraValues.controller.image.digest",
      'is the image of one version, whatever chartVersion says: leave it out, or write "" for a mirror whose images have other digests, where the tag then decides',
    );
  // The chart adds the tag: with another one no pod starts.
  if (typeof repository === "string")
    problems.unless(
      !/@|:[^/]*$/.test(repository),
      "extraValues.controller.image.repository",
      `must be the image's address without a tag or a digest, which follow chartVersion, not "${repository}"`,
    );
}

function versionProblems(problems: Problems, args: KarpenterArgs, given: KarpenterChartVersion): void {
  const versions = Object.values(KarpenterChartVersion);
  // Without knowing the release there is no saying which permissions it needs.
  const unknown = oneOf(KarpenterChartVersion, given);
  problems.add(
    "chartVersion",
    unknown &&
      `${unknown}: those are the releases whose permissions this Moorings knows. Write the one that is installed, or the newest to upgrade; ` +
        "later ones come with later Moorings",
  );
  const version = versions.includes(given) ? given : defaultChartVersion;
  if (args.kubernetesVersion !== undefined)
    problems.add("kubernetesVersion", compatibilityProblem(version, args.kubernetesVersion));
  for (const [gate, on] of Object.entries(args.featureGates ?? {}))
    problems.unless(
      on === undefined || gatesKnownTo[version].includes(gate as keyof KarpenterFeatureGates),
      `featureGates.${gate}`,
      `isn't known to Karpenter ${version}, which would ignore it: leave it out, or choose another chartVersion`,
    );
}

function nodePolicyArns(
  problems: Problems,
  given: Record<string, pulumi.Input<string>>,
): Record<string, pulumi.Input<string>> {
  const checked = Object.entries(given).map(([key, arn]) => {
    problems.unless(
      /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(key) && !nodePolicies.includes(key),
      `nodePolicyArns["${key}"]`,
      nodePolicies.includes(key) ? "is attached anyway: leave it out" : "must have a key of letters, digits, - and _",
    );
    return [key, problems.input<string>(arn, `nodePolicyArns.${key}`, policyArnProblem)] as const;
  });
  return Object.fromEntries(checked);
}

/** What is wrong with a label of the controller's nodes, or undefined. Its pods would wait for ever: the chart keeps them off those nodes. */
function selectorKeyProblem(key: string): string | undefined {
  return /^karpenter\.(sh|k8s\.aws)\//.test(key)
    ? "is a label of nodes that Karpenter makes, which it may not run on: name others, such as a node group's"
    : labelKeyProblem(key);
}
