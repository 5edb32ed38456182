import { vpcBlockProblem } from "../subnets";
import type { Settings } from "./schema";

/** Amounts of memory in MiB, as Kubernetes writes them; undefined for other forms, which the component judges. */
function mebibytes(quantity: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(Mi|Gi|Ti)$/.exec(quantity) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * { Mi: 1, Gi: 1024, Ti: 1024 * 1024 }[unit as "Mi" | "Gi" | "Ti"];
}

/** Amounts of CPU in thousandths. */
function millicores(quantity: string): number {
  return quantity.endsWith("m") ? Number(quantity.slice(0, -1)) : Number(quantity) * 1000;
}

/** What doesn't fit together although each key by itself is right. Found late, most of these are pods that wait for half an hour. */
export function inconsistencies(settings: Settings): string[] {
  const { network, cluster, kafka, region } = settings;
  const problems: string[] = [];
  const elsewhere = network.availabilityZones.filter((zone) => !zone.startsWith(region));
  if (elsewhere.length > 0)
    problems.push(`network.availabilityZones: ${elsewhere.join(", ")} isn't in aws:region (${region})`);

  const block = network.cidrBlock === undefined ? undefined : vpcBlockProblem(network.cidrBlock);
  if (block !== undefined) problems.push(`network.cidrBlock: ${block}`);

  const certificateRegion = settings.edge.certificateArn?.split(":")[3];
  if (certificateRegion !== undefined && certificateRegion !== "" && certificateRegion !== region)
    problems.push(
      `edge.certificateArn: is a certificate of ${certificateRegion}; a load balancer takes those of its own region (${region})`,
    );

  const zones = network.availabilityZones.length;
  if (new Set(network.availabilityZones).size < zones)
    problems.push("network.availabilityZones: names a zone twice: leave one out");
  for (const key of ["publicSubnetIds", "privateSubnetIds"] as const) {
    const ids = new Set(network.existing?.[key]);
    if (network.existing !== undefined && ids.size < zones)
      problems.push(
        `network.existing.${key}: names ${ids.size} different subnets for ${zones} availabilityZones: one for each`,
      );
  }
  if (kafka.zones > zones)
    problems.push(
      `kafka.zones: is ${kafka.zones}, but there are ${zones} network.availabilityZones: pods would wait for more`,
    );

  const { cpu, memory } = cluster.nodePools.kafka.limits;
  const { brokers, brokerSize, controllerSize } = kafka;
  const sum = (of: (size: typeof brokerSize) => number) => brokers * of(brokerSize) + 3 * of(controllerSize);
  const needs = `less than ${brokers} brokers and 3 controllers need`;
  const [memoryLimit, asked] = [mebibytes(memory), sum((size) => size.memoryMiB)];
  if (memoryLimit !== undefined && asked >= memoryLimit)
    problems.push(
      `cluster.nodePools.kafka.limits.memory: ${memory} is ${needs}, ${asked}Mi and what their nodes keep for themselves`,
    );
  const askedCpu = sum((size) => millicores(size.cpu));
  if (askedCpu >= millicores(cpu))
    problems.push(
      `cluster.nodePools.kafka.limits.cpu: ${cpu} is ${needs}, ${askedCpu}m and what their nodes keep for themselves`,
    );
  return problems;
}
