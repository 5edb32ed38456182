import { isUnknown } from "../../lib/known";
import { itemsAt, type Properties } from "../../lib/kubernetes";
import { each, stringAt, valuesAt } from "../../lib/paths";
import { podSpec, podTemplate } from "../../lib/pods";
import { ConfigMapIndex, Environment, type ConfigMaps, type Content } from "./environment";
import type { KafkaSetInStack, KafkaStack } from "./kafka-rule";
import { componentLabel } from "./kafka-sets";

/** Files that hold a node's configuration, by their names as ConfigMaps have them. */
const serverFile = /^(server|broker|controller|combined|kafka|kraft)[\w.-]*\.properties$/;

/**
 * The configuration of a Kafka node as far as the stack shows it: variables of its container, which win, and `*.properties` in
 * ConfigMaps that its pod mounts. The images turn `KAFKA_MIN_INSYNC_REPLICAS` into `min.insync.replicas`.
 */
export class NodeConfig {
  constructor(
    private readonly environment: Environment,
    private readonly files: readonly Content[],
  ) {}

  /**
   * What a property is set to. Nothing if nobody sets it, so that Kafka's default holds; empty content if somebody may, where
   * the pack doesn't see it.
   */
  get(property: string): Content | undefined {
    const name = property.toUpperCase().replace(/\./g, "_");
    const variable = this.environment.expanded(`KAFKA_${name}`) ?? this.environment.expanded(`KAFKA_CFG_${name}`);
    if (variable !== undefined) return variable;
    const [line] = this.files.flatMap((file) => lineOf(file, property));
    if (line !== undefined) return { text: line };
    const unsure = [...this.files.filter((f) => f.text === undefined), this.environment.missing];
    return unsure.find((c) => c !== undefined) ?? (this.isWhole ? undefined : {});
  }

  /** Whether this is all there is: a node can't start without a role, so where that stands, there the rest stands too. */
  private get isWhole(): boolean {
    const names = this.environment.names();
    return (
      names.some((name) => /^KAFKA_(CFG_)?PROCESS_ROLES$/.test(name)) ||
      this.files.some((file) => lineOf(file, "process.roles").length > 0)
    );
  }
}

/** A node of a set with what it is configured to. */
export interface ConfiguredNode {
  readonly set: KafkaSetInStack;
  readonly container: Properties;
  readonly environment: Environment;
  readonly config: NodeConfig;
}

/** Every Kafka container of the stack, with its configuration. */
export function configuredNodes({ sets, resources, undecided }: KafkaStack): ConfiguredNode[] {
  const index = new ConfigMapIndex(resources);
  return sets.flatMap((set) => {
    const configMaps = index.for(set.object);
    const files = mountedFiles(set, configMaps);
    return set.containers.flatMap((container) => {
      if (isUnknown(container)) {
        undecided.add(container, set.object);
        return [];
      }
      const environment = new Environment(container, configMaps);
      return [{ set, container, environment, config: new NodeConfig(environment, files) }];
    });
  });
}

/** What a node is, as far as one can see; both while one can't. */
export function rolesOf({ set, config }: ConfiguredNode): { controller: boolean; broker: boolean } {
  const roles =
    config.get("process.roles")?.text ??
    stringAt(set.object.props, [...podTemplate, "metadata", "labels", componentLabel]);
  const only = (role: string) => roles === role;
  return { controller: !only("broker"), broker: !only("controller") };
}

/** The server configurations in the ConfigMaps that a set's pods mount. */
function mountedFiles(set: KafkaSetInStack, configMaps: ConfigMaps): Content[] {
  const names = itemsAt(set.object.props, [...podSpec, "volumes"]).flatMap((volume) =>
    isUnknown(volume)
      ? []
      : [
          ...valuesAt(volume, ["configMap", "name"]),
          ...valuesAt(volume, ["projected", "sources", each, "configMap", "name"]),
        ],
  );
  return names.flatMap(({ value }) => {
    const map = configMaps(value);
    if (isUnknown(map)) return [{ unknown: map }];
    return [...(map ?? [])].flatMap(([key, content]) => (serverFile.test(key) ? [content] : []));
  });
}

/** The value of a property in a file of Java's format; the last line wins. */
function lineOf(file: Content, property: string): string[] {
  const values = (file.text ?? "").split(/\r\n?|\n/).flatMap((line) => {
    const match = /^([^#!\s=:]+)(?:\s*[=:]|\s)([^]*)/.exec(line.trimStart());
    return match?.[1] === property ? [match[2]!.trim()] : [];
  });
  return values.slice(-1);
}
