import type * as pulumi from "@pulumi/pulumi";
import { policyArnProblem, subnetIdsProblem, vpcIdProblem } from "../internal/formats";
import { retentionProblem } from "../internal/log-retention";
import { isClusterName, requireNameFits } from "../internal/names";
import { callersProblems } from "../internal/ranges";
import type { Problems } from "../internal/validate";
import { planAccess, type ClusterAccess } from "./access";
import { planAddons, type PlannedAddon } from "./addon-plan";
import type { EksClusterArgs } from "./eks-cluster-args";
import { planNodes, type NodesPlan } from "./node-args";
import { defaultVersion, versionProblem } from "./versions";

/** The arguments with defaults, each checked: those that are known when the component is made, and the others when they are. */
export interface ClusterPlan {
  readonly clusterName: string;
  readonly version: string;
  readonly vpcId: pulumi.Input<string>;
  readonly subnetIds: pulumi.Input<string[]>;
  readonly access: Readonly<Record<string, ClusterAccess>>;
  readonly publicAccessCidrs: string[];
  readonly privateAccessCidrs: string[];
  readonly systemNodes: NodesPlan;
  readonly workloadNodes: NodesPlan | undefined;
  readonly addons: readonly PlannedAddon[];
  readonly logRetentionInDays: pulumi.Input<number>;
  readonly permissionsBoundaryArn: pulumi.Input<string> | undefined;
}

/** What nobody may reach just like that. IPv6 isn't spoken: EKS takes no such block for a cluster of the family IPv4. */
const api = {
  what: "the Kubernetes API",
  instead: "name the networks you administer from, or leave it out and deploy from inside the VPC",
};

/** EKS: "The following CIDRs are not allowed in publicAccessCidrs". */
const refusedByEks =
  "which EKS refuses here: write the address that they have on the internet, or use privateAccessCidrs";

/** Applies defaults and checks. */
export function planCluster(name: string, args: EksClusterArgs, problems: Problems): ClusterPlan {
  const clusterName = args.clusterName ?? name;
  problems.unless(
    isClusterName(clusterName),
    "clusterName",
    `must be 1 to 100 letters, digits, hyphens and underscores, beginning with a letter or digit, not "${clusterName}"`,
  );
  // The longest names of roles: the service role that eks.Cluster makes, and the EBS driver's.
  requireNameFits(problems, "IAM role", `${name}-cluster-eksRole-role`);

  const version = args.kubernetesVersion ?? defaultVersion;
  const unknownVersion = versionProblem(version);
  problems.add("kubernetesVersion", unknownVersion);

  const { publicAccessCidrs = [], privateAccessCidrs = [] } = args;
  callersProblems(problems, "publicAccessCidrs", publicAccessCidrs, { ...api, notPrivate: refusedByEks });
  callersProblems(problems, "privateAccessCidrs", privateAccessCidrs, api);
  return {
    clusterName,
    version,
    vpcId: problems.input(args.vpcId, "vpcId", vpcIdProblem),
    subnetIds: problems.input(args.privateSubnetIds, "privateSubnetIds", subnetsProblem),
    access: planAccess(args.accessEntries, problems),
    publicAccessCidrs,
    privateAccessCidrs,
    systemNodes: planNodes("systemNodes", args.systemNodes ?? {}, problems),
    workloadNodes: args.workloadNodes && planNodes("workloadNodes", args.workloadNodes, problems),
    addons: planAddons(args, unknownVersion === undefined ? version : defaultVersion, problems),
    logRetentionInDays: problems.input(args.logRetentionInDays ?? 90, "logRetentionInDays", retentionProblem),
    permissionsBoundaryArn: problems.input<string>(
      args.permissionsBoundaryArn,
      "permissionsBoundaryArn",
      policyArnProblem,
    ),
  };
}

function subnetsProblem(ids: string[]): string | undefined {
  return new Set(ids).size >= 2
    ? subnetIdsProblem(ids)
    : "must name subnets in at least two zones: EKS refuses one, and a zone may fail";
}
