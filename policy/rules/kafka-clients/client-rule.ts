import { stackRule, type Rule, type StackRule } from "../../lib/rule";
import { ConfigMapIndex } from "../kafka/environment";
import { clientConfig, clientsIn, type Client, type ClientConfig } from "./clients";
import type { Library } from "./properties";
import { settingsOf, type ClientSettings, type Settings } from "./settings";

/** What a property must be. */
export interface Demand {
  /** The property, and other names of it. */
  readonly names: readonly [string, ...string[]];
  /** The library that the demand is on; both if undefined. */
  readonly library?: Library;
  /** Whether a value will do; undefined for one that says nothing, such as `${TIMEOUT}`. */
  readonly accepts: (value: string) => boolean | undefined;
  /** What to write, after "write": `15000, at least 11000 and at most 30000`. */
  readonly write: string;
  /** Libraries whose default won't do, and what it is. */
  readonly badDefaults: Partial<Readonly<Record<Library, string>>>;
  /** Settings that may leave it out. */
  readonly unless?: (values: ReadonlyMap<string, string>) => boolean;
  /** Why, after "is ...: ". */
  readonly because: string;
}

/** A rule on the workloads that say they are clients of Kafka. */
export interface ClientRule<Config> extends Omit<StackRule<Config>, "check"> {
  /** What is wrong with a client, in words that say what to write. */
  readonly faults: (client: Client, settings: ClientSettings, config: Config) => readonly string[];
}

export function clientRule<Config extends object>(rule: ClientRule<Config>): Rule {
  const { faults, configSchema, ...metadata } = rule;
  return stackRule<Config & ClientConfig>({
    ...metadata,
    configSchema: { properties: { ...configSchema.properties, ...clientConfig } },
    check: ({ resources }, report, config, undecided) => {
      const configMaps = new ConfigMapIndex(resources);
      for (const client of clientsIn(resources, config, undecided)) {
        const { workload } = client;
        const settings = settingsOf(client, configMaps.for(workload));
        const found = faults(client, settings, config);
        if (settings.unknown !== undefined) undecided.add(settings.unknown, workload);
        if (found.length > 0) report(`"${workload.name}" is a client of Kafka. ${found.join(". ")}.`, workload.urn);
      }
    },
  });
}

/** What the settings of a client say against demands. */
export function faultsIn({ all, unknown }: ClientSettings, demands: readonly Demand[]): string[] {
  const found = demands.flatMap((demand) => [
    ...all.flatMap((settings) => wrongIn(settings, demand)),
    // While a file isn't known, what isn't elsewhere may stand in it.
    ...(unknown === undefined ? missingIn(all, demand) : []),
  ]);
  return [...new Set(found)];
}

function wrongIn({ values, where, library }: Settings, demand: Demand): string[] {
  if (demand.library !== undefined && library !== undefined && library !== demand.library) return [];
  return demand.names.flatMap((name) => {
    const value = values.get(name);
    if (value === undefined || demand.accepts(value) !== false) return [];
    return [`${name} is ${value} (${where}): ${demand.because}. Write ${demand.write}`];
  });
}

/** A file that is all there is leaves the rest to the library's defaults, unless another place of the same client says it. */
function missingIn(all: readonly Settings[], demand: Demand): string[] {
  return all.flatMap(({ whole, library, values, where }) => {
    const fallback = library === undefined ? undefined : demand.badDefaults[library];
    if (!whole || fallback === undefined || demand.unless?.(values) === true) return [];
    const said = all.some(
      (other) => (other.library ?? library) === library && demand.names.some((name) => other.values.has(name)),
    );
    const what = `${demand.names[0]} is missing (${where}), which means ${fallback}`;
    return said ? [] : [`${what}: ${demand.because}. Write ${demand.write}`];
  });
}

/** A number within bounds; nothing for what is no number. */
export function between(least: number, most: number): Demand["accepts"] {
  return (value) => (/^-?\d+$/.test(value) ? Number(value) >= least && Number(value) <= most : undefined);
}

/** One of these words; nothing for a placeholder. */
export function oneOf(...words: readonly string[]): Demand["accepts"] {
  return (value) => (/[${}<%]/.test(value) ? undefined : words.includes(value.toLowerCase()));
}
