import { Chance } from "../chance";
import type { Metrics } from "../cloudwatch/metrics";
import type { Edge } from "../edge/edge";
import { Fleet } from "../edge/fleet";
import { publish } from "../edge/publish";
import { hour, start } from "../time";

/** Something that happens to an edge, over two weeks and the three days before. */
export interface Situation {
  readonly name: string;
  readonly edge: Edge;
  /** When group and alarms were made. Defaults to the beginning, three days before. */
  readonly created?: number;
  /** An update of the alarms: what is declared from then on. */
  readonly update?: { readonly at: number; readonly edge: Edge };
  /** When the last healthy target is lost, if it comes to that. */
  readonly outage?: number;
  /** Whether targets take minutes to be healthy, as behind a Network Load Balancer. */
  readonly slowChecks?: boolean;
  readonly happen: (fleet: Fleet) => void;
}

/** The metrics of a situation. What chance decides depends on nothing but the seed. */
export function simulate(situation: Situation, seed: number): Metrics {
  const fleet = new Fleet(new Chance(seed), situation.slowChecks === true ? "slow" : "quick");
  situation.happen(fleet);
  return publish(fleet, situation.edge, seed);
}

/** Pods that were there long before. */
export const settle = (fleet: Fleet, pods: number): void => fleet.start(pods, start - hour);
