import { second } from "./clock";
import type { Simulation } from "./simulation";

/** Seconds in which requests could not get through. */
export interface Outage {
  /** In which the load balancer had a registered, ready pod that it couldn't reach: requests sent to it were lost. */
  readonly lost: number;
  /** In which some ready pod of a bound service couldn't be reached, registered or not. */
  readonly unreachable: number;
}

/** Measures from now on: exactly, because between two steps of the clock nothing changes. */
export function measure(simulation: Simulation): () => Outage {
  const total = { lost: 0, unreachable: 0 };
  simulation.clock.onAdvance((from, to) => {
    const pods = simulation.unreachable();
    if (pods.length > 0) total.unreachable += to - from;
    if (pods.some((pod) => pod.registered)) total.lost += to - from;
  });
  return () => ({ lost: total.lost / second, unreachable: total.unreachable / second });
}
