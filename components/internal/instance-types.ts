/** Whether it can be an EC2 instance type: a family and a size, as in m7i.large. */
export function isInstanceType(text: string): boolean {
  return /^[a-z][a-z0-9-]*\.[a-z0-9-]+$/.test(text);
}

/** Whether an EC2 instance type has a Graviton processor: its name carries a "g" after the generation, as in m7g, c6gn and x2gd. */
export function isGraviton(instanceType: string): boolean {
  return /^[a-z]+\d+g/.test(instanceType);
}
