import type { PolicyConfigSchema } from "@pulumi/policy";
import { matchesAny } from "../../lib/glob";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, isProperties, itemsAt, type KubernetesObject, type Properties } from "../../lib/kubernetes";
import { each, stringAt, valuesAt, type Path } from "../../lib/paths";
import { podSpec, podTemplate } from "../../lib/pods";
import { typeOf } from "../../lib/tokens";

/** By what a StatefulSet is recognised as Kafka. */
export interface KafkaConfig {
  kafkaImages: string[];
  kafkaNames: string[];
}

/** Its part of the configuration schema: the same in all rules on Kafka. */
export const kafkaConfig: PolicyConfigSchema["properties"] = {
  kafkaImages: {
    type: "array",
    items: { type: "string" },
    default: [
      "apache/kafka",
      "apache/kafka-native",
      "confluentinc/cp-kafka",
      "confluentinc/cp-server",
      "bitnami/kafka",
      "bitnamilegacy/kafka",
      "strimzi/kafka",
    ],
    description:
      "Image repositories of Kafka nodes, in any registry and below any prefix (a mirror's, say); `*` stands for any text.",
  },
  kafkaNames: {
    type: "array",
    items: { type: "string" },
    default: ["kafka"],
    description:
      "Values of the label `app.kubernetes.io/name` (on the StatefulSet or its pods) that say Kafka. A container with a variable such as `KAFKA_PROCESS_ROLES` is Kafka in any case.",
  },
};

/** A StatefulSet whose pods are brokers, controllers or both. */
export interface KafkaSet {
  readonly object: KubernetesObject;
  /** The containers that run Kafka; an unknown in the place of one that isn't known yet. */
  readonly containers: readonly (Properties | Unknown)[];
  /** Where in the StatefulSet one of them stands. */
  readonly placeOf: (container: Properties) => Path;
  /** Whether only a patch of the set stands here. */
  readonly partial: boolean;
}

const nameLabel = "app.kubernetes.io/name";
export const componentLabel = "app.kubernetes.io/component";

/** Variables that only a Kafka node has. Bitnami's image writes KAFKA_CFG_. */
const nodeVariable = /^KAFKA_(CFG_)?(PROCESS_ROLES|ADVERTISED_LISTENERS|CONTROLLER_QUORUM_(VOTERS|BOOTSTRAP_SERVERS))$/;

export function isStatefulSetType(type: string): boolean {
  return typeOf(type) === "kubernetes:apps:StatefulSet";
}

/**
 * The set, if it is one of Kafka. An unknown if that can't be told yet and a name says Kafka: an image that isn't known is no
 * reason to suspect every other StatefulSet.
 */
export function kafkaSetOf(object: KubernetesObject, config: KafkaConfig): KafkaSet | Unknown | undefined {
  if (!isStatefulSetType(object.type)) return undefined;
  const found = valuesAt(object.props, [...podSpec, "containers", each]);
  const containers = found.map(({ value }) => value).filter((c) => isUnknown(c) || isProperties(c));
  const set = (running: KafkaSet["containers"]): KafkaSet => ({
    object,
    containers: running,
    placeOf: (container) => found.find(({ value }) => value === container)!.segments,
    partial: isPatch(object),
  });

  const running = containers.filter((c) => isProperties(c) && (runsImage(c, config) === true || hasNodeVariable(c)));
  if (running.length > 0) return set(running);
  const labels = [["metadata"], [...podTemplate, "metadata"]].map((path) =>
    stringAt(object.props, [...path, "labels", nameLabel]),
  );
  if (labels.some((label) => typeof label === "string" && config.kafkaNames.includes(label)))
    return set(likeliest(containers, config));

  const images = containers.map((c) => (isUnknown(c) ? c : runsImage(c, config)));
  const unknown = [...images, ...labels].find(isUnknown);
  return unknown !== undefined && saysKafka(object, containers) ? unknown : undefined;
}

/** Whether a set's nodes are controllers and nothing else, as far as the set itself says so. */
export function isControllerOnly(set: KafkaSet): boolean {
  const roles = set.containers.flatMap((c) => (isUnknown(c) ? [] : rolesIn(c)));
  if (roles.length > 0) return roles.every((role) => role.trim() === "controller");
  return stringAt(set.object.props, [...podTemplate, "metadata", "labels", componentLabel]) === "controller";
}

function rolesIn(container: Properties): string[] {
  return itemsAt(container, ["env"]).flatMap((variable) => {
    if (isUnknown(variable)) return [];
    const [name, value] = [stringAt(variable, ["name"]), stringAt(variable, ["value"])];
    return /^KAFKA_(CFG_)?PROCESS_ROLES$/.test(String(name)) && typeof value === "string" ? [value] : [];
  });
}

function runsImage(container: Properties, config: KafkaConfig): boolean | Unknown {
  const image = stringAt(container, ["image"]);
  if (typeof image !== "string") return image ?? false;
  // Without digest and tag; a port of the registry is followed by a slash.
  const repository = image.replace(/@[^]*/, "").replace(/:[^/:]*$/, "");
  return matchesAny(repository, [...config.kafkaImages, ...config.kafkaImages.map((pattern) => `*/${pattern}`)]);
}

function hasNodeVariable(container: Properties): boolean {
  return itemsAt(container, ["env"]).some((variable) => {
    const name = isUnknown(variable) ? undefined : stringAt(variable, ["name"]);
    return typeof name === "string" && nodeVariable.test(name);
  });
}

/** In a set that only its label calls Kafka: the container of that name, else the first. */
function likeliest(containers: KafkaSet["containers"], config: KafkaConfig): KafkaSet["containers"] {
  const named = containers.filter((c) => isProperties(c) && config.kafkaNames.includes(String(stringAt(c, ["name"]))));
  return named.length > 0 ? named : containers.slice(0, 1);
}

function saysKafka(object: KubernetesObject, containers: KafkaSet["containers"]): boolean {
  const names = [
    object.name,
    stringAt(object.props, ["metadata", "name"]),
    ...containers.map((c) => (isUnknown(c) ? undefined : stringAt(c, ["name"]))),
  ];
  return names.some((name) => typeof name === "string" && /kafka/i.test(name));
}
