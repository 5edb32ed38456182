import type { Session } from "./session";

export interface Stack {
  readonly name: string;
  readonly options: readonly string[];
}

/** The stacks of an environment in the order of creation, as docs/environments.md has them. */
export interface Platform {
  readonly environment: string;
  readonly stacks: readonly Stack[];
}

export const dev: Platform = whole("dev");
export const staging: Platform = whole("staging");
/** Its API server is private: the network comes first, for a runner inside it. */
export const prod: Platform = {
  environment: "prod",
  stacks: ["network", "cluster", "edge", "kafka"].map((layer) => ({
    name: `prod-${layer}`,
    options: ["--config-file", "Pulumi.prod.yaml"],
  })),
};

function whole(environment: string): Platform {
  return { environment, stacks: [{ name: environment, options: [] }] };
}

/** Makes the stacks, which have nothing in them yet, with test values in their settings. */
export async function initialize(session: Session, { environment, stacks }: Platform): Promise<void> {
  session.useTestValues(environment);
  for (const { name } of stacks) await session.succeed("stack", "init", name);
}
