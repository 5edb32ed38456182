import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { podIdentityTrust, serviceAccountTrust, type Location } from "../internal/iam";
import { tagsFor } from "../internal/tags";
import { KarpenterIdentity, type KarpenterArgs } from "./karpenter-args";
import { controllerName, controllerNamespace } from "./karpenter-versions";

/** The trust policy of the controller's role: for one service account of one cluster, either way. */
export function controllerTrust(args: KarpenterArgs, location: Location): pulumi.Output<string> {
  return args.identity === KarpenterIdentity.PodIdentity
    ? podIdentityTrust(location, args.cluster.name, controllerNamespace, controllerName)
    : serviceAccountTrust(args.cluster, controllerNamespace, controllerName);
}

/**
 * What the controller's role waits for, because its inputs may not say it: with Pod Identity it names the cluster by plain text only, and what
 * comes after the role (access entry, association) needs the cluster.
 */
export function clusterOf(args: KarpenterArgs): pulumi.Output<pulumi.Resource[]> {
  return pulumi.output(args.cluster.endpoint).apply((): pulumi.Resource[] => []);
}

/**
 * Ties the role to the service account where that isn't the annotation's business, and returns what must be there before the first pod: one
 * that starts earlier gets no credentials, and none later (amazon-eks-pod-identity-webhook issue 264).
 */
export function makeIdentity(
  parent: pulumi.ComponentResource,
  name: string,
  args: KarpenterArgs,
  role: aws.iam.Role,
): pulumi.Resource[] {
  if (args.identity !== KarpenterIdentity.PodIdentity) return [];
  return [
    new aws.eks.PodIdentityAssociation(
      `${name}-identity`,
      {
        clusterName: args.cluster.name,
        namespace: controllerNamespace,
        serviceAccount: controllerName,
        roleArn: role.arn,
        tags: tagsFor(args.tags, `${name}-identity`),
      },
      { parent },
    ),
  ];
}
