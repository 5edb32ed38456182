/** A target that a template, or an object in one, registers. */
export interface TemplateTarget {
  /** Where it is, for a reader. */
  readonly path: string;
  /** The address; undefined where the template says only where to get it. */
  readonly address: string | undefined;
}

/** Values that a stack gives to its template's parameters. */
export type Parameters = ReadonlyMap<string, unknown>;
