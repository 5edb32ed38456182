import { isObject, type Json, type JsonObject, signedKind } from "../../../cli/engine/values";

/** Properties as a cloud sees them: secrets are what they hide. */
export function plain(properties: JsonObject): JsonObject {
  return reveal(properties) as JsonObject;
}

function reveal(value: Json): Json {
  if (Array.isArray(value)) return value.map(reveal);
  if (!isObject(value)) return value;
  if (signedKind(value) === "secret") return reveal(value["value"] ?? null);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, reveal(inner)]));
}

/** A value as a text; nothing for what is none. */
export function text(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
