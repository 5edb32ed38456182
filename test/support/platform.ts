import { layersOf } from "../../stacks/layers";
import { platform } from "../../stacks/platform";
import { readSettings } from "../../stacks/settings";
import { stackConfig } from "./environments";
import { answersIn, type Registration, run } from "./harness";
import { providerState } from "./provider-state";

type Config = Record<string, string>;

/**
 * What all layers of an environment register in an update in which every provider answers: in this process, with other settings or in
 * another partition if wanted.
 */
export async function registeredBy(
  environment: string,
  change: (config: Config) => Config = (config) => config,
  partition = "aws",
): Promise<readonly Registration[]> {
  const { settings } = readSettings(change(stackConfig(environment)), "moorings", environment);
  const layers = layersOf(environment, environment);
  if (typeof layers === "string") throw new Error(layers);
  const inPartition = <T>(value: T) =>
    JSON.parse(JSON.stringify(value).replaceAll("arn:aws:", `arn:${partition}:`)) as T;
  const { resources, errors } = await run(() => void platform(settings, layers), {
    project: "moorings",
    stack: environment,
    state: (resource) => inPartition(providerState(resource)),
    call: answersIn({ partition, region: settings.region }),
  });
  expect(errors).toEqual([]);
  return resources;
}
