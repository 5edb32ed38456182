import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { requireNameFits } from "../internal/names";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import { connectionsPrefixIn, logBucket } from "./access-logs";
import { aliasRecords, type Domain } from "./domain-certificate";
import { frontSecurityGroup } from "./front-security-group";
import { listeners } from "./listeners";
import {
  DesyncMitigation,
  LoadBalancerAddressType,
  LoadBalancerScheme,
  type ApplicationLoadBalancerArgs,
} from "./load-balancer-args";
import { checkedLoadBalancer, loadBalancerProblems } from "./load-balancer-checks";
import type { LoadBalancerRef } from "./refs";

/** Records that a name needs. Without public IPv4 there is nothing that an A record could lead to. */
const aliasTypes: Record<LoadBalancerAddressType, ("A" | "AAAA")[]> = {
  [LoadBalancerAddressType.IPv4]: ["A"],
  [LoadBalancerAddressType.DualStack]: ["A", "AAAA"],
  [LoadBalancerAddressType.DualStackWithoutPublicIPv4]: ["AAAA"],
};

/**
 * An Application Load Balancer that ends TLS, sends plain HTTP to HTTPS, and answers 404 until services add their rules.
 *
 * Each of its zones sends to the pods of all zones: an Application Load Balancer always does so, the target groups of `LoadBalancedService` don't
 * change it, and its alarms count on it.
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
  /** Bucket of the access and connection logs. */
  public readonly accessLogsBucket: pulumi.Output<string>;
  /** What `LoadBalancedService` and `SafetyNetRules` take. */
  public readonly ref: LoadBalancerRef;

  constructor(name: string, args: ApplicationLoadBalancerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:ApplicationLoadBalancer", name, args, opts);
    const problems = new Problems("ApplicationLoadBalancer", name);
    requireNameFits(problems, "load balancer", `${name}-alb`);
    loadBalancerProblems(problems, name, args);
    const inputs = checkedLoadBalancer(problems, args);
    problems.throwIfAny();

    const securityGroup = frontSecurityGroup(name, args, this);
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
    const { addressType = LoadBalancerAddressType.IPv4 } = args;

    const lb = new aws.lb.LoadBalancer(
      `${name}-alb`,
      {
        loadBalancerType: "application",
        internal: args.scheme !== LoadBalancerScheme.InternetFacing,
        ipAddressType: addressType,
        subnets: checked(args.subnetIds, "subnetIds", (ids) =>
          new Set(ids).size >= 2 ? undefined : "must name at least two subnets in different zones",
        ),
        securityGroups: [securityGroup.id],
        enableDeletionProtection: args.deletionProtection ?? true,
        idleTimeout: checked(args.idleTimeoutSeconds ?? 60, "idleTimeoutSeconds", (seconds) =>
          seconds >= 1 && seconds <= 4000 ? undefined : `must be between 1 and 4000 seconds, not ${seconds}`,
        ),
        clientKeepAlive: checked(args.clientKeepAliveSeconds ?? 300, "clientKeepAliveSeconds", (seconds) =>
          seconds >= 60 && seconds <= 604_800 ? undefined : `must be between 60 and 604800 seconds, not ${seconds}`,
        ),
        enableZonalShift: args.zonalShift ?? true,
        // Requests that proxies and pods might read differently are how smuggling works.
        dropInvalidHeaderFields: true,
        desyncMitigationMode: args.desyncMitigation ?? DesyncMitigation.Defensive,
        accessLogs: { enabled: true, bucket: logs.bucket, prefix: inputs.logPrefix },
        // Written even when off: the provider takes a block that is left out for one to leave alone.
        connectionLogs: {
          enabled: args.connectionLogs ?? args.accessLogs?.bucket === undefined,
          bucket: logs.bucket,
          prefix: connectionsPrefixIn(inputs.logPrefix),
        },
        tags: tagsFor(args.tags, `${name}-alb`),
      },
      { parent: this, dependsOn: logs.ready, customTimeouts: { create: "15m", update: "15m", delete: "15m" } },
    );

    const domain: Domain | undefined =
      args.domain === undefined || args.zoneId === undefined
        ? undefined
        : { name: args.domain, alternativeNames: args.alternativeNames ?? [], zoneId: args.zoneId };
    if (domain !== undefined) aliasRecords(name, domain, aliasTypes[addressType], lb, this);
    const listener = listeners(name, args, inputs, domain, lb.arn, this);
    if (args.webAclArn !== undefined)
      new aws.wafv2.WebAclAssociation(
        `${name}-waf`,
        { resourceArn: lb.arn, webAclArn: args.webAclArn },
        // Deleting names the load balancer only: after the new association is made, it would take that one away (pulumi-aws issue 4782).
        { parent: this, deleteBeforeReplace: true },
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
