import { systemNodeLabels, systemToleration } from "../internal/system-nodes";

/*
 * The add-ons that `EksCluster` installs by itself, as plain data. They are made outside `eks.Cluster`, because inside it coredns
 * waits for nodes that are only made later, and the roles of vpc-cni and the EBS driver need the issuer that it returns. kube-proxy needs
 * neither, but everything else would wait for it there: `eks.Cluster` is there when all inside it is.
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
  /** Key of its version in `addonVersions`. */
  readonly version: "vpcCni" | "kubeProxy" | "coredns" | "ebsCsiDriver" | "metricsServer" | "podIdentityAgent";
  readonly role?: AddonRole;
  /** Values by the schema that `aws eks describe-addon-configuration` shows. */
  readonly values?: object;
  /** Whether its software stays when the add-on is deleted. */
  readonly preserve: boolean;
}

/** Only system nodes are sure to exist; without the toleration these pods stay Pending and the add-on never gets active. */
const onSystemNodes = { nodeSelector: systemNodeLabels, tolerations: [systemToleration] };

/** Before any node: nodes without a network plug-in never get ready. */
export const vpcCni: AddonDefinition = {
  name: "vpc-cni",
  addonName: "vpc-cni",
  version: "vpcCni",
  role: { serviceAccount: "aws-node", policy: "AmazonEKS_CNI_Policy" },
  // A string: that is what the add-on's schema takes.
  values: { enableNetworkPolicy: "true" },
  // On destroy the plug-in has to outlive its add-on until the nodes are gone, or their network interfaces are left behind and
  // block the deletion of subnets and security groups (amazon-vpc-cni-k8s issues 608 and 1223).
  preserve: true,
};

/** Before any node: without it nothing on a node reaches a Service. */
export const kubeProxy: AddonDefinition = {
  name: "kube-proxy",
  addonName: "kube-proxy",
  version: "kubeProxy",
  // Like the network plug-in: whatever happens to the add-on, nodes that are still there keep working.
  preserve: true,
};

/** After the system nodes, because their pods need somewhere to run. */
export const addonsOnNodes: readonly AddonDefinition[] = [
  {
    name: "coredns",
    addonName: "coredns",
    version: "coredns",
    values: { replicaCount: 2, ...onSystemNodes },
    preserve: false,
  },
  {
    name: "ebs-csi-driver",
    addonName: "aws-ebs-csi-driver",
    version: "ebsCsiDriver",
    // Pods can't ask the instance for its region (hop limit 1); the role's web hook sets AWS_REGION for them.
    role: { serviceAccount: "ebs-csi-controller-sa", policy: "service-role/AmazonEBSCSIDriverPolicy" },
    // The controller runs on system nodes; its daemon runs on every node, whatever the taint.
    values: { controller: onSystemNodes, node: { tolerateAllTaints: true } },
    preserve: false,
  },
  {
    name: "metrics-server",
    addonName: "metrics-server",
    version: "metricsServer",
    values: onSystemNodes,
    preserve: false,
  },
  {
    name: "pod-identity-agent",
    addonName: "eks-pod-identity-agent",
    version: "podIdentityAgent",
    preserve: false,
  },
];
