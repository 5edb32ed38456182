import { fields, flag, late, required, text, type Shape } from "./shapes";

const needed = required(late(text));

/** What a `ClusterRef` is. Its name becomes part of other names, so that it can't come later; objects that know more serve as well. */
export const clusterShape: Shape = {
  ...fields({
    name: required(text),
    endpoint: needed,
    certificateAuthority: needed,
    oidcProviderArn: needed,
    oidcIssuer: needed,
    securityGroupId: needed,
    vpcId: needed,
    zonalShift: late(flag),
  }),
  open: true,
};

/** Takes the place of a cluster that is wrong. */
export const standInCluster = {
  name: "missing",
  endpoint: "https://missing",
  certificateAuthority: "missing",
  oidcProviderArn: "arn:aws:iam::000000000000:oidc-provider/missing",
  oidcIssuer: "missing",
  securityGroupId: "sg-missing",
  vpcId: "vpc-0",
};
