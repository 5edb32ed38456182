import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, ClusterRef } from "../components";

/**
 * What one layer hands to the next: ids and ARNs, so that a layer of another stack can be used in its place. Members are added,
 * their meaning never changes.
 */
export interface NetworkContract {
  vpcId: pulumi.Input<string>;
  publicSubnetIds: pulumi.Input<string[]>;
  privateSubnetIds: pulumi.Input<string[]>;
  /** What must outlive everything in the VPC: routes, gateways. */
  ready: pulumi.Resource[];
  /** Where alarms of the platform go. */
  alarmRoutes: AlarmRoutes;
}

export interface ClusterContract {
  ref: ClusterRef;
  /** Secret. It runs `aws eks get-token`, so it never expires. */
  kubeconfig: pulumi.Input<string>;
  /** Nodes and add-ons: what pods need depends on these. */
  ready: pulumi.Resource[];
}

export interface EdgeContract {
  loadBalancerDnsName: pulumi.Output<string>;
  webTargetGroupArn: pulumi.Output<string>;
}
