/** What to write instead of registering by hand: part of the advice of several rules. */
export const bindingExample = `\`\`\`ts
new kubernetes.apiextensions.CustomResource("web", {
  apiVersion: "elbv2.k8s.aws/v1beta1",
  kind: "TargetGroupBinding",
  metadata: { namespace: "shop" },
  spec: {
    targetGroupARN: targetGroup.arn,
    targetType: "ip",
    serviceRef: { name: "web", port: 80 },
  },
});
\`\`\``;
