/** Layers of the platform in the order of creation: each builds on those before it. */
export const layerNames = ["network", "cluster", "edge", "kafka"] as const;

/** One layer of the platform. */
export type Layer = (typeof layerNames)[number];

/**
 * The layers that a stack makes: all for the stack of an environment, one for a stack `<environment>-<layer>`. Only the stack's name
 * decides: with a switch in the settings one update could delete the layers that it leaves out.
 *
 * @returns what is wrong with the name, if it is neither.
 */
export function layersOf(stack: string, environment: string): ReadonlySet<Layer> | string {
  if (stack === environment) return new Set(layerNames);
  const layer = layerNames.find((name) => stack === `${environment}-${name}`);
  if (layer !== undefined) return new Set([layer]);
  const names = layerNames.map((name) => `${environment}-${name}`).join(", ");
  return `is ${environment}, but the stack is called ${stack}: these are the settings of ${environment}, ${names}`;
}
