import type { Problems } from "../internal/validate";
import type { KafkaClusterArgs } from "./kafka-cluster-args";
import type { KafkaQuotas, KafkaSize } from "./operation-args";

/*
 * What follows from messages a second, their size and how long they are kept. docs/kafka.md shows the arithmetic with an example.
 */

/** Sizes that follow from the plan. */
export interface Sizes {
  readonly storageGiB: number;
  readonly memoryMiB: number;
  readonly quotas: KafkaQuotas;
}

/** Parts of a volume that are meant to be used: only whole files are deleted, and a full volume stops its broker. */
const usedShare = 0.7;

/** Seconds of writing that stay in memory, so that followers and consumers that keep up read nothing from the volume. */
const cachedSeconds = 300;

/** What Java takes beside its heap. */
const besidesHeapMiB = 512;

const smallest = { storageGiB: 10, memoryMiB: 2048 };
const gibi = 1024 ** 3;
const mebi = 1024 ** 2;

/** `heapOf` is how much of a pod's memory becomes heap. */
export function sizesOf(
  size: KafkaSize,
  brokers: number,
  copies: number,
  heapOf: (memoryMiB: number) => number,
): Sizes {
  const bytesPerSecond = size.messagesPerSecond * size.averageMessageBytes;
  const writtenPerBroker = (bytesPerSecond * copies) / brokers;
  const stored = writtenPerBroker * size.retentionHours * 3600;
  const cachedMiB = Math.ceil((writtenPerBroker * cachedSeconds) / mebi);
  const needed = cachedMiB + besidesHeapMiB;
  // The heap is half until it is as large as it gets.
  const halves = roundedUp(2 * needed, 256);
  const memoryMiB =
    halves - heapOf(halves) >= needed && heapOf(halves) * 2 === halves
      ? halves
      : roundedUp(needed + heapOf(Infinity), 256);
  return {
    storageGiB: Math.max(smallest.storageGiB, Math.ceil(stored / usedShare / gibi)),
    memoryMiB: Math.max(smallest.memoryMiB, memoryMiB),
    // All of it through one broker is more than any client has: whoever needs more isn't in the plan, and would fill the volumes early.
    quotas: { producerBytesPerSecond: Math.ceil(bytesPerSecond) },
  };
}

const roundedUp = (value: number, step: number) => Math.ceil(value / step) * step;

/** Checks what sizes follow from. */
export function sizeProblems(
  problems: Problems,
  args: Pick<KafkaClusterArgs, "size" | "configuration" | "quotas">,
): void {
  const amount = (path: string, value: number | undefined, most: number, whole: boolean) =>
    problems.unless(
      value === undefined || (value > 0 && value <= most && (!whole || Number.isInteger(value))),
      path,
      `must be a ${whole ? "whole " : ""}number above 0, at most ${most}, not ${value ?? ""}`,
    );
  const { size, quotas = {} } = args;
  amount("size.messagesPerSecond", size?.messagesPerSecond, 10_000_000, false);
  amount("size.averageMessageBytes", size?.averageMessageBytes, 100_000_000, false);
  amount("size.retentionHours", size?.retentionHours, 87_600, true);
  amount("quotas.producerBytesPerSecond", quotas.producerBytesPerSecond, 1e11, true);
  amount("quotas.consumerBytesPerSecond", quotas.consumerBytesPerSecond, 1e11, true);
  amount("quotas.requestPercent", quotas.requestPercent, 20_000, true);
  const written = args.configuration?.retentionHours;
  problems.unless(
    size === undefined || written === undefined || written === size.retentionHours,
    "configuration.retentionHours",
    `is ${written ?? ""}, and size.retentionHours ${size?.retentionHours ?? ""}: leave it out, or the volumes don't fit`,
  );
}
