import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import {
  entriesOf,
  isProperties,
  itemsAt,
  mayShareNamespace,
  nameOf,
  type KubernetesObject,
  type Properties,
} from "../../lib/kubernetes";
import { withParents } from "../../lib/parents";
import { stringAt, valueAt } from "../../lib/paths";
import { typeOf } from "../../lib/tokens";

/** What a variable, or a key of a ConfigMap, holds. */
export interface Content {
  readonly text?: string;
  /** The field of the pod that it is read from: `status.podIP`. */
  readonly field?: string;
  /** Not known yet. With none of the three it comes from somewhere that the pack doesn't see, such as a Secret. */
  readonly unknown?: Unknown;
}

/** Reads ConfigMaps of the stack as the pods of one workload see them; undefined for one that isn't in the stack. */
export type ConfigMaps = (name: unknown) => Map<string, Content> | Unknown | undefined;

/** The ConfigMaps of a stack, looked up once for all workloads. */
export class ConfigMapIndex {
  private readonly byName = new Map<string, PolicyResource[]>();
  /** Those whose names aren't known, by themselves and by what they are inside of. */
  private readonly byOrigin = new Map<string, PolicyResource[]>();

  constructor(resources: readonly PolicyResource[]) {
    for (const map of resources.filter((r) => typeOf(r.type) === "kubernetes:core:ConfigMap")) {
      const name = nameOf(map);
      if (typeof name === "string") add(this.byName, name, map);
      else for (const { urn } of withParents(map)) add(this.byOrigin, urn, map);
    }
  }

  /** What one workload sees. A map whose name isn't known yet is found through what the workload depends on, if it is the only one. */
  for(workload: PolicyResource): ConfigMaps {
    return (name) => {
      const candidates = new Set(
        isUnknown(name)
          ? (workload.propertyDependencies["spec"] ?? []).flatMap(({ urn }) => this.byOrigin.get(urn) ?? [])
          : (this.byName.get(String(name)) ?? []),
      );
      const [map, ...others] = [...candidates].filter((candidate) => mayShareNamespace(candidate, workload));
      if (map !== undefined && others.length === 0) return dataOf(map);
      return isUnknown(name) ? name : undefined;
    };
  }
}

function add(index: Map<string, PolicyResource[]>, key: string, map: PolicyResource): void {
  const there = index.get(key);
  if (there === undefined) index.set(key, [map]);
  else there.push(map);
}

function dataOf(map: KubernetesObject): Map<string, Content> | Unknown {
  const data = valueAt(map.props, ["data"]);
  if (isUnknown(data)) return data;
  return new Map(entriesOf(data).map(([key, value]) => [key, contentOf(value)]));
}

/** What Linux takes as one variable (execve(2), MAX_ARG_STRLEN): variables that name each other a thousand times make no longer one. */
const longest = 131_072;

/** The variables of a container, in the order in which Kubernetes lets a later one win. */
export class Environment {
  private readonly variables = new Map<string, Content>();
  /** Whether variables may come from where the pack doesn't see them. */
  private hidden = false;
  /** The first part of the list that isn't known yet. */
  private unknown: Unknown | undefined;

  constructor(container: Properties, configMaps: ConfigMaps) {
    for (const source of this.items(container, "envFrom")) this.addSource(source, configMaps);
    for (const variable of this.items(container, "env")) {
      const name = stringAt(variable, ["name"]);
      if (isUnknown(name)) this.unknown ??= name;
      else if (name !== undefined) this.variables.set(name, variableOf(variable, configMaps));
    }
  }

  get(name: string): Content | undefined {
    return this.variables.get(name);
  }

  names(): string[] {
    return [...this.variables.keys()];
  }

  /** What stands for a variable that isn't in the list: nothing, if the list is known and complete. */
  get missing(): Content | undefined {
    if (this.unknown !== undefined) return { unknown: this.unknown };
    return this.hidden ? {} : undefined;
  }

  /** A variable with `$(OTHER)` in its text replaced as far as it can be. */
  expanded(name: string): Content | undefined {
    const content = this.variables.get(name);
    return content?.text === undefined ? content : { text: this.expand(content.text, 0, { left: longest }) };
  }

  private expand(text: string, depth: number, room: { left: number }): string {
    if (depth > 5) return text;
    return text.replace(/\$\(([\w.-]+)\)/g, (whole, other: string) => {
      const inner = this.variables.get(other)?.text;
      if (inner === undefined || inner.length > room.left) return whole;
      room.left -= inner.length;
      return this.expand(inner, depth + 1, room);
    });
  }

  private items(container: Properties, property: string): Properties[] {
    const whole = valueAt(container, [property]);
    if (isUnknown(whole)) this.unknown ??= whole;
    return itemsAt(container, [property]).filter((item) => {
      if (isUnknown(item)) this.unknown ??= item;
      return isProperties(item);
    });
  }

  private addSource(source: Properties, configMaps: ConfigMaps): void {
    const map = configMaps(valueAt(source, ["configMapRef", "name"]));
    const prefix = stringAt(source, ["prefix"]) ?? "";
    if (isUnknown(map)) this.unknown ??= map;
    else if (map === undefined || isUnknown(prefix)) this.hidden = true;
    else for (const [key, content] of map) this.variables.set(prefix + key, content);
  }
}

function variableOf(variable: Properties, configMaps: ConfigMaps): Content {
  const from = valueAt(variable, ["valueFrom"]);
  if (from === undefined || isUnknown(from)) return contentOf(valueAt(variable, ["value"]) ?? from ?? "");
  const field = stringAt(from, ["fieldRef", "fieldPath"]);
  if (typeof field === "string") return { field };
  const key = stringAt(from, ["configMapKeyRef", "key"]);
  const map = typeof key === "string" ? configMaps(valueAt(from, ["configMapKeyRef", "name"])) : undefined;
  return isUnknown(map) ? { unknown: map } : (map?.get(key as string) ?? {});
}

function contentOf(value: unknown): Content {
  if (isUnknown(value)) return { unknown: value };
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? { text: String(value) }
    : {};
}
