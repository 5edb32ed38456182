import type { Problems } from "../internal/validate";
import type { AutoscaleArgs, DrainSafeDeploymentArgs } from "./deployment-args";

/** How long a leaving pod takes. */
export interface DrainTimes {
  readonly preStop: number;
  readonly grace: number;
}

/** Seconds that a process gets to close files and connections after its last request. */
const closing = 10;

/**
 * How a pod leaves without losing a request. Kubernetes tells the pod and the controller at the same moment; the controller
 * deregisters at once, but the load balancer goes on sending for some seconds. So the pod goes on serving (preStop), then finishes
 * what it has (longest request), then closes.
 */
export function drainTimes(args: DrainSafeDeploymentArgs, problems: Problems): DrainTimes {
  const { preStopSeconds: preStop = 20, longestRequestSeconds: longest = 30 } = args;
  problems.unless(
    Number.isInteger(preStop) && preStop >= 1,
    "preStopSeconds",
    `must be a whole number of seconds, at least 1, not ${preStop}`,
  );
  problems.unless(
    Number.isInteger(longest) && longest >= 0,
    "longestRequestSeconds",
    `must be a whole number of seconds, not ${longest}`,
  );
  const needed = preStop + longest + closing;
  const grace = args.terminationGracePeriodSeconds ?? needed;
  problems.unless(
    Number.isInteger(grace) && grace >= needed,
    "terminationGracePeriodSeconds",
    `must be a whole number of at least ${needed} (preStopSeconds ${preStop} + longestRequestSeconds ${longest} + ${closing} to close), not ${grace}: the pod would be killed with requests in hand`,
  );
  const { deregistrationDelaySeconds: delay } = args;
  if (delay !== undefined)
    problems.unless(
      delay >= longest && delay <= grace,
      "deregistrationDelaySeconds",
      `must be from ${longest} (longestRequestSeconds) to ${grace} (terminationGracePeriodSeconds), not ${delay}: the load balancer would ${
        delay < longest ? "cut requests that the pod still answers" : "wait for a pod that is gone"
      }`,
    );
  return { preStop, grace };
}

/** How many pods run. */
export interface Scale {
  /** Fewest pods: the one value that the disruption budget, the autoscaler and the alarms share. */
  readonly min: number;
  /** The autoscaler's settings, or undefined for a fixed number. */
  readonly autoscale: Required<AutoscaleArgs> | undefined;
}

/** Reads `replicas` or `autoscale`, whichever was given. */
export function scaleOf(args: DrainSafeDeploymentArgs, problems: Problems): Scale {
  problems.unless(
    (args.replicas === undefined) !== (args.autoscale === undefined),
    "replicas",
    args.replicas === undefined
      ? "is missing: give a number of pods, or autoscale: { min, max }"
      : "can't be given together with autoscale: write one of the two",
  );
  const min = args.autoscale?.min ?? args.replicas ?? 2;
  problems.unless(
    Number.isInteger(min) && min >= 2,
    args.autoscale === undefined ? "replicas" : "autoscale.min",
    `must be a whole number of at least 2, not ${min}: with one pod every drain is an outage`,
  );
  if (args.autoscale === undefined) return { min, autoscale: undefined };

  const { max, cpuPercent = 60 } = args.autoscale;
  problems.unless(
    Number.isInteger(max) && max >= min,
    "autoscale.max",
    `must be a whole number of at least autoscale.min (${min}), not ${max}`,
  );
  problems.unless(
    Number.isInteger(cpuPercent) && cpuPercent >= 1 && cpuPercent <= 100,
    "autoscale.cpuPercent",
    `must be a whole number between 1 and 100, not ${cpuPercent}`,
  );
  return { min, autoscale: { min, max, cpuPercent } };
}
