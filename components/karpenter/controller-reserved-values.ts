import type { ReservedValues } from "../internal/chart-values";

/*
 * Values of Karpenter's chart that nobody but the component sets, and why.
 */

const noCredentials =
  "can take the role away (AWS_ACCESS_KEY_ID, AWS_ROLE_ARN win over it) or change what settings say: use the values under settings";

export const reservedValues: ReservedValues = {
  "settings.clusterName": "is cluster.name",
  "settings.clusterEndpoint": "is cluster.endpoint",
  "settings.interruptionQueue":
    "is the queue that is made here: without it interruptions go unnoticed until the node is gone",
  "settings.eksControlPlane": "is what makes Karpenter ask EKS for the version of its images",
  "settings.enableZonalShift": "is the argument zonalShift",
  "settings.isolatedVPC": "is the argument isolatedVpc",
  "settings.featureGates": "is the argument featureGates",
  "settings.awsFeatureGates.rebootForRepair": "is the argument featureGates, which adds the permission for it",
  "settings.disableDryRun": "makes node classes ready whose nodes can't be made: its dry runs find missing permissions",
  "controller.image.tag": "is the argument chartVersion: permissions and definitions are those of one version",
  "controller.env": noCredentials,
  "controller.envFrom": noCredentials,
  "serviceAccount.create": "would take the role away: it is for the account that is made here",
  "serviceAccount.name": "would take the role away: it is for one account",
  "serviceAccount.annotations.eks.amazonaws.com/role-arn": "is the role that is made here, or none with Pod Identity",
  "podAnnotations.moorings.dev/role-arn": "starts the pods anew for another role",
  "podAnnotations.moorings.dev/identity": "starts the pods anew for another way to their role",
  nameOverride: "renames the label by which alarms, network policies and runbooks find the pods",

  // One pod works and another takes over.
  replicas: "is the argument replicas",
  nodeSelector: "is the argument nodeSelector",
  tolerations: "lets the pods onto the system nodes, which are tainted",
  "controller.metrics.port": "is where ClusterMetrics reads: elsewhere nobody does, and karpenterSilent pages for ever",
  podDisruptionBudget: "keeps the pods from being taken away together",
  strategy: "keeps a pod at work during an upgrade",
  affinity: "keeps the pods on different nodes, and off nodes that Karpenter itself takes away",
  topologySpreadConstraints: "keeps the pods in different zones",
};
