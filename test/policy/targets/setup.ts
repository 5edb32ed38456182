/** ARN of the target group that the rules look at. */
export const arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/0123456789abcdef";
