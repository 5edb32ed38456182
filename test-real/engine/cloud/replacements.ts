import type { Replacement } from "./replacement";
import { networkReplacements } from "./replacements-network";
import { objectReplacements } from "./replacements-objects";
import { serviceReplacements } from "./replacements-services";

/** By type: all of our stacks, and those that components of other packages make. Sources: replacement.ts. */
export const REPLACEMENTS: Readonly<Record<string, Replacement>> = {
  ...regional(networkReplacements),
  ...regional(serviceReplacements),
  ...objectReplacements,
};

/** Everything of AWS that lives in a region moves by replacement. IAM and Route 53 have no `region`. */
function regional(all: Readonly<Record<string, Replacement>>): Record<string, Replacement> {
  const global = /^aws:(iam|route53)\//;
  return Object.fromEntries(
    Object.entries(all).map(([type, rule]) => [
      type,
      global.test(type) ? rule : { ...rule, properties: [...rule.properties, "region"] },
    ]),
  );
}

export { MAX_NAME_LENGTH, type NameLength } from "./name-lengths";
export type { Replacement } from "./replacement";
