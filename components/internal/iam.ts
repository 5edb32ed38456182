import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

/** Longest policy document that IAM stores, in characters without white space (IAM quotas, "managed policy size"). */
export const longestManagedPolicy = 6144;

/** One statement of an IAM policy document, as AWS spells it. */
export interface PolicyStatement {
  Sid?: string;
  Effect: "Allow" | "Deny";
  Principal?: "*" | Record<string, pulumi.Input<string> | pulumi.Input<string>[]>;
  Action: string | string[];
  Resource?: pulumi.Input<string> | pulumi.Input<string>[];
  Condition?: Record<string, Record<string, pulumi.Input<string> | pulumi.Input<string>[]>>;
}

/** Renders statements as a policy document. */
export function policyDocument(statements: pulumi.Input<PolicyStatement>[]): pulumi.Output<string> {
  return pulumi.jsonStringify({ Version: "2012-10-17", Statement: statements });
}

/** The partition, account and region that ARNs of this component's children carry. */
export interface Location {
  partition: pulumi.Output<string>;
  accountId: pulumi.Output<string>;
  region: pulumi.Output<string>;
  /** Suffix of service principals: `amazonaws.com`, in China `amazonaws.com.cn`. */
  dnsSuffix: pulumi.Output<string>;
}

/** Asks the component's own AWS provider where it deploys to; `parent` makes it the right provider. */
export function locationOf(parent: pulumi.Resource): Location {
  const partition = aws.getPartitionOutput({}, { parent });
  return {
    partition: partition.partition,
    dnsSuffix: partition.dnsSuffix,
    accountId: aws.getCallerIdentityOutput({}, { parent }).accountId,
    region: aws.getRegionOutput({}, { parent }).region,
  };
}

/** Identity of a cluster's OpenID Connect provider, by which AWS knows its service accounts. */
export interface OidcIdentity {
  /** ARN of the IAM OpenID Connect provider. */
  oidcProviderArn: pulumi.Input<string>;
  /** Issuer without `https://`. */
  oidcIssuer: pulumi.Input<string>;
}

/**
 * Trust policy that lets exactly one service account assume a role (IRSA). Both `aud` and `sub` are compared for
 * equality: a wildcard in `sub` would let any pod that can name its service account take the role.
 */
export function serviceAccountTrust(
  identity: OidcIdentity,
  namespace: string,
  serviceAccount: string,
): pulumi.Output<string> {
  return pulumi.all([identity.oidcProviderArn, identity.oidcIssuer]).apply(([arn, url]) => {
    // AWS shows the issuer with its scheme, and a policy with that would match no token, in silence.
    const issuer = url.replace(/^https:\/\//, "");
    return JSON.stringify({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: arn },
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: {
            StringEquals: {
              [`${issuer}:aud`]: "sts.amazonaws.com",
              [`${issuer}:sub`]: `system:serviceaccount:${namespace}:${serviceAccount}`,
            },
          },
        },
      ],
    });
  });
}

/** AWS managed policies of a node. vpc-cni has a role of its own; Session Manager stands in for SSH keys. */
export const nodePolicies: readonly string[] = [
  "AmazonEKSWorkerNodePolicy",
  "AmazonEC2ContainerRegistryPullOnly",
  "AmazonSSMManagedInstanceCore",
];

/** Trust policy of the role of nodes: EC2 gives it to instances. */
export function nodeTrust(dnsSuffix: pulumi.Input<string>): pulumi.Output<string> {
  return policyDocument([
    { Effect: "Allow", Principal: { Service: pulumi.interpolate`ec2.${dnsSuffix}` }, Action: "sts:AssumeRole" },
  ]);
}

/**
 * Trust policy that lets EKS give a role to the pods of exactly one service account of one cluster (Pod Identity). The association alone would
 * say so, too, but whoever may make associations and pass the role could then give it to pods of another cluster, or to any in this one: hence
 * the source, and the tags that EKS puts on the session (EKS user guide, "Create IAM role with trust policy required by EKS Pod Identity").
 */
export function podIdentityTrust(
  location: Location,
  clusterName: string,
  namespace: string,
  serviceAccount: string,
): pulumi.Output<string> {
  const { partition, region, accountId } = location;
  return policyDocument([
    {
      Effect: "Allow",
      Principal: { Service: "pods.eks.amazonaws.com" },
      Action: ["sts:AssumeRole", "sts:TagSession"],
      Condition: {
        StringEquals: {
          "aws:SourceAccount": accountId,
          "aws:RequestTag/kubernetes-namespace": namespace,
          "aws:RequestTag/kubernetes-service-account": serviceAccount,
        },
        ArnEquals: {
          "aws:SourceArn": pulumi.interpolate`arn:${partition}:eks:${region}:${accountId}:cluster/${clusterName}`,
        },
      },
    },
  ]);
}
