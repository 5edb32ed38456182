import * as pulumi from "@pulumi/pulumi";
import { DiscoveryScope, MetricKind, type ClusterMetricsArgs } from "../../../../components/alarms";
import { find, reaches } from "../../../support/graph";
import type { Registration } from "../../../support/harness";
import { make, types } from "./setup";

const rbac = (kind: string) => `kubernetes:rbac.authorization.k8s.io/v1:${kind}`;
const kafka: NonNullable<ClusterMetricsArgs["targets"]> = {
  kafka: {
    namespace: "kafka",
    podLabels: { app: "kafka" },
    port: 9404,
    series: [{ metrics: ["jvm_threads"], kind: MetricKind.Gauge }],
  },
};
const policyOf = ({ inputs }: Registration, key = "policy") =>
  JSON.parse(inputs[key] as string) as { Statement: Record<string, unknown>[] };
interface Template {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  spec: Record<string, unknown> & { containers: Record<string, unknown>[]; volumes: Record<string, unknown>[] };
}
const templateOf = (resources: readonly Registration[]) =>
  (find(resources, types.deployment).inputs["spec"] as { template: Template }).template;

describe("in AWS", () => {
  test("the role is for one service account, and may write into its own log group only", async () => {
    const { resources, errors } = await make({ namespace: "monitoring" });
    expect(errors).toEqual([]);
    expect(policyOf(find(resources, types.role), "assumeRolePolicy").Statement).toEqual([
      {
        Effect: "Allow",
        Principal: {
          Federated: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123",
        },
        Action: "sts:AssumeRoleWithWebIdentity",
        Condition: {
          StringEquals: {
            "oidc.eks.eu-west-1.amazonaws.com/id/0123:aud": "sts.amazonaws.com",
            "oidc.eks.eu-west-1.amazonaws.com/id/0123:sub": "system:serviceaccount:monitoring:metrics",
          },
        },
      },
    ]);
    expect(policyOf(find(resources, types.policy)).Statement).toEqual([
      {
        Sid: "WriteOwnLogGroup",
        Effect: "Allow",
        Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
        Resource: "arn:aws:logs:eu-west-1:123456789012:log-group:/moorings/shop-prod/metrics:*",
      },
    ]);
    expect(find(resources, types.account).inputs).toMatchObject({
      metadata: {
        name: "metrics",
        namespace: "monitoring",
        annotations: { "eks.amazonaws.com/role-arn": "arn:aws:metrics-role" },
      },
      automountServiceAccountToken: false,
    });
  });

  test("the log group is kept for a week, or as long as is said, with a key if one is given", async () => {
    const group = async (args: Partial<ClusterMetricsArgs>) => find((await make(args)).resources, types.logs).inputs;
    expect(await group({})).toMatchObject({ name: "/moorings/shop-prod/metrics", retentionInDays: 7 });
    expect(await group({})).not.toHaveProperty("kmsKeyId");
    const logKeyArn = "arn:aws:kms:eu-west-1:123456789012:key/1";
    expect(await group({ logRetentionInDays: 30, logKeyArn })).toMatchObject({
      retentionInDays: 30,
      kmsKeyId: logKeyArn,
    });
  });
});

describe("in Kubernetes", () => {
  const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] }];

  test("the agent may read pods where its targets are, and nothing else", async () => {
    const { resources } = await make({ targets: kafka, namespace: "monitoring" });
    const roles = resources.filter((r) => r.type === rbac("Role"));
    expect(roles.map((r) => r.inputs)).toEqual(
      ["kube-system", "kafka"].map(
        (namespace) => expect.objectContaining({ metadata: { namespace }, rules }) as unknown,
      ),
    );
    for (const namespace of ["kube-system", "kafka"])
      expect(find(resources, rbac("RoleBinding"), `metrics-discovery-${namespace}`).inputs).toMatchObject({
        metadata: { namespace },
        roleRef: { kind: "Role", name: `metrics-discovery-${namespace}-1a2b3c4d` },
        subjects: [{ kind: "ServiceAccount", name: "metrics", namespace: "monitoring" }],
      });
    expect(resources.filter((r) => r.type.includes(":ClusterRole"))).toEqual([]);
  });

  test("or pods everywhere, for namespaces that are made later", async () => {
    const { resources } = await make({ targets: kafka, discovery: DiscoveryScope.Cluster });
    expect(find(resources, rbac("ClusterRole")).inputs["rules"]).toEqual(rules);
    expect(find(resources, rbac("ClusterRoleBinding")).inputs).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "metrics-discovery-1a2b3c4d" },
      subjects: [{ kind: "ServiceAccount", name: "metrics", namespace: "kube-system" }],
    });
    expect(resources.filter((r) => /:Role(Binding)?$/.test(r.type) && r.type.startsWith("kubernetes:"))).toEqual([]);
  });

  test("one pod, never two at a time, on system nodes", async () => {
    const { resources, outputs } = await make();
    expect(find(resources, types.deployment).inputs["spec"]).toMatchObject({
      replicas: 1,
      strategy: { type: "Recreate" },
      selector: { matchLabels: outputs!.podLabels },
    });
    expect(templateOf(resources).metadata.labels).toEqual(outputs!.podLabels);
    expect(templateOf(resources).spec).toMatchObject({
      serviceAccountName: "metrics",
      automountServiceAccountToken: true,
      nodeSelector: { "moorings.dev/node-role": "system" },
      tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
    });
    expect(resources.filter((r) => r.type.endsWith(":PodDisruptionBudget"))).toEqual([]);
    const elsewhere = await make({ nodeSelector: {}, image: "registry.acme.io/agent:1", memoryMiB: 1024 });
    expect(templateOf(elsewhere.resources).spec.nodeSelector).toEqual({});
    expect(templateOf(elsewhere.resources).spec.containers[0]).toMatchObject({
      image: "registry.acme.io/agent:1",
      resources: { requests: { memory: "1024Mi" }, limits: { memory: "1024Mi" } },
    });
  });

  test("the pod is restricted, and can write where the agent writes", async () => {
    const { spec } = templateOf((await make()).resources);
    expect(spec["securityContext"]).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 65532,
      fsGroup: 65532,
      seccompProfile: { type: "RuntimeDefault" },
    });
    const [container] = spec.containers;
    expect(container).toMatchObject({
      image: "public.ecr.aws/cloudwatch-agent/cloudwatch-agent:1.300070.0b1586",
      // Without it the agent takes itself for a machine outside AWS (translator/util/sdkutil.go, DetectAgentMode).
      env: [{ name: "RUN_WITH_IRSA", value: "True" }],
      resources: { requests: { cpu: "50m", memory: "512Mi" }, limits: { memory: "512Mi" } },
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    });
    const mounts = container!["volumeMounts"] as { name: string; mountPath: string; readOnly?: boolean }[];
    const empty = spec.volumes.filter((volume) => "emptyDir" in volume).map((volume) => volume["name"]);
    // tool/paths/paths_unix.go and cmd/start-amazon-cloudwatch-agent/path.go: translated configuration, process id.
    expect(mounts.filter(({ name }) => empty.includes(name)).map(({ mountPath }) => mountPath)).toEqual([
      "/opt/aws/amazon-cloudwatch-agent/etc",
      "/opt/aws/amazon-cloudwatch-agent/var",
      "/tmp",
    ]);
    expect(mounts.filter(({ readOnly }) => readOnly).map(({ mountPath }) => mountPath)).toEqual([
      "/etc/cwagentconfig",
      "/etc/prometheusconfig",
    ]);
    expect(spec.volumes.slice(0, 2)).toEqual([
      {
        name: "agent-config",
        configMap: {
          name: "metrics-agent-1a2b3c4d",
          items: [{ key: "cwagentconfig.json", path: "cwagentconfig.json" }],
        },
      },
      {
        name: "prometheus-config",
        configMap: {
          name: "metrics-prometheus-1a2b3c4d",
          items: [{ key: "prometheus.yaml", path: "prometheus.yaml" }],
        },
      },
    ]);
  });

  test("another configuration or another role starts the agent anew, the same ones don't", async () => {
    const annotations = async (args: Partial<ClusterMetricsArgs>) =>
      templateOf((await make(args)).resources).metadata.annotations;
    const before = await annotations({});
    expect(before["moorings.dev/configuration-checksum"]).toMatch(/^[0-9a-f]{64}$/);
    expect(before["moorings.dev/role-arn"]).toBe("arn:aws:metrics-role");
    expect(await annotations({ logRetentionInDays: 30 })).toEqual(before);
    // A target changes both files, the region only the agent's, a path only Prometheus'.
    for (const change of [{ targets: kafka }, { region: "eu-north-1" }])
      expect((await annotations(change))["moorings.dev/configuration-checksum"]).not.toBe(
        before["moorings.dev/configuration-checksum"],
      );
    const at = (path: string) => annotations({ targets: { kafka: { ...kafka["kafka"]!, path } } });
    expect(await at("/a")).not.toEqual(await at("/b"));
  });
});

describe("order", () => {
  test("the agent starts with its permissions, the alarm after the agent", async () => {
    const { resources } = await make();
    const deployment = find(resources, types.deployment);
    for (const [type, name] of [
      [types.attachment, "metrics-attachment"],
      [types.logs, "metrics-logs"],
      [rbac("RoleBinding"), "metrics-discovery-kube-system"],
      [types.config, "metrics-agent"],
      [types.config, "metrics-prometheus"],
    ] as const)
      expect([name, reaches(resources, deployment, find(resources, type, name))]).toEqual([name, true]);
    expect(reaches(resources, find(resources, types.alarm), deployment)).toBe(true);
  });

  test("works in a preview, where the region may be unknown", async () => {
    const region = pulumi.output("eu-west-1");
    const { resources, errors } = await make({ region }, { preview: true });
    expect(errors).toEqual([]);
    expect(find(resources, types.deployment)).toBeDefined();
  });
});

describe("the alarm on the pipeline", () => {
  test("pages when a gauge of Karpenter's has been silent for a quarter of an hour", async () => {
    const { resources, outputs } = await make({ namePrefix: "prod", runbookUrl: "https://runbooks.acme.io/metrics" });
    expect(outputs).toMatchObject({ namespace: "Moorings/shop-prod", alarmName: "prod-metrics-pipeline-silent" });
    const { inputs } = find(resources, types.alarm, "metrics-pipeline-silent");
    expect(inputs).toMatchObject({
      name: "prod-metrics-pipeline-silent",
      namespace: "Moorings/shop-prod",
      metricName: "go_goroutines",
      dimensions: { job: "karpenter" },
      statistic: "SampleCount",
      period: 300,
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
      comparisonOperator: "LessThanThreshold",
      threshold: 1,
      treatMissingData: "breaching",
      warmUpConfiguration: { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: true },
      alarmActions: ["arn:aws:sns:eu-west-1:123456789012:page"],
      okActions: ["arn:aws:sns:eu-west-1:123456789012:page"],
      insufficientDataActions: ["arn:aws:sns:eu-west-1:123456789012:ticket"],
    });
    expect(inputs["alarmDescription"]).toContain(
      "First: kubectl logs --namespace kube-system --selector app.kubernetes.io/instance=metrics --tail 50",
    );
    expect(inputs["alarmDescription"]).toContain("Runbook: https://runbooks.acme.io/metrics");
    const own = find((await make()).resources, types.alarm, "metrics-pipeline-silent").inputs["alarmDescription"];
    expect(own).toMatch(/\nRunbook: .*\/docs\/runbooks\/pipeline-silent\.md$/);
    const quick = await make({ strictWarmUp: false });
    expect(find(quick.resources, types.alarm).inputs).toMatchObject({
      warmUpConfiguration: { onlyStartEvaluatingAfterWarmUpPeriodEnds: false },
    });
  });

  test("listens to the target that it is told, or to the first one", async () => {
    const listens = async (args: Partial<ClusterMetricsArgs>) => {
      const { inputs } = find((await make(args)).resources, types.alarm);
      return [inputs["dimensions"], inputs["metricName"]];
    };
    const given = { target: "kafka", metric: "jvm_threads" };
    expect(await listens({ targets: kafka, heartbeat: given })).toEqual([{ job: "kafka" }, "jvm_threads"]);
    const go = { ...kafka["kafka"]!, series: [{ metrics: ["go_goroutines"], kind: MetricKind.Gauge }] };
    expect(await listens({ presets: [], targets: { shop: go } })).toEqual([{ job: "shop" }, "go_goroutines"]);
  });
});
