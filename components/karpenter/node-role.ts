import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { nodePolicies, nodeTrust, type Location } from "../internal/iam";
import { tagsFor } from "../internal/tags";
import type { KarpenterArgs } from "./karpenter-args";

/** The role of the nodes, and what must exist before a node can join the cluster with it. */
export interface NodeRole {
  readonly role: aws.iam.Role;
  /** Only in an isolated VPC. */
  readonly profile: aws.iam.InstanceProfile | undefined;
  readonly ready: pulumi.Resource[];
}

/**
 * Makes the role of the nodes with its policies, and the access entry that lets them join, which needs the cluster: `after` is something that
 * can't be there before it. Not shared with a managed node group:
 * EKS makes an entry for its role itself, and takes one for each role only.
 */
export function makeNodeRole(
  parent: pulumi.ComponentResource,
  name: string,
  args: KarpenterArgs,
  location: Location,
  after: pulumi.Resource[],
): NodeRole {
  const role = new aws.iam.Role(
    `${name}-node`,
    {
      description: `Nodes that Karpenter makes for ${args.cluster.name}`,
      assumeRolePolicy: nodeTrust(location.dnsSuffix),
      permissionsBoundary: args.permissionsBoundaryArn,
      tags: tagsFor(args.tags, `${name}-node`),
    },
    { parent },
  );
  const attach = (key: string, policyArn: pulumi.Input<string>) =>
    new aws.iam.RolePolicyAttachment(`${name}-node-${key}`, { role: role.name, policyArn }, { parent });
  const attachments = [
    ...nodePolicies.map((policy) =>
      attach(policy, pulumi.interpolate`arn:${location.partition}:iam::aws:policy/${policy}`),
    ),
    ...Object.entries(args.nodePolicyArns ?? {}).map(([key, arn]) => attach(key, arn)),
  ];
  const access = new aws.eks.AccessEntry(
    `${name}-node-access`,
    {
      clusterName: args.cluster.name,
      principalArn: role.arn,
      type: "EC2_LINUX",
      tags: tagsFor(args.tags, `${name}-node-access`),
    },
    // EKS refuses a role that IAM hasn't spread yet: the attachments give it the time.
    { parent, dependsOn: [...attachments, ...after] },
  );
  // Elsewhere Karpenter makes the profiles itself, one for each node class, and follows a class to another role. In an isolated VPC it can't: IAM
  // has no endpoint there.
  const profile = args.isolatedVpc
    ? new aws.iam.InstanceProfile(
        `${name}-node`,
        { role: role.name, tags: tagsFor(args.tags, `${name}-node`) },
        { parent },
      )
    : undefined;
  return { role, profile, ready: [...attachments, access, ...(profile === undefined ? [] : [profile])] };
}
