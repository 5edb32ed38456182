import { UsageError } from "../errors";
import { isObject, type Json, type JsonObject, secret, signatureKey, signedKind, unknown } from "../engine/values";

/** Deeper than anything that Pulumi writes, and far from the end of the stack. */
const deepest = 500;

/** Values of a state, in the form in which the engine gives them to policies, and the texts among them that are secret. */
export class StoredValues {
  /** Texts of all secrets that stand in clear in the state, as JSON. */
  readonly secrets: string[] = [];
  /** Whether a secret is encrypted: what policies ask of it, nobody can say. */
  hasEncrypted = false;

  read(properties: Record<string, unknown> | undefined, secretKeys: readonly string[]): JsonObject {
    const read = this.value((properties ?? {}) as JsonObject) as JsonObject;
    for (const key of secretKeys) {
      const value = read[key];
      if (value === undefined || signedKind(value) === "secret") continue;
      this.secrets.push(JSON.stringify(value));
      read[key] = secret(value);
    }
    return read;
  }

  private value(value: Json, depth = 0): Json {
    if (depth > deepest) throw new UsageError(`the state nests values more than ${deepest} deep: no Pulumi wrote that`);
    if (Array.isArray(value)) return value.map((element) => this.value(element, depth + 1));
    if (!isObject(value)) return value;
    const kind = signedKind(value);
    if (kind === "secret") return secret(this.opened(value));
    // Assets and archives have nothing that a policy could be wrong about, and resource references are turned into ids later.
    if (kind === "resource") return value;
    if (kind === "asset" || kind === "archive") return hasContent(value) ? value : null;
    // Numbers that JSON has no word for (pulumi/pulumi pkg/resource/stack/deployment.go, floatSignature), and what newer CLIs may add.
    if (signatureKey in value) return null;
    return Object.fromEntries(Object.entries(value).map(([key, element]) => [key, this.value(element, depth + 1)]));
  }

  /** `pulumi stack export` leaves secrets encrypted; with `--show-secrets` their JSON stands there. */
  private opened(stored: JsonObject): Json {
    const { plaintext } = stored;
    if (typeof plaintext !== "string") {
      this.hasEncrypted = true;
      return unknown;
    }
    this.secrets.push(plaintext);
    try {
      return this.value(JSON.parse(plaintext) as Json);
    } catch {
      return plaintext;
    }
  }
}

/** The SDK of policies refuses an asset without any (@pulumi/policy deserialize.ts). */
function hasContent(value: JsonObject): boolean {
  return ["path", "text", "uri", "assets"].some((key) => value[key] !== undefined && value[key] !== "");
}
