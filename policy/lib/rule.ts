import type {
  EnforcementLevel,
  Policy,
  PolicyConfigSchema,
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationArgs,
  StackValidationPolicy,
} from "@pulumi/policy";
import { matchesAny } from "./glob";
import { markUnconfigured } from "./unconfigured";

/** Where the page of each rule is. */
export const docsUrl = "https://github.com/moorings/moorings/blob/main/docs/policies";

/** What a reader of a violation needs; optional in Pulumi, required here. */
type Documented =
  "displayName" | "severity" | "remediationSteps" | "url" | "tags" | "configSchema" | "enforcementLevel";

/** A policy with all its metadata. */
export type Rule = (ResourceValidationPolicy | StackValidationPolicy) & Required<Pick<Policy, Documented>>;

/** What the author of a rule writes about it; the rest is the same for all rules. */
type Metadata = Required<Pick<Policy, "name" | "description" | Exclude<Documented, "url" | "enforcementLevel">>> & {
  /** Mandatory, unless what the rule finds is only useless and never harmful. */
  enforcementLevel?: EnforcementLevel;
};

/** Configuration that every rule has. */
export interface CommonConfig {
  /** Names or URNs, with `*`, of resources that the rule leaves alone. */
  exemptResources: string[];
}

/** A rule that looks at one resource's inputs. It also runs during an update, before the resource is created. */
export interface ResourceRule<Config> extends Metadata {
  /** Whether the rule has anything to say about resources of this type. */
  appliesTo: (type: string) => boolean;
  check: (resource: ResourceValidationArgs, report: (message: string) => void, config: Config) => void;
}

/** A rule that looks at all resources and what depends on what. During an update it runs after the changes. */
export interface StackRule<Config> extends Metadata {
  check: (stack: StackValidationArgs, report: (message: string, urn: string) => void, config: Config) => void;
}

/** Makes a policy of a {@link ResourceRule}. */
export function resourceRule<Config extends object>(rule: ResourceRule<Config>): Rule {
  const { appliesTo, check, ...metadata } = rule;
  const common = withCommon(metadata);
  return {
    ...common,
    validateResource: (args, report) => {
      if (!appliesTo(args.type)) args.notApplicable("The rule has nothing to say about this type.");
      const config = configOf<Config & CommonConfig>(args, common.configSchema);
      if (isExempt(args, config)) return;
      check(args, (message) => report(message), config);
    },
  };
}

/** Makes a policy of a {@link StackRule}. */
export function stackRule<Config extends object>(rule: StackRule<Config>): Rule {
  const { check, ...metadata } = rule;
  const common = withCommon(metadata);
  return {
    ...common,
    validateStack: (args, report) => {
      const config = configOf<Config & CommonConfig>(args, common.configSchema);
      markUnconfigured(args.resources);
      const exempt = new Set(args.resources.filter((r) => isExempt(r, config)).map((r) => r.urn));
      const reportUnlessExempt: ReportViolation = (message, urn) => {
        if (urn === undefined || !exempt.has(urn)) report(message, urn);
      };
      check(args, reportUnlessExempt, config);
    },
  };
}

function withCommon(metadata: Metadata): Required<Pick<Policy, "name" | "description" | Documented>> {
  const { properties, ...schema } = metadata.configSchema;
  return {
    ...metadata,
    enforcementLevel: metadata.enforcementLevel ?? "mandatory",
    url: `${docsUrl}/${metadata.name}.md`,
    configSchema: {
      ...schema,
      properties: {
        ...properties,
        exemptResources: {
          type: "array",
          items: { type: "string" },
          default: [],
          description: "Names or URNs of resources that this rule leaves alone; `*` stands for any text.",
        },
      },
    },
  };
}

/** The configuration of a rule with its defaults: the Pulumi CLI fills them in, other callers of the protocol may not. */
function configOf<Config extends object>(
  args: Pick<ResourceValidationArgs, "getConfig">,
  schema: PolicyConfigSchema,
): Config {
  const defaults = Object.entries(schema.properties).map(([name, property]) => [name, property.default]);
  return { ...Object.fromEntries(defaults), ...args.getConfig<Config>() } as Config;
}

function isExempt(resource: { name: string; urn: string }, config: CommonConfig): boolean {
  return matchesAny(resource.name, config.exemptResources) || matchesAny(resource.urn, config.exemptResources);
}
