import type * as pulumi from "@pulumi/pulumi";

/** Where a load balancer can be reached from. */
export enum LoadBalancerScheme {
  /** From inside the VPC and what is connected to it. */
  Internal = "internal",
  /** From the internet. Its subnets must be public. */
  InternetFacing = "internet-facing",
}

/** Where the access logs of a load balancer go. */
export interface AccessLogsArgs {
  /**
   * Name of an existing bucket in the same region, encrypted with SSE-S3, whose policy lets
   * `logdelivery.elasticloadbalancing.amazonaws.com` write to it. Defaults to a bucket made here.
   */
  bucket?: pulumi.Input<string>;
  /** First part of the object keys in a bucket of yours. Without a slash at either end. Defaults to none. */
  prefix?: pulumi.Input<string>;
  /** Days that logs are kept in the bucket made here, at least 1. Defaults to 90. */
  retentionDays?: number;
  /**
   * Whether destroying the stack deletes the bucket made here with the logs in it. Without it a destroy stops at the bucket.
   * Defaults to false.
   */
  forceDestroy?: boolean;
}

/** Arguments of {@link ApplicationLoadBalancer}. */
export interface ApplicationLoadBalancerArgs {
  /** VPC of the load balancer. */
  vpcId: pulumi.Input<string>;
  /** Subnets, at least two, each in another zone. Public ones for `LoadBalancerScheme.InternetFacing`. */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /** Where it can be reached from. Defaults to `LoadBalancerScheme.Internal`. */
  scheme?: LoadBalancerScheme;
  /**
   * Who may connect to ports 443 and 80: a name of yours for each source, and its IPv4 range, for example
   * `{ office: "203.0.113.0/24" }`. At least one; open to the world is `{ everybody: "0.0.0.0/0" }`, and only if you write it.
   */
  ingressCidrs: Record<string, pulumi.Input<string>>;
  /** ARN of the certificate in ACM or IAM, in the region of the load balancer. Either this or `domain`. */
  certificateArn?: pulumi.Input<string>;
  /**
   * Name that visitors use, for example `shop.example.com`. A certificate is requested for it, proved by records in the zone
   * `zoneId`, and an alias record points at the load balancer. Either this or `certificateArn`.
   */
  domain?: string;
  /** Further names of the certificate, each with an alias record. Wildcards are allowed. Only with `domain`. Defaults to none. */
  alternativeNames?: string[];
  /** Id of the public Route 53 zone that holds `domain` and `alternativeNames`. Required with `domain`. */
  zoneId?: pulumi.Input<string>;
  /**
   * Security policy of the TLS listener, by name. Defaults to `ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09`: TLS 1.3 and 1.2
   * with forward secrecy, and hybrid post-quantum key exchange for clients that know it. It is what AWS recommends and the
   * console chooses; without a name the API would fall back to a policy of 2016 that still speaks TLS 1.0 (ELB user guide,
   * "Security policies for your Application Load Balancer").
   */
  tlsPolicy?: pulumi.Input<string>;
  /**
   * Whether AWS refuses to delete the load balancer. Switch it off and update before you destroy the stack. Defaults to true.
   */
  deletionProtection?: boolean;
  /** Where access logs go. Defaults to a bucket made here that keeps them for 90 days. */
  accessLogs?: AccessLogsArgs;
  /** ARN of a regional WAF (v2) ACL to put in front. Defaults to none. */
  webAclArn?: pulumi.Input<string>;
  /** Seconds after which an idle connection is closed, 1 to 4000. Defaults to 60, AWS's own default. */
  idleTimeoutSeconds?: pulumi.Input<number>;
  /** Added to every resource that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Default of {@link ApplicationLoadBalancerArgs.tlsPolicy}. */
export const defaultTlsPolicy = "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09";
