import { minute, second } from "./clock";
import { measure, type Outage } from "./meter";
import { Simulation, type Conditions } from "./simulation";
import type { Topology } from "./topology";
import { timeOf } from "./transcript";

/** Ports of the eight bindings. Which port the others have isn't in the issue, only that none is outside 3000-3008. */
export const outagePorts = [3000, 3008, 8025, 3000, 3000, 3008, 3008, 3000];
/** The one with the highest port, whose pod is recycled. */
const recycled = 2;

/** Seconds beyond 30 minutes after which the new controller looks at each binding: what the controller's log shows of it. */
const jitters = [11, 118, 203, 300, 400, 500, 600, 765];

/**
 * What raced in the outage of issue 4889, as far as the controller's source explains what CloudTrail shows: EC2 didn't show the revocation
 * of 09:55:17 for some seconds, and the controller's watch had not heard of its own last patch when it looked at the binding again.
 */
const conditions: Conditions = {
  staleness: ({ kind }) => (kind === "revoke" ? 3 * second : 0),
  lag: () => 1,
  callTime: () => 300,
  patch: 5,
  afterwards: 5,
  deferralJitter: (name) => (jitters[Number(name.slice("service-".length))] ?? 0) * second,
};

export interface OutageOptions {
  /** Time of day at which the replay ends. */
  readonly until?: string;
  /** How often somebody clears the checkpoints of all bindings, in minutes, on the hour. */
  readonly clearEvery?: number;
}

/** Replays that morning. */
export function replayOutage(
  topology: Topology,
  options: OutageOptions = {},
): { simulation: Simulation; outage: Outage } {
  const simulation: Simulation = new Simulation(topology, {
    ...conditions,
    lag: () => (simulation.clock.now > timeOf("09:55:16") && simulation.clock.now < timeOf("09:55:20") ? 20 : 1),
  });
  const { clock } = simulation;
  simulation.deployStaticRules();
  outagePorts.forEach((port, number) => simulation.addService(number, port));
  outagePorts.forEach((_, number) => simulation.bind(number));
  simulation.startController();

  clock.run(timeOf("09:30:00"));
  const outage = measure(simulation);
  clock.at(timeOf("09:55:16"), () => simulation.removePod(recycled));
  clock.at(timeOf("09:56:01.4"), () => simulation.addPod(recycled));
  // The controller's own pods were recycled too; the new one began at 10:05:36.
  clock.at(timeOf("10:05:20"), () => simulation.stopController());
  clock.at(timeOf("10:05:36"), () => simulation.startController());
  for (
    let at = timeOf("10:00:00");
    options.clearEvery !== undefined && at < timeOf("11:00:00");
    at += options.clearEvery * minute
  )
    clock.at(at, () => outagePorts.forEach((_, number) => simulation.clearCheckpoint(number)));
  clock.run(timeOf(options.until ?? "11:00:00"));
  return { simulation, outage: outage() };
}
