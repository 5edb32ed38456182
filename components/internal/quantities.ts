/**
 * Amounts as Kubernetes writes them, without sign (apimachinery, pkg/api/resource/quantity.go, `ParseQuantity`): a number and one of a
 * few units. Karpenter's definitions take fractions in the exponent as well, which its controller then can't read.
 */
const pattern = /^([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]+)?$/;

const decimal = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const units = new Map<string, number>([
  ["", 1],
  ...Object.entries(decimal).map(([unit, power]): [string, number] => [unit, Number(`1e${power}`)]),
  ...Object.entries(binary).map(([unit, power]): [string, number] => [unit, 2 ** power]),
]);

interface Quantity {
  /** In CPUs or bytes. */
  readonly amount: number;
  readonly unit: string;
}

/** Programs in YAML or JavaScript may pass anything. */
function read(quantity: unknown): Quantity | undefined {
  const [, number, unit = ""] = (typeof quantity === "string" && pattern.exec(quantity)) || [];
  if (number === undefined) return undefined;
  return { amount: Number(number) * (units.get(unit) ?? Number(`1${unit}`)), unit };
}

/** A quantity as a number, to compare it; undefined if it is none. */
export function amountOf(quantity: string): number | undefined {
  return read(quantity)?.amount;
}

/** What is wrong with a quantity, or undefined. */
export function quantityProblem(quantity: string | undefined, example: string): string | undefined {
  if (quantity === undefined) return `is missing: write a Kubernetes quantity in quotes, such as "${example}"`;
  return (read(quantity)?.amount ?? 0) > 0
    ? undefined
    : `must be a Kubernetes quantity above 0 in quotes, such as "${example}", not "${quantity}"`;
}

/** What is wrong with the CPU of a container, or undefined. With a unit of memory it would ask for millions of CPUs. */
export function cpuProblem(cpu: string): string | undefined {
  const known = read(cpu);
  return known !== undefined && known.amount > 0 && ["", "m"].includes(known.unit)
    ? undefined
    : `must be an amount of CPU such as "500m" or "2", not "${cpu}"`;
}

/** What is wrong with the memory of a container, or undefined. With a small m it would be thousandths of bytes. */
export function memoryProblem(memory: string): string | undefined {
  const known = read(memory);
  return known !== undefined && known.amount > 0 && !["n", "u", "m"].includes(known.unit)
    ? undefined
    : `must be an amount of memory such as "256Mi" or "2Gi", not "${memory}"`;
}
