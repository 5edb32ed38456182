import { isUnknown, type Unknown } from "../../lib/known";
import { entriesOf, isProperties, itemsAt } from "../../lib/kubernetes";
import { each, valueAt, valuesAt } from "../../lib/paths";
import { Environment, type ConfigMaps, type Content } from "../kafka/environment";
import type { Client } from "./clients";
import { isProperty, libraryOf, type Library } from "./properties";

/** Settings that stand together: in a file, in an object of a JSON file, in the variables of a container. */
export interface Settings {
  /** How messages call the place. */
  readonly where: string;
  readonly values: ReadonlyMap<string, string>;
  /** The library that reads them, if that can be told. */
  readonly library: Library | undefined;
  /** Whether they are all there are, so that a library's default holds for what isn't in them. */
  readonly whole: boolean;
}

/** All settings of a client that the stack shows, and what isn't known of them yet. */
export interface ClientSettings {
  readonly all: readonly Settings[];
  readonly unknown: Unknown | undefined;
}

/** The settings of a client's pods: variables, and files in ConfigMaps that they mount. What a Secret or the program says isn't seen. */
export function settingsOf({ pod }: Client, configMaps: ConfigMaps): ClientSettings {
  const files = mountedFiles(pod, configMaps);
  const containers = itemsAt(pod, ["containers"]);
  const all = [
    ...files.flatMap(([file, content]) => (content.text === undefined ? [] : settingsIn(file, content.text))),
    ...containers.filter(isProperties).flatMap((container) => variables(new Environment(container, configMaps))),
  ];
  const unknown = [...containers, ...files.map(([, content]) => content.unknown)].find(isUnknown);
  return { all, unknown };
}

function mountedFiles(pod: unknown, configMaps: ConfigMaps): [string, Content][] {
  const volumes = itemsAt(pod, ["volumes"]).filter(isProperties);
  const sources = volumes.flatMap((volume) => [
    ...valuesAt(volume, ["configMap"]),
    ...valuesAt(volume, ["projected", "sources", each, "configMap"]),
  ]);
  return sources.flatMap(({ value: source }): [string, Content][] => {
    const map = configMaps(isUnknown(source) ? source : valueAt(source, ["name"]));
    if (isUnknown(map)) return [["ConfigMap", { unknown: map }]];
    const only = itemsAt(source, ["items"]).map((item) => (isUnknown(item) ? undefined : valueAt(item, ["key"])));
    const mounted = [...(map ?? [])].filter(([key]) => only.length === 0 || only.includes(key));
    // A file for each property is a way to write them, too.
    const single = mounted.filter(([key]) => isProperty(key));
    const lines = single.map(([key, { text = "" }]) => `${key}=${text}`).join("\n");
    return single.length === 0 ? mounted : [...mounted, ["", { text: lines }]];
  });
}

/** The settings in one file, by its name: lines of Java's format or YAML, or objects of JSON. */
function settingsIn(file: string, text: string): Settings[] {
  if (file === "") return [settings("files of a ConfigMap", pairsIn(text), undefined, false)];
  if (/\.ya?ml$/i.test(file)) return [settings(file, pairsIn(text), undefined, false)];
  if (/\.json$/i.test(file)) return objectsIn(file, parsed(text), file);
  if (!/\.(properties|conf|cfg|config|ini)$/i.test(file)) return [];
  return [settings(file, pairsIn(text), libraryIn(file), true)];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined; // Nor will the client read it.
  }
}

/** Every object in a JSON document that holds settings, wherever it stands. */
function objectsIn(file: string, value: unknown, name: string): Settings[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(file, item, name));
  const own = entriesOf(value).flatMap(([key, inner]): [string, string][] =>
    typeof inner === "string" || typeof inner === "number" || typeof inner === "boolean" ? [[key, String(inner)]] : [],
  );
  const inside = entriesOf(value).flatMap(([key, inner]) => objectsIn(file, inner, key));
  return [settings(file, own, libraryIn(name), true), ...inside];
}

/** Keys and values of lines; quotes as in YAML aren't part of either, and the last line wins. */
function pairsIn(text: string): [string, string][] {
  return text.split(/\r\n?|\n/).flatMap((line): [string, string][] => {
    const [, key, rest] = /^(?:-\s+)?["']?([^#!\s=:"']+)["']?(?:\s*[=:]|\s)([^]*)/.exec(line.trimStart()) ?? [];
    if (key === undefined) return [];
    const value = rest!
      .trim()
      .replace(/\s#[^]*/, "")
      .trimEnd();
    return [[key, value.replace(/^(["'])(.*)\1$/, "$2")]];
  });
}

/** Variables whose names have KAFKA in them and end in a property's, as the frameworks spell it: KAFKA_SOCKET_TIMEOUT_MS. */
function variables(environment: Environment): Settings[] {
  const pairs = environment.names().flatMap((name): [string, string][] => {
    const [, property] = /^(?=\w+$)\w*?KAFKA_(?:(?:PRODUCER|CONSUMER|CLIENT|CFG|PROPERTIES)_)*(\w+)$/.exec(name) ?? [];
    const text = environment.expanded(name)?.text;
    return property === undefined || text === undefined ? [] : [[property.toLowerCase().replace(/_/g, "."), text]];
  });
  return [settings("variables", pairs, undefined, false)];
}

function settings(
  where: string,
  pairs: readonly (readonly [string, string])[],
  library: Library | undefined,
  whole: boolean,
): Settings {
  const values = new Map(pairs);
  return { where, values, library: libraryOf(values) ?? library, whole };
}

function libraryIn(name: string): Library | undefined {
  if (/rdkafka|confluent/i.test(name)) return "librdkafka";
  return /java|jvm/i.test(name) ? "java" : undefined;
}
