/** What happens to nodes that are there. */
export enum Nodes {
  /** Nothing. */
  Stay = "stay",
  /** Those go, one after the other, that are no longer what the pool may have. */
  Misfits = "those that don't fit any more are replaced",
  /** All are replaced, one after the other, as budgets or the group's update configuration allow. */
  Roll = "are replaced",
  /** Another managed group is made, and the old one is drained and deleted when it is there. */
  Move = "move to a new group",
  /** All are drained at once: the pool is deleted, and budgets don't hold that back. */
  Go = "all go at once",
}

/** One change of a component's arguments, and what must come of it, written by hand. */
export interface Change {
  /** The argument, or a path in it. */
  readonly argument: string;
  /** What of it is changed. Defaults to: it is given, or has another value. */
  readonly what?: string;
  /** Arguments before, beside those of the minimal sample. */
  readonly before?: object;
  /** Arguments that are then changed. Defaults to the argument as the full sample has it. */
  readonly after?: object;
  readonly nodes: Nodes;
  /**
   * What the update does: `create`, `update`, `replace` (the new one first), `recreate` (the old one first) or `remove`, the type, and the
   * name without the component's. More than three of a kind and type are one line: `update 6 Addon`.
   */
  readonly effects: readonly string[];
  /** What else one should know of it. */
  readonly note?: string;
}
