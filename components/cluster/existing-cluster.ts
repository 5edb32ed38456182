import * as aws from "@pulumi/aws";
import type * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { corrected, type KnownArguments } from "../internal/arguments";
import { known } from "../internal/known";
import { isClusterName } from "../internal/names";
import { anything, late, text } from "../internal/shapes";
import { checked, Problems } from "../internal/validate";
import type { ClusterRef } from "./cluster-ref";

/** Options of {@link clusterRefFromEks}. */
export interface FromEksOptions {
  /** ARN of the IAM OpenID Connect provider. Defaults to the one that `eks.Cluster` makes with `createOidcProvider: true`. */
  oidcProviderArn?: pulumi.Input<string>;
}

/** Options of {@link clusterRefByName}. */
export interface ByNameOptions {
  /** Resource whose AWS provider asks for the cluster. Defaults to the default provider. */
  parent?: pulumi.Resource;
  /** AWS provider that asks for the cluster. Defaults to the parent's. */
  provider?: pulumi.ProviderResource;
  /** ARN of the IAM OpenID Connect provider. Defaults to the ARN that it has in the cluster's account; it must exist there. */
  oidcProviderArn?: pulumi.Input<string>;
}

/**
 * Describes a cluster made with `@pulumi/eks`.
 *
 * @param name name of the cluster in AWS; it must be plain (see `ClusterRef.name`) and is compared with the real one.
 */
export function clusterRefFromEks(name: string, cluster: eks.Cluster, options: FromEksOptions = {}): ClusterRef {
  const { oidcProviderArn } = checkedReference("clusterRefFromEks", name, { cluster, ...options }, fromEks);
  const made = cluster.eksCluster;
  const what = `cluster "${name}"`;
  return refOf(
    name,
    pulumi.output({
      name: known(
        made.apply((c) => c.name),
        what,
      ),
      endpoint: known(
        made.apply((c) => c.endpoint),
        what,
      ),
      certificateAuthority: known(
        made.apply((c) => c.certificateAuthority.data),
        what,
      ),
      oidcIssuer: known(cluster.oidcIssuer, what),
      securityGroupId: known(
        made.apply((c) => c.vpcConfig.clusterSecurityGroupId),
        what,
      ),
      vpcId: known(
        made.apply((c) => c.vpcConfig.vpcId),
        what,
      ),
    }),
    oidcProviderArn ?? known(cluster.oidcProviderArn, `the identity provider of ${what}`),
  );
}

/**
 * Describes a cluster made with `aws.eks.Cluster`.
 *
 * @param name name of the cluster in AWS; it must be plain (see `ClusterRef.name`) and is compared with the real one.
 * @param oidcProviderArn ARN of the IAM OpenID Connect provider of the cluster's issuer.
 */
export function clusterRefFromAws(
  name: string,
  cluster: aws.eks.Cluster,
  oidcProviderArn: pulumi.Input<string>,
): ClusterRef {
  checkedReference("clusterRefFromAws", name, { cluster, oidcProviderArn }, fromAws);
  return refOf(
    name,
    pulumi.output({
      name: cluster.name,
      endpoint: cluster.endpoint,
      certificateAuthority: cluster.certificateAuthority.data,
      oidcIssuer: cluster.identities.apply(issuerOf),
      securityGroupId: cluster.vpcConfig.clusterSecurityGroupId,
      vpcId: cluster.vpcConfig.vpcId,
    }),
    oidcProviderArn,
  );
}

/** Describes a cluster that exists, by asking AWS for it in every preview and update. */
export function clusterRefByName(name: string, options: ByNameOptions = {}): ClusterRef {
  const { parent, provider, oidcProviderArn } = checkedReference("clusterRefByName", name, options, byName);
  const found = aws.eks.getClusterOutput({ name }, { parent, provider });
  const oidcIssuer = found.identities.apply(issuerOf);
  return refOf(
    name,
    pulumi.output({
      name: found.name,
      endpoint: found.endpoint,
      certificateAuthority: found.certificateAuthorities.apply((a) => a[0]?.data),
      oidcIssuer,
      securityGroupId: found.vpcConfig.clusterSecurityGroupId,
      vpcId: found.vpcConfig.vpcId,
    }),
    // arn:aws:eks:<region>:<account>:cluster/<name>; the provider's ARN follows from account and issuer.
    oidcProviderArn ??
      pulumi.all([found.arn, oidcIssuer]).apply(([arn, issuer]) => {
        const [, partition, , , account] = arn.split(":");
        return issuer === undefined ? "" : `arn:${partition}:iam::${account}:oidc-provider/${issuer}`;
      }),
  );
}

const oidcProvider = { oidcProviderArn: late(text) };
const noCluster = { cluster: "is missing: give the cluster that was made" };
const fromEks: KnownArguments<FromEksOptions & { cluster: eks.Cluster }> = {
  shapes: { cluster: anything, ...oidcProvider },
  missing: noCluster,
};
const fromAws: KnownArguments<{ cluster: aws.eks.Cluster; oidcProviderArn: pulumi.Input<string> }> = {
  shapes: { cluster: anything, ...oidcProvider },
  missing: {
    ...noCluster,
    oidcProviderArn: "is missing: give the ARN of the IAM OpenID Connect provider of the cluster's issuer",
  },
};
const byName: KnownArguments<ByNameOptions> = { shapes: { parent: anything, provider: anything, ...oidcProvider } };

/** What programs without types may get wrong, in one error, before anybody is asked. */
function checkedReference<Args extends object>(
  made: string,
  name: string,
  args: Args,
  known: KnownArguments<Args>,
): Args {
  const problems = new Problems(made);
  problems.unless(
    typeof name === "string" && isClusterName(name),
    "name",
    "must be the plain name of the cluster in AWS: it becomes part of tags, paths and metrics' names",
  );
  const given = corrected(problems, args, known);
  problems.throwIfAny();
  return given;
}

/** What AWS says of a cluster. While it is being made, some of it isn't there. */
interface Known {
  name: string;
  endpoint: string | undefined;
  certificateAuthority: string | undefined;
  oidcIssuer: string | undefined;
  securityGroupId: string | undefined;
  vpcId: string;
}

function refOf(name: string, cluster: pulumi.Output<Known>, oidcProviderArn: pulumi.Input<string>): ClusterRef {
  // Role paths and tags are built from `name`: with another cluster's they would grant nothing, or the wrong thing.
  const same = checked(cluster, "name", (found) => {
    if (found.name !== name) return `is "${name}", but the cluster is called "${found.name}"; pass that`;
    const missing = needed.flatMap(([key, what]) => ((found[key] ?? "") === "" ? [what] : []));
    return missing.length === 0
      ? undefined
      : `is that of a cluster without ${missing.join(", ")}: wait until EKS says that it is ACTIVE`;
  });
  const part = (key: keyof Known) => same.apply((found) => found[key] ?? "");
  return {
    name,
    endpoint: part("endpoint"),
    certificateAuthority: part("certificateAuthority"),
    oidcProviderArn: checked(oidcProviderArn, "oidcProviderArn", (arn) =>
      arn === ""
        ? "is empty: make the cluster with createOidcProvider: true, or pass the ARN of its IAM OpenID Connect provider"
        : undefined,
    ),
    oidcIssuer: part("oidcIssuer"),
    securityGroupId: part("securityGroupId"),
    vpcId: part("vpcId"),
  };
}

/** What other components can't do without. */
const needed: readonly [keyof Known, string][] = [
  ["endpoint", "an endpoint"],
  ["certificateAuthority", "a certificate authority"],
  ["oidcIssuer", "an OpenID Connect issuer"],
  ["securityGroupId", "a security group of its own"],
];

function issuerOf(identities: { oidcs?: { issuer?: string }[] }[]): string | undefined {
  return identities[0]?.oidcs?.[0]?.issuer?.replace("https://", "");
}
