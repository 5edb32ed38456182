import type * as pulumi from "@pulumi/pulumi";
import type { KafkaToleration } from "./kafka-cluster-args";

/** What components beside a Kafka cluster need to administer it: `KafkaCluster.ref`. */
export interface KafkaRef {
  /** Name of the Kafka cluster. */
  kafkaName: string;
  /** Namespace of its pods. */
  namespace: pulumi.Input<string>;
  /** Image whose tools administer it. */
  image: pulumi.Input<string>;
  /** Brokers' addresses on the listener that takes the administrator's certificate, separated by commas. */
  adminServers: pulumi.Input<string>;
  /** Secret in that namespace with the administrator's certificate: `tls-combined.pem` and `ca.crt`. */
  adminSecretName: string;
  /** Labels of the nodes that its pods run on. Defaults to any node. */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Taints that its pods tolerate. Defaults to none. */
  tolerations?: KafkaToleration[];
}
