import { resolve } from "node:path";
import { PolicyPack } from "../../cli/engine/policy-pack";
import type { Recording, ResourceRecord } from "../../cli/engine/records";
import { unknown } from "../../cli/engine/values";
import { policies } from "../../policy/policies";
import { judge, recordStack } from "../support/recordings";
import { find } from "../support/graph";

const ingressRule = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const attachment = "aws:lb/targetGroupAttachment:TargetGroupAttachment";
const targetGroup = "aws:lb/targetGroup:TargetGroup";
const nodePool = "kubernetes:karpenter.sh/v1:NodePool";
const statefulSet = "kubernetes:apps/v1:StatefulSet";
const deployment = "kubernetes:apps/v1:Deployment";
const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";
const listenerRule = "aws:lb/listenerRule:ListenerRule";
const release = "kubernetes:helm.sh/v3:Release";
const cloudFormation = "aws:cloudformation/stack:Stack";
const alarm = "aws:cloudwatch/metricAlarm:MetricAlarm";
const muteRule = "aws:cloudwatch/alarmMuteRule:AlarmMuteRule";
const cluster = "eks:index:Cluster";
const nodeClass = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass";

let dev: Recording;
let pack: PolicyPack;

beforeAll(async () => {
  [dev, pack] = await Promise.all([
    recordStack("dev"),
    PolicyPack.start(
      { directory: resolve(__dirname, "../../policy"), config: {} },
      {
        project: "moorings",
        stack: "dev",
        organization: "o",
        config: {},
        secretKeys: [],
        engineAddress: "127.0.0.1:1",
      },
    ),
  ]);
});

afterAll(() => pack.stop());

describe("the policy pack on stack dev", () => {
  test("finds nothing", async () => {
    expect(await judge(pack, copy())).toEqual([]);
  });

  const copy = (): ResourceRecord[] => structuredClone([...dev.resources]);
  const groupUrn = () => find(dev.resources, targetGroup).urn;
  const added = (
    type: string,
    name: string,
    inputs: ResourceRecord["inputs"],
    dependsOn: Record<string, string[]> = {},
  ) => ({
    ...structuredClone(find(dev.resources, listenerRule)),
    urn: `urn:pulumi:dev::moorings::${type}::${name}`,
    type,
    name,
    inputs,
    propertyDependencies: dependsOn,
    dependencies: Object.values(dependsOn).flat(),
  });

  type Json = Record<string, unknown>;
  const spec = (all: ResourceRecord[], type: string, name: string) => find(all, type, name).inputs["spec"] as Json;
  const podSpec = (all: ResourceRecord[], type: string, name: string) =>
    (spec(all, type, name)["template"] as { spec: Json }).spec;
  const container = (all: ResourceRecord[]) => (podSpec(all, statefulSet, "kafka-broker")["containers"] as Json[])[0]!;
  const variable = (all: ResourceRecord[], name: string) =>
    (container(all)["env"] as Json[]).find((v) => v["name"] === name)!;

  const values = (all: ResourceRecord[]) => find(all, release, "lbc-release").inputs["values"] as Json;
  /** The resources, and one of them once more under another name. */
  const twice = (all: ResourceRecord[], type: string, name: string) => {
    const original = find(all, type, name);
    return [...all, { ...structuredClone(original), name: "again", urn: `${original.urn}-again` }];
  };

  /** The stack with another value of a property in the files of its Kafka client. */
  const withClient = (all: ResourceRecord[], property: string, value: string) => {
    const map = find(all, "kubernetes:core/v1:ConfigMap", "kafka-demo-producer");
    const files = Object.entries(map.inputs["data"] as Record<string, string>);
    const line = new RegExp(`^${property.replaceAll(".", "\\.")}=.*$`, "m");
    map.inputs["data"] = Object.fromEntries(
      files.map(([name, text]) => [name, text.replace(line, `${property}=${value}`)]),
    );
    return all;
  };

  /** One fault for each rule, as somebody would make it. */
  const mutations: Record<string, (resources: ResourceRecord[]) => ResourceRecord[]> = {
    "no-hand-registered-ip-targets": (all) => [
      ...all,
      added(attachment, "by-hand", {
        targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/other/0123456789abcdef",
        targetId: "10.20.33.17",
      }),
    ],
    "no-attachments-on-ip-target-groups": (all) => [
      ...all,
      added(attachment, "by-hand", { targetGroupArn: unknown, targetId: unknown }, { targetGroupArn: [groupUrn()] }),
    ],
    "no-ip-targets-in-templates": (all) => {
      const type = "AWS::ElasticLoadBalancingV2::TargetGroup";
      const group = { Type: type, Properties: { Targets: [{ Id: "10.20.33.17" }] } };
      return [...all, added(cloudFormation, "by-hand", { templateBody: JSON.stringify({ Resources: { group } }) })];
    },
    "no-target-registration-in-scripts": (all) => [
      ...all,
      added("command:local:Command", "by-hand", { create: "aws elbv2 register-targets --targets Id=10.20.33.17" }),
    ],
    "carriers-can-be-seen": (all) => [
      ...all,
      added(cloudFormation, "closed", { templateUrl: "https://templates.example.com/shop.yaml" }),
    ],
    "ip-target-group-needs-binding": (all) => all.filter((r) => r.type !== binding),
    "no-binding-to-selectorless-service": (all) => {
      delete spec(all, "kubernetes:core/v1:Service", "web-service")["selector"];
      return all;
    },
    "no-inline-rules-on-cluster-security-groups": (all) => {
      const group = find(all, "aws:ec2/securityGroup:SecurityGroup");
      group.inputs["tags"] = { "kubernetes.io/cluster/moorings-dev": "owned" };
      group.inputs["ingress"] = [{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/8"] }];
      return all;
    },
    "no-cluster-tag-on-groups-with-inline-rules": (all) => {
      const group = find(all, "aws:ec2/securityGroup:SecurityGroup");
      Object.assign(group.inputs, { id: "sg-0123456789abcdef0", ingress: [] });
      const tag = { resourceId: "sg-0123456789abcdef0", key: "kubernetes.io/cluster/moorings-dev", value: "owned" };
      return [...all, added("aws:ec2/tag:Tag", "tag", tag)];
    },
    "no-controller-managed-descriptions": (all) => {
      find(all, ingressRule, "edge-net-ingress").inputs["description"] = "elbv2.k8s.aws/targetGroupBinding=shared";
      return all;
    },
    "no-equal-security-group-rules": (all) => twice(all, ingressRule, "edge-office-443"),
    "no-static-copies-of-managed-rules": (all) => {
      const from = [{ securityGroup: { groupID: "sg-0123456789abcdef0" } }];
      const ports = [{ protocol: "TCP", port: 8080 }];
      spec(all, binding, "web-pods-binding")["networking"] = { ingress: [{ from, ports }] };
      return [
        ...all,
        added(ingressRule, "by-hand", {
          securityGroupId: "sg-0fedcba9876543210",
          referencedSecurityGroupId: "sg-0123456789abcdef0",
          ipProtocol: "tcp",
          fromPort: 8080,
          toPort: 8080,
        }),
      ];
    },
    "one-cluster-group-per-node": (all) => {
      const tags = { "kubernetes.io/cluster/moorings-dev": "owned" };
      find(all, "aws:ec2/securityGroup:SecurityGroup").inputs["tags"] = tags;
      spec(all, nodeClass, "general-nodes-class")["securityGroupSelectorTerms"] = [{ tags }];
      return all;
    },
    "one-binding-per-target-group": (all) => twice(all, binding, "web-pods-binding"),
    "no-controller-marks-on-bindings": (all) => {
      const metadata = find(all, binding).inputs["metadata"] as Json;
      metadata["labels"] = { "ingress.k8s.aws/stack": "web" };
      return all;
    },
    "binding-name-fits-its-gate": (all) => {
      (find(all, binding).inputs["metadata"] as Json)["name"] = "w".repeat(64);
      return all;
    },
    "binding-fields-fit-together": (all) => {
      const from = [{ ipBlock: { cidr: "10.0.0.0/16" } }];
      spec(all, binding, "web-pods-binding")["networking"] = { ingress: [{ from, ports: [] }] };
      return all;
    },
    "bound-workload-drains": (all) =>
      all.filter((r) => r.type !== "kubernetes:policy/v1:PodDisruptionBudget" || r.name !== "web-app-pdb"),
    "no-equal-listener-rule-priorities": (all) => {
      find(all, listenerRule, "web-rule").inputs["priority"] = 10;
      return twice(all, listenerRule, "web-rule");
    },
    "ip-target-group-has-alarms": (all) => all.filter((r) => r.type !== alarm),
    "outage-alarms-are-never-muted": (all) => {
      const name = find(all, alarm, "web-health-no-healthy-hosts").inputs["name"] as string;
      return [...all, added(muteRule, "quiet-night", { muteTargets: { alarmNames: [name] } })];
    },
    "no-equal-physical-names": (all) => twice(all, alarm, "web-health-no-healthy-hosts"),
    "controller-knows-where-it-is": (all) => {
      delete values(all)["vpcId"];
      return all;
    },
    "controller-survives-a-drain": (all) => {
      delete values(all)["podDisruptionBudget"];
      return all;
    },
    "controller-webhooks-block-nothing": (all) => {
      delete values(all)["enableServiceMutatorWebhook"];
      return all;
    },
    "controller-keeps-its-certificate": (all) => {
      delete values(all)["webhookTLS"];
      delete values(all)["keepTLSSecret"];
      return all;
    },
    "controller-chart-is-current": (all) => {
      find(all, release, "lbc-release").inputs["version"] = "1.17.1";
      return all;
    },
    "one-controller-per-cluster": (all) => twice(all, release, "lbc-release"),
    "cluster-endpoint-names-its-callers": (all) => {
      Object.assign(find(all, cluster).inputs, { endpointPublicAccess: true, publicAccessCidrs: ["0.0.0.0/0"] });
      return all;
    },
    "cluster-admits-by-access-entries": (all) => {
      find(all, cluster).inputs["authenticationMode"] = "CONFIG_MAP";
      return all;
    },
    "cluster-stays-in-standard-support": (all) => {
      delete find(all, cluster).inputs["upgradePolicy"];
      return all;
    },
    "cluster-addons-are-pinned": (all) => {
      delete find(all, "aws:eks/addon:Addon", "cluster-coredns").inputs["addonVersion"];
      return all;
    },
    "node-pool-has-limits": (all) => {
      delete spec(all, nodePool, "general-nodes-pool")["limits"];
      return all;
    },
    "node-pool-has-budgets": (all) => {
      delete (spec(all, nodePool, "general-nodes-pool")["disruption"] as Json)["budgets"];
      return all;
    },
    "node-class-pins-ami": (all) => {
      spec(all, nodeClass, "general-nodes-class")["amiSelectorTerms"] = [{ alias: "al2023@latest" }];
      return all;
    },
    "node-pool-expiry-needs-grace": (all) => {
      delete podSpec(all, nodePool, "general-nodes-pool")["terminationGracePeriod"];
      return all;
    },
    "stateful-node-pool-never-underutilized": (all) => {
      // Either of the two alone would still keep the brokers where they are.
      Object.assign(spec(all, nodePool, "kafka-nodes-pool")["disruption"] as Json, {
        consolidationPolicy: "WhenEmptyOrUnderutilized",
        budgets: [{ nodes: "10%" }],
      });
      return all;
    },
    "kafka-starts-together": (all) => {
      spec(all, statefulSet, "kafka-broker")["podManagementPolicy"] = "OrderedReady";
      return all;
    },
    "kafka-shuts-down-in-time": (all) => {
      podSpec(all, statefulSet, "kafka-broker")["terminationGracePeriodSeconds"] = 60;
      return all;
    },
    "no-kafka-server-stop-hook": (all) => {
      container(all)["lifecycle"] = { preStop: { exec: { command: ["kafka-server-stop.sh"] } } };
      return all;
    },
    "kafka-nodes-outlive-the-shutdown": (all) => {
      podSpec(all, nodePool, "kafka-nodes-pool")["terminationGracePeriod"] = "2m";
      return all;
    },
    "kafka-has-a-disruption-budget": (all) =>
      all.filter((r) => r.type !== "kubernetes:policy/v1:PodDisruptionBudget" || r.name !== "kafka-broker-budget"),
    "kafka-spreads-over-zones": (all) => {
      const [zones] = podSpec(all, statefulSet, "kafka-broker")["topologySpreadConstraints"] as Json[];
      delete zones!["minDomains"];
      return all;
    },
    "kafka-volumes-wait-for-their-pod": (all) => {
      find(all, "kubernetes:storage.k8s.io/v1:StorageClass", "kafka-storage").inputs["volumeBindingMode"] = "Immediate";
      return all;
    },
    "kafka-keeps-its-data": (all) => {
      const retention = spec(all, statefulSet, "kafka-broker")["persistentVolumeClaimRetentionPolicy"] as Json;
      retention["whenScaled"] = "Delete";
      return all;
    },
    "kafka-survives-losing-a-broker": (all) => {
      const data = find(all, "kubernetes:core/v1:ConfigMap", "kafka-controller-config").inputs["data"] as Json;
      const properties = data["server.properties"] as string;
      expect(properties).toContain("\nmin.insync.replicas=2\n");
      data["server.properties"] = properties.replace("\nmin.insync.replicas=2\n", "\nmin.insync.replicas=1\n");
      return all;
    },
    "kafka-has-its-own-cluster-id": (all) => {
      variable(all, "CLUSTER_ID")["value"] = "5L6g3nShT-eMCtK--X86sw";
      return all;
    },
    "kafka-advertises-names": (all) => {
      variable(all, "KAFKA_ADVERTISED_LISTENERS")["value"] = "CLIENT://10.0.1.17:9092";
      return all;
    },
    "kafka-pods-get-nothing-injected": (all) => {
      podSpec(all, statefulSet, "kafka-broker")["enableServiceLinks"] = true;
      return all;
    },
    "kafka-client-drops-dead-brokers": (all) => withClient(all, "request.timeout.ms", "60000"),
    "kafka-client-keeps-its-messages": (all) => withClient(all, "acks", "1"),
    "kafka-client-reports-statistics": (all) => withClient(all, "statistics.interval.ms", "0"),
    "kafka-client-sysctls-are-safe": (all) => {
      podSpec(all, deployment, "kafka-demo-producer")["hostNetwork"] = true;
      return all;
    },
    "keepalive-is-no-timeout": (all) => {
      find(all, "kubernetes:core/v1:ConfigMap", "kafka-demo-producer").inputs["data"] = {};
      return all;
    },
  };

  test("each rule has a mutation", () => {
    expect(Object.keys(mutations).sort()).toEqual(policies.map((p) => p.name).sort());
  });

  const advisory = [
    "no-kafka-server-stop-hook",
    "controller-chart-is-current",
    "keepalive-is-no-timeout",
    "no-target-registration-in-scripts",
    "carriers-can-be-seen",
  ];

  test.each(Object.keys(mutations))("%s is tripped by its fault, and nothing else is", async (rule) => {
    const found = await judge(pack, mutations[rule]!(copy()));
    const of = (enforcement: string) => [
      ...new Set(found.filter((v) => v.enforcement === enforcement).map((v) => v.policy)),
    ];
    // What a preview can't know is advisory too, so only an advisory rule's own fault is looked for there.
    expect(of("mandatory")).toEqual(advisory.includes(rule) ? [] : [rule]);
    if (advisory.includes(rule)) expect(of("advisory")).toEqual([rule]);
  });
});
