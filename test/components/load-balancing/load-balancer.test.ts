import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import {
  ApplicationLoadBalancer,
  DesyncMitigation,
  LoadBalancerScheme,
  type ApplicationLoadBalancerArgs,
} from "../../../components/load-balancing";
import { find, reaches } from "../../support/graph";
import { run, type Registration, type RunOptions } from "../../support/harness";
import { arn, inputs, loadBalancerArgs, messages, namesOf, state, types } from "./setup";

const certificate = (id: string) => `arn:aws:acm:eu-west-1:123456789012:certificate/${id}`;

describe("ApplicationLoadBalancer", () => {
  const make = (change: Partial<ApplicationLoadBalancerArgs> = {}, name = "edge", options: RunOptions = {}) =>
    run(
      () => {
        const made = new ApplicationLoadBalancer(name, { ...loadBalancerArgs, ...change });
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
      ipAddressType: "ipv4",
      // Application Recovery Controller, "Best practices for zonal shifts": 300 s, where AWS's own default is an hour.
      clientKeepAlive: 300,
      enableZonalShift: true,
      accessLogs: { enabled: true, bucket: "edge-access-logs-1a2b3c4" },
      connectionLogs: { enabled: true, bucket: "edge-access-logs-1a2b3c4", prefix: "connections" },
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
      certificateArn: loadBalancerArgs.certificateArn,
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
        Sid: "DeliverLogs",
        Effect: "Allow",
        Principal: { Service: "logdelivery.elasticloadbalancing.amazonaws.com" },
        Action: "s3:PutObject",
        // ELB user guide, "Enable access logs" and "Enable connection logs": <prefix>/AWSLogs/<account>/*, without wildcards before.
        Resource: [
          "arn:aws:s3:::edge-access-logs-1a2b3c4/AWSLogs/123456789012/*",
          "arn:aws:s3:::edge-access-logs-1a2b3c4/connections/AWSLogs/123456789012/*",
        ],
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

  test("connections are logged in a bucket of one's own only when asked for, as its policy may not allow the place", async () => {
    const logs = async (change: Partial<ApplicationLoadBalancerArgs>) =>
      inputs((await make(change)).resources, types.lb)["connectionLogs"];
    const accessLogs = { bucket: "central-logs", prefix: "edge" };
    // Off is written, because the provider leaves alone what is left out.
    expect(await logs({ accessLogs })).toMatchObject({ enabled: false, bucket: "central-logs" });
    const asked = { enabled: true, bucket: "central-logs", prefix: "edge/connections" };
    expect(await logs({ accessLogs, connectionLogs: true })).toEqual(asked);
    expect(await logs({ connectionLogs: false })).toMatchObject({ enabled: false });
  });

  test("further certificates join the first one on the listener", async () => {
    const blog = "arn:aws:acm:eu-west-1:123456789012:certificate/blog";
    const old = "arn:aws:iam::123456789012:server-certificate/old";
    const { resources, errors } = await make({ furtherCertificateArns: { blog, old } });
    expect(errors).toEqual([]);
    const listenerArn = arn("listener/app/edge/50dc6c495c0c9188/edge-https");
    expect(resources.filter((r) => r.type === types.furtherCertificate).map((r) => [r.name, r.inputs])).toEqual([
      ["edge-blog-certificate", { listenerArn, certificateArn: blog }],
      ["edge-old-certificate", { listenerArn, certificateArn: old }],
    ]);
    expect(inputs(resources, types.listener, "edge-https")["certificateArn"]).toBe(loadBalancerArgs.certificateArn);
  });

  test("a further certificate keeps its resource under another key: the old one's removal would take it off", async () => {
    const blog = "arn:aws:acm:eu-west-1:123456789012:certificate/5b0d1c1e";
    const shop = "arn:aws:acm:eu-west-1:123456789012:certificate/7c1e2d2f";
    const namesWith = async (furtherCertificateArns: Record<string, string>) =>
      (await make({ furtherCertificateArns })).resources
        .filter((r) => r.type === types.furtherCertificate)
        .map((r) => r.name);
    expect(await namesWith({ blog, shop })).toEqual(["edge-5b0d1c1e-certificate", "edge-7c1e2d2f-certificate"]);
    expect((await namesWith({ shop: blog, journal: shop })).sort()).toEqual(await namesWith({ blog, shop }));
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

  test("options: internet-facing, WAF, no deletion protection or zonal shift, tags", async () => {
    const { resources } = await make({
      scheme: LoadBalancerScheme.InternetFacing,
      webAclArn: "arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/x/1",
      deletionProtection: false,
      zonalShift: false,
      clientKeepAliveSeconds: 3600,
      desyncMitigation: DesyncMitigation.Strictest,
      tags: { team: "edge" },
    });
    expect(inputs(resources, types.lb)).toMatchObject({
      internal: false,
      enableDeletionProtection: false,
      enableZonalShift: false,
      clientKeepAlive: 3600,
      desyncMitigationMode: "strictest",
      tags: { Name: "edge-alb", team: "edge" },
    });
    // AWS's DisassociateWebACL takes the load balancer only: another ACL must come after the old one's deletion.
    expect(find(resources, "aws:wafv2/webAclAssociation:WebAclAssociation").deleteBeforeReplace).toBe(true);
    expect(inputs(resources, "aws:wafv2/webAclAssociation:WebAclAssociation")["resourceArn"]).toBe(
      arn("loadbalancer/app/edge-alb/50dc6c495c0c9188"),
    );
  });

  test("a preview with unknown subnets makes the same resources", async () => {
    const update = await make();
    const program = () => {
      const subnets = ["a", "b"].map((zone) => new aws.ec2.Subnet(`net-${zone}`, { vpcId: "vpc-1" }).id);
      new ApplicationLoadBalancer("edge", { ...loadBalancerArgs, subnetIds: subnets });
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
    ["a client that stays for half a minute", { clientKeepAliveSeconds: 59 }, "edge", /60 and 604800 seconds, not 59/],
    ["a client that stays for ever", { clientKeepAliveSeconds: pulumi.output(604_801) }, "edge", /not 604801/],
    ["what is no certificate", { certificateArn: "given" }, "edge", /certificateArn: must be the ARN of a certificate/],
    ["a late one", { certificateArn: pulumi.output("") }, "edge", /certificateArn must be the ARN of a certificate/],
    [
      "a certificate twice",
      { furtherCertificateArns: { a: certificate("a"), b: certificate("a") } },
      "edge",
      /furtherCertificateArns\.b: is the same as furtherCertificateArns\.a/,
    ],
    [
      "the first certificate once more",
      { furtherCertificateArns: { a: certificate("given") } },
      "edge",
      /furtherCertificateArns\.a: is certificateArn, which the listener has/,
    ],
    [
      "a late further one",
      { furtherCertificateArns: { a: pulumi.output("x") } },
      "edge",
      /furtherCertificateArns\.a must be the ARN/,
    ],
    [
      "a name that resources can't have",
      { furtherCertificateArns: { "a/b": certificate("a") } },
      "edge",
      /furtherCertificateArns\.a\/b: is a name and may contain/,
    ],
    ...["/edge", "edge/", "x/AWSLogs"].map((prefix): [string, Partial<ApplicationLoadBalancerArgs>, string, RegExp] => [
      `the prefix ${prefix}`,
      { accessLogs: { bucket: "logs", prefix } },
      "edge",
      /accessLogs\.prefix: must be the first part of a key/,
    ]),
    ["an idle timeout that ELB refuses", { idleTimeoutSeconds: 4001 }, "edge", /between 1 and 4000 seconds, not 4001/],
  ])("refuses %s", async (_, change, name, expected) => {
    expect(messages((await make(change, name)).errors)).toMatch(expected);
  });
});
