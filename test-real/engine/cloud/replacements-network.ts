import type { Replacement } from "./replacement";

/** VPC, load balancing, DNS and certificates: terraform-provider-aws internal/service/{ec2,elbv2,route53,acm,wafv2}. */
export const networkReplacements: Readonly<Record<string, Replacement>> = {
  /** certificate.go 01661ea. `options`, and the key and body of an imported certificate, change in place. */
  "aws:acm/certificate:Certificate": {
    properties: [
      "certificateAuthorityArn",
      "domainName",
      "keyAlgorithm",
      "subjectAlternativeNames",
      "validationMethod",
      "validationOptions",
    ],
  },
  /** certificate_validation.go 004eea7. */
  "aws:acm/certificateValidation:CertificateValidation": { properties: ["certificateArn", "validationRecordFqdns"] },

  /** vpc_default_security_group.go 01f4311. */
  "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": { properties: ["vpcId"] },
  /** ec2_eip.go 0160692. */
  "aws:ec2/eip:Eip": {
    properties: ["address", "domain", "ipamPoolId", "networkBorderGroup", "publicIpv4Pool"],
  },
  /** vpc_flow_log.go 00a3530: AWS changes nothing of a flow log but its tags. Not seen: `tagFieldSpecifications`. */
  "aws:ec2/flowLog:FlowLog": {
    properties: [
      "deliverCrossAccountRole",
      "destinationOptions",
      "eniId",
      "iamRoleArn",
      "logDestination",
      "logDestinationType",
      "logFormat",
      "maxAggregationInterval",
      "regionalNatGatewayId",
      "subnetId",
      "trafficType",
      "transitGatewayAttachmentId",
      "transitGatewayId",
      "vpcId",
    ],
  },
  /** vpc_internet_gateway.go 08923b6: another VPC detaches it and attaches it there. */
  "aws:ec2/internetGateway:InternetGateway": { properties: [] },
  /** ec2_launch_template.go: everything else makes a new version. */
  "aws:ec2/launchTemplate:LaunchTemplate": { properties: ["name", "namePrefix"], nameProperty: "name" },
  /** vpc_nat_gateway.go of 2026. Up to 04088ea `secondaryPrivateIpAddressCount` replaced it too. */
  "aws:ec2/natGateway:NatGateway": {
    properties: ["allocationId", "availabilityMode", "connectivityType", "privateIp", "subnetId", "vpcId"],
  },
  /** vpc_route.go 0128541. The gateway that it leads to changes in place. */
  "aws:ec2/route:Route": {
    properties: ["destinationCidrBlock", "destinationIpv6CidrBlock", "destinationPrefixListId", "routeTableId"],
  },
  /** vpc_route_table.go 0220924. */
  "aws:ec2/routeTable:RouteTable": { properties: ["vpcId"] },
  /** vpc_route_table_association.go 0be71be. Another route table: ReplaceRouteTableAssociation, in place. */
  "aws:ec2/routeTableAssociation:RouteTableAssociation": { properties: ["gatewayId", "subnetId"] },
  /** vpc_security_group.go 0160692. AWS can't reword a group's description. Inline rules change in place. */
  "aws:ec2/securityGroup:SecurityGroup": {
    properties: ["description", "name", "namePrefix", "vpcId"],
    nameProperty: "name",
  },
  /** vpc_subnet.go 00cda12. `ipv6CidrBlock` only where `assignIpv6AddressOnCreation` was on. */
  "aws:ec2/subnet:Subnet": {
    properties: [
      "availabilityZone",
      "availabilityZoneId",
      "cidrBlock",
      "ipv4IpamPoolId",
      "ipv4NetmaskLength",
      "ipv6IpamPoolId",
      "ipv6Native",
      "ipv6NetmaskLength",
      "outpostArn",
      "vpcId",
    ],
  },
  /** vpc_.go 00081ce. `instanceTenancy` changes in place from "dedicated" to "default", and nowhere else. */
  "aws:ec2/vpc:Vpc": { properties: ["cidrBlock", "instanceTenancy", "ipv4IpamPoolId", "ipv4NetmaskLength"] },
  /** vpc_endpoint.go 008db85. `privateDnsEnabled` too, where the type isn't "Interface". */
  "aws:ec2/vpcEndpoint:VpcEndpoint": {
    properties: [
      "dnsOptions.privateDnsPreference",
      "dnsOptions.privateDnsSpecifiedDomains",
      "resourceConfigurationArn",
      "serviceName",
      "serviceNetworkArn",
      "serviceRegion",
      "vpcEndpointType",
      "vpcId",
    ],
  },
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": securityGroupRule(),
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": securityGroupRule(),

  /** listener.go 01c0800. Port and protocol change in place. */
  "aws:lb/listener:Listener": { properties: ["loadBalancerArn"] },
  /** listener_certificate.go 01f4311. */
  "aws:lb/listenerCertificate:ListenerCertificate": { properties: ["certificateArn", "listenerArn"] },
  /** listener_rule.go 032c4f0. Conditions, actions and even the priority change in place. */
  "aws:lb/listenerRule:ListenerRule": { properties: ["listenerArn"] },
  /**
   * load_balancer.go 00edc94. An application load balancer takes other subnets and security groups in place. A network load balancer
   * is replaced when it loses a subnet, and when it gets its first security group or loses its last. A `subnetMappings` of which
   * an element differs (not: came or went) replaces both.
   */
  "aws:lb/loadBalancer:LoadBalancer": {
    properties: ["customerOwnedIpv4Pool", "internal", "loadBalancerType", "name", "namePrefix"],
    nameProperty: "name",
  },
  /** target_group.go 013cfb4. Health check, stickiness and delays change in place. Not seen: `targetControlPort`. */
  "aws:lb/targetGroup:TargetGroup": {
    properties: ["ipAddressType", "name", "namePrefix", "port", "protocol", "protocolVersion", "targetType", "vpcId"],
    nameProperty: "name",
  },

  /** record.go 00655c1. Its name is required, so never Pulumi's. `type` and `setIdentifier` change in one batch of changes. */
  "aws:route53/record:Record": { properties: ["name", "zoneId"] },
  /**
   * web_acl_association.go 011a8ee. Created first, and deleted by the load balancer's ARN alone: after a change of the ACL the
   * load balancer has none (pulumi/pulumi-aws issue 4782).
   */
  "aws:wafv2/webAclAssociation:WebAclAssociation": { properties: ["resourceArn", "webAclArn"] },
};

/**
 * vpc_security_group_ingress_rule.go 00a3220, ModifyPlan: another source of the same kind changes in place
 * (ModifySecurityGroupRules), another kind replaces. A resource of the Plugin Framework: created first.
 */
function securityGroupRule(): Replacement {
  return {
    properties: ["securityGroupId"],
    whenSetOrRemoved: ["cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"],
  };
}
