import * as pulumi from "@pulumi/pulumi";
import { reservedValueProblems } from "../internal/chart-values";
import { longestManagedPolicy } from "../internal/iam";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { isClusterName, requireNameFits } from "../internal/names";
import type { Problems } from "../internal/validate";
import type { LoadBalancerControllerArgs } from "./controller-args";
import { reservedValues } from "./controller-reserved-values";
import { ControllerPermissions } from "./controller-versions";
import { roleArnProblem, securityGroupIdProblem, targetGroupArnProblem, vpcIdProblem } from "../internal/formats";
import { issuerProblems, WebhookCertificate } from "./webhook-certificate";

/** Arguments that may only be known later: checked when they are. */
export interface ControllerInputs {
  readonly region: pulumi.Input<string>;
  readonly vpcId: pulumi.Input<string>;
  readonly targetGroupArns: pulumi.Input<string>[];
  readonly assumeRoleArns: pulumi.Input<string>[];
  readonly backendSecurityGroupId: pulumi.Input<string> | undefined;
}

/** Controllers by their cluster's provider, as far as this program makes them. Another program's stops at the release's name. */
const controllers = new WeakMap<pulumi.ProviderResource, string>();

/** Records what is wrong with a controller's arguments, and returns those that may only be known later. */
export function controllerProblems(
  problems: Problems,
  component: pulumi.ComponentResource,
  name: string,
  args: LoadBalancerControllerArgs,
  permissions: ControllerPermissions,
  replicas: number,
): ControllerInputs {
  requireKubernetesProvider(component, problems);
  requireOnlyController(problems, component, name);
  requireNameFits(problems, "IAM role", `${name}-role`);
  requireNameFits(problems, "IAM policy", `${name}-policy`);
  problems.unless(
    isClusterName(args.cluster.name),
    "cluster.name",
    `is "${args.cluster.name}"; it becomes part of an IAM path: write the name of the EKS cluster (letters, digits, - and _, at most 100)`,
  );
  problems.unless(
    Number.isInteger(replicas) && replicas >= 2,
    "replicas",
    `must be a whole number of at least 2, not ${replicas}: one pod can't be moved without stopping registration`,
  );
  const full = permissions === ControllerPermissions.Full;
  problems.unless(
    !full || (args.targetGroupArns ?? []).length === 0,
    "targetGroupArns",
    "has no effect with ControllerPermissions.Full, which may register to every target group: leave it out",
  );
  problems.unless(
    full || args.backendSecurityGroupId === undefined,
    "backendSecurityGroupId",
    "has no effect without ControllerPermissions.Full: the controller makes no load balancers then",
  );
  issuerProblems(problems, args.webhookCertificate ?? WebhookCertificate.Own, args.certManagerIssuer);
  reservedValueProblems(problems, "extraValues", args.extraValues ?? {}, reservedValues(permissions));

  return {
    region: problems.input(orNone(args.region), "region", regionProblem),
    vpcId: problems.input(orNone(args.cluster.vpcId), "cluster.vpcId", vpcIdProblem),
    targetGroupArns: each(problems, "targetGroupArns", args.targetGroupArns, targetGroupArnProblem),
    assumeRoleArns: each(problems, "assumeRoleArns", args.assumeRoleArns, roleArnProblem),
    backendSecurityGroupId: problems.input(
      args.backendSecurityGroupId,
      "backendSecurityGroupId",
      securityGroupIdProblem,
    ),
  };
}

function requireOnlyController(problems: Problems, component: pulumi.ComponentResource, name: string): void {
  const provider = component.getProvider("kubernetes:core/v1:Service");
  if (provider === undefined) return;
  const other = controllers.get(provider);
  problems.unless(
    other === undefined,
    "opts.providers",
    `is the provider of the controller "${other}", too: two in one cluster take each other's targets and rules away (issue 2185)`,
  );
  controllers.set(provider, name);
}

function each(
  problems: Problems,
  argument: string,
  values: pulumi.Input<string>[] = [],
  check: (value: string) => string | undefined,
): pulumi.Input<string>[] {
  return values.map((value, index) => problems.input(value, `${argument}[${index}]`, check));
}

/** JavaScript can leave an argument out. The chart would leave its flag out, and the pods wouldn't start (issue 2231). */
function orNone(value: pulumi.Input<string> | undefined): pulumi.Input<string> {
  return value ?? "";
}

function regionProblem(region: string): string | undefined {
  return /^[a-z]+(-[a-z]+)+-\d+$/.test(region)
    ? undefined
    : `must be a region such as eu-west-1, not "${region}": without one the controller asks the metadata service, which pods can't reach`;
}

/** What is wrong with the policy of a controller, or undefined. */
export function policySizeProblem(document: string): string | undefined {
  return document.length <= longestManagedPolicy
    ? undefined
    : `makes a policy of ${document.length} characters; IAM stores ${longestManagedPolicy}: name fewer roles, and fewer groups, or tag these instead (moorings-target-registration)`;
}
