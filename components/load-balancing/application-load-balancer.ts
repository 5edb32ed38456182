import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { requireNameFits } from "../internal/names";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import { logBucket } from "./access-logs";
import { aliasRecords, domainCertificate, type Domain } from "./domain-certificate";
import { defaultTlsPolicy, LoadBalancerScheme, type ApplicationLoadBalancerArgs } from "./load-balancer-args";
import { cidrProblem, loadBalancerProblems } from "./load-balancer-checks";
import type { LoadBalancerRef } from "./refs";

/**
 * An Application Load Balancer that ends TLS, sends plain HTTP to HTTPS, and answers 404 until services add their rules.
 *
 * Its security group admits only what `ingressCidrs` names and lets nothing out: `SafetyNetRules` opens the way to the pods, one
 * per group of targets.
 */
export class ApplicationLoadBalancer extends pulumi.ComponentResource {
  /** ARN of the load balancer. */
  public readonly arn: pulumi.Output<string>;
  /** Last part of the ARN (`app/name/id`), as CloudWatch metrics name it. */
  public readonly arnSuffix: pulumi.Output<string>;
  /** Name that AWS gave it in DNS. */
  public readonly dnsName: pulumi.Output<string>;
  /** Route 53 zone of `dnsName`, for alias records of your own. */
  public readonly zoneId: pulumi.Output<string>;
  /** Security group of the load balancer. Give it no egress by hand. */
  public readonly securityGroupId: pulumi.Output<string>;
  /** ARN of the TLS listener, which services add their rules to. */
  public readonly listenerArn: pulumi.Output<string>;
  /** Bucket of the access logs. */
  public readonly accessLogsBucket: pulumi.Output<string>;
  /** What `LoadBalancedService` and `SafetyNetRules` take. */
  public readonly ref: LoadBalancerRef;

  constructor(name: string, args: ApplicationLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:ApplicationLoadBalancer", name, args, opts);
    const problems = new Problems("ApplicationLoadBalancer", name);
    requireNameFits(problems, "load balancer", `${name}-alb`);
    loadBalancerProblems(problems, name, args);
    problems.throwIfAny();

    const child = { parent: this };
    const securityGroup = new aws.ec2.SecurityGroup(
      `${name}-sg`,
      // No inline rules: they would be deleted and made anew on each change. Without `egress` the provider removes AWS's allow-all.
      { vpcId: args.vpcId, description: "Application Load Balancer", tags: tagsFor(args.tags, `${name}-sg`) },
      child,
    );
    for (const [source, cidr] of Object.entries(args.ingressCidrs))
      for (const port of [443, 80])
        new aws.vpc.SecurityGroupIngressRule(
          `${name}-${source}-${port}`,
          {
            securityGroupId: securityGroup.id,
            description: `${port === 443 ? "HTTPS" : "HTTP, redirected to HTTPS,"} from ${source}`,
            ipProtocol: "tcp",
            fromPort: port,
            toPort: port,
            cidrIpv4: checked(cidr, `ingressCidrs.${source}`, cidrProblem),
            tags: tagsFor(args.tags, `${name}-${source}-${port}`),
          },
          child,
        );

    const logs =
      args.accessLogs?.bucket === undefined
        ? logBucket(
            `${name}-access-logs`,
            {
              retentionDays: args.accessLogs?.retentionDays ?? 90,
              forceDestroy: args.accessLogs?.forceDestroy ?? false,
              tags: args.tags,
            },
            this,
          )
        : { bucket: pulumi.output(args.accessLogs.bucket), ready: [] };

    const lb = new aws.lb.LoadBalancer(
      `${name}-alb`,
      {
        loadBalancerType: "application",
        internal: args.scheme !== LoadBalancerScheme.InternetFacing,
        ipAddressType: "ipv4",
        subnets: checked(args.subnetIds, "subnetIds", (ids) =>
          new Set(ids).size >= 2 ? undefined : "must name at least two subnets in different zones",
        ),
        securityGroups: [securityGroup.id],
        enableDeletionProtection: args.deletionProtection ?? true,
        idleTimeout: checked(args.idleTimeoutSeconds ?? 60, "idleTimeoutSeconds", (seconds) =>
          seconds >= 1 && seconds <= 4000 ? undefined : `must be between 1 and 4000 seconds, not ${seconds}`,
        ),
        // Requests that proxies and pods might read differently are how smuggling works.
        dropInvalidHeaderFields: true,
        desyncMitigationMode: "defensive",
        accessLogs: { enabled: true, bucket: logs.bucket, prefix: args.accessLogs?.prefix },
        tags: tagsFor(args.tags, `${name}-alb`),
      },
      { parent: this, dependsOn: logs.ready, customTimeouts: { create: "15m", update: "15m", delete: "15m" } },
    );

    const domain: Domain | undefined =
      args.domain === undefined || args.zoneId === undefined
        ? undefined
        : { name: args.domain, alternativeNames: args.alternativeNames ?? [], zoneId: args.zoneId };
    if (domain !== undefined) aliasRecords(name, domain, lb, this);

    new aws.lb.Listener(
      `${name}-http`,
      {
        loadBalancerArn: lb.arn,
        port: 80,
        protocol: "HTTP",
        defaultActions: [{ type: "redirect", redirect: { protocol: "HTTPS", port: "443", statusCode: "HTTP_301" } }],
        tags: tagsFor(args.tags, `${name}-http`),
      },
      child,
    );
    const listener = new aws.lb.Listener(
      `${name}-https`,
      {
        loadBalancerArn: lb.arn,
        port: 443,
        protocol: "HTTPS",
        sslPolicy: args.tlsPolicy ?? defaultTlsPolicy,
        certificateArn: domain === undefined ? args.certificateArn : domainCertificate(name, domain, args.tags, this),
        defaultActions: [
          {
            type: "fixed-response",
            fixedResponse: { statusCode: "404", contentType: "text/plain", messageBody: "Not found" },
          },
        ],
        tags: tagsFor(args.tags, `${name}-https`),
      },
      child,
    );
    if (args.webAclArn !== undefined)
      new aws.wafv2.WebAclAssociation(
        `${name}-waf`,
        { resourceArn: lb.arn, webAclArn: args.webAclArn },
        // Deleting names the load balancer only: after the new association is made, it would take that one away (pulumi-aws issue 4782).
        { ...child, deleteBeforeReplace: true },
      );

    this.arn = lb.arn;
    this.arnSuffix = lb.arnSuffix;
    this.dnsName = lb.dnsName;
    this.zoneId = lb.zoneId;
    this.securityGroupId = securityGroup.id;
    this.listenerArn = listener.arn;
    this.accessLogsBucket = logs.bucket;
    this.ref = {
      arn: lb.arn,
      arnSuffix: lb.arnSuffix,
      listenerArn: listener.arn,
      securityGroupId: securityGroup.id,
      vpcId: args.vpcId,
    };
    this.registerOutputs({
      arn: this.arn,
      arnSuffix: this.arnSuffix,
      dnsName: this.dnsName,
      zoneId: this.zoneId,
      securityGroupId: this.securityGroupId,
      listenerArn: this.listenerArn,
      accessLogsBucket: this.accessLogsBucket,
      ref: this.ref,
    });
  }
}
