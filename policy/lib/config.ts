import type { PolicyConfigSchema, ResourceValidationArgs } from "@pulumi/policy";

/** Reads the configuration of a rule with its defaults: the Pulumi CLI fills them in, other callers of the protocol may not. */
export function configReader<Config extends object>(
  schema: PolicyConfigSchema,
): (args: Pick<ResourceValidationArgs, "getConfig">) => Config {
  const entries = Object.entries(schema.properties).map(([name, property]) => [name, property.default]);
  const defaults = Object.freeze({ unknownValues: "advisory", ...Object.fromEntries(entries) }) as Config;
  return (args) => {
    const config = args.getConfig<Config>();
    // Most rules have none; this is asked for every rule and resource.
    return isEmpty(config) ? defaults : { ...defaults, ...config };
  };
}

function isEmpty(config: object): boolean {
  for (const _ in config) return false;
  return true;
}
