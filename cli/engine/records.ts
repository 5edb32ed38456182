import type { JsonObject } from "./values";

/** One resource that a program registered or read, with everything the engine was told. */
export interface ResourceRecord {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  /** A component that a provider plugin would construct: its children can't be seen offline. */
  readonly remote: boolean;
  /** Made by the engine because no provider was given. */
  readonly defaultProvider: boolean;
  /** Read, not managed (`Resource.get`, `StackReference`). */
  readonly external: boolean;
  readonly parent: string;
  /** URN of the provider. Empty for components and for providers. */
  readonly provider: string;
  inputs: JsonObject;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly aliases: readonly string[];
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly deleteBeforeReplace: boolean | undefined;
  readonly deletedWith: string;
  readonly additionalSecretOutputs: readonly string[];
  readonly customTimeouts: Readonly<Record<string, string>>;
  outputs: JsonObject;
}

export type Enforcement = "advisory" | "mandatory" | "disabled" | "remediate";

/** One violation, as a policy pack reported it. */
export interface Violation {
  readonly pack: string;
  readonly policy: string;
  readonly urn: string;
  readonly enforcement: Enforcement;
  readonly severity: string;
  readonly message: string;
  /** What the policy says to do instead, and where to read more; empty where its author wrote nothing. */
  readonly remediation: string;
  readonly url: string;
}

/** A pack that ran. */
export interface PackSummary {
  readonly name: string;
  readonly policies: number;
  /** How many of them its configuration has turned off. */
  readonly disabled: number;
}

/** One resource whose inputs a policy changed. */
export interface Remediation {
  readonly pack: string;
  readonly policy: string;
  readonly urn: string;
}

export type DiagnosticSeverity = "debug" | "info" | "warning" | "error";

/** Something that the program, or the engine, said. */
export interface Diagnostic {
  readonly severity: DiagnosticSeverity;
  readonly urn: string;
  readonly message: string;
}

/** Everything that one preview found. */
export interface Recording {
  readonly project: string;
  readonly stack: string;
  readonly resources: readonly ResourceRecord[];
  readonly violations: readonly Violation[];
  readonly remediations: readonly Remediation[];
  readonly packs: readonly PackSummary[];
  readonly diagnostics: readonly Diagnostic[];
  readonly outputs: JsonObject;
  /** Why the program failed, if it did. */
  readonly failure: string | undefined;
  readonly timing: { readonly programMs: number; readonly policyMs: number };
}
