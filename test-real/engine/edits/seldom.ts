import * as code from "./code";
import type { Edit } from "./edit";

/** Last parts of the names of a service's alarms. */
const alarms = [
  "all-targets-unhealthy",
  "below-declared-minimum",
  "host-decay-24h",
  "low-healthy-hosts",
  "no-healthy-hosts",
  "stale-targets",
];
import { label } from "./effects";
import { takesTags } from "./tags";

/** What is planned for. */
export const seldom: Readonly<Record<string, readonly Edit[]>> = {
  upgrades: [
    {
      // Add-ons whose build goes with the version; the others' build is the same for 1.35 and 1.36. Karpenter replaces its own nodes.
      what: "Kubernetes 1.35 to 1.36",
      settings: [[["moorings:cluster", "kubernetesVersion"], "1.36"]],
      effects: {
        update: [
          "Addon cluster-coredns",
          "Addon cluster-kube-proxy",
          "Addon cluster-metrics-server",
          "Cluster cluster-cluster-eksCluster",
          "NodeGroup cluster-system",
          "NodeGroup cluster-workload",
        ],
      },
    },
    {
      what: "another chart of Karpenter",
      code: code.newerKarpenter,
      effects: { update: ["Release karpenter-crds", "Release karpenter-release"] },
    },
    {
      // Its policy of the same name gets another document: the controller never is without permissions.
      what: "another chart of the load balancer controller, with all permissions",
      code: code.newerController,
      effects: { update: ["Policy lbc-policy", "Release lbc-release"] },
    },
    {
      what: "another image of Karpenter's nodes",
      settings: [[["moorings:cluster", "nodePools", "amiAlias"], "al2023@v20261103"]],
      effects: {
        update: [
          "EC2NodeClass batch-nodes-class",
          "EC2NodeClass general-nodes-class",
          "EC2NodeClass kafka-nodes-class",
        ],
      },
    },
    {
      what: "another image of the web service",
      settings: [[["moorings:edge", "web", "image"], "ghcr.io/stefanprodan/podinfo:6.9.1"]],
      effects: { update: ["Deployment web-app-deployment"] },
    },
    {
      what: "another image of Kafka",
      code: code.newerKafka,
      effects: {
        recreate: ["Job kafka-access"],
        replace: ["Job kafka-demo-topic-job", "Job kafka-drain"],
        update: ["Deployment kafka-demo-producer", "StatefulSet kafka-broker", "StatefulSet kafka-controller"],
      },
    },
    {
      // Group, rule, Service and binding keep their names in AWS and Kubernetes. Alarms are known by theirs.
      what: "a service renamed, with an alias",
      code: code.renamedService,
      effects: {
        update: ["Dashboard edge-health-dashboard", "ListenerRule site-rule", "TargetGroup site-tg"],
        recreate: alarms.map((alarm) => `MetricAlarm web-health-${alarm} -> site-health-${alarm}`),
      },
    },
  ],

  rebuilding: [
    {
      what: "other instance types of system nodes",
      settings: [[["moorings:cluster", "systemNodes", "instanceTypes"], ["t4g.large"]]],
      effects: { replace: ["NodeGroup cluster-system"] },
    },
    {
      // A ConfigMap of a fixed name goes first; the pods restart by its checksum, and not because it was replaced.
      what: "a property of Kafka's servers",
      code: code.kafkaProperty,
      effects: {
        recreate: ["ConfigMap kafka-broker-config", "ConfigMap kafka-controller-config"],
        update: ["StatefulSet kafka-broker", "StatefulSet kafka-controller"],
      },
    },
    {
      // A certificate of ACM replaces the one that was given: made, proved and issued before the listener takes it.
      what: "a certificate of our own",
      settings: [
        [["moorings:edge", "certificateArn"], undefined],
        [["moorings:edge", "domain"], "dev.moorings.test"],
        [["moorings:edge", "zoneId"], "Z0123456789ABCDEFGHIJ"],
      ],
      effects: {
        create: [
          "Certificate edge-certificate",
          "CertificateValidation edge-issued",
          "Record edge-alias-dev.moorings.test",
          "Record edge-proof-dev.moorings.test",
        ],
        update: ["Listener edge-https"],
      },
    },
  ],

  "a private site": [
    {
      // A group belongs to one load balancer: the rule leaves the old one before it enters the new one. The binding never knows.
      what: "an internal load balancer instead of a public one",
      settings: [[["moorings:edge", "scheme"], "internal"]],
      effects: {
        replace: [
          "Listener edge-http",
          "Listener edge-https",
          "ListenerCertificate edge-5b0d1c1e-2f3a-4b6c-8d7e-9f0a1b2c3d4e-certificate",
          "LoadBalancer edge-alb",
        ],
        recreate: ["ListenerRule shop-rule", "ListenerRule site-rule"],
        update: [
          "Dashboard edge-health-dashboard",
          ...["shop", "site"].flatMap((service) => alarms.map((alarm) => `MetricAlarm ${service}-health-${alarm}`)),
          "Record edge-alias-dev.moorings.test",
        ],
      },
    },
  ],

  "a third zone": [
    {
      // EKS can't change the subnets of a managed node group. One NAT gateway serves all zones in dev.
      what: "a zone is appended",
      settings: [
        [
          ["moorings:network", "availabilityZones"],
          ["eu-west-1a", "eu-west-1b", "eu-west-1c"],
        ],
      ],
      effects: {
        create: ["public", "private"].flatMap((kind) =>
          ["Route", "RouteTable", "RouteTableAssociation", "Subnet"].map((type) => `${type} network-${kind}-3`),
        ),
        update: [
          "Cluster cluster-cluster-eksCluster",
          "Dashboard edge-health-dashboard",
          "EC2NodeClass batch-nodes-class",
          "EC2NodeClass general-nodes-class",
          "EC2NodeClass kafka-nodes-class",
          "LoadBalancer edge-alb",
          "VpcEndpoint network-s3",
        ],
        replace: ["NodeGroup cluster-system", "NodeGroup cluster-workload"],
      },
    },
  ],

  tags: [
    {
      what: "a tag on everything",
      settings: [[["aws:defaultTags"], { tags: { team: "platform" } }]],
      effects: (state) => ({ update: state.filter(takesTags).map(({ urn }) => label(urn)) }),
    },
  ],
};
