import type { Rule } from "./aws/rules";
import { minute } from "./clock";
import { calm, Simulation, type Conditions } from "./simulation";
import { backendGroup, podGroup, upstreamDefault, type Topology } from "./topology";
import { ruleChanges } from "./transcript";

/** How a test's cluster differs from the upstream default under calm conditions. */
export interface Given {
  readonly topology?: Topology;
  readonly conditions?: Partial<Conditions>;
  /** Rules that are on the pods' group before the controller starts. */
  readonly rules?: readonly Rule[];
}

/** A cluster with one pod behind each port, all bound, whose controller has been running for a minute and has nothing left to do. */
export function settled(ports: readonly number[], given: Given = {}): Simulation {
  const simulation = new Simulation(given.topology ?? upstreamDefault, { ...calm, ...given.conditions });
  if (given.rules !== undefined) simulation.ec2.authorize(podGroup, given.rules);
  ports.forEach((port, number) => simulation.addService(number, port));
  ports.forEach((_, number) => simulation.bind(number));
  simulation.startController();
  simulation.clock.run(minute);
  return simulation;
}

/** The mutations of rules since a time, in their order. */
export function changesSince(simulation: Simulation, since: number): string[] {
  return ruleChanges(simulation, since).map((line) => line.slice("09:00:00 ".length));
}

/** A rule of the controller's, as the transcripts write it. */
export const range = (from: number, to: number) => `tcp ${from}-${to} from ${backendGroup}`;
