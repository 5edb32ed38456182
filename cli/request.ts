import type { PreviewRequest } from "./engine/preview";
import type { JsonObject } from "./engine/values";
import { UsageError } from "./errors";
import type { Project } from "./project";
import type { StackConfig } from "./stack-config";

/** What a project and the configuration of one of its stacks say about a preview. */
export function requestOf(
  project: Project,
  stack: string,
  config: StackConfig,
): Pick<PreviewRequest, "program" | "disabledProviders" | "providerConfig"> {
  return {
    program: {
      directory: project.programDirectory,
      entryPoint: project.entryPoint,
      rootDirectory: project.directory,
      project: project.name,
      stack,
      organization: "organization",
      config: config.values,
      secretKeys: config.secretKeys,
      typescript: project.typescript,
      tsconfig: project.tsconfig,
      nodeArguments: project.nodeArguments,
    },
    disabledProviders: disabledProviders(config),
    providerConfig: (pkg) => namespaceOf(config, pkg),
  };
}

/** `pulumi:disable-default-providers`: a list of packages, or `*`. */
function disabledProviders(config: StackConfig): string[] {
  const value = config.values["pulumi:disable-default-providers"];
  if (value === undefined) return [];
  try {
    const parsed: unknown = JSON.parse(value);
    if (Array.isArray(parsed) && parsed.every((p) => typeof p === "string")) return parsed;
  } catch {
    // said below
  }
  throw new UsageError(
    `pulumi:disable-default-providers must be a list of packages such as ["kubernetes"], not ${value}`,
  );
}

/** The configuration that a package's default provider gets. */
function namespaceOf(config: StackConfig, pkg: string): JsonObject {
  const prefix = `${pkg}:`;
  const own = Object.entries(config.values).filter(([key]) => key.startsWith(prefix));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]));
}
