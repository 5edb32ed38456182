import type { StateResource } from "../session";
import type { Effects } from "./effects";
import type { CodeChange } from "./project-code";

/** What somebody changes, and what must happen, written down from what AWS and Kubernetes can change in place. */
export interface Edit {
  readonly what: string;
  readonly settings?: readonly (readonly [path: readonly (string | number)[], value: unknown])[];
  readonly code?: readonly CodeChange[];
  readonly effects: Effects | ((state: readonly StateResource[]) => Effects);
}
