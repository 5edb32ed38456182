import * as aws from "@pulumi/aws";

// What the first outage's cluster looked like: somebody read the addresses of the running pods and registered them. When
// Karpenter moved the pods, nobody moved the targets, and no alarm told anybody. Run `moorings check --project examples/hand-registered`.
const podAddresses = ["10.20.33.17", "10.20.65.4", "10.20.97.211"];

const loadBalancer = new aws.lb.LoadBalancer("edge", {
  loadBalancerType: "network",
  subnets: ["subnet-0a1b2c3d4e5f60001", "subnet-0a1b2c3d4e5f60002"],
});

const targetGroup = new aws.lb.TargetGroup("web", {
  port: 8080,
  protocol: "TCP",
  targetType: "ip",
  vpcId: "vpc-0a1b2c3d4e5f60000",
});

new aws.lb.Listener("https", {
  loadBalancerArn: loadBalancer.arn,
  port: 443,
  protocol: "TCP",
  defaultActions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
});

for (const address of podAddresses) {
  new aws.lb.TargetGroupAttachment(`web-${address}`, {
    targetGroupArn: targetGroup.arn,
    targetId: address,
    port: 8080,
  });
}
