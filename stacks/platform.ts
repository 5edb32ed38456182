import * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../components";
import type { EdgeContract, KafkaContract, NetworkContract, NetworkOutputs } from "./contracts";
import type { Layer } from "./layers";
import { clusterLayer } from "./layers/cluster";
import { edgeLayer } from "./layers/edge";
import { kafkaLayer } from "./layers/kafka";
import { networkLayer } from "./layers/network";
import { referencedCluster, referencedNetwork } from "./references";
import type { Settings } from "./settings";

/** Outputs of a stack: one for each layer that it makes. references.ts reads them. */
export interface PlatformOutputs {
  network?: NetworkOutputs;
  cluster?: ClusterRef;
  /** Secret. */
  kubeconfig?: pulumi.Output<string>;
  edge?: EdgeContract;
  kafka?: KafkaContract;
}

/** Makes the given layers; those that they build on come from this stack if it makes them, else from the stack that does. */
export function platform(settings: Settings, layers: ReadonlySet<Layer>): PlatformOutputs {
  const network = once(() => (layers.has("network") ? networkLayer(settings) : referencedNetwork(settings)));
  const cluster = once(() => (layers.has("cluster") ? clusterLayer(settings, network()) : referencedCluster(settings)));
  return {
    ...(layers.has("network") && { network: networkOutputs(network()) }),
    ...(layers.has("cluster") && {
      cluster: cluster().ref,
      kubeconfig: pulumi.secret(cluster().kubeconfig),
    }),
    ...(layers.has("edge") && { edge: edgeLayer(settings, network(), cluster()) }),
    ...(layers.has("kafka") && { kafka: kafkaLayer(settings, network(), cluster()) }),
  };
}

function networkOutputs(network: NetworkContract): NetworkOutputs {
  const { vpcId, publicSubnetIds, privateSubnetIds, alarmRoutes, ownerRoutes } = network;
  return { vpcId, publicSubnetIds, privateSubnetIds, alarmRoutes, ownerRoutes };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
