import { vpcBlockProblem } from "../subnets";
import type { Settings } from "./schema";

/** Amounts of memory in MiB, as Kubernetes writes them; undefined for other forms, which the component judges. */
function mebibytes(quantity: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(Mi|Gi|Ti)$/.exec(quantity) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * { Mi: 1, Gi: 1024, Ti: 1024 * 1024 }[unit as "Mi" | "Gi" | "Ti"];
}

/** Memory that the Kafka pods ask for unless the settings say otherwise (KafkaCluster), in MiB. */
const defaultMemory = { broker: 4096, controller: 1024 };

/** What doesn't fit together although each key by itself is right. Found late, most of these are pods that wait for half an hour. */
export function inconsistencies(settings: Settings): string[] {
  const { network, cluster, kafka, region } = settings;
  const problems: string[] = [];
  const elsewhere = network.availabilityZones.filter((zone) => !zone.startsWith(region));
  if (elsewhere.length > 0)
    problems.push(`network.availabilityZones: ${elsewhere.join(", ")} isn't in aws:region (${region})`);

  const block = network.cidrBlock === undefined ? undefined : vpcBlockProblem(network.cidrBlock);
  if (block !== undefined) problems.push(`network.cidrBlock: ${block}`);

  const zones = network.availabilityZones.length;
  for (const key of ["publicSubnetIds", "privateSubnetIds"] as const) {
    const ids = network.existing?.[key];
    if (ids !== undefined && ids.length < zones)
      problems.push(
        `network.existing.${key}: names ${ids.length} subnets for ${zones} availabilityZones: one for each`,
      );
  }
  if (kafka.zones > zones)
    problems.push(
      `kafka.zones: is ${kafka.zones}, but there are ${zones} network.availabilityZones: pods would wait for more`,
    );

  const limit = mebibytes(cluster.nodePools.kafka.limits.memory);
  const brokers = kafka.brokers * (kafka.brokerSize?.memoryMiB ?? defaultMemory.broker);
  const asked = brokers + 3 * (kafka.controllerSize?.memoryMiB ?? defaultMemory.controller);
  if (limit !== undefined && asked >= limit)
    problems.push(
      `cluster.nodePools.kafka.limits.memory: ${cluster.nodePools.kafka.limits.memory} is less than ${kafka.brokers} brokers and 3 controllers need, ${asked}Mi and what their nodes keep for themselves`,
    );
  return problems;
}
