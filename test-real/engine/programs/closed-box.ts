import * as awsx from "@pulumi/awsx";

/*
 * A component from another package, twice, with arguments that look alike. What it makes of them depends on the target group.
 */

const groupOf = (name: string) =>
  `arn:aws:elasticloadbalancing:eu-west-1:987654321098:targetgroup/${name}/73e2d6bc24d8a067`;
const instanceId = "i-0123456789abcdef0";

new awsx.lb.TargetGroupAttachment("jobs", { targetGroupArn: groupOf("instances"), instanceId });
new awsx.lb.TargetGroupAttachment("web", { targetGroupArn: groupOf("pods"), instanceId });
