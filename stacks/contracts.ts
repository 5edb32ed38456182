import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, ClusterRef, RegistrationGuardDocuments } from "../components";
import type { OwnerRoutes } from "./owners";

/**
 * What one layer hands to the next: ids and ARNs, so that a layer of another stack can be used in its place. Members are added,
 * their meaning never changes.
 */
export interface NetworkContract {
  vpcId: pulumi.Input<string>;
  publicSubnetIds: pulumi.Input<string[]>;
  privateSubnetIds: pulumi.Input<string[]>;
  /** Where alarms of the platform go that belong to no layer with an owner. */
  alarmRoutes: AlarmRoutes;
  /** Where alarms of each layer go: to its owner, or where all others go. */
  ownerRoutes: OwnerRoutes;
  /** What must outlive everything in the VPC: routes, gateways. Empty where another stack holds it. */
  ready: pulumi.Resource[];
}

/** What of it becomes an output of the stack: all but resources. */
export type NetworkOutputs = Omit<NetworkContract, "ready">;

export interface ClusterContract {
  ref: ClusterRef;
  /** Secret. It runs `aws eks get-token`, so it never expires. */
  kubeconfig: pulumi.Input<string>;
  /** The one provider of all Kubernetes objects of a stack. It waits for nodes and add-ons: pods of whatever it makes can then run. */
  provider: k8s.Provider;
  /** Nodes, add-ons, node pools: workloads wait for these, and go before them. Empty where another stack holds them. */
  ready: pulumi.Resource[];
}

export interface EdgeContract {
  loadBalancerDnsName: pulumi.Output<string>;
  webTargetGroupArn: pulumi.Output<string>;
  /** Where to see the health of all targets. */
  dashboardUrl: pulumi.Output<string>;
  /** The guard against hand registration, for whoever may apply it: policy documents in JSON. */
  registrationGuard: pulumi.Output<RegistrationGuardDocuments>;
}

export interface KafkaContract {
  bootstrapServers: pulumi.Output<string>;
}
