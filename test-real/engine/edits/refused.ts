import type { Edit } from "./edit";

/** A change of prod that would delete or replace what no update brings back. */
export interface Refused extends Pick<Edit, "what" | "settings" | "code"> {
  readonly layer: "network" | "cluster" | "edge" | "kafka";
  /** What the engine names in its refusal, among others. */
  readonly names: readonly string[];
}

/** By the section of docs/replacements.md that says how it is done instead. Where stacks have no setting for it, it is a change of code. */
export const refused: Readonly<Record<string, readonly Refused[]>> = {
  "VPC, subnets": [
    {
      what: "another address block",
      layer: "network",
      settings: [[["moorings:network", "cidrBlock"], "10.61.0.0/16"]],
      names: ["Vpc network", "Subnet network-public-1", "Subnet network-private-3"],
    },
    {
      what: "zones in another order",
      layer: "network",
      settings: [
        [
          ["moorings:network", "availabilityZones"],
          ["eu-west-1b", "eu-west-1a", "eu-west-1c"],
        ],
      ],
      names: ["Subnet network-private-1", "Subnet network-private-2", "Subnet network-public-1"],
    },
  ],
  Cluster: [
    {
      what: "another name of the cluster",
      layer: "cluster",
      settings: [[["moorings:cluster", "name"], "moorings-production"]],
      names: ["Cluster cluster-cluster-eksCluster", "LogGroup cluster-logs", "kubernetes cluster"],
    },
  ],
  "Kubernetes provider": [
    {
      what: "another name in the code, without an alias",
      layer: "edge",
      code: [{ file: "stacks/kubernetes.ts", from: 'new k8s.Provider("cluster"', to: 'new k8s.Provider("kubernetes"' }],
      names: ["kubernetes cluster"],
    },
  ],
  "Stateful node pool": [
    {
      what: "another name of Kafka's pool",
      layer: "cluster",
      code: [{ file: "stacks/node-pools.ts", from: 'kafka: "kafka"', to: 'kafka: "brokers"' }],
      names: ["NodePool kafka-nodes-pool"],
    },
  ],
  "Kafka's volumes": [
    {
      what: "larger volumes of brokers",
      layer: "kafka",
      settings: [[["moorings:kafka", "brokerStorageGiB"], 1000]],
      names: ["StatefulSet kafka-broker"],
    },
  ],
  "Namespaces and releases": [
    {
      what: "another namespace of Kafka",
      layer: "kafka",
      code: [{ file: "stacks/kafka-names.ts", from: 'namespace: "kafka" }', to: 'namespace: "messages" }' }],
      names: ["Namespace kafka", "StatefulSet kafka-broker", "StatefulSet kafka-controller"],
    },
  ],
  "Load balancer": [
    {
      what: "an internal load balancer instead of a public one",
      layer: "edge",
      settings: [[["moorings:edge", "scheme"], "internal"]],
      names: ["LoadBalancer edge-alb"],
    },
  ],
  "Target group": [
    {
      what: "HTTP/2 to the pods",
      layer: "edge",
      code: [
        {
          file: "components/load-balancing/target-group.ts",
          from: "protocolVersion = TargetProtocolVersion.Http1",
          to: "protocolVersion = TargetProtocolVersion.Http2",
        },
      ],
      names: ["TargetGroup web-tg"],
    },
    {
      what: "a service renamed without an alias",
      layer: "edge",
      code: [
        {
          file: "stacks/layers/edge.ts",
          from: 'new LoadBalancedService(\n    "web",',
          to: 'new LoadBalancedService(\n    "site",',
        },
      ],
      names: ["TargetGroup web-tg"],
    },
  ],
  "Log groups, keys, topics, buckets": [
    {
      what: "another name of the flow log's group",
      layer: "network",
      code: [
        {
          file: "stacks/layers/network.ts",
          from: 'LogGroup("network-flow", {',
          to: 'LogGroup("network-flow", { name: "flow",',
        },
      ],
      names: ["LogGroup network-flow"],
    },
    {
      what: "a key in several regions",
      layer: "network",
      code: [
        {
          file: "components/alarms/topics/alarm-topics.ts",
          from: "enableKeyRotation: true,",
          to: "enableKeyRotation: true, multiRegion: true,",
        },
      ],
      names: ["Key alerts-key"],
    },
    {
      what: "topics renamed without an alias",
      layer: "network",
      code: [{ file: "stacks/layers/network.ts", from: 'AlarmTopics("alerts"', to: 'AlarmTopics("alarms"' }],
      names: ["Topic alerts-page", "Topic alerts-ticket"],
    },
    {
      what: "another name of the bucket of access logs",
      layer: "edge",
      code: [
        {
          file: "components/internal/private-bucket.ts",
          from: "new aws.s3.Bucket(\n    name,",
          to: "new aws.s3.Bucket(\n    `${name}-2`,",
        },
      ],
      names: ["Bucket edge-access-logs"],
    },
  ],
};
