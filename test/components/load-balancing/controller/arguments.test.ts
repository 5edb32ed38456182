import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  ControllerPermissions,
  LoadBalancerController,
  WebhookCertificate,
  type LoadBalancerControllerArgs,
} from "../../../../components/load-balancing";
import { reservedValues } from "../../../../components/load-balancing/controller-reserved-values";
import chartValues from "../../../fixtures/facts/lbc-chart-values-3.5.0.json";
import { find } from "../../../support/graph";
import { run } from "../../../support/harness";
import { args, make, statementsOf, types, valuesOf } from "./setup";

const full = ControllerPermissions.Full;
const reasons = async (change: Partial<LoadBalancerControllerArgs>) =>
  (await make(change)).errors.map((e) => e.message).join("\n");

describe("LoadBalancerController: further values", () => {
  test("win over its own, in maps value by value", async () => {
    const { resources, errors } = await make({
      extraValues: {
        logLevel: pulumi.output("debug"),
        image: { repository: "registry.acme.io/lbc" },
        resources: { limits: { memory: "1Gi" } },
        podAnnotations: { team: "edge" },
        tolerations: [{ key: "edge", operator: "Exists" }],
        controllerConfig: { featureGates: { EnableRGTAPI: true } },
        podMutatorWebhookConfig: { failurePolicy: "Fail" },
        syncPeriod: "15m",
      },
    });
    expect(errors).toEqual([]);
    expect(valuesOf(resources)).toMatchObject({
      clusterName: "shop-prod",
      logLevel: "debug",
      image: { repository: "registry.acme.io/lbc" },
      resources: { requests: { cpu: "100m", memory: "200Mi" }, limits: { memory: "1Gi" } },
      podAnnotations: { "karpenter.sh/do-not-disrupt": "true", team: "edge" },
      tolerations: [{ key: "edge", operator: "Exists" }],
      controllerConfig: { featureGates: { ALBGatewayAPI: false, EnableRGTAPI: true } },
      podMutatorWebhookConfig: { failurePolicy: "Fail" },
      syncPeriod: "15m",
    });
  });

  // The traps of the chart: what each of these breaks is in the reason.
  test.each<[string, object, RegExp]>([
    ["webhookNamespaceSelectors", { webhookNamespaceSelectors: [] }, /: also selects for a webhook that fails closed/],
    ["watchNamespace", { watchNamespace: "shop" }, /: leaves the bindings of every other namespace without a controll/],
    ["nameOverride", { nameOverride: "lbc" }, /: renames the Service of the webhooks, which their certificate names/],
    [
      "enableServiceMutatorWebhook",
      { enableServiceMutatorWebhook: true },
      /: sees every Service of the cluster and bl/,
    ],
    ["vpcId", { vpcId: "vpc-1" }, /: is cluster\.vpcId/],
    ["image.tag", { image: { tag: "v3.7.0" } }, /: is the argument chartVersion/],
    ["autoscaling.enabled", { autoscaling: { enabled: true } }, /: begins with one pod/],
    [
      "serviceAccount.annotations.eks.amazonaws.com/role-arn",
      { serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "x" } } },
      /: is the role that is made here/,
    ],
    ["podAnnotations", { podAnnotations: pulumi.output({}) }, /: covers podAnnotations\.karpenter\.sh\/do-not-disrupt/],
    ["serviceAccount", { serviceAccount: null }, /: covers serviceAccount\.name, which would take the role away/],
    ["env.AWS_ROLE_ARN", { env: { AWS_ROLE_ARN: "arn" } }, /: can take the role away/],
    ["envSecretName", { envSecretName: "keys" }, /: brings an access key, which wins/],
    ["webhookTLS", { webhookTLS: {} }, /: is the argument webhookCertificate/],
  ])("refuses %s", async (path, extraValues, reason) => {
    const message = await reasons({ extraValues: { ...extraValues } });
    expect(message).toContain(`\n  - extraValues.${path}: `);
    expect(message).toMatch(reason);
  });

  test("refuses values as they were given before 0.1.0, as assets", async () => {
    // Any object is `Inputs` for the compiler, a list as well.
    expect(await reasons({ extraValues: [new pulumi.asset.StringAsset("logLevel: debug")] as never })).toContain(
      "extraValues: is a list",
    );
  });

  test("what is reserved exists in the chart", () => {
    // Read by the chart's templates, but not in its values file.
    const onlyInTemplates = ["certManager.issuerRef", "envFrom", "envSecretName"];
    const absent = Object.keys(reservedValues(ControllerPermissions.BindingOnly)).filter(
      (path) => !known(path, chartValues) && !onlyInTemplates.includes(path),
    );
    expect(absent).toEqual([]);
    expect(known("webhookNamespaceSelector", chartValues)).toBe(false);
  });

  test("what needs the full permissions may be set with them", async () => {
    const extraValues = { webhookConfig: { disableIngressValidation: true } };
    expect(await reasons({ extraValues })).toContain("disableIngressValidation: needs ControllerPermissions.Full");
    const { resources } = await make({ extraValues, permissions: full });
    expect(valuesOf(resources)["webhookConfig"]).toEqual({ disableIngressValidation: true });
  });
});

describe("LoadBalancerController: certificate of the webhooks", () => {
  const certManager = { webhookCertificate: WebhookCertificate.CertManager };

  // X.509 finds an issuer by its name and key: as long as both stay, certificates before and after a renewal prove each other.
  test("renewing the authority keeps its key and its name, so that nothing signed before is refused", async () => {
    const { resources } = await make();
    expect(find(resources, "tls:index/privateKey:PrivateKey", "lbc-ca-key").inputs).toEqual({
      algorithm: "ECDSA",
      ecdsaCurve: "P256",
    });
    const ca = find(resources, types.ca).inputs;
    expect(ca["subject"]).toEqual({ commonName: "lbc webhooks" });
    expect(ca["earlyRenewalHours"]).toBe(26298); // three years
    const key = opened(ca["privateKeyPem"]);
    expect(key).toBe("key of lbc-ca-key");
    expect(opened(find(resources, types.leaf).inputs["caPrivateKeyPem"])).toBe(key);
  });

  test("cert-manager makes it, by an authority of the chart's or by an issuer of yours", async () => {
    const { resources, errors } = await make(certManager);
    expect(errors).toEqual([]);
    expect(valuesOf(resources)).toMatchObject({ enableCertManager: true });
    // Given ones would win, and the API server would be told to trust nothing but cert-manager's.
    expect(valuesOf(resources)).not.toHaveProperty("webhookTLS");
    expect(valuesOf(resources)).not.toHaveProperty("certManager");
    expect(resources.filter((r) => r.type.startsWith("tls:"))).toEqual([]);

    const issued = await make({ ...certManager, certManagerIssuer: { name: pulumi.output("platform") } });
    expect(valuesOf(issued.resources)["certManager"]).toEqual({
      issuerRef: { name: "platform", kind: "ClusterIssuer", group: "cert-manager.io" },
    });
    const external = { name: "pca", kind: "AWSPCAClusterIssuer", group: "awspca.cert-manager.io" };
    const other = await make({ ...certManager, certManagerIssuer: external });
    expect(valuesOf(other.resources)["certManager"]).toEqual({ issuerRef: external });
  });

  test("an issuer that nobody would ask is refused", async () => {
    expect(await reasons({ certManagerIssuer: { name: "platform" } })).toMatch(
      /certManagerIssuer: has no effect without webhookCertificate: WebhookCertificate\.CertManager/,
    );
  });
});

describe("LoadBalancerController: groups and accounts", () => {
  test("a backend group of one's own is used, so that the controller makes and deletes none", async () => {
    const given = { backendSecurityGroupId: pulumi.output("sg-0123456789abcdef0") };
    const { resources, errors } = await make({ ...given, permissions: full });
    expect(errors).toEqual([]);
    expect(valuesOf(resources)["backendSecurityGroup"]).toBe("sg-0123456789abcdef0");
    expect(valuesOf((await make({ permissions: full })).resources)).not.toHaveProperty("backendSecurityGroup");
    expect(await reasons(given)).toMatch(/backendSecurityGroupId: has no effect without ControllerPermissions\.Full/);
    expect(await reasons({ backendSecurityGroupId: "shared", permissions: full })).toMatch(
      /backendSecurityGroupId: must be the id of a security group \(sg-\.\.\.\), not "shared"/,
    );
  });

  test.each(Object.values(ControllerPermissions))("%s: roles of other accounts are named one by one", async (mode) => {
    const role = "arn:aws:iam::210987654321:role/registrar";
    const { resources, errors } = await make({ assumeRoleArns: [pulumi.output(role)], permissions: mode });
    expect(errors).toEqual([]);
    expect(statementsOf(resources).at(-1)).toEqual({ Effect: "Allow", Action: ["sts:AssumeRole"], Resource: [role] });
    expect(JSON.stringify(statementsOf((await make({ permissions: mode })).resources))).not.toContain("sts:");
  });
});

describe("LoadBalancerController: refusals", () => {
  test("all problems at once, each with its argument", async () => {
    const { errors, resources } = await run(
      () =>
        void new LoadBalancerController("lbc", {
          ...args,
          cluster: { ...args.cluster, name: "shop/prod", vpcId: "" },
          region: "",
          replicas: 1,
          permissions: full,
          targetGroupArns: ["arn:x"],
          assumeRoleArns: ["registrar"],
          backendSecurityGroupId: "x",
          certManagerIssuer: { name: "x" },
          extraValues: { watchNamespace: "x" },
        }),
    );
    expect(errors).toHaveLength(1);
    const found = [...errors[0]!.message.matchAll(/\n {2}- (.*?): /g)].map(([, argument]) => argument);
    expect(found).toEqual([
      "opts.providers",
      "cluster.name",
      "replicas",
      "targetGroupArns",
      "certManagerIssuer",
      "extraValues.watchNamespace",
      "region",
      "cluster.vpcId",
      "targetGroupArns[0]",
      "assumeRoleArns[0]",
      "backendSecurityGroupId",
    ]);
    expect(resources.filter((r) => r.custom)).toEqual([]);
  });

  test("something that isn't a target group's ARN, known or late", async () => {
    const wrong = "arn:aws:s3:::bucket";
    expect(await reasons({ targetGroupArns: [wrong] })).toMatch(/targetGroupArns\[0\]: must be the ARN of a target gr/);
    expect(await reasons({ targetGroupArns: [pulumi.output(wrong)] })).toMatch(/targetGroupArns\[0\] must be the ARN/);
  });

  // Programs in JavaScript can leave them out. Partitions: AWS, China, GovCloud, ISO, European Sovereign Cloud.
  test.each(["eu-west-1", "cn-northwest-1", "us-gov-west-1", "us-isob-east-1", "eusc-de-east-1"])(
    "%s is a region, and nothing isn't: the pods would ask the metadata service, and never start",
    async (region) => {
      expect((await make({ region })).errors).toEqual([]);
      const rest: Partial<LoadBalancerControllerArgs> = { ...args, region: undefined };
      const { errors } = await run(() => {
        const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
        void new LoadBalancerController("lbc", rest as LoadBalancerControllerArgs, { providers });
      });
      expect(errors.map((e) => e.message).join()).toMatch(/region: must be a region such as eu-west-1, not ""/);
    },
  );

  test("a second controller in the cluster; in another cluster it is fine", async () => {
    const two = (first: number, second: number) =>
      run(() => {
        const clusters = ["blue", "green"].map((name) => new k8s.Provider(name, { kubeconfig: "{}" }));
        new LoadBalancerController("one", args, { providers: [clusters[first]!] });
        new LoadBalancerController("two", args, { providers: [clusters[second]!] });
      });
    expect((await two(0, 1)).errors).toEqual([]);
    expect((await two(0, 0)).errors.map((e) => e.message).join()).toMatch(
      /opts\.providers: is the provider of the controller "one", too: two in one cluster take each other's targets/,
    );
  });
});

/** Whether the chart has a value at a path; what is null or empty there takes anything. */
function known(path: string, values: unknown): boolean {
  if (path === "" || values === null || (typeof values === "object" && Object.keys(values).length === 0)) return true;
  const [key, ...rest] = path.split(".");
  return (
    typeof values === "object" && key! in values && known(rest.join("."), (values as Record<string, unknown>)[key!])
  );
}

/** A secret as the harness records it, in clear. */
function opened(value: unknown): unknown {
  return typeof value === "object" && value !== null && "value" in value ? value.value : value;
}
