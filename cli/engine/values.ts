/**
 * Property values as Pulumi's engine protocol carries them: JSON, with objects that hold a signature under one key for what JSON
 * has no word for. The numbers are the protocol's own (pulumi/pulumi sdk/go/common/resource/sig).
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The key by which an object is known as a signed one. */
export const signatureKey = "4dabf18193072939515e22adb298388d";
const signatures = {
  secret: "1b47061264138c4ac30d75fd1eb44270",
  output: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  resource: "5cf8f73096256a8f31e491e813e4eb8e",
  asset: "c44067f5952c0a294b673a41bacd8c17",
  archive: "0def7320c3a5731c473e5ecbe6d01bc7",
} as const;

/** Stands for a value that is only known after an update. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Kind of a signed object, or undefined for plain JSON. */
export type SignedKind = keyof typeof signatures;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Which signed object this is. */
export function signedKind(value: Json): SignedKind | undefined {
  if (!isObject(value)) return undefined;
  const signature = value[signatureKey];
  if (signature === undefined) return undefined;
  return (Object.keys(signatures) as SignedKind[]).find((kind) => signatures[kind] === signature);
}

export function secret(value: Json): JsonObject {
  return { [signatureKey]: signatures.secret, value };
}

/** A value together with the resources that it was computed from, as transforms are given it. */
export function outputValue(value: Json, dependencies: readonly string[]): JsonObject {
  if (signedKind(value) === "output") return value as JsonObject;
  const isSecret = signedKind(value) === "secret";
  const plain = isSecret ? ((value as JsonObject)["value"] ?? null) : value;
  return {
    [signatureKey]: signatures.output,
    ...(plain === unknown ? {} : { value: plain }),
    ...(isSecret ? { secret: true } : {}),
    dependencies: [...dependencies],
  };
}

/** Applies `replace` to each signed object and each string, innermost last; what it returns undefined for is copied. */
export function rewrite(value: Json, replace: (value: Json, kind: SignedKind | undefined) => Json | undefined): Json {
  const replaced = replace(value, signedKind(value));
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((element) => rewrite(element, replace));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, rewrite(element, replace)]));
}

/**
 * Turns output values into what providers and policies see: the value, a secret, or unknown. Returns the resources that they
 * named.
 */
export function withoutOutputValues(value: Json): { value: Json; dependencies: Set<string> } {
  const dependencies = new Set<string>();
  const strip = (v: Json): Json =>
    rewrite(v, (element, kind) => {
      if (kind !== "output") return undefined;
      const output = element as JsonObject;
      for (const urn of (output["dependencies"] as string[] | undefined) ?? []) dependencies.add(urn);
      const plain = "value" in output ? strip(output["value"] ?? null) : unknown;
      return output["secret"] === true ? secret(plain) : plain;
    });
  return { value: strip(value), dependencies };
}

/**
 * What the analyzer protocol carries: a reference to a resource becomes its id (a component's, its URN), and keys that begin with
 * two underscores stay inside the engine (pulumi/pulumi sdk/go/common/resource/plugin/analyzer_plugin.go, Analyze).
 */
export function forPolicies(properties: JsonObject): JsonObject {
  const visible = (v: Json): Json =>
    rewrite(v, (element, kind) => {
      if (kind === "resource") {
        const reference = element as JsonObject;
        const id = reference["id"];
        return id === undefined ? (reference["urn"] ?? null) : id === "" ? unknown : id;
      }
      if (kind !== undefined || !isObject(element)) return undefined;
      const kept = Object.entries(element).filter(([key]) => !key.startsWith("__"));
      return Object.fromEntries(kept.map(([key, inner]) => [key, visible(inner)]));
    });
  return visible(properties) as JsonObject;
}

/** What a plan and the terminal may show: no secret, and words instead of signatures. */
export function forDisplay(value: Json): Json {
  return rewrite(value, (element, kind) => {
    if (element === unknown) return "[unknown]";
    if (typeof element === "string" && element.includes(unknown)) return element.replaceAll(unknown, "[unknown]");
    switch (kind) {
      case "secret":
        return "[secret]";
      case "output": {
        const output = element as JsonObject;
        if (output["secret"] === true) return "[secret]";
        return "value" in output ? forDisplay(output["value"] ?? null) : "[unknown]";
      }
      case "resource":
        return (element as JsonObject)["urn"] ?? null;
      case "asset":
      case "archive": {
        const { path, uri } = element as { path?: string; uri?: string };
        const source = path ?? uri;
        return source === undefined ? `[${kind}]` : `[${kind} ${source}]`;
      }
      case undefined:
        return undefined;
    }
  });
}

/**
 * The reverse of {@link forDisplay}, for outputs of a stack that are read from a plan. A secret stays a secret with its stand-in as
 * the value: an unknown one would make the SDK take all outputs of that stack for unknown.
 */
export function fromDisplay(value: Json): Json {
  return rewrite(value, (element) => {
    if (element === "[secret]") return secret(element);
    if (typeof element === "string" && element.includes("[unknown]")) return unknown;
    return undefined;
  });
}

/** Whether any part of the value is a secret. */
export function hasSecret(value: Json): boolean {
  const kind = signedKind(value);
  if (kind === "secret" || (kind === "output" && (value as JsonObject)["secret"] === true)) return true;
  if (Array.isArray(value)) return value.some(hasSecret);
  return isObject(value) && Object.values(value).some(hasSecret);
}
