import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Undecided } from "../../lib/known";
import type { Change } from "../../lib/repairs";
import { resourceRule, stackRule, type ResourceRule, type Rule, type StackRule } from "../../lib/rule";
import { Findings, type UnknownValuesConfig } from "../../lib/unknown-values";
import { isStatefulSetType, kafkaConfig, kafkaSetOf, type KafkaConfig, type KafkaSet } from "./kafka-sets";

/** A rule on what one StatefulSet of Kafka says by itself. */
export interface KafkaSetRule<Config> extends Omit<ResourceRule<Config>, "appliesTo" | "check" | "repair"> {
  check: (set: KafkaSet, findings: Findings, config: Config) => void;
  repair?: { readonly writes: string; readonly changes: (set: KafkaSet, config: Config) => readonly Change[] };
}

/** A set of Kafka in a stack. */
export interface KafkaSetInStack extends KafkaSet {
  readonly object: PolicyResource;
}

/** A rule on what the StatefulSets of Kafka have to do with other objects of the stack. */
export interface KafkaStackRule<Config> extends Omit<StackRule<Config>, "check"> {
  check: (context: KafkaStack, config: Config) => void;
}

/** What a {@link KafkaStackRule} sees. A patch isn't among the sets: it doesn't say enough. */
export interface KafkaStack {
  readonly sets: readonly KafkaSetInStack[];
  readonly resources: readonly PolicyResource[];
  readonly report: (message: string, urn: string) => void;
  readonly undecided: Undecided;
}

export function kafkaSetRule<Config extends object>({ repair, ...rule }: KafkaSetRule<Config>): Rule {
  return resourceRule<Config & KafkaConfig & UnknownValuesConfig>({
    ...rule,
    configSchema: { properties: { ...rule.configSchema.properties, ...kafkaConfig } },
    appliesTo: isStatefulSetType,
    check: (object, report, config) => {
      const findings = new Findings(report, config);
      const set = kafkaSetOf(object, config);
      if (isUnknown(set)) findings.unknown(set, "may say that this is Kafka");
      else if (set !== undefined) rule.check(set, findings, config);
      findings.end();
    },
    ...(repair && {
      repair: {
        writes: repair.writes,
        changes: (object, config) => {
          const set = kafkaSetOf(object, config);
          return set === undefined || isUnknown(set) ? [] : repair.changes(set, config);
        },
      },
    }),
  });
}

export function kafkaStackRule<Config extends object>(rule: KafkaStackRule<Config>): Rule {
  return stackRule<Config & KafkaConfig>({
    ...rule,
    configSchema: { properties: { ...rule.configSchema.properties, ...kafkaConfig } },
    check: ({ resources }, report, config, undecided) => {
      const sets = kafkaSetsIn(resources, config, undecided);
      rule.check({ sets, resources, report, undecided }, config);
    },
  });
}

/** All sets of Kafka in a stack. */
export function kafkaSetsIn(
  resources: readonly PolicyResource[],
  config: KafkaConfig,
  undecided: Undecided,
): KafkaSetInStack[] {
  return resources.flatMap((object) => {
    const set = kafkaSetOf(object, config);
    if (isUnknown(set)) undecided.add(set, object);
    return set === undefined || isUnknown(set) || set.partial ? [] : [{ ...set, object }];
  });
}
