import { LoadBalancerType, type TargetHealthAlarmsArgs } from "../../../components/alarms";
import type { MetricName } from "../cloudwatch/metrics";
import { routes } from "../../../test/support/samples/sample";

/** Zones of the load balancer, in the order of `Fleet`. */
export const availabilityZones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"];

/** What the alarms are told of an edge, as far as situations differ. */
export interface Edge {
  /** A Network Load Balancer, with cross-zone load balancing off as is its default, and not an Application Load Balancer. */
  readonly zonal?: boolean;
  /** What is declared of the workload. */
  readonly replicas: Pick<TargetHealthAlarmsArgs, "minReplicas" | "fixedReplicas">;
}

/** The number of replicas that is declared, at least or exactly. */
export const declared = ({ replicas }: Edge): number => replicas.fixedReplicas ?? replicas.minReplicas ?? 1;

export function argsOf(edge: Edge): TargetHealthAlarmsArgs {
  return {
    routes,
    loadBalancerType: edge.zonal === true ? LoadBalancerType.Network : LoadBalancerType.Application,
    loadBalancerArnSuffix: dimensionsOf(edge).LoadBalancer,
    targetGroupArnSuffix: dimensionsOf(edge).TargetGroup,
    ...(edge.zonal === true ? { crossZone: false, availabilityZones } : { crossZone: true }),
    ...edge.replicas,
    readyPods,
  };
}

export const namespaceOf = (edge: Edge): string => (edge.zonal === true ? "AWS/NetworkELB" : "AWS/ApplicationELB");

export function dimensionsOf(edge: Edge): { LoadBalancer: string; TargetGroup: string } {
  const kind = edge.zonal === true ? "net" : "app";
  return { LoadBalancer: `${kind}/edge/50dc6c495c0c9188`, TargetGroup: "targetgroup/shop/73e2d6bc24d8a067" };
}

/** Ready pods as some add-on counts them: which one is the user's choice. */
export const readyPods = {
  namespace: "Shop/Kubernetes",
  metricName: "ReadyPods",
  dimensions: { Deployment: "shop" },
} satisfies MetricName;
