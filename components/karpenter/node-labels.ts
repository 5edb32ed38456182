import { labelKeyProblem } from "../internal/labels";

/*
 * Which labels, requirements and tags may be given: what the rules of Karpenter's definitions refuse
 * (karpenter.sh_nodepools.yaml and karpenter.k8s.aws_ec2nodeclasses.yaml, 1.15.2). Those rules run in the API server only, after the
 * preview.
 */

/** Karpenter's labels that a pool may ask for. Others of its domain are refused. */
export const instanceLabels: readonly string[] = [
  "instance-tenancy",
  "capacity-reservation-type",
  "capacity-reservation-id",
  "capacity-reservation-interruptible",
  "ec2nodeclass",
  "instance-encryption-in-transit-supported",
  "instance-category",
  "instance-hypervisor",
  "instance-family",
  "instance-generation",
  "instance-local-nvme",
  "instance-size",
  "instance-cpu",
  "instance-cpu-manufacturer",
  "instance-cpu-sustained-clock-speed-mhz",
  "instance-memory",
  "instance-ebs-bandwidth",
  "instance-network-bandwidth",
  "instance-gpu-name",
  "instance-gpu-manufacturer",
  "instance-gpu-count",
  "instance-gpu-memory",
  "instance-accelerator-name",
  "instance-accelerator-manufacturer",
  "instance-accelerator-count",
  "instance-capability-flex",
  "placement-group-id",
  "placement-group-partition",
].map((name) => `karpenter.k8s.aws/${name}`);

/** What is wrong with the key of a node's label or requirement, or undefined. */
export function nodeLabelProblem(key: string): string | undefined {
  const domain = key.split("/")[0]!;
  if (key === "kubernetes.io/hostname") return "is the node's own name, which nobody knows before: choose another key";
  if (key === "karpenter.sh/nodepool") return "is set by Karpenter to the pool's name: leave it out";
  if (domain.endsWith("karpenter.sh") && key !== "karpenter.sh/capacity-type")
    return "is in a domain that Karpenter keeps for itself (karpenter.sh): choose another key";
  if (domain.endsWith("karpenter.k8s.aws") && !instanceLabels.includes(key))
    return `is in a domain that Karpenter keeps for itself and none of its labels (${instanceLabels.join(", ")}): choose another key`;
  return labelKeyProblem(key);
}

/** What is wrong with the value of a tag of nodes, or undefined. EC2 takes 256 characters. */
export function nodeTagValueProblem(value: string): string | undefined {
  return value.length <= 256 ? undefined : `has a value of ${value.length} characters; EC2 takes 256 of a tag's`;
}

/** What is wrong with the key of a tag of nodes, or undefined. */
export function nodeTagProblem(key: string): string | undefined {
  if (key === "") return "is empty: choose a key";
  if (key.length > 128) return `has a key of ${key.length} characters; EC2 takes 128 of a tag's: choose a shorter one`;
  const reserved = [/^kubernetes\.io\/cluster/, /^karpenter\.sh\//, /^karpenter\.k8s\.aws\//, /^eks:/, /^aws:/];
  return reserved.some((pattern) => pattern.test(key))
    ? "is a tag by which Karpenter, EKS or AWS know their nodes, and permissions are granted: choose another key"
    : undefined;
}
