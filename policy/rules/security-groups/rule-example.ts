/** What to write instead of an inline rule: part of the advice of several rules. */
export const ruleExample = `\`\`\`ts
new aws.vpc.SecurityGroupIngressRule("pods-from-load-balancer", {
  securityGroupId: nodes.id,
  referencedSecurityGroupId: loadBalancer.id,
  ipProtocol: "tcp",
  fromPort: 8080,
  toPort: 8080,
});
\`\`\``;
