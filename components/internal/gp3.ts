/*
 * Limits of gp3 volumes since September 2025 (Amazon EBS user guide, "General Purpose SSD volumes"). The lowest are what a volume has without
 * asking, and paying, for more.
 */

/** Operations a second: of a volume, and for each GiB of its size. */
export const iops = { least: 3_000, most: 80_000, perGiB: 500 };

/** MiB a second: of a volume, and for each operation. */
export const throughput = { least: 125, most: 2_000, perOperation: 0.25 };
