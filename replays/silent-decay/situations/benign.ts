import type { Fleet, Pod } from "../edge/fleet";
import { zones } from "../edge/fleet";
import { day, end, hour, second, start } from "../time";
import { settle, type Situation } from "./situation";

/*
 * What must not page: eleven fortnights in which nothing is wrong. Only the loss of a zone for 90 minutes is no false alarm; the set
 * says of it what is true.
 */

const days = Array.from({ length: end / day }, (_, n) => n * day);
const six = { replicas: { fixedReplicas: 6 } };

export const benign = {
  newGroup: {
    name: "new group, targets after 12 min",
    edge: six,
    created: 0,
    happen(fleet) {
      for (let pod = 0; pod < 6; pod++) fleet.start(1, 12 + pod * fleet.chance.between(5 * second, 20 * second));
    },
  },
  steady: { name: "steady", edge: six, happen: (fleet) => settle(fleet, 6) },
  surge: {
    name: "3 deploys a day, surge",
    edge: six,
    happen: (fleet) => deploys(fleet, { pods: 6, perDay: 3, gated: true }),
  },
  ungated: {
    name: "3 deploys a day, no gate",
    edge: six,
    happen: (fleet) => deploys(fleet, { pods: 6, perDay: 3, gated: false }),
  },
  twoReplicas: {
    name: "1 deploy a day, 2 replicas",
    edge: { replicas: { fixedReplicas: 2 } },
    happen: (fleet) => deploys(fleet, { pods: 2, perDay: 1, gated: false }),
  },
  autoscaled: { name: "autoscaled 3 to 9, weekends", edge: { replicas: { minReplicas: 3 } }, happen: autoscale },
  spot: { name: "2 of 6 spot hosts lost every 2 days", edge: six, happen: loseSpotHosts },
  zoneShort: { name: "zone lost for 12 min", edge: six, happen: (fleet) => loseZone(fleet, 12) },
  zoneLong: { name: "zone lost for 90 min", edge: six, happen: (fleet) => loseZone(fleet, 90) },
  zonal: {
    name: "NLB, cross-zone off, a pod a day",
    edge: { ...six, zonal: true },
    slowChecks: true,
    happen: replaceDaily,
  },
  scaleIn: {
    name: "planned scale-in, 6 to 4",
    edge: six,
    // The same deployment changes the alarms, some minutes after the pods.
    update: { at: 7 * day + 5, edge: { replicas: { fixedReplicas: 4 } } },
    happen(fleet) {
      settle(fleet, 6);
      for (const pod of fleet.running.slice(-2)) fleet.stop(pod, 7 * day + fleet.chance.between(0, 30 * second));
    },
  },
} satisfies Record<string, Situation>;

function deploys(fleet: Fleet, how: { pods: number; perDay: number; gated: boolean }): void {
  settle(fleet, how.pods);
  for (const midnight of days)
    for (let n = 0; n < how.perDay; n++)
      roll(fleet, midnight + (9 + 3 * n) * hour + fleet.chance.between(0, 2 * hour), how.gated);
}

/** Replaces pod after pod. With a readiness gate an old one goes when the load balancer has its successor healthy, else at once. */
function roll(fleet: Fleet, begun: number, gated: boolean): void {
  let at = begun;
  for (const old of fleet.running) {
    const { healthyAt } = fleet.startIn(old.zone, at);
    const replaced = gated ? healthyAt + 2 * second : at + 5 * second;
    fleet.stop(old, replaced);
    at = replaced + fleet.chance.between(10 * second, 30 * second);
  }
}

/** Three pods at night, a peak by day that no day has in common with the one before, weekends low. */
function autoscale(fleet: Fleet): void {
  settle(fleet, 3);
  for (let midnight = start; midnight < end; midnight += day) {
    const weekday = (midnight / day + 7) % 7;
    const peak = weekday >= 5 ? fleet.chance.whole(4, 5) : fleet.chance.whole(7, 9);
    for (let at = hour; at < day; at += 15) {
      const daylight = Math.max(0, Math.sin((Math.PI * (at - 6 * hour)) / (16 * hour)));
      scale(fleet, 3 + Math.round((peak - 3) * daylight), midnight + at + fleet.chance.between(0, 1));
    }
  }
}

function scale(fleet: Fleet, pods: number, at: number): void {
  fleet.start(Math.max(0, pods - fleet.running.length), at);
  for (const pod of fleet.running.slice(pods)) fleet.stop(pod, at);
}

function loseSpotHosts(fleet: Fleet): void {
  settle(fleet, 6);
  for (const midnight of days.filter((_, n) => n % 2 === 0)) {
    const at = midnight + fleet.chance.between(0, day - hour);
    for (const pod of fleet.running.slice(0, 2)) {
      lose(fleet, pod, at);
      fleet.startIn(pod.zone, at + fleet.chance.between(2, 4));
    }
  }
}

/** A pod's host is gone without a word: its checks fail, Kubernetes notices, and then the controller deregisters it. */
function lose(fleet: Fleet, pod: Pod, at: number): void {
  pod.target?.become("unhealthy", at);
  fleet.ready(at + 40 * second, -1);
  fleet.forget(pod, at + fleet.chance.between(1, 2));
}

/**
 * One zone's node and hosts are gone. Evicted after five minutes, its pods run three minutes later in a fourth zone, which the load
 * balancer has no node in: ready, registered, and of no use. They move back when the zone is there again.
 */
function loseZone(fleet: Fleet, duration: number): void {
  settle(fleet, 6);
  const at = 5 * day + fleet.chance.between(8 * hour, 18 * hour);
  const zone = fleet.chance.whole(0, zones - 1);
  fleet.silences.push({ zone, from: at, until: at + duration });
  for (const pod of fleet.running.filter((one) => one.zone === zone)) {
    lose(fleet, pod, at);
    const replacement = at + 8 + fleet.chance.between(0, 1);
    fleet.startIn(zones, replacement).become("unused", replacement);
  }
  for (const pod of fleet.running.filter((one) => one.zone === zones)) {
    const { healthyAt } = fleet.startIn(zone, at + duration + fleet.chance.between(2, 4));
    fleet.stop(pod, healthyAt);
  }
}

/** A pod ends, and its successor in the same zone takes some minutes. */
function replaceDaily(fleet: Fleet): void {
  settle(fleet, 6);
  for (const midnight of days) {
    const at = midnight + fleet.chance.between(0, day - hour);
    const pod = fleet.running[fleet.chance.whole(0, 5)];
    if (pod === undefined) continue;
    fleet.stop(pod, at);
    fleet.startIn(pod.zone, at + fleet.chance.between(1, 2));
  }
}
