import type { EksClusterArgs } from "./eks-cluster-args";
import { checkAccess } from "./access";
import { planNodes, type NodesPlan } from "./node-args";
import { defaultVersion, versionProblem } from "./versions";
import { isClusterName, requireNameFits } from "../internal/names";
import type { Problems } from "../internal/validate";

/** The plain arguments with defaults. */
export interface ClusterPlan {
  readonly clusterName: string;
  readonly version: string;
  readonly publicAccessCidrs: string[];
  readonly privateAccessCidrs: string[];
  readonly systemNodes: NodesPlan;
  readonly workloadNodes: NodesPlan | undefined;
}

/** Applies defaults and checks whatever is known when the component is constructed. */
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
  problems.add("kubernetesVersion", versionProblem(version));

  const publicAccessCidrs = args.publicAccessCidrs ?? [];
  publicAccessCidrs.forEach((cidr, index) => checkCidr(cidr, `publicAccessCidrs[${index}]`, problems));
  const privateAccessCidrs = args.privateAccessCidrs ?? [];
  privateAccessCidrs.forEach((cidr, index) => {
    const where = `privateAccessCidrs[${index}]`;
    checkCidr(cidr, where, problems);
    problems.unless(privateAccessCidrs.indexOf(cidr) === index, where, `${cidr} is there twice: leave one out`);
  });

  checkAccess(args.accessEntries, problems);
  if (Array.isArray(args.privateSubnetIds) && args.privateSubnetIds.length < 2)
    problems.add("privateSubnetIds", tooFewSubnets);
  return {
    clusterName,
    version,
    publicAccessCidrs,
    privateAccessCidrs,
    systemNodes: planNodes("systemNodes", args.systemNodes ?? {}, problems),
    workloadNodes: args.workloadNodes && planNodes("workloadNodes", args.workloadNodes, problems),
  };
}

const tooFewSubnets = "must name subnets in at least two zones: EKS refuses one, and a zone may fail";

/** What is wrong with the subnets, once they are known. */
export function subnetsProblem(ids: string[]): string | undefined {
  return new Set(ids).size >= 2 ? undefined : tooFewSubnets;
}

function checkCidr(cidr: string, where: string, problems: Problems): void {
  const length = /^[0-9a-fA-F.:]+\/(\d{1,3})$/.exec(cidr)?.[1];
  if (length === undefined) problems.add(where, `must be a CIDR block such as 203.0.113.0/24, not "${cidr}"`);
  else if (Number(length) === 0)
    problems.add(
      where,
      `${cidr} opens the Kubernetes API to everybody: name the networks you administer from, or leave it out and deploy from inside the VPC`,
    );
}
