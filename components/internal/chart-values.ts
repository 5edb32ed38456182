import type * as pulumi from "@pulumi/pulumi";
import { isMap, type Problems } from "./validate";

/*
 * Values of a Helm chart that the caller adds to a component's own. They win, so that whatever is a matter of taste can be changed; what
 * a component promises is reserved, by path, with the reason.
 */

/** Reasons against setting a value, by its path: `controllerConfig.featureGates.ALBGatewayAPI`. Everything below a path counts with it. */
export type ReservedValues = Readonly<Record<string, string>>;

/** Records each value that is reserved, or that there are no values. */
export function reservedValueProblems(
  problems: Problems,
  argument: string,
  extra: pulumi.Inputs,
  reserved: ReservedValues,
): void {
  if (!isMap(extra)) {
    const what = Array.isArray(extra) ? "is a list, as it was before 0.1.0" : "must be known, and not be a text";
    problems.add(argument, `${what}: write nested values, for example { logLevel: "debug" }`);
    return;
  }
  for (const path of leafPaths(extra)) {
    // A whole map that isn't written out here may set, or take away, anything below it.
    const met = Object.entries(reserved).filter(([own]) => within(path, own) || within(own, path));
    for (const [own, reason] of met)
      problems.add(`${argument}.${path}`, within(path, own) ? reason : `covers ${own}, which ${reason}`);
  }
}

/** The component's values with the caller's over them. Maps are merged; lists and everything else are replaced. */
export function mergedValues(own: pulumi.Inputs, extra: pulumi.Inputs): pulumi.Inputs {
  const both = Object.entries(extra).map(([key, value]): [string, unknown] => {
    const mine: unknown = own[key];
    return [key, isMap(mine) && isMap(value) ? mergedValues(mine, value) : value];
  });
  return { ...own, ...Object.fromEntries(both) };
}

function leafPaths(values: pulumi.Inputs, prefix = ""): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    isMap(value) && Object.keys(value).length > 0 ? leafPaths(value, `${prefix}${key}.`) : [`${prefix}${key}`],
  );
}

function within(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`);
}
