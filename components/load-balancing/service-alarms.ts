import type * as pulumi from "@pulumi/pulumi";
import { TargetHealthAlarms } from "../alarms";
import type { Problems } from "../internal/validate";
import type { TargetGroupRef } from "./refs";
import type { LoadBalancedServiceArgs } from "./service-args";

/** Arguments that are settings of the alarms, and of no use where these are made elsewhere. */
const settings = [
  "alarmRoutes",
  "alarms",
  "alarmNamePrefix",
  "readyPods",
  "owner",
  "runbookUrl",
  "dashboardUrl",
  "alarmWarmUpMinutes",
  "strictAlarmWarmUp",
  "combinePages",
  "plannedWork",
] as const satisfies readonly (keyof LoadBalancedServiceArgs)[];

/** Records what is wrong with whether alarms are made here; what they measure is checked by themselves. */
export function alarmProblems(problems: Problems, args: LoadBalancedServiceArgs): void {
  if (args.alarmsElsewhere !== true) {
    problems.unless(
      args.alarmRoutes !== undefined,
      "alarmRoutes",
      "is missing: give AlarmTopics.routes, or set alarmsElsewhere if a TargetHealthAlarms of yours watches this target group",
    );
    problems.unless(
      crossZoneOf(args) !== false || args.loadBalancer.availabilityZones !== undefined,
      "loadBalancer.availabilityZones",
      "is missing: requests stay in their zone, so the alarms must add up the zones. Name all of the load balancer's",
    );
    return;
  }
  for (const argument of settings)
    problems.unless(
      args[argument] === undefined,
      argument,
      "has no effect with alarmsElsewhere: leave it out, and set it where the alarms are made",
    );
}

/** Whether requests go to the pods of all zones: what the target group says, or else the load balancer. */
function crossZoneOf({ targetGroup, crossZone, loadBalancer }: LoadBalancedServiceArgs): boolean | undefined {
  return targetGroup?.crossZone ?? crossZone ?? loadBalancer.crossZone;
}

/** The alarms on the pods of a service, unless they are made elsewhere. */
export function serviceAlarms(
  name: string,
  args: LoadBalancedServiceArgs,
  inputs: { loadBalancerArnSuffix: pulumi.Input<string>; targetGroup: Pick<TargetGroupRef, "arnSuffix"> },
  parent: pulumi.Resource,
): TargetHealthAlarms | undefined {
  if (args.alarmsElsewhere === true || args.alarmRoutes === undefined) return undefined;
  const crossZone = crossZoneOf(args);
  return new TargetHealthAlarms(
    `${name}-health`,
    {
      routes: args.alarmRoutes,
      loadBalancerArnSuffix: inputs.loadBalancerArnSuffix,
      targetGroupArnSuffix: inputs.targetGroup.arnSuffix,
      loadBalancerType: args.loadBalancer.type,
      crossZone,
      // The load balancer's zones are of no interest where each node counts them all.
      availabilityZones: crossZone === false ? args.loadBalancer.availabilityZones : undefined,
      minReplicas: args.minReplicas,
      readyPods: args.readyPods,
      owner: args.owner,
      overrides: args.alarms,
      namePrefix: args.alarmNamePrefix,
      runbookUrl: args.runbookUrl,
      dashboardUrl: args.dashboardUrl,
      warmUpMinutes: args.alarmWarmUpMinutes,
      strictWarmUp: args.strictAlarmWarmUp,
      combinePages: args.combinePages,
      plannedWork: args.plannedWork,
      tags: args.tags,
    },
    { parent },
  );
}
