import { join, resolve } from "node:path";
import { readPackConfig } from "./engine/policy-config";
import { checkPack, type PackSource } from "./engine/policy-pack";
import { UsageError } from "./errors";

/** The packs that the command line names, or the bundled one, each with its configuration. */
export function packsOf(policyPack: readonly string[], policyPackConfig: readonly string[]): PackSource[] {
  const directories = policyPack.length > 0 ? policyPack.map((d) => resolve(d)) : [join(__dirname, "..", "policy")];
  if (policyPackConfig.length > directories.length) {
    throw new UsageError(
      `there are ${policyPackConfig.length} --policy-pack-config for ${directories.length} packs: give them in the packs' order`,
    );
  }
  return directories.map((directory, i) => {
    checkPack(directory);
    const file = policyPackConfig[i];
    return { directory, config: file === undefined ? {} : readPackConfig(file) };
  });
}
