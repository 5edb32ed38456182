import type * as pulumi from "@pulumi/pulumi";

/** Kind of the addresses that are registered. */
export enum TargetAddressType {
  /** Pods' IPv4 addresses. */
  IPv4 = "ipv4",
  /** Pods' IPv6 addresses. */
  IPv6 = "ipv6",
}

/** Protocol of a target group. */
export enum TargetGroupProtocol {
  Http = "HTTP",
  Https = "HTTPS",
  Tcp = "TCP",
  Tls = "TLS",
  Udp = "UDP",
  TcpUdp = "TCP_UDP",
  Quic = "QUIC",
  TcpQuic = "TCP_QUIC",
  /** Of a Gateway Load Balancer. Only with `ControllerChartVersion.V3_7_0`: the API server refuses it before. */
  Geneve = "GENEVE",
}

/** Protocol of a rule that the controller makes. */
export enum ManagedPortProtocol {
  Tcp = "TCP",
  Udp = "UDP",
}

/** Port of a rule that the controller makes. */
export interface ManagedPortArgs {
  /** Number of the pods' port. Without one the rule would open all, and be the one that the controller shares between bindings. */
  port: pulumi.Input<number>;
  /** Protocol. Defaults to `ManagedPortProtocol.Tcp`. */
  protocol?: ManagedPortProtocol;
}

/** Rules that the controller makes in the security groups of the pods: from each source to each port. */
export interface ManagedIngressArgs {
  /** Ids of security groups that may reach the pods, `sg-...`. At least one source, of this kind or `cidrs`. Defaults to none. */
  securityGroupIds?: pulumi.Input<string>[];
  /** Networks that may reach the pods, IPv4 or IPv6, such as `10.0.0.0/16`. Defaults to none. */
  cidrs?: pulumi.Input<string>[];
  /** Ports, at least one: with an empty list the controller says "all" and opens none (networking_manager.go of 3.5.0). */
  ports: ManagedPortArgs[];
}

/** Arguments of {@link TargetGroupBinding}. */
export interface TargetGroupBindingArgs {
  /** Namespace of the Service. Moving a binding to another namespace needs `deleteBeforeReplace`, or another target group. */
  namespace: pulumi.Input<string>;
  /** Name of the Service whose ready pods are registered. */
  serviceName: pulumi.Input<string>;
  /** Port of the Service (not of the pods), by number. Either this or `servicePortName`. */
  servicePort?: pulumi.Input<number>;
  /** Port of the Service, by name. Either this or `servicePort`. */
  servicePortName?: pulumi.Input<string>;
  /**
   * ARN of the target group, of target type `ip`. It may exist already: whatever was registered in it by hand is taken out at
   * the first change of a pod, so have ready pods behind the Service before you bind it. The controller needs permission for it:
   * the tag `moorings-target-registration`, or `targetGroupArns` of `LoadBalancerController`.
   */
  targetGroupArn: pulumi.Input<string>;
  /** VPC of the target group. Defaults to that of the target group, looked up by the controller. */
  vpcId?: pulumi.Input<string>;
  /** Kind of addresses in the target group. Defaults to `TargetAddressType.IPv4`. */
  ipAddressType?: TargetAddressType;
  /** Protocol of the target group. Defaults to that of the target group, looked up by the controller. */
  targetGroupProtocol?: TargetGroupProtocol;
  /**
   * Whether other clusters register in the same target group. The controller then leaves targets alone that it didn't register
   * itself, hand-registered ones too. Don't change it later. Defaults to false.
   */
  multiCluster?: boolean;
  /**
   * ARN of a role in the target group's account, where that isn't the cluster's; the controller takes it on. It must be among
   * `assumeRoleArns` of `LoadBalancerController`, trust the controller's role, and be allowed what that is. Defaults to none.
   */
  assumeRoleArn?: pulumi.Input<string>;
  /** External id that the trust policy of `assumeRoleArn` asks for. Defaults to none. */
  assumeRoleExternalId?: pulumi.Input<string>;
  /**
   * Rules that the controller shall make and take away in the pods' security groups. **A risk:** it has revoked such rules while they were
   * needed, and not made them again for 45 minutes (its issue 4889, open); one wrong id stops its rules for all bindings (3809).
   * Prefer `SafetyNetRules`; where you can't, keep the rules' sources apart from the net's, and add `CheckpointReset`. Needs
   * `ControllerPermissions.Full`, and exactly one group on each pod's interface with the tag `kubernetes.io/cluster/<name>`.
   * Defaults to none: the controller then makes no rule.
   */
  managedIngress?: ManagedIngressArgs[];
  /**
   * Whether a replacement deletes the old binding before it makes the new one. Needed when the namespace changes and the target group
   * stays, because a group takes one binding: set it in the same update as the namespace, and take it out in the next one. **From the
   * deletion until pods in the new namespace are ready the group is empty**, and its load balancer answers with errors; to move without
   * that, give the moved service a target group of its own. Never needed for another target group. Defaults to false.
   */
  deleteBeforeReplace?: boolean;
  /** Labels of the object. Those by which the controller finds its own bindings are refused: it would delete this one. Defaults to none. */
  labels?: Record<string, pulumi.Input<string>>;
}
