/** Whether an EC2 instance type has a Graviton processor: its name carries a "g" after the generation, as in m7g, c6gn and x2gd. */
export function isGraviton(instanceType: string): boolean {
  return /^[a-z]+\d+g/.test(instanceType);
}
