import { minute, second } from "../clock";

/** What the controller's flags say, in milliseconds where it is a time. Defaults and constants are those of 3.5.0. */
export interface ControllerSettings {
  readonly clusterName: string;
  /** One range of ports for each group, protocol and source, instead of the rules that the bindings ask for. */
  readonly restricted: boolean;
  /** Until a binding whose rules failed is tried again. */
  readonly requeue: number;
  /** Bound of the delays, doubling from 5 ms, after which any other failure is tried again. */
  readonly longestBackoff: number;
  readonly syncPeriod: number;
}

/** What the chart installs when nobody says anything. */
export const upstreamDefaults: Omit<ControllerSettings, "clusterName"> = {
  restricted: true,
  requeue: 15 * second,
  longestBackoff: 1000 * second,
  syncPeriod: 600 * minute,
};

/** Constants of the controller's source. */
export const constants = {
  groupCache: 10 * minute,
  targetCache: 5 * minute,
  interfaceCache: 10 * minute,
  deferral: 30 * minute,
  deferralJitter: 15 * minute,
  firstBackoff: 5,
  workers: 3,
};

/** Tag key of the groups that the controller looks after. */
export const clusterTag = (clusterName: string) => `kubernetes.io/cluster/${clusterName}`;
