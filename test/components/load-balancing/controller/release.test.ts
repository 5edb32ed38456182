import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import {
  ControllerChartVersion,
  ControllerPermissions,
  LoadBalancerController,
  type LoadBalancerControllerArgs,
} from "../../../../components/load-balancing";
import chartValues from "../../../fixtures/facts/lbc-chart-values-3.5.0.json";
import { find, reaches } from "../../../support/graph";
import { run, type Registration } from "../../../support/harness";
import { args, make, secret, types, valuesOf } from "./setup";

const modes = Object.values(ControllerPermissions);

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
    for (const permissions of modes) {
      const { resources } = await make({ permissions });
      expect(unknownKeys(valuesOf(resources), chartValues)).toEqual([]);
    }
    expect(unknownKeys({ replicas: 2, webhookTLS: { ca: "" } }, chartValues)).toEqual(["replicas", "webhookTLS.ca"]);
  });

  test.each(modes)(
    "%s: the pods start without metadata service, on system nodes, two apart, and stay",
    async (permissions) => {
      const { resources } = await make({ permissions });
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
        resources: { requests: { cpu: "100m", memory: "200Mi" }, limits: { memory: "500Mi" } },
      });
      const spread = valuesOf(resources)["topologySpreadConstraints"] as Record<string, unknown>[];
      expect(spread.map((s) => [s["topologyKey"], s["whenUnsatisfiable"]])).toEqual([
        ["kubernetes.io/hostname", "DoNotSchedule"],
        ["topology.kubernetes.io/zone", "ScheduleAnyway"],
      ]);
    },
  );

  test.each(modes)(
    "%s: it blocks no Services, pods or upgrades, and lost updates are soon found",
    async (permissions) => {
      const { resources } = await make({ permissions });
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
    },
  );

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

  test("own nodes replace the system nodes, tags reach the role", async () => {
    const { resources } = await make({ nodeSelector: { pool: "tools" }, tags: { team: "edge" } });
    expect(valuesOf(resources)["nodeSelector"]).toEqual({ pool: "tools" });
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
