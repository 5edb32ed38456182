import { minute } from "./clock";
import { measure, type Outage } from "./meter";
import { calm, Simulation, type Conditions } from "./simulation";
import type { Topology } from "./topology";

/** Something that happens to the cluster. Times are in milliseconds; pods and services are counted round. */
export type Happening =
  /** A pod ends, and its replacement is ready after a while. */
  | { readonly kind: "replace"; readonly service: number; readonly pod: number; readonly back: number }
  /** The same for all pods of a service at once. */
  | { readonly kind: "recycle"; readonly service: number; readonly back: number }
  /** A readiness probe fails for a while. */
  | { readonly kind: "unready"; readonly service: number; readonly pod: number; readonly back: number }
  | { readonly kind: "scale"; readonly service: number; readonly pods: number }
  | { readonly kind: "port"; readonly service: number; readonly port: number }
  /** The binding is deleted, and made again after a while. */
  | { readonly kind: "rebind"; readonly service: number; readonly back: number }
  | { readonly kind: "restart"; readonly down: number }
  | { readonly kind: "clear-checkpoint"; readonly service: number };

/** Everything that may happen and be slow in one run. */
export interface Timeline {
  readonly services: readonly { readonly port: number; readonly pods: number }[];
  /** What happens once the cluster has settled, each so many milliseconds after the one before. */
  readonly happenings: readonly { readonly after: number; readonly what: Happening }[];
  /** How long after that the static rules are deployed; seconds are counted from then on. */
  readonly deployed: number;
  /** How long EC2 doesn't show mutations: the first of the controller's, the second, and so on, and round again. */
  readonly staleness: readonly number[];
  /** The same for changes that the controller hears of. */
  readonly lags: readonly number[];
  /** The same for the duration of AWS calls. */
  readonly callTimes: readonly number[];
  readonly deferralJitters: readonly number[];
  /** Whether pods have a second security group, without the cluster's tag. */
  readonly secondGroup: boolean;
}

/** Until then the bindings are new, and nothing is slow. */
const settled = 5 * minute;

/** Simulated length of each run, from then on. */
const length = 180 * minute;

const secondGroup = "sg-000000000000second";

/** Runs a timeline on a topology. */
export function replay(timeline: Timeline, topology: Topology): Outage {
  const slow = conditionsOf(timeline);
  const simulation: Simulation = new Simulation(withGroup(topology, timeline.secondGroup), {
    ...slow,
    staleness: (mutation) => (simulation.clock.now < settled ? 0 : slow.staleness(mutation)),
    lag: () => (simulation.clock.now < settled ? 1 : slow.lag()),
  });
  const { clock } = simulation;
  timeline.services.forEach(({ port, pods }, number) => simulation.addService(number, port, pods));
  timeline.services.forEach((_, number) => simulation.bind(number));
  simulation.startController();

  let outage = (): Outage => ({ lost: 0, unreachable: 0 });
  clock.at(settled + timeline.deployed, () => {
    simulation.deployStaticRules();
    outage = measure(simulation);
  });
  let at = settled;
  for (const { after, what } of timeline.happenings) {
    at += after;
    clock.at(at, () => happen(simulation, timeline.services.length, what));
  }
  clock.run(settled + length);
  return outage();
}

function happen(simulation: Simulation, services: number, what: Happening): void {
  const { clock } = simulation;
  if (what.kind === "restart") {
    simulation.stopController();
    clock.after(what.down, () => simulation.startController());
    return;
  }
  const service = what.service % services;
  const podsNow = simulation.podsOf(service);
  switch (what.kind) {
    case "replace":
    case "recycle": {
      const ending = what.kind === "recycle" ? podsNow : Math.min(podsNow, 1);
      for (let i = 0; i < ending; i++) {
        simulation.removePod(service, what.kind === "recycle" ? 0 : what.pod);
        clock.after(what.back, () => simulation.addPod(service));
      }
      return;
    }
    case "unready":
      simulation.setReady(service, what.pod, false);
      clock.after(what.back, () => simulation.setReady(service, what.pod, true));
      return;
    case "scale":
      for (let pods = podsNow; pods < what.pods; pods++) simulation.addPod(service);
      for (let pods = podsNow; pods > what.pods; pods--) simulation.removePod(service);
      return;
    case "port":
      simulation.setPort(service, what.port);
      return;
    case "rebind":
      simulation.unbind(service);
      clock.after(what.back, () => simulation.bind(service));
      return;
    case "clear-checkpoint":
      simulation.clearCheckpoint(service);
      return;
  }
}

function conditionsOf(timeline: Timeline): Conditions {
  return {
    ...calm,
    staleness: inTurn(timeline.staleness),
    lag: inTurn(timeline.lags),
    callTime: inTurn(timeline.callTimes),
    deferralJitter: inTurn(timeline.deferralJitters),
  };
}

/** Gives the values one after the other, and round again. */
function inTurn(values: readonly number[]): () => number {
  let next = 0;
  return () => values[next++ % values.length] ?? 0;
}

function withGroup(topology: Topology, second: boolean): Topology {
  return second
    ? {
        ...topology,
        groups: { ...topology.groups, [secondGroup]: [] },
        podGroups: [...topology.podGroups, secondGroup],
      }
    : topology;
}
