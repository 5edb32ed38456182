import type { ClusterRef } from "../../components/cluster";

/** A cluster that components which run in one are made for. */
export const shopProd: ClusterRef = {
  name: "shop-prod",
  endpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
  certificateAuthority: "Q0E=",
  oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123",
  oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/0123",
  securityGroupId: "sg-0123456789abcdef0",
  vpcId: "vpc-0123456789abcdef0",
};
