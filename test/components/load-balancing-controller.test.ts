import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  ControllerChartVersion,
  ControllerPermissions,
  LoadBalancerController,
  type LoadBalancerControllerArgs,
} from "../../components/load-balancing";
import chartValues from "../fixtures/facts/lbc-chart-values-3.5.0.json";
import published from "../fixtures/facts/lbc-iam-policy.json";
import { find, reaches } from "../support/graph";
import { answers, run, secretSignature, type Registration, type RunOptions } from "../support/harness";

const types = {
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  crds: "kubernetes:yaml/v2:ConfigFile",
  leaf: "tls:index/locallySignedCert:LocallySignedCert",
  ca: "tls:index/selfSignedCert:SelfSignedCert",
  policy: "aws:iam/policy:Policy",
  release: "kubernetes:helm.sh/v3:Release",
  request: "tls:index/certRequest:CertRequest",
  role: "aws:iam/role:Role",
};
const args: LoadBalancerControllerArgs = {
  cluster: {
    name: "shop-prod",
    endpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
    certificateAuthority: "Q0E=",
    oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123",
    oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/0123",
    securityGroupId: "sg-0123456789abcdef0",
    vpcId: "vpc-0123456789abcdef0",
  },
  region: "eu-west-1",
};

const state: RunOptions["state"] = (resource) => {
  switch (resource.type) {
    case types.role:
    case types.policy:
      return { arn: `arn:aws:iam::123456789012:made/${resource.name}`, name: `${resource.name}-1a2b3c4` };
    case "tls:index/privateKey:PrivateKey":
      return { privateKeyPem: `key of ${resource.name}` };
    case types.ca:
    case types.leaf:
      return { certPem: `certificate ${resource.name}` };
    case types.request:
      return { certRequestPem: `request ${resource.name}` };
    default:
      return {};
  }
};

const make = (change: Partial<LoadBalancerControllerArgs> = {}, options: RunOptions = {}) =>
  run(
    () => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const made = new LoadBalancerController("lbc", { ...args, ...change }, { providers: [cluster] });
      return { roleArn: made.roleArn, chartVersion: made.chartVersion };
    },
    { state, ...options },
  );

interface Statement {
  Sid?: string;
  Effect: string;
  Action: string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}
const documentOf = (resources: readonly Registration[]) => find(resources, types.policy).inputs["policy"] as string;
const statementsOf = (resources: readonly Registration[]) =>
  (JSON.parse(documentOf(resources)) as { Statement: Statement[] }).Statement;
const secret = (value: string) => ({ ...secretSignature, value });
const valuesOf = (resources: readonly Registration[]) =>
  find(resources, types.release).inputs["values"] as Record<string, unknown>;
const elsewhere = (partition: string, region: string): RunOptions => ({
  call: (call) => {
    const answer = answers(call);
    if (call.token === "aws:index/getPartition:getPartition") return { ...answer, partition };
    if (call.token === "aws:index/getRegion:getRegion") return { ...answer, region };
    return answer;
  },
});

describe("LoadBalancerController: permissions", () => {
  test("its role is assumed by one service account only, and lives under the path that guards know", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    const role = find(resources, types.role).inputs;
    expect(role["path"]).toBe("/moorings/shop-prod/");
    expect(JSON.parse(role["assumeRolePolicy"] as string)).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: args.cluster.oidcProviderArn },
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: {
            StringEquals: {
              "oidc.eks.eu-west-1.amazonaws.com/id/0123:aud": "sts.amazonaws.com",
              "oidc.eks.eu-west-1.amazonaws.com/id/0123:sub":
                "system:serviceaccount:kube-system:aws-load-balancer-controller",
            },
          },
        },
      ],
    });
  });

  // The six actions: what the controller's binary was seen to call for a binding without networking.
  test("by default it reads, and registers where the group carries the cluster's tag: no more", async () => {
    const { resources } = await make();
    expect(statementsOf(resources)).toEqual([
      {
        Sid: "ReadTargets",
        Effect: "Allow",
        Action: [
          "ec2:DescribeSecurityGroups",
          "ec2:DescribeVpcs",
          "elasticloadbalancing:DescribeTargetGroups",
          "elasticloadbalancing:DescribeTargetHealth",
        ],
        Resource: "*",
      },
      {
        Sid: "RegisterWhereTagged",
        Effect: "Allow",
        Action: ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
        Resource: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/*/*",
        Condition: { StringEquals: { "aws:ResourceTag/moorings-target-registration": "shop-prod" } },
      },
    ]);
  });

  test("by default it can't revoke a rule: the second outage can't happen", async () => {
    const { resources } = await make();
    expect(documentOf(resources)).not.toMatch(/SecurityGroup(In|E)gress|\*:\*|"ec2:\*"|iam:/);
  });

  test("groups under migration are named one by one", async () => {
    const old = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/old/0123456789abcdef";
    const { resources } = await make({ targetGroupArns: [pulumi.output(old)] });
    expect(statementsOf(resources)[2]).toEqual({
      Sid: "RegisterMigrated",
      Effect: "Allow",
      Action: ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
      Resource: [old],
    });
  });

  test("the full policy is the published one, but changes foreign groups' rules in the cluster's VPC only", async () => {
    const { resources, errors } = await make({ permissions: ControllerPermissions.Full });
    expect(errors).toEqual([]);
    const expected = structuredClone(published.Statement) as Statement[];
    expected[3]!.Condition = {
      ArnEquals: { "ec2:Vpc": "arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0" },
    };
    expect(statementsOf(resources)).toHaveLength(16);
    expect(statementsOf(resources)).toEqual(expected);
  });

  test("3.7.0 may ask for quotas of security groups, as its release notes demand, and nothing else is added", async () => {
    const actions = async (chartVersion: ControllerChartVersion) =>
      statementsOf((await make({ chartVersion, permissions: ControllerPermissions.Full })).resources).map(
        (s) => s.Action,
      );
    const [old, middle, newest] = [
      await actions(ControllerChartVersion.V3_5_0),
      await actions(ControllerChartVersion.V3_6_0),
      await actions(ControllerChartVersion.V3_7_0),
    ];
    expect(middle).toEqual(old);
    expect(newest[1]).toEqual([...old[1]!, "ec2:ValidateSecurityGroupQuotasForInterface"]);
    expect(newest.filter((_, n) => n !== 1)).toEqual(old.filter((_, n) => n !== 1));
  });

  // IAM: a managed policy holds 6,144 characters. Longest EKS cluster name: 100.
  test.each([
    ["aws", "ap-southeast-7"],
    ["aws-cn", "cn-northwest-1"],
    ["aws-us-gov", "us-gov-west-1"],
  ])("both policies fit in partition %s with the longest cluster name", async (partition, region) => {
    const cluster = { ...args.cluster, name: "c".repeat(100) };
    for (const permissions of [ControllerPermissions.BindingOnly, ControllerPermissions.Full]) {
      const { resources, errors } = await make(
        { cluster, permissions, chartVersion: ControllerChartVersion.V3_7_0 },
        elsewhere(partition, region),
      );
      expect(errors).toEqual([]);
      const document = documentOf(resources);
      expect(document.length).toBeLessThanOrEqual(6144);
      expect(document).toContain(`arn:${partition}:`);
      expect(document.match(/arn:[a-z-]+:/g)!.every((arn) => arn === `arn:${partition}:`)).toBe(true);
    }
  });

  test("a policy that IAM would refuse for its size stops before it is sent", async () => {
    const arn = (n: number) =>
      `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/${"g".repeat(32)}/${String(n).padStart(16, "0")}`;
    const { errors } = await make({ targetGroupArns: Array.from({ length: 60 }, (_, n) => arn(n)) });
    expect(errors.map((e) => e.message).join()).toMatch(/IAM stores 6144: name fewer groups, or tag them/);
  });
});

describe("LoadBalancerController: release", () => {
  test("one pinned chart, whose definitions are applied first", async () => {
    const { resources } = await make();
    expect(find(resources, types.release).inputs).toMatchObject({
      name: "aws-load-balancer-controller",
      namespace: "kube-system",
      chart: "aws-load-balancer-controller",
      version: "3.5.0",
      repositoryOpts: { repo: "https://aws.github.io/eks-charts" },
      skipCrds: true,
    });
    const crds = find(resources, types.crds);
    expect(crds.inputs["file"]).toMatch(/aws-load-balancer-controller\/v3\.5\.0\/.*crds\.yaml$/);
    // Kept on delete, they would be out of the state, and the next update would make them a second time.
    expect(crds.retainOnDelete).toBe(false);
  });

  test("definitions follow the chart, or come from a mirror", async () => {
    const file = async (change: Partial<LoadBalancerControllerArgs>) =>
      find((await make(change)).resources, types.crds).inputs["file"];
    expect(await file({ chartVersion: ControllerChartVersion.V3_7_0 })).toContain("/v3.7.0/");
    expect(await file({ crdManifest: "./crds.yaml" })).toBe("./crds.yaml");
  });

  test("permissions, definitions and certificates are there before the pods", async () => {
    const { resources } = await make();
    const release = find(resources, types.release);
    for (const type of [types.attachment, types.policy, types.crds, types.leaf])
      expect(reaches(resources, release, find(resources, type))).toBe(true);
  });

  test("every value exists in the chart: a misspelt one would be ignored in silence", async () => {
    for (const permissions of [ControllerPermissions.BindingOnly, ControllerPermissions.Full]) {
      const { resources } = await make({ permissions });
      expect(unknownKeys(valuesOf(resources), chartValues)).toEqual([]);
    }
    expect(unknownKeys({ replicas: 2, webhookTLS: { ca: "" } }, chartValues)).toEqual(["replicas", "webhookTLS.ca"]);
  });

  test("the pods start without metadata service, on system nodes, two apart, and stay", async () => {
    const { resources } = await make();
    expect(valuesOf(resources)).toMatchObject({
      clusterName: "shop-prod",
      region: "eu-west-1",
      vpcId: "vpc-0123456789abcdef0",
      serviceAccount: {
        create: true,
        name: "aws-load-balancer-controller",
        annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:made/lbc-role" },
      },
      replicaCount: 2,
      podDisruptionBudget: { maxUnavailable: 1 },
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      nodeSelector: { "moorings.dev/node-role": "system" },
      tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
      podAnnotations: { "karpenter.sh/do-not-disrupt": "true" },
    });
    const spread = valuesOf(resources)["topologySpreadConstraints"] as Record<string, unknown>[];
    expect(spread.map((s) => [s["topologyKey"], s["whenUnsatisfiable"]])).toEqual([
      ["kubernetes.io/hostname", "DoNotSchedule"],
      ["topology.kubernetes.io/zone", "ScheduleAnyway"],
    ]);
  });

  test("nothing of it blocks Services, pods or upgrades, and lost updates are soon found", async () => {
    const { resources } = await make();
    const values = valuesOf(resources);
    expect(values).toMatchObject({
      enableServiceMutatorWebhook: false,
      keepTLSSecret: true,
      podMutatorWebhookConfig: { failurePolicy: "Ignore" },
      targetgroupbindingMaxExponentialBackoffDelay: "60s",
      targetgroupbindingRequeueDuration: "5s",
      syncPeriod: "30m",
      defaultTargetType: "ip",
      disableRestrictedSecurityGroupRules: true,
    });
    // It would replace the selector of a webhook that fails closed, too.
    expect(values).not.toHaveProperty("webhookNamespaceSelectors");
  });

  test("Ingress and Service features are on exactly when it has the permissions for them", async () => {
    const features = async (permissions: ControllerPermissions) => {
      const values = valuesOf((await make({ permissions })).resources);
      return [values["controllerConfig"], values["createIngressClassResource"], values["webhookConfig"]];
    };
    const gates = { ALBGatewayAPI: false, NLBGatewayAPI: false, GatewayListenerSet: false };
    expect(await features(ControllerPermissions.BindingOnly)).toEqual([
      { featureGates: { ...gates, EnableServiceController: false } },
      false,
      { disableIngressValidation: true },
    ]);
    expect(await features(ControllerPermissions.Full)).toEqual([
      { featureGates: { ...gates, EnableServiceController: true } },
      true,
      { disableIngressValidation: false },
    ]);
  });

  test("webhooks serve with a certificate that upgrades don't change, and its key is a secret", async () => {
    const { resources } = await make();
    expect(valuesOf(resources)["webhookTLS"]).toEqual({
      caCert: "certificate lbc-ca",
      cert: "certificate lbc-webhook-certificate",
      key: secret("key of lbc-webhook-key"),
    });
    expect(find(resources, types.request).inputs["dnsNames"]).toEqual([
      "aws-load-balancer-webhook-service.kube-system",
      "aws-load-balancer-webhook-service.kube-system.svc",
    ]);
    expect(find(resources, types.ca).inputs).toMatchObject({ isCaCertificate: true, validityPeriodHours: 87660 });
    // Renewed by any update in its last two years of five.
    expect(find(resources, types.leaf).inputs).toMatchObject({
      caCertPem: "certificate lbc-ca",
      allowedUses: expect.arrayContaining(["server_auth"]) as string[],
      validityPeriodHours: 43830,
      earlyRenewalHours: 17532,
    });
  });

  test("own values are added, own nodes replace the system nodes, tags reach the role", async () => {
    const { resources } = await make({
      extraValues: [new pulumi.asset.StringAsset("logLevel: debug")],
      nodeSelector: { pool: "tools" },
      tags: { team: "edge" },
    });
    expect(valuesOf(resources)["nodeSelector"]).toEqual({ pool: "tools" });
    expect(find(resources, types.release).inputs["valueYamlFiles"]).toHaveLength(1);
    expect(find(resources, types.role).inputs["tags"]).toEqual({ Name: "lbc-role", team: "edge" });
  });

  test("a preview without a VPC id makes the same resources", async () => {
    const update = await make();
    const preview = await run(
      () => {
        const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
        const vpc = new aws.ec2.Vpc("vpc", { cidrBlock: "10.0.0.0/16" });
        new LoadBalancerController(
          "lbc",
          { ...args, cluster: { ...args.cluster, vpcId: vpc.id } },
          { providers: [cluster] },
        );
      },
      { preview: true },
    );
    expect(preview.errors).toEqual([]);
    const names = (resources: readonly Registration[]) =>
      resources
        .filter((r) => r.name.startsWith("lbc"))
        .map((r) => `${r.type} ${r.name}`)
        .sort();
    expect(names(preview.resources)).toEqual(names(update.resources));
    // Known in every preview: a path that turns unknown would plan a new role.
    expect(find(preview.resources, types.role).inputs["path"]).toBe("/moorings/shop-prod/");
  });
});

describe("LoadBalancerController: refusals", () => {
  test("all problems at once, each with its argument", async () => {
    const { errors } = await run(
      () =>
        void new LoadBalancerController("lbc", {
          ...args,
          cluster: { ...args.cluster, name: "shop/prod" },
          replicas: 1,
          permissions: ControllerPermissions.Full,
          targetGroupArns: ["arn:x"],
        }),
    );
    const message = errors[0]!.message;
    for (const argument of ["opts.providers", "cluster.name", "replicas", "targetGroupArns"])
      expect(message).toContain(`\n  - ${argument}: `);
  });

  test("something that isn't a target group's ARN", async () => {
    const { errors } = await make({ targetGroupArns: ["arn:aws:s3:::bucket"] });
    expect(errors.map((e) => e.message).join()).toMatch(/targetGroupArns\[0\] must be the ARN of a target group/);
  });
});

/** Paths of values that the chart doesn't know. An empty object or null in the chart takes anything. */
function unknownKeys(ours: unknown, theirs: unknown, path = ""): string[] {
  if (typeof ours !== "object" || ours === null || Array.isArray(ours)) return [];
  if (theirs === null || Array.isArray(theirs)) return [];
  const known = theirs as Record<string, unknown>;
  if (Object.keys(known).length === 0) return [];
  return Object.entries(ours).flatMap(([key, value]) =>
    key in known ? unknownKeys(value, known[key], `${path}${key}.`) : [`${path}${key}`],
  );
}
