import { environments } from "../../support/environments";
import { find } from "../../support/graph";
import { secretSignature, type Registration } from "../../support/harness";
import { registeredBy } from "../../support/platform";

/*
 * What of each settings file arrives where. Every value is written here by hand, from Pulumi.<environment>.yaml; a layer that drops or
 * mixes up one fails here.
 */

interface Expected {
  cluster: { name: string; logs: number };
  zoneMask: number;
  systemNodes: { types: string[]; ami: string; min: number };
  general: { arch: string; capacity: string[]; cpu: string; memory: string };
  kafkaPool: { types: string[]; cpu: string; memory: string };
  clusterId: string;
  brokers: { cpu: string; memory: string; storage: string };
  controllers: { cpu: string; memory: string; storage: string };
  hosts: string[];
  tickets: string[];
  edgePager?: string;
}

const expected: Record<string, Expected> = {
  dev: {
    cluster: { name: "moorings-dev", logs: 30 },
    zoneMask: 18,
    systemNodes: { types: ["t4g.medium"], ami: "AL2023_ARM_64_STANDARD", min: 2 },
    general: { arch: "arm64", capacity: ["spot", "on-demand"], cpu: "8", memory: "32Gi" },
    kafkaPool: { types: ["t4g.medium", "t4g.large"], cpu: "12", memory: "48Gi" },
    clusterId: "EXAMPLE-dev-AAAAAAAAAA",
    brokers: { cpu: "250m", memory: "1024Mi", storage: "10Gi" },
    controllers: { cpu: "100m", memory: "512Mi", storage: "5Gi" },
    hosts: ["web.dev.example.com"],
    tickets: ["platform-tickets@example.com"],
  },
  staging: {
    cluster: { name: "moorings-staging", logs: 90 },
    zoneMask: 18,
    systemNodes: { types: ["m7g.large", "m6g.large"], ami: "AL2023_ARM_64_STANDARD", min: 2 },
    general: { arch: "arm64", capacity: ["on-demand"], cpu: "32", memory: "128Gi" },
    kafkaPool: { types: ["r7g.large", "r6g.large", "m7g.large"], cpu: "24", memory: "192Gi" },
    clusterId: "EXAMPLE-staging-AAAAAA",
    brokers: { cpu: "500m", memory: "4096Mi", storage: "50Gi" },
    controllers: { cpu: "250m", memory: "1024Mi", storage: "10Gi" },
    hosts: ["web.staging.example.com"],
    tickets: ["platform-tickets@example.com"],
  },
  prod: {
    cluster: { name: "moorings-prod", logs: 365 },
    zoneMask: 18,
    systemNodes: { types: ["m7g.large", "m6g.large"], ami: "AL2023_ARM_64_STANDARD", min: 3 },
    general: { arch: "arm64", capacity: ["on-demand"], cpu: "128", memory: "512Gi" },
    kafkaPool: { types: ["r7g.xlarge", "r6g.xlarge"], cpu: "64", memory: "512Gi" },
    clusterId: "EXAMPLE-prod-AAAAAAAAA",
    brokers: { cpu: "2", memory: "16384Mi", storage: "500Gi" },
    controllers: { cpu: "500m", memory: "2048Mi", storage: "20Gi" },
    hosts: ["web.example.com"],
    tickets: ["platform-tickets@example.com"],
    edgePager: "edge-team@example.com",
  },
};

interface NodePoolSpec {
  limits: object;
  template: { spec: { requirements: { key: string; values: string[] }[]; startupTaints?: object[] } };
}
interface PodSpec {
  containers: {
    command: string[];
    env: { name: string; value?: string }[];
    resources: object;
    volumeMounts: object[];
  }[];
  securityContext: object;
  volumes: object[];
}
interface Workload {
  replicas: number;
  template: { metadata: Record<"labels" | "annotations", Record<string, string>>; spec: PodSpec };
  volumeClaimTemplates: { spec: { resources: object } }[];
}

describe.each(environments)("%s: what is set arrives", (environment) => {
  const want = expected[environment]!;
  let all: readonly Registration[];
  beforeAll(async () => {
    all = await registeredBy(environment);
  });
  const inputs = (type: string, name: string) => find(all, type, name).inputs;
  const spec = <T>(type: string, name: string) => inputs(type, name)["spec"] as T;
  const requirement = (pool: string, key: string) =>
    spec<NodePoolSpec>("kubernetes:karpenter.sh/v1:NodePool", `${pool}-nodes-pool`).template.spec.requirements.find(
      (r) => r.key === key,
    )?.values;

  test("in the network: parts of equal size for up to four zones, routes to S3, secret addresses", () => {
    expect(inputs("awsx:ec2:Vpc", "network")).toMatchObject({
      availabilityZoneCidrMask: want.zoneMask,
      subnetSpecs: [
        { type: "Public", cidrMask: 24 },
        { type: "Private", cidrMask: 19 },
      ],
    });
    const endpoint = find(all, "aws:ec2/vpcEndpoint:VpcEndpoint", "network-s3");
    expect(endpoint.inputs["routeTableIds"]).toEqual(["rtb-1", "rtb-2"]);
    const subscriptions = all.filter((r) => r.type === "aws:sns/topicSubscription:TopicSubscription");
    expect(subscriptions.map((r) => r.inputs["endpoint"])).toEqual(
      ["platform-team@example.com", ...want.tickets, ...(want.edgePager === undefined ? [] : [want.edgePager])].map(
        (value) => ({ ...secretSignature, value }),
      ),
    );
  });

  /** Alarms on the targets and on the controller that registers them. */
  const edgeAlarms = () =>
    all.filter((r) => r.type === "aws:cloudwatch/metricAlarm:MetricAlarm" && /^(web|lbc)-/.test(r.name));

  test("target-health pages go to whoever owns the load balancer, and tickets of an owner without any to everybody's", () => {
    expect(edgeAlarms().length).toBeGreaterThan(5);
    const page = want.edgePager === undefined ? "alerts-page" : "alerts-loadBalancer-page";
    const topic = (name: string) => [`arn:aws:test:eu-west-1:123456789012:${name}`];
    for (const { inputs: alarm } of edgeAlarms()) {
      const pages = (alarm["tags"] as Record<string, string>)["alarm-severity"] === "page";
      expect(alarm["alarmActions"]).toEqual(topic(pages ? page : "alerts-ticket"));
      expect(alarm["okActions"]).toEqual(alarm["alarmActions"]);
      expect(alarm["insufficientDataActions"]).toEqual(topic("alerts-ticket"));
    }
  });

  test("the dashboard shows every alarm of the edge, and each zone by name", () => {
    const { dashboardName, dashboardBody } = inputs("aws:cloudwatch/dashboard:Dashboard", "edge-health-dashboard");
    expect(dashboardName).toBe(`${want.cluster.name}-edge`);
    for (const { name } of edgeAlarms()) expect(dashboardBody).toContain(`:${name}"`);
    const zones = find(all, "awsx:ec2:Vpc", "network").inputs["availabilityZoneNames"] as string[];
    for (const zone of zones) expect(dashboardBody).toContain(`"AvailabilityZone","${zone}"`);
  });

  test("in the cluster", () => {
    expect(inputs("eks:index:Cluster", "cluster-cluster")).toMatchObject({
      name: want.cluster.name,
      version: "1.36",
      accessEntries: { deployer: { principalArn: "arn:aws:iam::123456789012:role/moorings-deployer" } },
    });
    expect(inputs("aws:cloudwatch/logGroup:LogGroup", "cluster-logs")["retentionInDays"]).toBe(want.cluster.logs);
    expect(inputs("aws:eks/nodeGroup:NodeGroup", "cluster-system")).toMatchObject({
      instanceTypes: want.systemNodes.types,
      amiType: want.systemNodes.ami,
      scalingConfig: { minSize: want.systemNodes.min },
    });
  });

  // Of `eks.Cluster` (test/support/provider-state.ts): it runs `aws eks get-token`. A token in it would end after a quarter of an hour.
  test("the Kubernetes provider has the kubeconfig that gets its token by itself", () => {
    const { kubeconfig } = inputs("pulumi:providers:kubernetes", "cluster");
    expect(kubeconfig).toEqual({ ...secretSignature, value: '{"kind":"Config"}' });
  });

  test("in the node pools", () => {
    const nodePool = "kubernetes:karpenter.sh/v1:NodePool";
    expect(spec<NodePoolSpec>(nodePool, "general-nodes-pool").limits).toEqual({
      cpu: want.general.cpu,
      memory: want.general.memory,
    });
    expect(requirement("general", "kubernetes.io/arch")).toEqual([want.general.arch]);
    expect(requirement("general", "karpenter.sh/capacity-type")).toEqual(want.general.capacity);
    expect(spec<NodePoolSpec>(nodePool, "kafka-nodes-pool").limits).toEqual({
      cpu: want.kafkaPool.cpu,
      memory: want.kafkaPool.memory,
    });
    expect(requirement("kafka", "node.kubernetes.io/instance-type")).toEqual(want.kafkaPool.types);
    expect(spec<NodePoolSpec>(nodePool, "kafka-nodes-pool").template.spec.startupTaints).toEqual([
      { key: "ebs.csi.aws.com/agent-not-ready", effect: "NoExecute" },
    ]);
    for (const pool of ["general", "kafka"])
      expect(inputs("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", `${pool}-nodes-class`)["spec"]).toMatchObject({
        amiSelectorTerms: [{ alias: "al2023@v20260903" }],
        subnetSelectorTerms: [{ id: "subnet-private-a" }, { id: "subnet-private-b" }],
        role: "karpenter-node-1a2b3c4",
      });
  });

  test("in Kafka", () => {
    for (const [name, size] of [
      ["kafka-broker", want.brokers],
      ["kafka-controller", want.controllers],
    ] as const) {
      const set = spec<Workload>("kubernetes:apps/v1:StatefulSet", name);
      expect(set.replicas).toBe(3);
      const [container] = set.template.spec.containers;
      expect(container!.resources).toMatchObject({ requests: { cpu: size.cpu, memory: size.memory } });
      expect(container!.env).toContainEqual({ name: "CLUSTER_ID", value: want.clusterId });
      expect(set.volumeClaimTemplates[0]!.spec.resources).toEqual({ requests: { storage: size.storage } });
    }
  });

  test("in the namespaces: none lets a privileged pod in", () => {
    const namespaces = all.filter((r) => r.type === "kubernetes:core/v1:Namespace");
    expect(namespaces.map((r) => r.name).sort()).toEqual(["kafka", "kafka-demo", "web"]);
    for (const namespace of namespaces)
      expect(namespace.inputs["metadata"]).toMatchObject({
        labels: { "pod-security.kubernetes.io/enforce": "restricted" },
      });
  });

  test("in the demo producer: labels that the brokers let in, its certificate, a configuration that its tools read", () => {
    const { template } = spec<Workload>("kubernetes:apps/v1:Deployment", "kafka-demo-producer");
    expect(template.metadata.labels["moorings.dev/kafka-client"]).toBe("kafka");
    // A renewed certificate restarts it: 64 hexadecimal digits of SHA-256.
    expect(template.metadata.annotations["moorings.dev/certificate-checksum"]).toMatch(/^[0-9a-f]{64}$/);
    const [producer] = template.spec.containers;
    // Options of Kafka 4.4.0's own tools (kafka-verifiable-producer.sh --help).
    const connection = [
      "--bootstrap-server",
      "$(BOOTSTRAP_SERVERS)",
      "--command-config",
      "/etc/moorings/client/java.properties",
    ];
    expect(producer!.command).toEqual([
      "/opt/kafka/bin/kafka-verifiable-producer.sh",
      ...connection,
      ...["--topic", "demo", "--throughput", "10"],
    ]);
    // Its topic, with the brokers' own number of partitions and copies, made before it starts.
    const job = spec<Workload>("kubernetes:batch/v1:Job", "kafka-demo-topic-job").template.spec.containers[0]!;
    expect(job.command.slice(-4)).toEqual(["demo", "", "", ""]);
    expect(find(all, "kubernetes:apps/v1:Deployment", "kafka-demo-producer").dependencies).toContain(
      find(all, "kubernetes:batch/v1:Job", "kafka-demo-topic-job").urn,
    );
    expect(producer!.env).toContainEqual({
      name: "BOOTSTRAP_SERVERS",
      value: "kafka-bootstrap.kafka.svc.cluster.local:9092",
    });
    expect(producer!.env).toContainEqual({ name: "KAFKA_OPTS", value: "-Dsun.net.inetaddr.ttl=5" });
    expect(producer!.volumeMounts).toContainEqual({
      name: "certificate",
      mountPath: "/etc/moorings/certificate",
      readOnly: true,
    });
    expect(template.spec.volumes).toContainEqual({
      name: "certificate",
      secret: { secretName: "kafka-client-producer" },
    });
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      sysctls: [
        { name: "net.ipv4.tcp_keepalive_time", value: "30" },
        { name: "net.ipv4.tcp_keepalive_intvl", value: "10" },
        { name: "net.ipv4.tcp_keepalive_probes", value: "3" },
      ],
    });
  });

  test("at the edge", () => {
    expect(inputs("aws:lb/listenerRule:ListenerRule", "web-rule")["conditions"]).toEqual([
      { hostHeader: { values: want.hosts } },
    ]);
    expect(inputs("aws:lb/loadBalancer:LoadBalancer", "edge-alb")).toMatchObject({
      internal: false,
      subnets: ["subnet-public-a", "subnet-public-b"],
    });
  });
});

test("settings that no committed file has arrive too", async () => {
  const all = await registeredBy("dev", (config) => {
    const cluster = JSON.parse(config["moorings:cluster"]!) as { nodePools: { kafka: object } };
    const kafka = JSON.parse(config["moorings:kafka"]!) as object;
    return {
      ...config,
      "moorings:cluster": JSON.stringify({
        ...cluster,
        kubernetesVersion: "1.35",
        nodePools: {
          ...cluster.nodePools,
          kafka: { ...cluster.nodePools.kafka, freezeWindows: [{ scheduleUtc: "0 6 * * sun", duration: "8h" }] },
        },
      }),
      "moorings:kafka": JSON.stringify({ ...kafka, brokers: 5 }),
    };
  });
  expect(find(all, "eks:index:Cluster").inputs["version"]).toBe("1.35");
  expect(find(all, "moorings:index:Karpenter").inputs["kubernetesVersion"]).toBe("1.35");
  expect(find(all, "moorings:index:KafkaCluster").inputs["kubernetesVersion"]).toBe("1.35");
  const pool = find(all, "kubernetes:karpenter.sh/v1:NodePool", "kafka-nodes-pool").inputs["spec"];
  expect(JSON.stringify(pool)).toContain('{"duration":"8h","nodes":"0","schedule":"0 6 * * sun"}');
  expect((find(all, "kubernetes:apps/v1:StatefulSet", "kafka-broker").inputs["spec"] as Workload).replicas).toBe(5);
});

test("pools reckon with the grace of their pods", async () => {
  const all = await registeredBy("dev");
  const grace = (pool: string) => find(all, "moorings:index:KarpenterNodePool", pool).inputs["longestPodGraceSeconds"];
  expect([grace("general-nodes"), grace("kafka-nodes")]).toEqual([60, 360]);
});
