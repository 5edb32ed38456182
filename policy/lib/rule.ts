import type {
  EnforcementLevel,
  Policy,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import { configReader } from "./config";
import { exemptions, exemptionsIn, type Exemption } from "./exemptions";
import type { Undecided } from "./known";
import { notApplicable } from "./not-applicable";
import { applied, type Repair } from "./repairs";
import { markUnconfigured } from "./unconfigured";
import { conclude, unknownValuesOf, type UnknownValuesConfig } from "./unknown-values";

/** Where the page of each rule is. */
export const docsUrl = "https://github.com/moorings/moorings/blob/main/docs/policies";

/** What a reader of a violation needs; optional in Pulumi, required here. */
type Documented =
  "displayName" | "severity" | "remediationSteps" | "url" | "tags" | "configSchema" | "enforcementLevel";

/** A policy with all its metadata. */
export type Rule = (ResourceValidationPolicy | StackValidationPolicy) &
  Required<Pick<Policy, Documented>> & {
    /** What the rule writes under the level `remediate`; undefined if it can't repair. */
    repairs?: string;
  };

/** What the author of a rule writes about it; the rest is the same for all rules. */
type Metadata = Required<Pick<Policy, "name" | "description" | Exclude<Documented, "url" | "enforcementLevel">>> & {
  /** Mandatory, unless what the rule finds is only useless and never harmful. */
  enforcementLevel?: EnforcementLevel;
  /** The rule says only what is certain, so that no unknown keeps it from deciding: it has no `unknownValues`. */
  certainOnly?: true;
};

/** Configuration that every rule has. */
export interface CommonConfig extends UnknownValuesConfig {
  exemptions: Exemption[];
}

/** A rule that looks at one resource's inputs. It also runs during an update, before the resource is created. */
export interface ResourceRule<Config> extends Metadata {
  /** Whether the rule has anything to say about resources of this type. */
  appliesTo: (type: string) => boolean;
  check: (
    resource: ResourceValidationArgs,
    report: (message: string) => void,
    config: Config & CommonConfig,
    undecided: Undecided,
  ) => void;
  repair?: Repair<Config & CommonConfig>;
}

/** A rule that looks at all resources and what depends on what. During an update it runs after the changes. */
export interface StackRule<Config> extends Metadata {
  check: (
    stack: StackValidationArgs,
    report: (message: string, urn: string) => void,
    config: Config & CommonConfig,
    undecided: Undecided,
  ) => void;
}

/** The one resource that every stack has: what no other can carry is said here. */
const stackType = "pulumi:pulumi:Stack";

const nothingToSay = "The rule has nothing to say about this type.";

/** Makes a policy of a {@link ResourceRule}. */
export function resourceRule<Config extends object>(rule: ResourceRule<Config>): Rule {
  const { appliesTo, check, repair, ...metadata } = rule;
  const common = withCommon(metadata, "resource");
  const configOf = configReader<Config & CommonConfig>(common.configSchema);
  return {
    ...common,
    validateResource: (args, report) => {
      const config = configOf(args);
      const exempt = exemptionsIn(config);
      if (exempt.none && !(isToken(args.type) && appliesTo(args.type))) notApplicable(args, nothingToSay);
      // A policy that also had a stack half would have the server unpack the whole stack once more, for every rule.
      const faults = args.type === stackType ? exempt.faults() : exempt.endedAt(args);
      for (const fault of faults) report(fault);
      if (isToken(args.type) && appliesTo(args.type)) {
        if (exempt.cover(args)) return;
        conclude(
          config,
          report,
          () => false,
          (undecided) => check(args, (message) => report(message), config, undecided),
        );
      } else if (faults.length === 0) notApplicable(args, nothingToSay);
    },
    ...(repair && {
      repairs: repair.writes,
      remediateResource: (args: ResourceValidationArgs) => {
        if (!isToken(args.type) || !appliesTo(args.type) || repair.appliesTo?.(args.type) === false)
          notApplicable(args, "The rule repairs nothing of this type.");
        const config = configOf(args);
        return exemptionsIn(config).cover(args) ? undefined : applied(args.props, repair.changes(args, config));
      },
    }),
  };
}

/** Makes a policy of a {@link StackRule}. */
export function stackRule<Config extends object>(rule: StackRule<Config>): Rule {
  const { check, ...metadata } = rule;
  const common = withCommon(metadata, "stack");
  const configOf = configReader<Config & CommonConfig>(common.configSchema);
  return {
    ...common,
    validateStack: (args, report) => {
      const config = configOf(args);
      markUnconfigured(args.resources);
      const resources = args.resources.filter((r) => isToken(r.type));
      const exempt = exemptionsIn(config);
      if (exempt.none) {
        const nobody = () => false;
        conclude(config, report, nobody, (undecided) => check({ ...args, resources }, report, config, undecided));
        return;
      }
      for (const fault of exempt.faultsBeside(args.resources)) report(fault);
      for (const resource of args.resources) for (const fault of exempt.endedAt(resource)) report(fault, resource.urn);
      const spared = new Set(args.resources.filter((r) => exempt.cover(r)).map((r) => r.urn));
      const reportUnlessSpared: ReportViolation = (message, urn) => {
        if (urn === undefined || !spared.has(urn)) report(message, urn);
      };
      conclude(
        config,
        reportUnlessSpared,
        (urn) => spared.has(urn),
        (undecided) => check({ ...args, resources }, reportUnlessSpared, config, undecided),
      );
    },
  };
}

/**
 * Whether a type is one. Rules look types up in tables, and `constructor` or `toString` would be found in each: no type token is without a
 * colon, and nothing that objects have by themselves has one.
 */
function isToken(type: string): boolean {
  return type.includes(":");
}

function withCommon(
  { certainOnly, ...metadata }: Metadata,
  kind: "resource" | "stack",
): Required<Pick<Policy, "name" | "description" | Documented>> {
  const { properties, ...schema } = metadata.configSchema;
  const unknowns = certainOnly === true ? {} : unknownValuesOf(kind);
  return {
    ...metadata,
    enforcementLevel: metadata.enforcementLevel ?? "mandatory",
    url: `${docsUrl}/${metadata.name}.md`,
    configSchema: { ...schema, properties: { ...properties, ...unknowns, ...exemptions } },
  };
}
