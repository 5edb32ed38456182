import type { ReservedValues } from "../internal/chart-values";
import { systemNodeLabels, systemToleration } from "../internal/system-nodes";
import type { AddonValues } from "./addon-args";

/*
 * The add-ons that `EksCluster` installs by itself, as plain data. They are made outside `eks.Cluster`, because inside it coredns
 * waits for nodes that are only made later, and the roles of vpc-cni and the EBS driver need the issuer that it returns. kube-proxy needs
 * neither, but everything else would wait for it there: `eks.Cluster` is there when all inside it is.
 *
 * vpc-cni, kube-proxy, the pod identity agent and the node monitoring agent are DaemonSets, which tolerate every taint by themselves and
 * run on every node: they take neither selector nor toleration. So does the EBS driver's DaemonSet, once told to.
 */

/** A service account that gets an IAM role, and the AWS managed policy of that role. */
export interface AddonRole {
  readonly serviceAccount: string;
  /** Name of the policy after `arn:<partition>:iam::aws:policy/`. */
  readonly policy: string;
}

/** One add-on. */
export interface AddonDefinition {
  /** The child's name is `<component>-<name>`. */
  readonly name: string;
  /** EKS's name of the add-on. */
  readonly addonName: string;
  /** Key of its build and its configuration in the arguments. */
  readonly key: keyof AddonValues;
  readonly role?: AddonRole;
  /** Values by the schema that `aws eks describe-addon-configuration` shows. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** What of the values the caller can't change. */
  readonly reserved?: ReservedValues;
  /** Whether its software stays when the add-on is deleted. */
  readonly preserve: boolean;
  /** Whether nodes can do without it until they are there. */
  readonly needsNodes: boolean;
}

/** Only system nodes are sure to exist; without the toleration these pods stay Pending and the add-on never gets active. */
const onSystemNodes = { nodeSelector: systemNodeLabels, tolerations: [systemToleration] };
const staysOnSystemNodes = "keeps it on the system nodes, which nothing consolidates: leave it out";
const placement = { nodeSelector: staysOnSystemNodes, tolerations: staysOnSystemNodes };
const byPrefixDelegation = "is what prefixDelegation sets: use that argument";

/** The add-ons, in the order of their arguments. */
export const addons: readonly AddonDefinition[] = [
  {
    name: "vpc-cni",
    addonName: "vpc-cni",
    key: "vpcCni",
    role: { serviceAccount: "aws-node", policy: "AmazonEKS_CNI_Policy" },
    // A string: that is what the add-on's schema takes.
    values: { enableNetworkPolicy: "true" },
    reserved: {
      enableNetworkPolicy: "makes NetworkPolicies hold, Kafka's brokers' among them: leave it out",
      "env.ENABLE_PREFIX_DELEGATION": byPrefixDelegation,
      "env.WARM_PREFIX_TARGET": byPrefixDelegation,
    },
    // On destroy the plug-in has to outlive its add-on until the nodes are gone, or their network interfaces are left behind and
    // block the deletion of subnets and security groups (amazon-vpc-cni-k8s issues 608 and 1223).
    preserve: true,
    // Nodes without a network plug-in never get ready.
    needsNodes: false,
  },
  {
    name: "kube-proxy",
    addonName: "kube-proxy",
    key: "kubeProxy",
    // Like the network plug-in: whatever happens to the add-on, nodes that are still there keep working.
    preserve: true,
    // Without it nothing on a node reaches a Service.
    needsNodes: false,
  },
  {
    // A budget of one unavailable pod comes with it (user guide, "Manage CoreDNS": from v1.9.3-eksbuild.6 on), so that a drain takes one
    // replica after the other.
    name: "coredns",
    addonName: "coredns",
    key: "coredns",
    values: { replicaCount: 2, ...onSystemNodes },
    reserved: placement,
    preserve: false,
    needsNodes: true,
  },
  {
    name: "ebs-csi-driver",
    addonName: "aws-ebs-csi-driver",
    key: "ebsCsiDriver",
    // Pods can't ask the instance for its region (hop limit 1); the role's web hook sets AWS_REGION for them.
    role: { serviceAccount: "ebs-csi-controller-sa", policy: "service-role/AmazonEBSCSIDriverPolicy" },
    // The controller runs on system nodes; its daemon runs on every node, whatever the taint.
    values: { controller: onSystemNodes, node: { tolerateAllTaints: true } },
    reserved: {
      "controller.nodeSelector": staysOnSystemNodes,
      "controller.tolerations": staysOnSystemNodes,
      "node.tolerateAllTaints": "lets pods on every node mount their volumes: leave it out",
    },
    preserve: false,
    needsNodes: true,
  },
  {
    name: "metrics-server",
    addonName: "metrics-server",
    key: "metricsServer",
    values: onSystemNodes,
    reserved: placement,
    preserve: false,
    needsNodes: true,
  },
  {
    name: "pod-identity-agent",
    addonName: "eks-pod-identity-agent",
    key: "podIdentityAgent",
    preserve: false,
    needsNodes: true,
  },
  {
    name: "node-monitoring-agent",
    addonName: "eks-node-monitoring-agent",
    key: "nodeMonitoringAgent",
    preserve: false,
    needsNodes: true,
  },
  {
    name: "snapshot-controller",
    addonName: "snapshot-controller",
    key: "snapshotController",
    values: onSystemNodes,
    reserved: placement,
    preserve: false,
    needsNodes: true,
  },
];
