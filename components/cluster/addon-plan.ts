import type * as pulumi from "@pulumi/pulumi";
import { mergedValues, reservedValueProblems } from "../internal/chart-values";
import type { Problems } from "../internal/validate";
import type { AddonValues, AddonVersions, OptionalAddons } from "./addon-args";
import { addons, type AddonDefinition } from "./addons";
import type { EksClusterArgs } from "./eks-cluster-args";
import { pinnedAddons } from "./versions";

/** An add-on that is to be installed. */
export interface PlannedAddon {
  readonly definition: AddonDefinition;
  readonly build: pulumi.Input<string>;
  /** Its configuration; undefined for that of the add-on itself. */
  readonly values: pulumi.Inputs | undefined;
}

type Args = Pick<EksClusterArgs, "addonVersions" | "optionalAddons" | "addonValues" | "prefixDelegation">;

/** The add-ons of a cluster of a known Kubernetes version: with the caller's builds and configuration, and without those not asked for. */
export function planAddons(args: Args, version: string, problems: Problems): PlannedAddon[] {
  const pinned: Partial<Record<keyof AddonValues, string>> = pinnedAddons(version);
  const builds: AddonVersions & OptionalAddons = { ...args.addonVersions, ...args.optionalAddons };
  return addons.flatMap((definition) => {
    const { key } = definition;
    const argument = pinned[key] === undefined ? "optionalAddons" : "addonVersions";
    const build = problems.input(builds[key] ?? pinned[key], `${argument}.${key}`, buildProblem);
    const extra = args.addonValues?.[key];
    if (extra !== undefined) reservedValueProblems(problems, `addonValues.${key}`, extra, definition.reserved ?? {});
    if (build === undefined) {
      problems.unless(
        extra === undefined,
        `addonValues.${key}`,
        `configures an add-on that isn't installed: give its build in optionalAddons.${key}`,
      );
      return [];
    }
    const own = definition.values ?? {};
    const typed = key === "vpcCni" && args.prefixDelegation === true ? mergedValues(own, prefixDelegation) : own;
    const all = mergedValues(typed, extra ?? {});
    return [{ definition, build, values: Object.keys(all).length === 0 ? undefined : all }];
  });
}

/**
 * Best practices guide of EKS, "Prefix Mode for Linux": one prefix of 16 addresses in reserve is made anew as soon as it is touched, which
 * is fast enough, and a second one would only take addresses away.
 */
const prefixDelegation = { env: { ENABLE_PREFIX_DELEGATION: "true", WARM_PREFIX_TARGET: "1" } };

function buildProblem(build: string): string | undefined {
  return /^v\d+\.\d+\.\d+-eksbuild\.\d+$/.test(build)
    ? undefined
    : `must be one build of the add-on, such as v1.14.3-eksbuild.23, not "${build}": see aws eks describe-addon-versions`;
}
