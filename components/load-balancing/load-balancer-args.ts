import type * as pulumi from "@pulumi/pulumi";

/** Where a load balancer can be reached from. */
export enum LoadBalancerScheme {
  /** From inside the VPC and what is connected to it. */
  Internal = "internal",
  /** From the internet. Its subnets must be public. */
  InternetFacing = "internet-facing",
}

/** Over which addresses a load balancer can be reached. Pods are reached over IPv4 in each case. */
export enum LoadBalancerAddressType {
  /** IPv4 only. */
  IPv4 = "ipv4",
  /** IPv4 and IPv6. The subnets need IPv6 ranges, and routes for them. */
  DualStack = "dualstack",
  /** Public addresses of IPv6 alone, and private ones of both. Only for `LoadBalancerScheme.InternetFacing`. */
  DualStackWithoutPublicIPv4 = "dualstack-without-public-ipv4",
}

/** What is done with requests that two servers might read differently: the material of HTTP desync attacks (request smuggling). */
export enum DesyncMitigation {
  /** Known-safe deviations pass; of others the connection is closed after the answer, and dangerous ones are refused. */
  Defensive = "defensive",
  /** Only requests that keep to RFC 7230 pass. */
  Strictest = "strictest",
  /** All pass and are counted. For finding out what the others would do. */
  Monitor = "monitor",
}

/** Where the logs of a load balancer go. */
export interface AccessLogsArgs {
  /**
   * Name of an existing bucket in the same region, encrypted with SSE-S3, whose policy lets
   * `logdelivery.elasticloadbalancing.amazonaws.com` put objects to `<prefix>/AWSLogs/<account>/*`, and with `connectionLogs` to
   * `<prefix>/connections/AWSLogs/<account>/*`. Defaults to a bucket made here.
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
   * `{ office: "203.0.113.0/24" }`. At least one, here or in `ingressIpv6Cidrs`; open to the world is `{ everybody: "0.0.0.0/0" }`, and only
   * if you write it.
   */
  ingressCidrs: Record<string, pulumi.Input<string>>;
  /**
   * Who may connect over IPv6: as `ingressCidrs`, under other names, for example `{ office6: "2001:db8::/48" }`. At least one with a dual
   * stack, none without. Defaults to none.
   */
  ingressIpv6Cidrs?: Record<string, pulumi.Input<string>>;
  /**
   * Over which addresses it can be reached. With IPv6 the alias records of `domain` get AAAA records beside them, or instead where there is
   * no public IPv4. Changes in place. Defaults to `LoadBalancerAddressType.IPv4`.
   */
  addressType?: LoadBalancerAddressType;
  /**
   * ARN of the certificate in ACM or IAM, in the region of the load balancer: for clients that name no host, and those that no other
   * certificate fits. Either this or `domain`.
   */
  certificateArn?: pulumi.Input<string>;
  /**
   * ARNs of further certificates, each under a name of yours: `{ blog: "arn:aws:acm:..." }`. The load balancer picks the one that fits the
   * host's name best (SNI). Each once, and none that is `certificateArn`. At most 25 (ELB quota, adjustable). Don't rename the key of an ARN
   * that is only known later, and don't exchange two: the listener would lose the certificate when the old key goes (`pulumi up --refresh`
   * puts it back). Defaults to none.
   */
  furtherCertificateArns?: Record<string, pulumi.Input<string>>;
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
  /**
   * Whether connections are logged as well, to the same bucket under `connections/`. A client that fails in the TLS handshake, because it
   * knows none of `tlsPolicy`'s versions for example, is in these logs only; they cost their storage. Defaults to true with the bucket made
   * here. In a bucket of yours to false: its policy must allow the second place before AWS takes the setting.
   */
  connectionLogs?: boolean;
  /** ARN of a regional WAF (v2) ACL to put in front. Defaults to none. */
  webAclArn?: pulumi.Input<string>;
  /**
   * Seconds after which a connection without a byte is closed, on both sides, 1 to 4000. Two things follow from it, which no component can
   * see. The pods' server must keep idle connections open for longer (in Node.js `server.keepAliveTimeout`, in nginx `keepalive_timeout`), or
   * the load balancer sends a request into one that is being closed, and the client gets a 502. And a request that is silent for longer ends
   * with a 504, so let it cover the `longestRequestSeconds` of `DrainSafeDeployment`, unless answers come in pieces. Defaults to 60, AWS's own
   * default.
   */
  idleTimeoutSeconds?: pulumi.Input<number>;
  /**
   * Seconds that a client may go on using one connection, 60 to 604800, counted from when it was opened. After that it gets one more answer and
   * is told to connect anew, so no request is lost. Pods come and go without it: they are chosen anew for each request. It limits how long
   * clients stay with a zone that a zonal shift moves away from. Defaults to 300, which AWS recommends for that (Application Recovery
   * Controller, "Best practices for zonal shifts"); AWS's own default is 3600.
   */
  clientKeepAliveSeconds?: pulumi.Input<number>;
  /**
   * Whether a zonal shift may take a zone out: its addresses leave DNS, and no zone sends to targets in it. Only allows it; shifts are
   * started in Application Recovery Controller. Without charge. Defaults to true.
   */
  zonalShift?: pulumi.Input<boolean>;
  /** What is done with requests that might be smuggled. Defaults to `DesyncMitigation.Defensive`, AWS's own default. */
  desyncMitigation?: DesyncMitigation;
  /** Added to every resource that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Default of {@link ApplicationLoadBalancerArgs.tlsPolicy}. */
export const defaultTlsPolicy = "ELBSecurityPolicy-TLS13-1-2-Res-PQ-2025-09";
