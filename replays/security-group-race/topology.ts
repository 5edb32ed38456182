import type { Rule } from "./aws/rules";
import { clusterTag, upstreamDefaults, type ControllerSettings } from "./controller/settings";
import type { Peer } from "./kubernetes";

/** A rule that no controller owns, and the group that it is on. */
export interface StaticRule {
  readonly group: string;
  readonly rule: Rule;
}

/** What a service's binding asks for, and where its requests come from. */
export interface Way {
  readonly networking: readonly Peer[] | undefined;
  /** Security groups of the load balancer: a rule with any of them as its source lets its requests in. */
  readonly sources: readonly string[];
}

/** How load balancers, groups and the controller of a cluster are set up. */
export interface Topology {
  readonly name: string;
  readonly controller: ControllerSettings;
  /** Security groups with their tag keys. */
  readonly groups: Readonly<Record<string, readonly string[]>>;
  /** Groups of every pod's network interface, the cluster's first. */
  readonly podGroups: readonly string[];
  readonly staticRules: readonly StaticRule[];
  /** The way to the service with this number and port. */
  readonly way: (service: number, port: number) => Way;
}

export const clusterName = "shop-prod";
export const backendGroup = "sg-0000000000000back";
export const podGroup = "sg-00000000000000pod";

const upstream = {
  groups: { [podGroup]: [clusterTag(clusterName)], [backendGroup]: [] },
  podGroups: [podGroup],
  staticRules: [],
};

/** What the controller's own documentation leads to: it makes the bindings, and owns every rule on the pods' group. */
export const upstreamDefault: Topology = {
  ...upstream,
  name: "upstream default",
  controller: { ...upstreamDefaults, clusterName },
  way: (_, port) => ({ networking: [{ source: backendGroup, port }], sources: [backendGroup] }),
};

/** The same with `--disable-restricted-sg-rules`: then an Ingress asks for all ports. */
export const upstreamUnrestricted: Topology = {
  ...upstream,
  name: "upstream, unrestricted rules",
  controller: { ...upstreamDefaults, clusterName, restricted: false },
  way: () => ({ networking: [{ source: backendGroup, port: undefined }], sources: [backendGroup] }),
};
