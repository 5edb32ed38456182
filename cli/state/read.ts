import { readFileSync } from "node:fs";
import { blank } from "../engine/registry";
import type { ResourceRecord } from "../engine/records";
import { describe, isProviderType, nameOf, urnOfReference } from "../engine/urn";
import type { Json, JsonObject } from "../engine/values";
import { isObject } from "../engine/values";
import { messageOf, UsageError } from "../errors";
import { type Exported, exportedSchema, type Stored } from "./schema";
import { StoredValues } from "./values";

/** A stack as it was exported. */
export interface StoredStack {
  readonly project: string;
  readonly stack: string;
  /** What exists: resources that only wait for their deletion aren't here. */
  readonly resources: readonly ResourceRecord[];
  /** Texts that must not be shown, as JSON. */
  readonly secrets: readonly string[];
  /** What a reader should know of this state. */
  readonly notes: readonly string[];
}

const howTo = "write one with: pulumi stack export --file stack.json";

/** Features of version 4, none of which changes what policies see (pulumi/pulumi pkg/resource/stack/deployment.go). */
const features = new Set(["refreshBeforeUpdate", "views", "hooks", "taint", "replaceWith", "snippets-prototype"]);

/** The text of a file, or of standard input where its name is "-". */
export async function textOf(file: string, input: AsyncIterable<Buffer | string>): Promise<string> {
  try {
    if (file !== "-") return readFileSync(file, "utf8");
    const chunks: Buffer[] = [];
    for await (const chunk of input) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${messageOf(error)}`);
  }
}

/** Reads what `pulumi stack export` wrote. */
export async function readState(file: string, text: string): Promise<StoredStack> {
  const exported = await checked(file, text);
  const stored = exported.deployment.resources ?? [];
  const existing = stored.filter((r) => r.delete !== true);
  checkTree(file, existing);

  const values = new StoredValues();
  const resources = existing.map((r) => recordOf(r, values));
  const [, , stack = "", project = ""] = /^(urn:pulumi):([^:]*)::([^:]*)::/.exec(existing[0]?.urn ?? "") ?? [];
  const pending = exported.deployment.pending_operations ?? [];
  const deleted = stored.length - existing.length;
  return {
    project,
    stack,
    resources,
    secrets: values.secrets,
    notes: [
      ...(existing.length === 0 ? ["the state holds no resource"] : []),
      ...(deleted === 0 ? [] : [`left out: ${deleted} replaced by others and waiting for deletion`]),
      ...pending.map(
        ({ type, resource: { urn } }) =>
          `an update was interrupted while ${type} ${describe(urn)}: what came of it isn't in this state, "pulumi refresh" brings it in`,
      ),
      ...(values.hasEncrypted
        ? [
            'secrets in the state are encrypted: a policy that asks for one gives up there; "pulumi stack export --show-secrets" has them, and they are never printed',
          ]
        : []),
    ],
  };
}

async function checked(file: string, text: string): Promise<Exported> {
  let parsed: Json;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, "")) as Json; // PowerShell begins files with this mark
  } catch (error) {
    // The message of the parser quotes the text around the fault, which may be a secret.
    const [at = "it may be cut off"] = /at position \d+|Unexpected end of JSON input/.exec(messageOf(error)) ?? [];
    throw new UsageError(`${file} isn't JSON (${at}): ${howTo}`);
  }
  if (!isObject(parsed)) throw new UsageError(`${file} must hold a JSON object: ${howTo}`);
  if ("checkpoint" in parsed)
    throw new UsageError(`${file} is a file of the backend itself, not an exported stack: ${howTo}`);
  checkVersion(file, parsed);
  const { Ajv } = await import("ajv");
  const validate = new Ajv({ strict: false }).compile(exportedSchema);
  if (!validate(parsed)) {
    const [first] = validate.errors ?? [];
    const where = first?.instancePath.slice(1).replaceAll("/", ".") ?? "";
    throw new UsageError(
      `${file} isn't an exported stack: ${where === "" ? "it" : where} ${first?.message ?? "is wrong"}; ${howTo}`,
    );
  }
  return parsed as unknown as Exported;
}

function checkVersion(file: string, parsed: JsonObject): void {
  const { version } = parsed;
  if (version === 1 || version === 2)
    throw new UsageError(
      `${file} has deployment version ${version}, of CLIs before 2019: run "pulumi refresh" or any update with a current CLI, then export again`,
    );
  if (version !== 3 && version !== 4)
    throw new UsageError(
      typeof version === "number"
        ? `${file} has deployment version ${version}, and this check reads 3 and 4: use a newer release of Moorings`
        : `${file} isn't an exported stack (no version): ${howTo}`,
    );
  const named = Array.isArray(parsed["features"]) ? parsed["features"] : [];
  const unread = named.filter((feature) => typeof feature !== "string" || !features.has(feature));
  if (version === 4 && unread.length > 0)
    throw new UsageError(
      `${file} needs ${unread.map(String).join(", ")}, which this check doesn't know: use a newer release of Moorings, or "pulumi policy analyze"`,
    );
}

/** Each resource once, and each with an end to its parents: policies go up along them. */
function checkTree(file: string, resources: readonly Stored[]): void {
  const parents = new Map<string, string>();
  for (const { urn, parent } of resources) {
    if (parents.has(urn))
      throw new UsageError(`${file} holds ${describe(urn)} twice: repair the stack with "pulumi state repair"`);
    parents.set(urn, parent ?? "");
  }
  const ending = new Set<string>();
  for (const { urn } of resources) {
    const path = new Set<string>();
    for (let at = urn; at !== "" && !ending.has(at); at = parents.get(at) ?? "") {
      if (path.has(at))
        throw new UsageError(`${file}: ${describe(at)} is its own ancestor: repair it with "pulumi state repair"`);
      path.add(at);
    }
    path.forEach((passed) => ending.add(passed));
  }
}

function recordOf(stored: Stored, values: StoredValues): ResourceRecord {
  const secretOutputs = stored.additionalSecretOutputs ?? [];
  return {
    ...blank,
    urn: stored.urn,
    type: stored.type,
    name: nameOf(stored.urn),
    custom: stored.custom ?? false,
    external: stored.external ?? false,
    parent: stored.parent ?? "",
    provider: isProviderType(stored.type) ? "" : urnOfReference(stored.provider ?? ""),
    inputs: values.read(stored.inputs, secretOutputs),
    outputs: values.read(stored.outputs, secretOutputs),
    dependencies: stored.dependencies ?? [],
    propertyDependencies: Object.fromEntries(
      Object.entries(stored.propertyDependencies ?? {}).map(([key, urns]) => [key, urns ?? []]),
    ),
    protect: stored.protect ?? false,
    retainOnDelete: stored.retainOnDelete ?? false,
    aliases: stored.aliases ?? [],
    ignoreChanges: stored.ignoreChanges ?? [],
    replaceOnChanges: stored.replaceOnChanges ?? [],
    deletedWith: stored.deletedWith ?? "",
    additionalSecretOutputs: secretOutputs,
    customTimeouts: Object.fromEntries(
      Object.entries(stored.customTimeouts ?? {}).map(([key, seconds]) => [key, `${seconds}s`]),
    ),
  };
}
