import type { Fleet, Pod } from "../edge/fleet";
import { day, hour, second } from "../time";
import { settle, type Situation } from "./situation";

/*
 * What must page, and how soon: the alarms research, section 3, says it of these. All begin at minute 0.
 */

/** The first outage: every two to three days a host was replaced whose address stayed registered by hand; on the 14th day none was left. */
const steps = [0, 2.6, 5.1, 7.6, 10.2, 13.2].map((days) => Math.round(days * day));
const lastStep = (times: readonly number[]): number => times.at(-1) ?? 0;

const everySixHours = [0, 1, 2, 3, 4, 5].map((n) => n * 6 * hour);

const six = { replicas: { fixedReplicas: 6 } };

export const incidents = {
  fixed: {
    name: "decay, 6 fixed",
    edge: six,
    outage: lastStep(steps),
    happen: (fleet) => rot(fleet, steps),
  },
  /** The autoscaler has 6 pods running all the time, since nobody tells it that they get no visitors. */
  autoscaled: {
    name: "decay, autoscaled, at least 3",
    edge: { replicas: { minReplicas: 3 } },
    outage: lastStep(steps),
    happen: (fleet) => rot(fleet, steps),
  },
  /** Zone after zone, so that the last one has a healthy target until the end. */
  zonal: {
    name: "decay, NLB, cross-zone off",
    edge: { ...six, zonal: true },
    outage: lastStep(steps),
    happen: (fleet) => rot(fleet, steps),
  },
  controllerDead: {
    name: "controller dead, a pod every 6 h",
    edge: six,
    outage: lastStep(everySixHours),
    happen: (fleet) => rot(fleet, everySixHours),
  },
  /** Somebody's script, or the console. The pods run on. */
  silent: {
    name: "silent deregistration, 6 to 0",
    edge: six,
    outage: lastStep(steps),
    happen(fleet) {
      settle(fleet, 6);
      fleet.running.forEach((pod, i) => pod.target?.become("gone", steps[i] ?? 0));
    },
  },
  groupEmptied: {
    name: "security group emptied, 43 min",
    edge: six,
    outage: 0,
    happen(fleet) {
      settle(fleet, 6);
      for (const { target } of fleet.running) {
        target?.become("unhealthy", 0);
        target?.become("healthy", 43 + fleet.chance.between(15 * second, 45 * second));
      }
    },
  },
  allDeregistered: {
    name: "all deregistered, 20 min",
    edge: six,
    outage: 0,
    happen(fleet) {
      settle(fleet, 6);
      for (const pod of fleet.running) {
        pod.target?.become("gone", 0);
        fleet.register(pod, 20);
      }
    },
  },
} satisfies Record<string, Situation>;

/** Pods are replaced, but the old address stays registered and the new one isn't. */
function rot(fleet: Fleet, times: readonly number[]): void {
  settle(fleet, 6);
  const byZone = [...fleet.running].sort((a, b) => a.zone - b.zone);
  byZone.forEach((pod: Pod, i) => {
    const at = times[i] ?? 0;
    pod.target?.become("unhealthy", at);
    fleet.ready(at, -1);
    fleet.ready(at + 30 * second, 1);
  });
}
