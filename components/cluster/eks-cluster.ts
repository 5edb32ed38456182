import * as aws from "@pulumi/aws";
import * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { locationOf, type OidcIdentity } from "../internal/iam";
import { known } from "../internal/known";
import { tagsFor } from "../internal/tags";
import { Problems } from "../internal/validate";
import { accessEntryArgs } from "./access";
import type { PlannedAddon } from "./addon-plan";
import { makeAddon } from "./addon-resources";
import { insideCluster } from "./child-cluster";
import type { ClusterRef } from "./cluster-ref";
import { eksClusterArguments } from "./cluster-shapes";
import type { EksClusterArgs } from "./eks-cluster-args";
import { makeNodes } from "./node-groups";
import { planCluster } from "./plan";
import { supportWarning } from "./versions";

/** Components of the control plane whose logs are kept; an incident is always looked up in the one that was off. */
const logTypes = ["api", "audit", "authenticator", "controllerManager", "scheduler"];

/**
 * An EKS cluster with what it takes to run pods: encryption with a key of its own, kept logs, access entries, pinned add-ons and a
 * small tainted group of system nodes. It makes no Kubernetes object, because a Kubernetes provider only exists once it does:
 *
 *     const cluster = new EksCluster("shop", { ... });
 *     const { name: clusterIdentifier, kubeconfig } = cluster;
 *     const kubernetes = new k8s.Provider("shop", { kubeconfig, clusterIdentifier }, { dependsOn: [cluster] });
 *
 * `dependsOn` makes whatever uses the provider wait for nodes and add-ons, and go before them on destroy. The kubeconfig calls
 * `aws eks get-token`, so the AWS CLI must be installed where the program runs.
 */
export class EksCluster extends pulumi.ComponentResource {
  /** Name of the cluster. Plain, never unknown. */
  public readonly name: string;
  /** Address of the Kubernetes API. */
  public readonly endpoint: pulumi.Output<string>;
  /** Configuration for kubectl and Kubernetes providers, JSON. Secret. */
  public readonly kubeconfig: pulumi.Output<string>;
  /** ARN of the IAM OpenID Connect provider, for roles of service accounts. */
  public readonly oidcProviderArn: pulumi.Output<string>;
  /** Issuer of the cluster's service account tokens, without `https://`. */
  public readonly oidcIssuer: pulumi.Output<string>;
  /** Security group that EKS made for the cluster; control plane and nodes carry it. */
  public readonly securityGroupId: pulumi.Output<string>;
  /** ARN of the role of the system nodes. */
  public readonly nodeRoleArn: pulumi.Output<string>;
  /** ARN of the EBS driver's role, which the policy of a key for volumes must let in (`DefaultStorageClass.kmsKeyArn`). */
  public readonly ebsCsiRoleArn: pulumi.Output<string>;
  /** What other components need to know of the cluster. */
  public readonly ref: ClusterRef;

  constructor(name: string, args: EksClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:EksCluster", name, args, opts);
    const problems = new Problems("EksCluster", name);
    const given = corrected(problems, args, eksClusterArguments);
    const plan = planCluster(name, given, problems);
    problems.throwIfAny();
    const warning = supportWarning(plan.version, new Date(Date.now()));
    if (warning !== undefined) void pulumi.log.warn(warning, this);

    const { clusterName, version, subnetIds, permissionsBoundaryArn } = plan;
    const location = locationOf(this);
    const zonalShift = given.zonalShift ?? true;

    const key = new aws.kms.Key(
      `${name}-key`,
      {
        description: `Kubernetes secrets of ${clusterName}`,
        enableKeyRotation: true,
        deletionWindowInDays: 30,
        tags: tagsFor(given.tags, `${clusterName}-secrets`),
      },
      { parent: this },
    );
    new aws.kms.Alias(
      `${name}-key-alias`,
      { name: `alias/eks/${clusterName}`, targetKeyId: key.keyId },
      { parent: this },
    );
    // EKS makes this log group when it is missing, without an expiry, and again when it outlives it: so before, and after, the cluster.
    const logs = new aws.cloudwatch.LogGroup(
      `${name}-logs`,
      {
        name: `/aws/eks/${clusterName}/cluster`,
        retentionInDays: plan.logRetentionInDays,
        tags: tagsFor(given.tags, `${clusterName}-control-plane`),
      },
      { parent: this },
    );

    const cluster = new eks.Cluster(
      `${name}-cluster`,
      {
        name: clusterName,
        version,
        vpcId: plan.vpcId,
        privateSubnetIds: subnetIds,
        authenticationMode: eks.AuthenticationMode.Api,
        accessEntries: accessEntryArgs(plan.access, location.partition),
        endpointPrivateAccess: true,
        endpointPublicAccess: plan.publicAccessCidrs.length > 0,
        // An empty list would mean everybody to AWS.
        publicAccessCidrs: plan.publicAccessCidrs.length > 0 ? plan.publicAccessCidrs : undefined,
        encryptionConfigKeyArn: key.arn,
        enabledClusterLogTypes: logTypes,
        deletionProtection: given.deletionProtection ?? true,
        // AWS's default is extended support, which costs six times as much once it begins.
        upgradePolicy: { supportType: "STANDARD" },
        skipDefaultNodeGroup: true,
        // Its security group for nodes would carry the cluster's tag as EKS's own does, and a node may carry only one such group.
        skipDefaultSecurityGroups: true,
        // It would open a connection to the issuer during every preview, and fail where there is no way there.
        createOidcProvider: false,
        bootstrapSelfManagedAddons: false,
        // "Default" means: none from here. The add-on is made below, with a role of its own.
        useDefaultVpcCni: true,
        corednsAddonOptions: { enabled: false },
        kubeProxyAddonOptions: { enabled: false },
        tags: tagsFor(given.tags, clusterName),
      },
      {
        parent: this,
        dependsOn: [logs],
        transforms: [insideCluster({ zonalShift, permissionsBoundaryArn })],
      },
    );

    const securityGroupId = known(
      cluster.eksCluster.apply((c) => c.vpcConfig.clusterSecurityGroupId),
      "the cluster's security group",
    );
    const oidcIssuer = known(cluster.oidcIssuer, "the cluster's issuer");
    // The private endpoint's network interfaces carry the cluster's group, which lets in nobody but its own members.
    for (const cidr of plan.privateAccessCidrs) {
      new aws.vpc.SecurityGroupIngressRule(
        `${name}-api-${cidr.replace("/", "-")}`,
        {
          securityGroupId,
          description: `Kubernetes API from ${cidr}`,
          ipProtocol: "tcp",
          fromPort: 443,
          toPort: 443,
          cidrIpv4: cidr,
          tags: tagsFor(given.tags, `${clusterName}-api`),
        },
        { parent: this },
      );
    }

    const identityProvider = new aws.iam.OpenIdConnectProvider(
      `${name}-oidc`,
      {
        url: pulumi.interpolate`https://${oidcIssuer}`,
        clientIdLists: ["sts.amazonaws.com"],
        tags: tagsFor(given.tags, `${clusterName}-oidc`),
      },
      { parent: this },
    );
    const identity: OidcIdentity = { oidcProviderArn: identityProvider.arn, oidcIssuer };

    const roles = { partition: location.partition, permissionsBoundaryArn, tags: given.tags };
    const addon = (planned: PlannedAddon, after: pulumi.Resource[]) =>
      makeAddon(this, name, planned, { clusterName, identity, roles, after: [cluster, identityProvider] }, after);
    const beforeNodes = plan.addons.filter(({ definition }) => !definition.needsNodes);
    const onNodes = plan.addons.filter(({ definition }) => definition.needsNodes);
    const ready = beforeNodes.map((planned) => addon(planned, []).addon);
    const nodes = makeNodes(
      this,
      name,
      {
        clusterName,
        kubernetesVersion: version,
        subnetIds,
        system: plan.systemNodes,
        workload: plan.workloadNodes,
        dnsSuffix: location.dnsSuffix,
        roles,
      },
      [cluster, ...ready],
    );
    const roleArns = new Map(
      onNodes.map((planned) => [planned.definition.key, addon(planned, [nodes.system]).roleArn]),
    );

    this.name = clusterName;
    this.endpoint = known(
      cluster.eksCluster.apply((c) => c.endpoint),
      "the cluster's endpoint",
    );
    this.kubeconfig = pulumi.secret(known(cluster.kubeconfigJson, "the kubeconfig"));
    this.oidcProviderArn = identityProvider.arn;
    this.oidcIssuer = oidcIssuer;
    this.securityGroupId = securityGroupId;
    this.nodeRoleArn = nodes.roleArn;
    this.ebsCsiRoleArn = roleArns.get("ebsCsiDriver")!; // the driver is always there, and has a role
    this.ref = {
      name: clusterName,
      endpoint: this.endpoint,
      certificateAuthority: known(
        cluster.eksCluster.apply((c) => c.certificateAuthority.data),
        "the cluster's certificate authority",
      ),
      oidcProviderArn: this.oidcProviderArn,
      oidcIssuer: this.oidcIssuer,
      securityGroupId: this.securityGroupId,
      vpcId: plan.vpcId,
      zonalShift,
    };
    this.registerOutputs({
      name: this.name,
      endpoint: this.endpoint,
      kubeconfig: this.kubeconfig,
      oidcProviderArn: this.oidcProviderArn,
      oidcIssuer: this.oidcIssuer,
      securityGroupId: this.securityGroupId,
      nodeRoleArn: this.nodeRoleArn,
      ebsCsiRoleArn: this.ebsCsiRoleArn,
      ref: this.ref,
    });
  }
}
