import * as code from "./code";
import type { Edit } from "./edit";

const account = "987654321098";

/** What is done every week: nothing is replaced but what AWS can't change. */
export const daily: Readonly<Record<string, readonly Edit[]>> = {
  "daily work": [
    {
      what: "another certificate",
      settings: [
        [
          ["moorings:edge", "certificateArn"],
          `arn:aws:acm:eu-west-1:${account}:certificate/0c8e2d4b-6f10-4c53-9a55-5f1d9a3c7b0e`,
        ],
      ],
      effects: { update: ["Listener edge-https"] },
    },
    {
      what: "a certificate for one more site",
      code: code.secondCertificate,
      effects: { create: ["ListenerCertificate edge-5b0d1c1e-2f3a-4b6c-8d7e-9f0a1b2c3d4e-certificate"] },
    },
    {
      // The Deployment's number is the autoscaler's own. Three alarms know the floor: how long too few hosts may last, how many are too few,
      // and how many make a decay. The dashboard draws it.
      what: "more replicas of the web service",
      settings: [[["moorings:edge", "web", "minReplicas"], 3]],
      effects: {
        update: [
          "Dashboard edge-health-dashboard",
          "HorizontalPodAutoscaler web-app-hpa",
          "MetricAlarm web-health-below-declared-minimum",
          "MetricAlarm web-health-host-decay-24h",
          "MetricAlarm web-health-low-healthy-hosts",
        ],
      },
    },
    {
      what: "logs are kept longer",
      settings: [[["moorings:cluster", "logRetentionDays"], 60]],
      effects: { update: ["LogGroup cluster-logs"] },
    },
    {
      what: "a larger node pool",
      settings: [[["moorings:cluster", "nodePools", "general", "limits", "cpu"], "16"]],
      effects: { update: ["NodePool general-nodes-pool"] },
    },
    {
      what: "a freeze window of Kafka's nodes",
      settings: [
        [
          ["moorings:cluster", "nodePools", "kafka", "freezeWindows"],
          [{ scheduleUtc: "0 7 * * mon-fri", duration: "14h" }],
        ],
      ],
      effects: { update: ["NodePool kafka-nodes-pool"] },
    },
    {
      // Heap and limits are the pods' own: the properties file is the same.
      what: "larger brokers",
      settings: [[["moorings:kafka", "brokerSize"], { cpu: "500m", memoryMiB: 2048 }]],
      effects: { update: ["StatefulSet kafka-broker"] },
    },
    {
      // SNS can't change an endpoint.
      what: "somebody else is paged",
      settings: [[["moorings:alerts", "pageEndpoints", "platform-team", "address"], "night-shift@moorings.test"]],
      effects: { replace: ["TopicSubscription alerts-page-platform-team"] },
    },
    {
      what: "visitors from another network",
      settings: [[["moorings:edge", "visitors", "office"], "8.8.9.0/24"]],
      effects: { update: ["SecurityGroupIngressRule edge-office-443", "SecurityGroupIngressRule edge-office-80"] },
    },
  ],

  growth: [
    {
      what: "more system nodes",
      settings: [[["moorings:cluster", "systemNodes", "minSize"], 3]],
      effects: { update: ["NodeGroup cluster-system"] },
    },
    {
      // Controllers' addresses are a list; brokers register themselves.
      what: "one more broker",
      settings: [[["moorings:kafka", "brokers"], 4]],
      effects: {
        create: [
          "MetricAlarm kafka-alarms-103-broker-silent",
          "MetricAlarm kafka-alarms-103-disk-filling",
          "MetricAlarm kafka-alarms-103-disk-nearly-full",
        ],
        update: [
          "Deployment kafka-certificates",
          "MetricAlarm kafka-alarms-certificates-unread",
          "StatefulSet kafka-broker",
        ],
        replace: ["Job kafka-drain"],
      },
    },
    {
      what: "one more administrator",
      settings: [[["moorings:cluster", "admins", "on-call"], `arn:aws:iam::${account}:role/on-call`]],
      effects: {
        create: ["AccessEntry cluster-cluster-on-call", "AccessPolicyAssociation cluster-cluster-on-call-ClusterAdmin"],
      },
    },
    {
      what: "visitors from one more network",
      settings: [[["moorings:edge", "visitors", "warehouse"], "8.8.10.0/24"]],
      effects: {
        create: ["SecurityGroupIngressRule edge-warehouse-443", "SecurityGroupIngressRule edge-warehouse-80"],
      },
    },
    {
      what: "one more network reaches the Kubernetes API",
      settings: [
        [
          ["moorings:cluster", "apiAccessCidrs"],
          ["8.8.4.0/24", "8.8.5.0/24"],
        ],
      ],
      effects: { update: ["Cluster cluster-cluster-eksCluster"] },
    },
    {
      what: "a new service",
      code: code.newService,
      effects: {
        create: [
          "Deployment shop-app-deployment",
          "ListenerRule shop-rule",
          "MetricAlarm shop-health-all-targets-unhealthy",
          "MetricAlarm shop-health-below-declared-minimum",
          "MetricAlarm shop-health-host-decay-24h",
          "MetricAlarm shop-health-low-healthy-hosts",
          "MetricAlarm shop-health-no-healthy-hosts",
          "MetricAlarm shop-health-stale-targets",
          "PodDisruptionBudget shop-app-pdb",
          "Service shop-service",
          "TargetGroup shop-tg",
          "TargetGroupBinding shop-pods-binding",
        ],
      },
    },
    {
      // The kubeconfig must stay known: otherwise the plan can't say what becomes of the objects in the cluster.
      what: "a node group for workloads",
      code: code.newNodeGroup,
      effects: { create: ["LaunchTemplate cluster-workload", "NodeGroup cluster-workload"] },
    },
    {
      what: "a new node pool",
      code: code.newNodePool,
      effects: { create: ["EC2NodeClass batch-nodes-class", "NodePool batch-nodes-pool"] },
    },
    {
      // Brokers know clients by their authority: none restarts, and neither do other clients.
      what: "a new client of Kafka",
      code: code.newKafkaClient,
      effects: {
        create: [
          "CertRequest kafka-client-shop-request",
          "LocallySignedCert kafka-client-shop-certificate",
          "PrivateKey kafka-client-shop-key",
          "Secret kafka-client-shop-secret",
        ],
        update: ["NetworkPolicy kafka-broker-policy"],
        recreate: ["Job kafka-access"],
      },
    },
  ],
};
