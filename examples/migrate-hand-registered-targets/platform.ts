import type { AlarmRoutes, ClusterRef, LoadBalancerRef, SafetyNetRef } from "../../index";

/*
 * What is there already: a cluster with the AWS Load Balancer Controller, a Network Load Balancer whose target group holds addresses that
 * somebody registered, an Application Load Balancer to move to, the way from it to the pods, and topics. Write yours.
 */

const account = "123456789012";
const elb = `arn:aws:elasticloadbalancing:eu-west-1:${account}`;

export const cluster: ClusterRef = {
  name: "shop",
  endpoint: "https://0A1B2C3D4E5F60718293A4B5C6D7E8F9.gr7.eu-west-1.eks.amazonaws.com",
  certificateAuthority: "LS0tLS1CRUdJTi1DRVJUSUZJQ0FURS0tLS0t",
  oidcProviderArn: `arn:aws:iam::${account}:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0A1B2C3D4E5F60718293A4B5C6D7E8F9`,
  oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/0A1B2C3D4E5F60718293A4B5C6D7E8F9",
  securityGroupId: "sg-0a1b2c3d4e5f60001",
  vpcId: "vpc-0a1b2c3d4e5f60000",
};

/** The Network Load Balancer in front of the proxies, and its target group. */
export const old = {
  loadBalancerArnSuffix: "net/old-edge/0a1b2c3d4e5f6000",
  dnsName: "old-edge-0a1b2c3d4e5f6000.elb.eu-west-1.amazonaws.com",
  zoneId: "Z2IFOLAFXWLO4F",
  targetGroupArn: `${elb}:targetgroup/nginx/0a1b2c3d4e5f6001`,
  /** What the rules of today let through from it to the nodes. */
  openPorts: { fromPort: 8080, toPort: 8080 },
  /** Addresses of pods, on the day on which somebody registered them. */
  targets: { a: "10.20.33.17", b: "10.20.65.4", c: "10.20.97.211" },
};

/** The Application Load Balancer to move to: `ApplicationLoadBalancer.ref`, with the two outputs that an alias record needs. */
export const loadBalancer: LoadBalancerRef & { dnsName: string; zoneId: string } = {
  arn: `${elb}:loadbalancer/app/edge/0a1b2c3d4e5f6002`,
  arnSuffix: "app/edge/0a1b2c3d4e5f6002",
  listenerArn: `${elb}:listener/app/edge/0a1b2c3d4e5f6002/0a1b2c3d4e5f6003`,
  securityGroupId: "sg-0a1b2c3d4e5f60002",
  vpcId: cluster.vpcId,
  dnsName: "edge-0a1b2c3d4e5f6002.eu-west-1.elb.amazonaws.com",
  zoneId: "Z32O12XQLNTSW2",
};

export const safetyNet: SafetyNetRef = { fromPort: 1024, toPort: 65535 };

/** Route 53 zone of the visitors' name. */
export const dnsZoneId = "Z0A1B2C3D4E5F6";

export const alarmRoutes: AlarmRoutes = {
  pageTopicArn: `arn:aws:sns:eu-west-1:${account}:page`,
  ticketTopicArn: `arn:aws:sns:eu-west-1:${account}:ticket`,
};
