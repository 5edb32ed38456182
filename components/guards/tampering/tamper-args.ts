import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes } from "../../alarms";

/** The trail of CloudTrail without which EventBridge hears of no call. */
export interface TamperTrailArgs {
  /**
   * ARN of a trail that is there: of all regions, with write management events. It is read in each preview, and refused if it can't serve. Defaults
   * to none: a trail of this account is made. A second trail costs two dollars for each 100,000 calls, so name yours if there is one.
   */
  existingArn?: string;
  /** Whether a trail that is there is read. Set false for one of the organization, which a member account may not read. Defaults to true. */
  verify?: boolean;
  /** Days that a trail made here keeps its files, 1 to 3650. Defaults to 90, as long as CloudTrail's own event history. */
  retentionDays?: number;
  /** Whether deleting a trail made here deletes its files as well. Defaults to false: the deletion then fails. */
  forceDestroy?: boolean;
}

/** Arguments of {@link TamperDetection}. */
export interface TamperDetectionArgs {
  /** Name of the cluster whose controller registers the targets: its roles are known by the path `/moorings/<cluster>/`. */
  clusterName: string;
  /** Region of the target groups and security groups, such as `eu-west-1`, which is that of the provider. Plain: IAM's calls are reported in one region only. */
  region: string;
  /** ARNs of the target groups to watch. At least one; about 18 fit into an event pattern. */
  targetGroupArns: pulumi.Input<string>[];
  /** Ids of the security groups to watch: of the pods, and of the load balancer. At least one; about 18 fit. */
  securityGroupIds: pulumi.Input<string>[];
  /** ARN of the controller's role (`LoadBalancerController.roleArn`). */
  controllerRoleArn: pulumi.Input<string>;
  /**
   * Roles that deploy, by path and name without the slash in front (`ci/deployer-*`; `*` is any text): what they change of rules, tags and roles isn't
   * reported. What they register is. At least one.
   */
  deployRoles: string[];
  /** Where reports go: `AlarmTopics.routes`, or two topics of yours in the same region which EventBridge may publish to. */
  routes: AlarmRoutes;
  /** The trail that calls are read from. Defaults to one made here. */
  trail?: TamperTrailArgs;
  /**
   * First part of the names in reports and of the alarm's physical name, which are `<namePrefix>-<name>-<report>`. Give the environment where two
   * stacks share an account and region. ASCII. Defaults to none.
   */
  namePrefix?: string;
  /**
   * Address of the runbooks; it becomes part of every report. `{alarm}` in it stands for the last part of the report's name. ASCII without
   * quotation marks, backslashes and angle brackets. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** Added to everything that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
