/** A rule of a security group with its one source. EC2 groups equal spans for display; this is the expanded form. */
export interface Rule {
  /** `tcp`, `udp`, or `-1` for everything, which has no ports. */
  readonly protocol: string;
  readonly from: number;
  readonly to: number;
  /** Security group, prefix list or CIDR. */
  readonly source: string;
  readonly description?: string;
}

/** The identity of a rule, for EC2 and for the controller alike: everything but the description. */
export function tuple(rule: Rule): string {
  return rule.protocol === "-1"
    ? `-1 from ${rule.source}`
    : `${rule.protocol} ${rule.from}-${rule.to} from ${rule.source}`;
}

/** Whether the rule lets TCP to this port in from one of these sources. */
export function admits(rule: Rule, port: number, sources: readonly string[]): boolean {
  if (!sources.includes(rule.source)) return false;
  return rule.protocol === "-1" || (rule.protocol === "tcp" && rule.from <= port && port <= rule.to);
}
