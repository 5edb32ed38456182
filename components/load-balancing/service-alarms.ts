import * as pulumi from "@pulumi/pulumi";
import { TargetHealthAlarms, targetHealthProblems, type AlarmRoutes, type TargetHealthAlarmsArgs } from "../alarms";
import { Problems } from "../internal/validate";
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

/** What arguments of the alarms are called here. */
const ownNames: Readonly<Record<string, string>> = {
  routes: "alarmRoutes",
  overrides: "alarms",
  namePrefix: "alarmNamePrefix",
  warmUpMinutes: "alarmWarmUpMinutes",
  crossZone: "loadBalancer.crossZone",
  availabilityZones: "loadBalancer.availabilityZones",
};

/** Records what is wrong with the alarms: here, so that nothing is made before somebody hears of it. */
export function alarmProblems(problems: Problems, name: string, args: LoadBalancedServiceArgs): void {
  if (args.alarmsElsewhere === true) {
    for (const argument of settings)
      problems.unless(
        args[argument] === undefined,
        argument,
        "has no effect with alarmsElsewhere: leave it out, and set it where the alarms are made",
      );
    return;
  }
  problems.unless(
    args.alarmRoutes !== undefined,
    "alarmRoutes",
    "is missing: give AlarmTopics.routes, or set alarmsElsewhere if a TargetHealthAlarms of yours watches this target group",
  );
  const { loadBalancer, targetGroup, alarmRoutes, minReplicas } = args;
  if (alarmRoutes === undefined || !(minReplicas >= 2)) return; // the service has said what is wrong with it
  const inner = new Problems("TargetHealthAlarms");
  const suffixes = {
    loadBalancerArnSuffix: loadBalancer.arnSuffix,
    // Of a group that is made here nobody knows it yet.
    targetGroupArnSuffix: targetGroup?.arnSuffix ?? pulumi.output(""),
  };
  targetHealthProblems(`${name}-health`, alarmsArgs(args, alarmRoutes, suffixes), inner);
  problems.takeOver(inner, (text) => text.replace(/^\w+(?=\.|$)|\boverrides(?=\.)/g, (word) => ownNames[word] ?? word));
}

/** The alarms on the pods of a service, unless they are made elsewhere. */
export function serviceAlarms(
  name: string,
  args: LoadBalancedServiceArgs,
  suffixes: Suffixes,
  parent: pulumi.Resource,
): TargetHealthAlarms | undefined {
  if (args.alarmsElsewhere === true || args.alarmRoutes === undefined) return undefined;
  return new TargetHealthAlarms(`${name}-health`, alarmsArgs(args, args.alarmRoutes, suffixes), { parent });
}

type Suffixes = Required<Pick<TargetHealthAlarmsArgs, "loadBalancerArnSuffix" | "targetGroupArnSuffix">>;

function alarmsArgs(args: LoadBalancedServiceArgs, routes: AlarmRoutes, suffixes: Suffixes): TargetHealthAlarmsArgs {
  const { loadBalancer, targetGroup } = args;
  // What the target group says, or else the load balancer.
  const crossZone = targetGroup?.crossZone ?? args.crossZone ?? loadBalancer.crossZone;
  return {
    routes,
    ...suffixes,
    loadBalancerType: loadBalancer.type,
    crossZone,
    // The load balancer's zones are of no interest where each node counts them all.
    availabilityZones: crossZone === false ? loadBalancer.availabilityZones : undefined,
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
  };
}
