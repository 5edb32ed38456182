import * as code from "./code";
import { daily } from "./daily";
import type { Edit } from "./edit";
import { seldom } from "./seldom";

/** What dev is like before the edits: whatever they upgrade is one version behind. */
export const before: Pick<Edit, "settings" | "code"> = {
  settings: [[["moorings:cluster", "kubernetesVersion"], "1.35"]],
  code: code.olderKarpenter,
};

/**
 * Edits that are made and deployed together, so that the whole takes a minute. Within a group each resource belongs to one edit, and
 * nothing but the sum of the effects may happen.
 */
export const groups: Readonly<Record<string, readonly Edit[]>> = { ...daily, ...seldom };
