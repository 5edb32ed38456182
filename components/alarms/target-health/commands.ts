import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../../internal/iam";

/** Where the edge is, as commands name it. */
export interface Place {
  readonly partition: string;
  readonly region: string;
  readonly accountId: string;
  /** Last part of the load balancer's ARN. */
  readonly loadBalancer: string;
  /** Last parts of the target groups' ARNs. */
  readonly targetGroups: readonly string[];
}

/**
 * Lists the targets' health, with the load balancer's reasons. Of several groups those of the load balancer are listed: their own ARNs wouldn't fit
 * into a description.
 *
 * @param all whether healthy ones are listed as well: where some are missing, the others count.
 */
export function lookAtTargets(
  { partition, region, accountId, loadBalancer, targetGroups }: Place,
  all: boolean,
): string {
  const elb = `arn:${partition}:elasticloadbalancing:${region}:${accountId}`;
  const query = all ? "[].[Target.Id,TargetHealth]" : "[?TargetHealth.State!='healthy']";
  const health = `aws elbv2 describe-target-health --region ${region} --query "TargetHealthDescriptions${query}" --target-group-arn`;
  const [only, ...others] = targetGroups;
  if (only !== undefined && others.length === 0) return `${health} ${elb}:${only}`;
  const list = `aws elbv2 describe-target-groups --region ${region} --query "TargetGroups[].TargetGroupArn" --output text --load-balancer-arn`;
  return `${list} ${elb}:loadbalancer/${loadBalancer} | xargs -n1 ${health}`;
}

/** Lists the alarms that are on, each with its description. */
export function lookAtAlarms({ region }: Place, prefix: string): string {
  return (
    `aws cloudwatch describe-alarms --region ${region} --state-value ALARM --alarm-name-prefix "${prefix}" ` +
    '--query "MetricAlarms[].[AlarmName,AlarmDescription]" --output text'
  );
}

/** Where the component's provider deploys to. */
export function placeOf(
  parent: pulumi.Resource,
  loadBalancer: pulumi.Input<string>,
  targetGroups: readonly pulumi.Input<string>[],
): pulumi.Output<Place> {
  const { partition, region, accountId } = locationOf(parent);
  return pulumi
    .all([partition, region, accountId, loadBalancer, pulumi.all([...targetGroups])])
    .apply(([partition, region, accountId, loadBalancer, targetGroups]) => ({
      partition,
      region,
      accountId,
      loadBalancer,
      targetGroups,
    }));
}

/**
 * A place with the longest names that there may be where they aren't known yet: of regions today, and of what ELB names with at most 32 characters and
 * 16 of its own.
 */
export function longestPlace(loadBalancer: pulumi.Input<string>, targetGroups: readonly pulumi.Input<string>[]): Place {
  const or = (given: pulumi.Input<string>, kind: string) =>
    typeof given === "string" ? given : `${kind}/${"x".repeat(32)}/0123456789abcdef`;
  return {
    partition: "aws-us-gov",
    region: "ap-southeast-1",
    accountId: "123456789012",
    loadBalancer: or(loadBalancer, "net"),
    targetGroups: targetGroups.map((group) => or(group, "targetgroup")),
  };
}
