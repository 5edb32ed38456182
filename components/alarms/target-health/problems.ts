import type { Problems } from "../../internal/validate";
import { routesProblems } from "../routes";
import type { TargetHealthAlarmsArgs } from "./args";
import { longestPlace } from "./commands";
import { checkDescriptions } from "./description";
import { planTargetHealth } from "./plan";

/**
 * Records what is wrong with the plain arguments of {@link TargetHealthAlarms}, for a component that makes them inside: so that it can say it before
 * it makes anything else.
 */
export function targetHealthProblems(name: string, args: TargetHealthAlarmsArgs, problems: Problems): void {
  routesProblems(problems, args.routes);
  const plan = planTargetHealth(name, args, problems);
  const { targetGroupArnSuffix: one, targetGroupArnSuffixes: several = {} } = args;
  const groups = [...(one === undefined ? [] : [one]), ...Object.values(several)];
  checkDescriptions(plan, longestPlace(args.loadBalancerArnSuffix, groups), args, problems);
}
