/**
 * The system nodes of a cluster: a small node group that nothing consolidates, for whatever must run before there are other
 * nodes (Karpenter, the load balancer controller, DNS). The cluster puts the label and the taint on; controllers select and
 * tolerate them. One definition, because a difference of one letter leaves the controllers Pending for ever.
 */

/** Label of the system nodes, and the node selector of the pods that run there. */
export const systemNodeLabels: Record<string, string> = { "moorings.dev/node-role": "system" };

/** Taint of the system nodes, as EKS node groups spell it. EKS's own add-ons (coredns, metrics-server) tolerate this key. */
export const systemNodeTaint = { key: "CriticalAddonsOnly", value: "true", effect: "NO_SCHEDULE" };

/** Toleration of that taint, as Kubernetes pods spell it. */
export const systemToleration = { key: systemNodeTaint.key, operator: "Exists", effect: "NoSchedule" };
