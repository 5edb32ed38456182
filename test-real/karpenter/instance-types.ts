/*
 * What simulated nodes there are, as Karpenter's provider for kwok reads them (kwok/cloudprovider/helpers.go of sigs.k8s.io/karpenter): four
 * sizes in three zones. A node keeps 100m of its CPU for itself. Prices grow a little slower than sizes, as if only whole sizes were made:
 * moving pods together pays.
 */

/** Zones of the simulated region. */
export const zones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"];

/** Hourly price by number of CPUs. */
const prices: Readonly<Record<number, number>> = { 2: 0.1, 4: 0.18, 8: 0.33, 16: 0.6 };

/** The instance types, for the file that `INSTANCE_TYPES_FILE_PATH` names. Keys are spelt as Go reads them. */
export function instanceTypes(): object[] {
  const isIn = (key: string, value: string) => ({ key, operator: "In", values: [value] });
  return Object.entries(prices).map(([cpus, price]) => ({
    name: `m-${cpus}x-amd64-linux`,
    architecture: "amd64",
    operatingSystems: ["linux"],
    resources: { cpu: cpus, memory: `${Number(cpus) * 4}Gi`, "ephemeral-storage": "50Gi", pods: "58" },
    offerings: zones.map((zone) => ({
      Price: price,
      Available: true,
      Requirements: [isIn("karpenter.sh/capacity-type", "on-demand"), isIn("topology.kubernetes.io/zone", zone)],
    })),
  }));
}
