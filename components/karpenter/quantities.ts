/** Kubernetes quantities, as the definitions write them (karpenter.sh_nodepools.yaml, `limits`), without sign. */
const pattern = /^([0-9]+(\.[0-9]*)?|\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?([0-9]+(\.[0-9]*)?|\.[0-9]+)))?$/;

/** What is wrong with a quantity, or undefined. Programs in YAML or JavaScript may pass anything. */
export function quantityProblem(quantity: string | undefined, example: string): string | undefined {
  const ok = typeof quantity === "string" && pattern.test(quantity) && Number.parseFloat(quantity) > 0;
  return ok
    ? undefined
    : `must be a Kubernetes quantity above 0 in quotes, such as "${example}", not "${quantity ?? ""}"`;
}

/** What is wrong with a threshold of eviction, or undefined. */
export function thresholdProblem(threshold: string): string | undefined {
  const percent = /^([0-9]{1,2}(\.[0-9]+)?|100)%$/.test(threshold);
  return percent || pattern.test(threshold)
    ? undefined
    : `must be a quantity or a percentage, such as "500Mi" or "10%", not "${threshold}"`;
}
