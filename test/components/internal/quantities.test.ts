import { amountOf, cpuProblem, memoryProblem, quantityProblem } from "../../../components/internal/quantities";

// apimachinery v0.36.3, pkg/api/resource/quantity.go: `ParseQuantity`.
describe("quantities", () => {
  test.each([
    ["2", 2],
    ["2.", 2],
    [".5", 0.5],
    ["250m", 0.25],
    ["1k", 1000],
    ["256Mi", 268_435_456],
    ["1Gi", 1_073_741_824],
    ["1.5Gi", 1_610_612_736],
    ["1G", 1_000_000_000],
    ["1E", 1e18],
    ["1E2", 100],
    ["1e-3", 0.001],
    ["0", 0],
  ])("%s is %d", (quantity, amount) => expect(amountOf(quantity)).toBe(amount));

  test.each([
    "",
    ".",
    "1.2.3",
    "256MB",
    "0.25 cores",
    "-1",
    "+1",
    "1 Gi",
    "1gi",
    "1K",
    "1ki",
    "1e",
    "1e1.5",
    "Mi",
    "1\n",
  ])("%j is none", (quantity) => {
    expect(amountOf(quantity)).toBeUndefined();
    expect(quantityProblem(quantity, "200")).toContain(`such as "200", not "${quantity}"`);
    expect(cpuProblem(quantity)).toContain(`not "${quantity}"`);
    expect(memoryProblem(quantity)).toContain(`not "${quantity}"`);
  });

  test("a container needs some, in units of its kind", () => {
    for (const cpu of ["500m", "2", "0.5"]) expect(cpuProblem(cpu)).toBeUndefined();
    for (const cpu of ["0", "0m", "128Mi", "1k", 1 as unknown as string])
      expect(cpuProblem(cpu)).toContain('such as "500m" or "2"');
    for (const memory of ["256Mi", "2Gi", "1G", "268435456", "1e9"]) expect(memoryProblem(memory)).toBeUndefined();
    for (const memory of ["0", "0Mi", "256m", "1u"]) expect(memoryProblem(memory)).toContain('such as "256Mi"');
    expect(quantityProblem("1n", "1")).toBeUndefined();
    expect(quantityProblem("0.0", "1")).toContain("above 0");
  });
});
