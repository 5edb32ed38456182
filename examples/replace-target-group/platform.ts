import type { AlarmRoutes, ClusterRef, LoadBalancerRef, SafetyNetRef } from "../../index";

/*
 * What is there already: a cluster with the AWS Load Balancer Controller, a load balancer, the way from it to the pods, and topics.
 * Write yours.
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

export const loadBalancer: LoadBalancerRef = {
  arn: `${elb}:loadbalancer/app/edge/0a1b2c3d4e5f6000`,
  arnSuffix: "app/edge/0a1b2c3d4e5f6000",
  listenerArn: `${elb}:listener/app/edge/0a1b2c3d4e5f6000/0a1b2c3d4e5f6001`,
  securityGroupId: "sg-0a1b2c3d4e5f60002",
  vpcId: cluster.vpcId,
};

export const safetyNet: SafetyNetRef = { fromPort: 1024, toPort: 65535 };

export const alarmRoutes: AlarmRoutes = {
  pageTopicArn: `arn:aws:sns:eu-west-1:${account}:page`,
  ticketTopicArn: `arn:aws:sns:eu-west-1:${account}:ticket`,
};
