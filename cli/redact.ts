import type { Recording, ResourceRecord } from "./engine/records";
import { type Json, type JsonObject, rewrite, unknown } from "./engine/values";
import { encryptedPlaceholder, type StackConfig } from "./stack-config";

const shown = "[secret]";

/** Takes the values of secret configuration out, also where the program read them as plain text or printed them. */
export function withoutSecrets(recording: Recording, config: StackConfig): Recording {
  return without(
    recording,
    config.secretKeys.map((key) => config.values[key] ?? ""),
  );
}

/**
 * Takes secrets, and the texts in those that are JSON, out of everything that is shown or written. Short values and booleans stay, or half of any text would go: the rule is the Pulumi CLI's
 * (pulumi/pulumi sdk/go/common/util/logging, CreateFilter).
 */
export function without(recording: Recording, hidden: readonly string[]): Recording {
  const secrets = hidden.flatMap(secretTexts);
  if (secrets.length === 0) return recording;
  const escaped = secrets
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp([...new Set(escaped)].join("|"), "g");

  // The sentinel for an unknown value must stay whole, and what is marked already isn't shown.
  const text = (s: string) =>
    s
      .split(unknown)
      .map((part) => part.replace(pattern, shown))
      .join(unknown);
  const parts = partsHidden(secrets);
  const values = (object: JsonObject) =>
    rewrite(object, (element: Json, kind) => {
      if (kind !== undefined) return element;
      return typeof element === "string" ? text(element) : undefined;
    }) as JsonObject;
  const resource = (r: ResourceRecord) => ({ ...r, inputs: values(r.inputs), outputs: values(r.outputs) });
  return {
    ...recording,
    resources: recording.resources.map(resource),
    outputs: values(recording.outputs),
    violations: recording.violations.map((v) => ({ ...v, message: parts(text(v.message)) })),
    diagnostics: recording.diagnostics.map((d) => ({ ...d, message: parts(text(d.message)) })),
    failure: recording.failure === undefined ? undefined : text(recording.failure),
  };
}

/**
 * Takes out what a policy quotes of a secret without quoting all of it: the address in `10.0.1.17:8080` or in a template, a host, a URL without
 * its query. Words with a digit, a dot, a slash or the like are such parts; plain words are in too many texts.
 */
function partsHidden(secrets: readonly string[]): (message: string) => string {
  const all = secrets.join("\n");
  const answers = new Map<string, boolean>();
  const isPart = (word: string) => {
    const answer = answers.get(word) ?? (word.length >= 6 && /[\d.:/@]/.test(word) && all.includes(word));
    answers.set(word, answer);
    return answer;
  };
  return (message) =>
    message.replace(/[^\s"'`,;()[\]{}<>]+/g, (run) => {
      const word = run.replace(/[.:?!]+$/, ""); // the end of a sentence
      return isPart(word) ? `${shown}${run.slice(word.length)}` : run;
    });
}

/** A value and, where it is an object or a list, the texts in it. */
function secretTexts(value: string): string[] {
  const texts: string[] = [];
  const add = (text: string) => texts.push(text, text.replace(/\?.*$/s, "")); // a URL is named without its query
  add(value);
  try {
    const parsed = JSON.parse(value) as Json;
    rewrite(parsed, (element) => {
      if (typeof element === "string") add(element);
      return undefined;
    });
  } catch {
    // no JSON: a plain text
  }
  return texts.filter((t) => t.length >= 3 && !/^(true|false)$/i.test(t) && t !== encryptedPlaceholder);
}
