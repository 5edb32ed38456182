import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv";
import {
  ApplicationLoadBalancer,
  DrainSafeDeployment,
  LoadBalancedService,
  LoadBalancerScheme,
  SafetyNetRules,
  TargetAddressType,
  TargetGroupBinding,
  TargetGroupProtocol,
  ZoneSpread,
  type ApplicationLoadBalancerArgs,
  type DrainSafeDeploymentArgs,
  type LoadBalancedServiceArgs,
  type SafetyNetRulesArgs,
  type TargetGroupBindingArgs,
} from "../../components/load-balancing";
import bindingSchema from "../fixtures/facts/lbc-targetgroupbinding-v1beta1.json";
import { find, reaches } from "../support/graph";
import { run, type Registration, type RunOptions } from "../support/harness";

const types = {
  alias: "aws:route53/record:Record",
  alarm: "aws:cloudwatch/metricAlarm:MetricAlarm",
  binding: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
  bucket: "aws:s3/bucket:Bucket",
  bucketPolicy: "aws:s3/bucketPolicy:BucketPolicy",
  certificate: "aws:acm/certificate:Certificate",
  deployment: "kubernetes:apps/v1:Deployment",
  egress: "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
  group: "aws:ec2/securityGroup:SecurityGroup",
  hpa: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
  ingress: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
  issued: "aws:acm/certificateValidation:CertificateValidation",
  lb: "aws:lb/loadBalancer:LoadBalancer",
  listener: "aws:lb/listener:Listener",
  pdb: "kubernetes:policy/v1:PodDisruptionBudget",
  rule: "aws:lb/listenerRule:ListenerRule",
  service: "kubernetes:core/v1:Service",
  targetGroup: "aws:lb/targetGroup:TargetGroup",
};

const arn = (rest: string) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:${rest}`;
const state: RunOptions["state"] = ({ type, name, inputs }) => {
  switch (type) {
    case types.lb:
      return {
        arn: arn(`loadbalancer/app/${name}/50dc6c495c0c9188`),
        arnSuffix: `app/${name}/50dc6c495c0c9188`,
        dnsName: `${name}.eu-west-1.elb.amazonaws.com`,
        zoneId: "Z32O12XQLNTSW2",
      };
    case types.listener:
      return { arn: arn(`listener/app/edge/50dc6c495c0c9188/${name}`) };
    case types.rule:
      return { arn: arn(`listener-rule/app/edge/50dc6c495c0c9188/f2f7dc8efc522ab2/${name}`) };
    case types.targetGroup:
      return {
        arn: arn(`targetgroup/${name}/73e2d6bc24d8a067`),
        arnSuffix: `targetgroup/${name}/73e2d6bc24d8a067`,
      };
    case types.bucket:
      return { arn: `arn:aws:s3:::${name}-1a2b3c4`, bucket: `${name}-1a2b3c4` };
    case types.certificate: {
      const given = inputs as { domainName: string; subjectAlternativeNames?: string[] };
      return {
        arn: "arn:aws:acm:eu-west-1:123456789012:certificate/made",
        domainValidationOptions: [given.domainName, ...(given.subjectAlternativeNames ?? [])].map((domainName) => ({
          domainName,
          resourceRecordName: `_proof.${domainName.replace("*.", "")}`,
          resourceRecordType: "CNAME",
          resourceRecordValue: "_value.acm-validations.aws",
        })),
      };
    }
    case types.alias:
      return { fqdn: (inputs as { name: string }).name };
    default:
      // Kubernetes objects without a name get one.
      return type.startsWith("kubernetes:")
        ? { metadata: { ...(inputs as { metadata?: object }).metadata, name: `${name}-1a2b3c4d` } }
        : {};
  }
};

/** What is known in a preview: the Kubernetes provider names objects when it checks them, AWS nothing before it has made it. */
const previewState: RunOptions["state"] = (resource) =>
  resource.type.startsWith("kubernetes:") ? state(resource) : {};

/** Runs a program with a Kubernetes provider at hand. */
const withCluster = <T>(program: (opts: pulumi.ComponentResourceOptions) => T, options: RunOptions = {}) =>
  run(() => program({ providers: [new k8s.Provider("cluster", { kubeconfig: "{}" })] }), { state, ...options });
const messages = (errors: readonly Error[]) => errors.map((e) => e.message).join("\n");
const inputs = (resources: readonly Registration[], type: string, name?: string) => find(resources, type, name).inputs;
const namesOf = (resources: readonly Registration[]) => resources.map((r) => `${r.type} ${r.name}`).sort();

const loadBalancer = {
  arn: arn("loadbalancer/app/edge/50dc6c495c0c9188"),
  arnSuffix: "app/edge/50dc6c495c0c9188",
  listenerArn: arn("listener/app/edge/50dc6c495c0c9188/f2f7dc8efc522ab2"),
  securityGroupId: "sg-00000000000000alb",
  vpcId: "vpc-0123456789abcdef0",
};

describe("ApplicationLoadBalancer", () => {
  const args: ApplicationLoadBalancerArgs = {
    vpcId: "vpc-0123456789abcdef0",
    subnetIds: ["subnet-a", "subnet-b"],
    ingressCidrs: { office: "203.0.113.0/24" },
    certificateArn: "arn:aws:acm:eu-west-1:123456789012:certificate/given",
  };
  const make = (change: Partial<ApplicationLoadBalancerArgs> = {}, name = "edge", options: RunOptions = {}) =>
    run(
      () => {
        const made = new ApplicationLoadBalancer(name, { ...args, ...change });
        return { arnSuffix: made.arnSuffix, ref: made.ref, logs: made.accessLogsBucket };
      },
      { state, ...options },
    );

  test("by default it is internal, hard to delete, and strict about requests", async () => {
    const { resources, outputs, errors } = await make();
    expect(errors).toEqual([]);
    expect(inputs(resources, types.lb)).toMatchObject({
      loadBalancerType: "application",
      internal: true,
      subnets: ["subnet-a", "subnet-b"],
      securityGroups: ["edge-sg-id"],
      enableDeletionProtection: true,
      dropInvalidHeaderFields: true,
      desyncMitigationMode: "defensive",
      idleTimeout: 60,
      accessLogs: { enabled: true, bucket: "edge-access-logs-1a2b3c4" },
    });
    expect(outputs?.ref).toEqual({
      arn: arn("loadbalancer/app/edge-alb/50dc6c495c0c9188"),
      arnSuffix: "app/edge-alb/50dc6c495c0c9188",
      listenerArn: arn("listener/app/edge/50dc6c495c0c9188/edge-https"),
      securityGroupId: "edge-sg-id",
      vpcId: "vpc-0123456789abcdef0",
    });
  });

  test("its group has no inline rule, admits whom it was told to, and lets nothing out", async () => {
    const { resources } = await make({ ingressCidrs: { office: "203.0.113.0/24", vpn: "198.51.100.7/32" } });
    const group = inputs(resources, types.group);
    expect(group).not.toHaveProperty("ingress");
    expect(group).not.toHaveProperty("egress");
    expect(resources.filter((r) => r.type === types.egress)).toEqual([]);
    const rules = resources.filter((r) => r.type === types.ingress).map((r) => r.inputs);
    expect(rules.map((r) => [r["cidrIpv4"], r["fromPort"], r["toPort"], r["ipProtocol"]])).toEqual([
      ["203.0.113.0/24", 443, 443, "tcp"],
      ["203.0.113.0/24", 80, 80, "tcp"],
      ["198.51.100.7/32", 443, 443, "tcp"],
      ["198.51.100.7/32", 80, 80, "tcp"],
    ]);
  });

  test("plain HTTP is redirected; HTTPS speaks what AWS recommends and answers 404 by itself", async () => {
    const { resources } = await make();
    expect(inputs(resources, types.listener, "edge-http")).toMatchObject({
      port: 80,
      protocol: "HTTP",
      defaultActions: [{ type: "redirect", redirect: { protocol: "HTTPS", port: "443", statusCode: "HTTP_301" } }],
    });
    expect(inputs(resources, types.listener, "edge-https")).toMatchObject({
      port: 443,
      protocol: "HTTPS",
      sslPolicy: "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09",
      certificateArn: args.certificateArn,
      defaultActions: [{ type: "fixed-response", fixedResponse: { statusCode: "404" } }],
    });
  });

  test("the log bucket is private, encrypted, emptied by age, and writable for log delivery alone", async () => {
    const { resources } = await make();
    expect(inputs(resources, types.bucket)["forceDestroy"]).toBe(false);
    expect(inputs(resources, "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock")).toMatchObject({
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    });
    expect(
      inputs(resources, "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration"),
    ).toMatchObject({ rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }] });
    expect(inputs(resources, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration")).toMatchObject({
      rules: [{ status: "Enabled", expiration: { days: 90 } }],
    });
    const policy = JSON.parse(inputs(resources, types.bucketPolicy)["policy"] as string) as { Statement: unknown[] };
    expect(policy.Statement).toEqual([
      {
        Sid: "DeliverAccessLogs",
        Effect: "Allow",
        Principal: { Service: "logdelivery.elasticloadbalancing.amazonaws.com" },
        Action: "s3:PutObject",
        Resource: "arn:aws:s3:::edge-access-logs-1a2b3c4/AWSLogs/123456789012/*",
      },
      {
        Sid: "RequireTls",
        Effect: "Deny",
        Principal: "*",
        Action: "s3:*",
        Resource: ["arn:aws:s3:::edge-access-logs-1a2b3c4", "arn:aws:s3:::edge-access-logs-1a2b3c4/*"],
        Condition: { Bool: { "aws:SecureTransport": "false" } },
      },
    ]);
    // AWS writes a test object when it switches logs on.
    expect(reaches(resources, find(resources, types.lb), find(resources, types.bucketPolicy))).toBe(true);
  });

  test("a bucket of one's own is used as it is", async () => {
    const { resources, outputs } = await make({ accessLogs: { bucket: "central-logs", prefix: "edge" } });
    expect(resources.some((r) => r.type.startsWith("aws:s3/"))).toBe(false);
    expect(inputs(resources, types.lb)["accessLogs"]).toEqual({
      enabled: true,
      bucket: "central-logs",
      prefix: "edge",
    });
    expect(outputs?.logs).toBe("central-logs");
  });

  test("a domain gets a certificate, proved before the listener uses it, and alias records", async () => {
    const { resources, errors } = await make({
      certificateArn: undefined,
      domain: "example.com",
      alternativeNames: ["*.example.com", "example.org"],
      zoneId: "Z123",
    });
    expect(errors).toEqual([]);
    expect(inputs(resources, types.certificate)).toMatchObject({
      domainName: "example.com",
      subjectAlternativeNames: ["*.example.com", "example.org"],
      validationMethod: "DNS",
    });
    const records = resources.filter((r) => r.type === types.alias);
    // One proof for example.com and its wildcard: ACM gives both the same record.
    expect(records.filter((r) => r.inputs["type"] === "CNAME").map((r) => [r.name, r.inputs["name"]])).toEqual([
      ["edge-proof-example.com", "_proof.example.com"],
      ["edge-proof-example.org", "_proof.example.org"],
    ]);
    expect(records.filter((r) => r.inputs["type"] === "A").map((r) => [r.inputs["name"], r.inputs["aliases"]])).toEqual(
      ["example.com", "*.example.com", "example.org"].map((name) => [
        name,
        [{ name: "edge-alb.eu-west-1.elb.amazonaws.com", zoneId: "Z32O12XQLNTSW2", evaluateTargetHealth: true }],
      ]),
    );
    expect(inputs(resources, types.issued)["validationRecordFqdns"]).toEqual([
      "_proof.example.com",
      "_proof.example.org",
    ]);
    expect(reaches(resources, find(resources, types.listener, "edge-https"), find(resources, types.issued))).toBe(true);
  });

  test("options: internet-facing, WAF, no deletion protection, tags", async () => {
    const { resources } = await make({
      scheme: LoadBalancerScheme.InternetFacing,
      webAclArn: "arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/x/1",
      deletionProtection: false,
      tags: { team: "edge" },
    });
    expect(inputs(resources, types.lb)).toMatchObject({
      internal: false,
      enableDeletionProtection: false,
      tags: { Name: "edge-alb", team: "edge" },
    });
    expect(inputs(resources, "aws:wafv2/webAclAssociation:WebAclAssociation")["resourceArn"]).toBe(
      arn("loadbalancer/app/edge-alb/50dc6c495c0c9188"),
    );
  });

  test("a preview with unknown subnets makes the same resources", async () => {
    const update = await make();
    const program = () => {
      const subnets = ["a", "b"].map((zone) => new aws.ec2.Subnet(`net-${zone}`, { vpcId: "vpc-1" }).id);
      new ApplicationLoadBalancer("edge", { ...args, subnetIds: subnets });
    };
    const preview = await run(program, { preview: true });
    expect(preview.errors).toEqual([]);
    const own = (resources: readonly Registration[]) => namesOf(resources.filter((r) => r.name.startsWith("edge")));
    expect(own(preview.resources)).toEqual(own(update.resources));
  });

  test("refusals: all at once", async () => {
    const { errors } = await make({
      ingressCidrs: { a: "10.0.0.0/8", b: "10.0.0.0/8" },
      domain: "Shop",
      accessLogs: { retentionDays: 0, prefix: "x" },
    });
    const message = errors[0]!.message;
    for (const argument of [
      "ingressCidrs.b",
      "certificateArn",
      "zoneId",
      "domain",
      "accessLogs.retentionDays",
      "accessLogs.prefix",
    ])
      expect(message).toContain(`\n  - ${argument}: `);
  });

  test.each<[string, Partial<ApplicationLoadBalancerArgs>, string, RegExp]>([
    ["nobody may connect", { ingressCidrs: {} }, "edge", /ingressCidrs: names nobody/],
    ["no certificate", { certificateArn: undefined }, "edge", /certificateArn: is missing/],
    ["a name that AWS reserves", {}, "internal-edge", /begin with a letter and not with "internal-"/],
    ["a name too long", {}, "a-load-balancer-for-shops", /makes the load balancer .* at most 24 fit/],
    ["upper case in a bucket's name", {}, "Edge", /must be in lower case/],
    ["one subnet", { subnetIds: ["subnet-a", "subnet-a"] }, "edge", /subnetIds must name at least two subnets/],
    ["a range that AWS would rewrite", { ingressCidrs: { a: "10.0.0.1/8" } }, "edge", /first address of a \/8/],
    ["something that is no range", { ingressCidrs: { a: "10.0.0.300/8" } }, "edge", /must be an IPv4 range/],
    ["an idle timeout that ELB refuses", { idleTimeoutSeconds: 4001 }, "edge", /between 1 and 4000 seconds, not 4001/],
  ])("refuses %s", async (_, change, name, expected) => {
    expect(messages((await make(change, name)).errors)).toMatch(expected);
  });
});

describe("SafetyNetRules", () => {
  const args: SafetyNetRulesArgs = { loadBalancer, targetSecurityGroupId: "sg-00000000000000pod" };
  const make = (change: Partial<SafetyNetRulesArgs> = {}) =>
    run(() => ({ ref: new SafetyNetRules("net", { ...args, ...change }).ref }));

  test("opens the same span on both sides, with each side naming the other", async () => {
    const { resources, outputs, errors } = await make();
    expect(errors).toEqual([]);
    const span = { ipProtocol: "tcp", fromPort: 1024, toPort: 65535 };
    expect(inputs(resources, types.ingress)).toMatchObject({
      ...span,
      securityGroupId: "sg-00000000000000pod",
      referencedSecurityGroupId: "sg-00000000000000alb",
    });
    expect(inputs(resources, types.egress)).toMatchObject({
      ...span,
      securityGroupId: "sg-00000000000000alb",
      referencedSecurityGroupId: "sg-00000000000000pod",
    });
    expect(outputs?.ref).toEqual({ fromPort: 1024, toPort: 65535 });
  });

  // The controller owns a rule exactly when its description parses as key=value pairs with this key; any "=" is a risk.
  test("its descriptions can't be read as the controller's", async () => {
    const { resources } = await make();
    for (const type of [types.ingress, types.egress])
      expect(inputs(resources, type)["description"]).not.toMatch(/elbv2\.k8s\.aws|=/);
  });

  test("works in a preview", async () => {
    const preview = await run(
      () => {
        const pods = new aws.ec2.SecurityGroup("pods", {});
        new SafetyNetRules("net", { ...args, targetSecurityGroupId: pods.id, fromPort: 3000, toPort: 3000 });
      },
      { preview: true },
    );
    expect(preview.errors).toEqual([]);
    expect(inputs(preview.resources, types.egress)).toMatchObject({ fromPort: 3000, toPort: 3000 });
  });

  test.each<[string, Partial<SafetyNetRulesArgs>, RegExp]>([
    [
      "the controller's own shape",
      { fromPort: 0, toPort: 65535 },
      /fromPort: makes tcp 0-65535, the rule that the con/,
    ],
    ["port 0", { fromPort: 0, toPort: 80 }, /fromPort: must be a whole number between 1 and 65535, not 0/],
    ["a reversed span", { fromPort: 9000, toPort: 8000 }, /toPort: must not be below fromPort \(9000\)/],
    ["a group with itself", { targetSecurityGroupId: "sg-00000000000000alb" }, /is the load balancer's own group/],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });
});

describe("TargetGroupBinding", () => {
  const args: TargetGroupBindingArgs = {
    namespace: "shop",
    serviceName: "web",
    servicePort: 80,
    targetGroupArn: arn("targetgroup/old/0123456789abcdef"),
  };
  const make = (change: Partial<TargetGroupBindingArgs> = {}, name = "old") =>
    withCluster((opts) => {
      const made = new TargetGroupBinding(name, { ...args, ...change }, opts);
      return { name: made.bindingName, gate: made.readinessGate };
    });
  const validate = new Ajv({ strict: false }).compile(closed(bindingSchema.spec));

  test("binds an existing target group and asks for no security group rule", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(inputs(resources, types.binding)).toMatchObject({
      apiVersion: "elbv2.k8s.aws/v1beta1",
      kind: "TargetGroupBinding",
      metadata: { namespace: "shop" },
    });
    expect(inputs(resources, types.binding)["spec"]).toEqual({
      serviceRef: { name: "web", port: 80 },
      targetGroupARN: args.targetGroupArn,
      targetType: "ip",
      ipAddressType: "ipv4",
    });
  });

  test.each<[string, Partial<TargetGroupBindingArgs>]>([
    ["least", {}],
    ["a named port", { servicePort: undefined, servicePortName: "http" }],
    [
      "everything",
      {
        vpcId: "vpc-0123456789abcdef0",
        ipAddressType: TargetAddressType.IPv6,
        targetGroupProtocol: TargetGroupProtocol.TcpUdp,
        multiCluster: true,
        labels: { team: "shop" },
      },
    ],
  ])("is what the controller's definition describes: %s", async (_, change) => {
    const { resources } = await make(change);
    const spec = inputs(resources, types.binding)["spec"];
    expect(validate(spec) ? [] : validate.errors).toEqual([]);
  });

  test("the schema check would find a misspelt field", () => {
    expect(validate({ serviceRef: { name: "web", port: 80 }, targetGroupArn: "x" })).toBe(false);
  });

  test("a new target group makes a new object, named by Pulumi, so that the old one needn't go first", async () => {
    const { resources } = await make();
    const binding = find(resources, types.binding);
    expect(binding.replaceOnChanges).toEqual(["spec.targetGroupARN"]);
    expect(binding.deleteBeforeReplace).toBe(false);
    expect(binding.inputs["metadata"]).not.toHaveProperty("name");
  });

  test("says which condition pods wait for", async () => {
    const { outputs } = await make();
    expect(outputs).toEqual({
      name: "old-binding-1a2b3c4d",
      gate: "target-health.elbv2.k8s.aws/old-binding-1a2b3c4d",
    });
  });

  // 63 characters for the second part of a condition's type; "-binding" and Pulumi's "-" and eight characters take 17.
  test("names that would make pods invalid are refused", async () => {
    expect((await make({}, "x".repeat(46))).errors).toEqual([]);
    expect(messages((await make({}, "x".repeat(47))).errors)).toMatch(
      /name: makes the Kubernetes object .* at most 54 fit/,
    );
  });

  test.each<[string, Partial<TargetGroupBindingArgs>, RegExp]>([
    ["no port", { servicePort: undefined }, /servicePort: is missing/],
    ["two ports", { servicePortName: "http" }, /servicePort: can't be given together/],
    ["a port beyond the last", { servicePort: 65536 }, /servicePort must be a whole number between 1 and 65535/],
    ["a name instead of an ARN", { targetGroupArn: "old" }, /targetGroupArn must be the ARN of a target group/],
    ["Ingress labels", { labels: { "ingress.k8s.aws/stack": "x" } }, /it would delete this one/],
    ["Service labels", { labels: { "service.k8s.aws/stack-name": "x" } }, /it would delete this one/],
    ["Gateway labels", { labels: { "gateway.k8s.aws.alb/stack": "x" } }, /it would delete this one/],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });

  test("refuses to guess a cluster", async () => {
    const { errors } = await run(() => void new TargetGroupBinding("old", args));
    expect(messages(errors)).toMatch(/opts\.providers: has no Kubernetes provider/);
  });
});

const serviceArgs: LoadBalancedServiceArgs = {
  cluster: {
    name: "shop-prod",
    endpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
    certificateAuthority: "Q0E=",
    oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/0123",
    oidcIssuer: "oidc.example/id/0123",
    securityGroupId: "sg-00000000000000pod",
    vpcId: "vpc-0123456789abcdef0",
  },
  loadBalancer,
  safetyNet: { fromPort: 1024, toPort: 65535 },
  namespace: "shop",
  selector: { app: "web" },
  port: 8080,
  healthCheckPath: "/healthz",
  hosts: ["shop.example.com"],
  minReplicas: 3,
  alarmRoutes: {
    pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
    ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
  },
};

describe("LoadBalancedService", () => {
  const make = (change: Partial<LoadBalancedServiceArgs> = {}, name = "web", options: RunOptions = {}) =>
    withCluster((opts) => {
      const made = new LoadBalancedService(name, { ...serviceArgs, ...change }, opts);
      return { group: made.targetGroup, gate: made.readinessGate, service: made.serviceName, min: made.minReplicas };
    }, options);

  test("the target group takes pods, says who registers them, and finds them healthy soon", async () => {
    const { resources, errors } = await make({ tags: { team: "shop" } });
    expect(errors).toEqual([]);
    expect(inputs(resources, types.targetGroup)).toMatchObject({
      targetType: "ip",
      protocol: "HTTP",
      vpcId: "vpc-0123456789abcdef0",
      deregistrationDelay: 30,
      healthCheck: {
        path: "/healthz",
        port: "traffic-port",
        matcher: "200",
        interval: 10,
        timeout: 4,
        healthyThreshold: 2,
        unhealthyThreshold: 2,
      },
      tags: { Name: "web-tg", team: "shop", "moorings-target-registration": "shop-prod" },
    });
  });

  test("no tag of the caller's can hand the group to another registrar", async () => {
    const { resources } = await make({ tags: { "moorings-target-registration": "other" } });
    expect(inputs(resources, types.targetGroup)["tags"]).toMatchObject({ "moorings-target-registration": "shop-prod" });
  });

  test("another port of the pods leaves the target group alone: a new one would be empty", async () => {
    const group = async (port: number) => inputs((await make({ port })).resources, types.targetGroup);
    expect(await group(9090)).toEqual(await group(8080));
  });

  test("the rule matches hosts and paths, and leaves its place to AWS unless one is given", async () => {
    const { resources } = await make({ paths: ["/api/*"] });
    const rule = inputs(resources, types.rule);
    expect(rule).toMatchObject({
      listenerArn: loadBalancer.listenerArn,
      conditions: [{ hostHeader: { values: ["shop.example.com"] } }, { pathPattern: { values: ["/api/*"] } }],
      actions: [{ type: "forward", targetGroupArn: arn("targetgroup/web-tg/73e2d6bc24d8a067") }],
    });
    expect(rule).not.toHaveProperty("priority");
    expect(inputs((await make({ priority: 7 })).resources, types.rule)["priority"]).toBe(7);
  });

  test("it makes the Service, without waiting for pods that wait for the binding", async () => {
    const { resources, outputs } = await make();
    expect(inputs(resources, types.service)).toMatchObject({
      metadata: { namespace: "shop", annotations: { "pulumi.com/skipAwait": "true" } },
      spec: { type: "ClusterIP", selector: { app: "web" }, ports: [{ port: 8080, targetPort: 8080 }] },
    });
    expect(inputs(resources, types.binding)["spec"]).toEqual({
      serviceRef: { name: "web-service-1a2b3c4d", port: 8080 },
      targetGroupARN: arn("targetgroup/web-tg/73e2d6bc24d8a067"),
      targetType: "ip",
      ipAddressType: "ipv4",
      vpcID: "vpc-0123456789abcdef0",
      targetGroupProtocol: "HTTP",
    });
    expect(outputs?.gate).toBe("target-health.elbv2.k8s.aws/web-pods-binding-1a2b3c4d");
  });

  test("or takes one that exists", async () => {
    const { resources } = await make({ selector: undefined, service: "old-web", servicePort: 80 });
    expect(resources.some((r) => r.type === types.service)).toBe(false);
    expect(inputs(resources, types.binding)["spec"]).toMatchObject({ serviceRef: { name: "old-web", port: 80 } });
  });

  test("alarms watch this group behind this load balancer, with the declared floor", async () => {
    const { resources, outputs } = await make({ alarmNamePrefix: "prod", runbookUrl: "https://runbooks.example/web" });
    const low = inputs(resources, types.alarm, "web-health-low-healthy-hosts");
    expect(low).toMatchObject({
      name: "prod-web-health-low-healthy-hosts",
      dimensions: {
        LoadBalancer: "app/edge/50dc6c495c0c9188",
        TargetGroup: "targetgroup/web-tg/73e2d6bc24d8a067",
      },
      alarmActions: ["arn:aws:sns:eu-west-1:123456789012:page"],
    });
    expect(low["alarmDescription"]).toContain("https://runbooks.example/web");
    expect(resources.filter((r) => r.type === types.alarm)).toHaveLength(4);
    expect(outputs?.min).toBe(3);
  });

  test("protection covers the target group alone", async () => {
    const { resources } = await make({ protectTargetGroup: true });
    expect(resources.filter((r) => r.protect).map((r) => r.type)).toEqual([types.targetGroup]);
    expect((await make()).resources.some((r) => r.protect)).toBe(false);
  });

  test("order: target group, listener rule, binding, workload", async () => {
    const { resources, errors } = await withCluster((opts) => {
      const web = new LoadBalancedService("web", serviceArgs, opts);
      new DrainSafeDeployment(
        "web",
        { ...workloadArgs, replicas: web.minReplicas, readinessGates: [web.readinessGate] },
        opts,
      );
    });
    expect(errors).toEqual([]);
    const chain = [types.targetGroup, types.rule, types.binding, types.deployment].map((type) => find(resources, type));
    for (const [index, node] of chain.entries())
      for (const earlier of chain.slice(0, index)) {
        expect(reaches(resources, node, earlier)).toBe(true);
        expect(reaches(resources, earlier, node)).toBe(false);
      }
    expect(reaches(resources, find(resources, types.binding), find(resources, types.service))).toBe(true);
  });

  test("two services share one load balancer and one net", async () => {
    const { resources, errors } = await withCluster((opts) => {
      new LoadBalancedService("web", serviceArgs, opts);
      new LoadBalancedService("api", { ...serviceArgs, hosts: ["api.example.com"] }, opts);
    });
    expect(errors).toEqual([]);
    expect(new Set(resources.map((r) => r.urn)).size).toBe(resources.length);
    expect(resources.some((r) => r.type === types.ingress)).toBe(false);
  });

  test("a preview before anything exists makes the same resources", async () => {
    const update = await make();
    const preview = await make({}, "web", { preview: true, state: previewState });
    expect(preview.errors).toEqual([]);
    expect(namesOf(preview.resources)).toEqual(namesOf(update.resources));
  });

  test("refusals: all at once", async () => {
    const { errors } = await make({
      port: 80,
      selector: undefined,
      servicePort: 80,
      minReplicas: 1,
      hosts: ["localhost"],
      priority: 0,
      healthCheckIntervalSeconds: 1,
      deregistrationDelaySeconds: 4000,
    });
    const message = errors[0]!.message;
    for (const argument of [
      "port",
      "service",
      "servicePort",
      "minReplicas",
      "hosts[0]",
      "priority",
      "healthCheckIntervalSeconds",
      "deregistrationDelaySeconds",
    ])
      expect(message).toContain(`\n  - ${argument}: `);
  });

  test.each<[string, Partial<LoadBalancedServiceArgs>, string, RegExp]>([
    ["a port outside the net", { port: 80 }, "web", /is 80, but the safety net opens 1024-65535 only/],
    ["both Service and selector", { service: "web" }, "web", /service: can't be given together with selector/],
    ["an empty selector", { selector: {} }, "web", /selector: is empty/],
    ["neither host nor path", { hosts: [] }, "web", /no request would reach the service/],
    [
      "six conditions",
      { hosts: ["a.b", "c.d", "e.f"], paths: ["/1", "/2", "/3"] },
      "web",
      /hold 6 values together; a listener rule takes 5/,
    ],
    ["a path without slash", { paths: ["api"] }, "web", /paths\[0\]: must begin with a slash/],
    ["a health check without slash", { healthCheckPath: "healthz" }, "web", /healthCheckPath must begin with a slash/],
    ["a name too long", {}, "a-very-long-service-name", /makes the target group .* at most 24 fit/],
  ])("refuses %s", async (_, change, name, expected) => {
    expect(messages((await make(change, name)).errors)).toMatch(expected);
  });
});

const workloadArgs: DrainSafeDeploymentArgs = {
  namespace: "shop",
  image: "registry.example/web@sha256:0123",
  port: 8080,
  podLabels: { app: "web" },
  replicas: 3,
  probes: { readinessPath: "/healthz" },
  resources: { cpu: "100m", memory: "128Mi" },
};

describe("DrainSafeDeployment", () => {
  const make = (change: Partial<DrainSafeDeploymentArgs> = {}, options: RunOptions = {}) =>
    withCluster(
      (opts) => ({ min: new DrainSafeDeployment("web", { ...workloadArgs, ...change }, opts).minReplicas }),
      options,
    );
  const podOf = (resources: readonly Registration[]) => {
    const spec = inputs(resources, types.deployment)["spec"] as { template: { spec: Record<string, unknown> } };
    return spec.template.spec;
  };
  const containerOf = (resources: readonly Registration[]) =>
    (podOf(resources)["containers"] as Record<string, unknown>[])[0]!;

  test("a rollout adds before it takes away, and a drain takes one at a time", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(inputs(resources, types.deployment)).toMatchObject({
      metadata: { namespace: "shop" },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: "web" } },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "25%" } },
        template: { metadata: { labels: { app: "web" } } },
      },
    });
    expect(inputs(resources, types.pdb)["spec"]).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: { app: "web" } },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    });
    expect(resources.some((r) => r.type === types.hpa)).toBe(false);
  });

  test("with an autoscaler the number of pods is its own, and its minimum is the one value", async () => {
    const { resources, outputs } = await make({ replicas: undefined, autoscale: { min: 4, max: 12, cpuPercent: 70 } });
    expect(inputs(resources, types.deployment)["spec"]).not.toHaveProperty("replicas");
    expect(inputs(resources, types.hpa)["spec"]).toEqual({
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web-deployment-1a2b3c4d" },
      minReplicas: 4,
      maxReplicas: 12,
      metrics: [
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } } },
      ],
    });
    expect(outputs?.min).toBe(4);
  });

  // 20 s until the load balancer has taken notice, 30 s for the longest request, 10 s to close.
  test("a leaving pod serves on, finishes, then closes", async () => {
    const { resources } = await make();
    expect(containerOf(resources)["lifecycle"]).toEqual({ preStop: { sleep: { seconds: 20 } } });
    expect(podOf(resources)["terminationGracePeriodSeconds"]).toBe(60);
    const slow = await make({ preStopSeconds: 25, longestRequestSeconds: 300 });
    expect(podOf(slow.resources)["terminationGracePeriodSeconds"]).toBe(335);
  });

  test("waits for what the load balancer says of its pods", async () => {
    const { resources } = await make({ readinessGates: ["target-health.elbv2.k8s.aws/web-pods-binding-1a2b3c4d"] });
    expect(podOf(resources)["readinessGates"]).toEqual([
      { conditionType: "target-health.elbv2.k8s.aws/web-pods-binding-1a2b3c4d" },
    ]);
  });

  test("spreads each rollout over zones, strictly, and over nodes", async () => {
    const spread = async (zoneSpread?: ZoneSpread) =>
      (podOf((await make({ zoneSpread })).resources)["topologySpreadConstraints"] as Record<string, unknown>[]).map(
        (s) => [s["topologyKey"], s["whenUnsatisfiable"], s["matchLabelKeys"]],
      );
    const hosts = ["kubernetes.io/hostname", "ScheduleAnyway", ["pod-template-hash"]];
    expect(await spread()).toEqual([["topology.kubernetes.io/zone", "DoNotSchedule", ["pod-template-hash"]], hosts]);
    expect(await spread(ZoneSpread.Preferred)).toEqual([
      ["topology.kubernetes.io/zone", "ScheduleAnyway", ["pod-template-hash"]],
      hosts,
    ]);
  });

  // kubernetes.io, Pod Security Standards, profile "restricted".
  test("passes the restricted Pod Security Standard", async () => {
    const { resources } = await make({ writablePaths: ["/tmp"], runAsUser: 101 });
    const pod = podOf(resources);
    expect(pod["securityContext"]).toEqual({
      runAsNonRoot: true,
      runAsUser: 101,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(containerOf(resources)["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(pod["volumes"]).toEqual([{ name: "writable-tmp", emptyDir: {} }]);
    expect(containerOf(resources)["volumeMounts"]).toEqual([{ name: "writable-tmp", mountPath: "/tmp" }]);
    expect(pod["automountServiceAccountToken"]).toBe(false);
  });

  test("probes: readiness always, liveness and start only where asked for", async () => {
    const ready = containerOf((await make()).resources);
    expect(ready["readinessProbe"]).toEqual({
      httpGet: { path: "/healthz", port: 8080 },
      periodSeconds: 5,
      timeoutSeconds: 3,
      failureThreshold: 3,
    });
    expect(ready).not.toHaveProperty("livenessProbe");
    const probes = { readinessPath: "/healthz", livenessPath: "/alive", startupSeconds: 61 };
    const live = containerOf((await make({ probes })).resources);
    expect(live["livenessProbe"]).toMatchObject({ httpGet: { path: "/alive" }, failureThreshold: 6 });
    expect(live["startupProbe"]).toMatchObject({ httpGet: { path: "/alive" }, failureThreshold: 13 });
  });

  test("environment, secrets, service account and memory reach the container", async () => {
    const { resources } = await make({
      env: { ZONE: "eu", LOG: "info" },
      envFromSecrets: ["web-secrets"],
      serviceAccountName: "web",
    });
    expect(containerOf(resources)).toMatchObject({
      image: "registry.example/web@sha256:0123",
      env: [
        { name: "LOG", value: "info" },
        { name: "ZONE", value: "eu" },
      ],
      envFrom: [{ secretRef: { name: "web-secrets" } }],
      resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "128Mi" } },
    });
    expect(podOf(resources)).toMatchObject({ serviceAccountName: "web", automountServiceAccountToken: true });
  });

  test("works in a preview", async () => {
    const autoscaled = { replicas: undefined, autoscale: { min: 2, max: 4 } };
    const [update, preview] = [await make(autoscaled), await make(autoscaled, { preview: true, state: previewState })];
    expect(preview.errors).toEqual([]);
    expect(namesOf(preview.resources)).toEqual(namesOf(update.resources));
  });

  test.each<[string, Partial<DrainSafeDeploymentArgs>, RegExp]>([
    ["one pod", { replicas: 1 }, /replicas: must be .* at least 2, not 1: with one pod every drain is an outage/],
    ["no number of pods", { replicas: undefined }, /replicas: is missing/],
    ["two numbers of pods", { autoscale: { min: 2, max: 4 } }, /replicas: can't be given together with autoscale/],
    ["a maximum below the minimum", { replicas: undefined, autoscale: { min: 4, max: 3 } }, /autoscale\.max: must be/],
    [
      "a grace that cuts requests off",
      { terminationGracePeriodSeconds: 30 },
      /at least 60 .* not 30: the pod would be killed/,
    ],
    ["no time to take notice", { preStopSeconds: 0 }, /preStopSeconds: must be .* at least 1, not 0/],
    ["a rollout that can't proceed", { maxSurgePercent: 0 }, /maxSurgePercent: must be/],
    ["no labels", { podLabels: {} }, /podLabels: is empty/],
    ["a relative path", { writablePaths: ["tmp"] }, /writablePaths\[0\]: must be an absolute path/],
    ["paths of one volume", { writablePaths: ["/a-b", "/a/b"] }, /writablePaths\[1\]: is too like another one/],
    [
      "a start without liveness",
      { probes: { readinessPath: "/", startupSeconds: 60 } },
      /has no effect without probes/,
    ],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });
});

/** The schema with unknown fields refused, as the API server's strict validation does. */
function closed(schema: object): object {
  const node = schema as Record<string, unknown>;
  const properties = node["properties"] as Record<string, object> | undefined;
  return {
    ...node,
    ...(properties === undefined
      ? {}
      : {
          additionalProperties: false,
          properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, closed(value)])),
        }),
    ...(typeof node["items"] === "object" ? { items: closed(node["items"] as object) } : {}),
  };
}
