import type * as pulumi from "@pulumi/pulumi";

/**
 * Builds of the add-ons, for example `v1.14.3-eksbuild.23`. Each defaults to a build that goes with the Kubernetes version. See newer
 * ones with `aws eks describe-addon-versions --kubernetes-version 1.36 --addon-name coredns`.
 */
export interface AddonVersions {
  /** Build of vpc-cni. */
  vpcCni?: pulumi.Input<string>;
  /** Build of kube-proxy. */
  kubeProxy?: pulumi.Input<string>;
  /** Build of coredns. */
  coredns?: pulumi.Input<string>;
  /** Build of aws-ebs-csi-driver. */
  ebsCsiDriver?: pulumi.Input<string>;
  /** Build of metrics-server. */
  metricsServer?: pulumi.Input<string>;
  /** Build of eks-pod-identity-agent. */
  podIdentityAgent?: pulumi.Input<string>;
}

/**
 * Add-ons that not every cluster needs. The build that is given for one installs it: whoever wants one chooses its build, as
 * `aws eks describe-addon-versions` shows it.
 */
export interface OptionalAddons {
  /**
   * Build of eks-node-monitoring-agent, such as `v1.4.0-eksbuild.2`: it reports broken disks, networks, kubelets and GPUs as conditions
   * of nodes. Karpenter's gate `nodeRepair` acts on these. Defaults to none: not installed.
   */
  nodeMonitoringAgent?: pulumi.Input<string>;
  /**
   * Build of snapshot-controller, such as `v8.2.0-eksbuild.1`: it makes snapshots of volumes from VolumeSnapshot objects. Defaults to
   * none: not installed.
   */
  snapshotController?: pulumi.Input<string>;
}

/**
 * Further configuration of add-ons, nested as in the schema that `aws eks describe-addon-configuration --addon-name ... --addon-version
 * ...` shows. It wins over what the cluster writes by itself; maps are merged, everything else is replaced. What would break a promise of
 * the cluster is refused, with the reason.
 */
export interface AddonValues {
  /** Of vpc-cni, for example `{ env: { WARM_IP_TARGET: "2" } }`. */
  vpcCni?: pulumi.Inputs;
  /** Of kube-proxy, for example `{ mode: "ipvs" }`. */
  kubeProxy?: pulumi.Inputs;
  /** Of coredns, for example `{ autoScaling: { enabled: true, minReplicas: 2, maxReplicas: 10 } }`. */
  coredns?: pulumi.Inputs;
  /** Of aws-ebs-csi-driver, for example `{ controller: { extraVolumeTags: { team: "shop" } } }`. */
  ebsCsiDriver?: pulumi.Inputs;
  /** Of metrics-server, for example `{ replicas: 3 }`. */
  metricsServer?: pulumi.Inputs;
  /** Of eks-pod-identity-agent, for example `{ resources: { requests: { cpu: "20m" } } }`. */
  podIdentityAgent?: pulumi.Inputs;
  /** Of eks-node-monitoring-agent. */
  nodeMonitoringAgent?: pulumi.Inputs;
  /** Of snapshot-controller. */
  snapshotController?: pulumi.Inputs;
}
