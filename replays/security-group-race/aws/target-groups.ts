/** Target groups with their targets, `address:port`. Health checks and draining are left out: they change no rule. */
export class TargetGroups {
  private readonly groups = new Map<string, Set<string>>();

  registered(group: string): ReadonlySet<string> {
    return this.groups.get(group) ?? new Set();
  }

  register(group: string, targets: readonly string[]): void {
    this.groups.set(group, new Set([...this.registered(group), ...targets]));
  }

  deregister(group: string, targets: readonly string[]): void {
    this.groups.set(group, new Set([...this.registered(group)].filter((target) => !targets.includes(target))));
  }
}
