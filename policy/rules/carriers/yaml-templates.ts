import { addressIn } from "../../lib/addresses";
import { isUnknown, type Unknown } from "../../lib/known";
import { isNamed } from "../targets/target-fields";
import type { Parameters, TemplateTarget } from "./template-target";

/** A value in YAML, on its own line or the next, with an anchor or a tag before it. */
const value = "[ \\t]*(?![ \\t])(?:[>|][-+\\d]*)?\\s*(?!\\s)(?:[&!][\\w!]+[ \\t]+)?[\"']?([^\\s\"',}\\]#]+)";
const key = (name: string) => `["']?\\b${name}["']?[ \\t]*:`;

const groupLine =
  /^([ \t]*)(?![ \t])(?:-[ \t]+(?![ \t]))?(["']?Type["']?[ \t]*:)?.*\bAWS::(?:ElasticLoadBalancingV2|VpcLattice)::TargetGroup\b/i;
const manifest = new RegExp(`${key("kind")}[ \\t]*["']?Endpoint(?:s|Slice)(?:List)?\\b`);

/**
 * The addresses that a text registers, which is YAML: a CloudFormation template or Kubernetes manifests. By its shape, for a policy pack has
 * no YAML library: nothing else in the description of a target group is an `Id`, and nothing else in endpoints an address.
 */
export function readYaml(text: string, at: string, parameters: Parameters): (TemplateTarget | Unknown)[] {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/(^|\s)#[^]*/, ""));
  const groups = lines.flatMap((line, i) => {
    const group = groupLine.exec(line);
    if (group === null) return [];
    const indent = group[1]!.length;
    const block =
      group[2] === undefined
        ? blockAround(["", line, ...lines.slice(i + 1)], 1, indent + 1)
        : blockAround(lines, i, indent);
    return groupTargets(block, lines, `${at}, line ${i + 1}`, parameters);
  });
  const documents = text.split(/^---.*$/m).filter((document) => manifest.test(document));
  return [...groups, ...documents.flatMap((document) => addressesOf(document, at))];
}

/** The lines around one that belong to the same mapping: all until one that is less indented, or nothing but the line itself is. */
function blockAround(lines: readonly string[], at: number, indent: number): string {
  const outside = (line: string | undefined) =>
    line === undefined || (line.trim() !== "" && line.length - line.trimStart().length < indent);
  let [first, last] = [at, at];
  while (!outside(lines[first - 1])) first--;
  while (!outside(lines[last + 1])) last++;
  return lines.slice(first, last + 1).join("\n");
}

function groupTargets(
  block: string,
  lines: readonly string[],
  at: string,
  parameters: Parameters,
): (TemplateTarget | Unknown)[] {
  const ip = new RegExp(`${key("(?:TargetType|Type)")}[ \\t]*["']?ip\\b`, "i").test(block);
  const targets = new RegExp(`${key("Targets")}([^]*)`, "i").exec(block)?.[1];
  if (targets === undefined) return [];
  return [...targets.matchAll(new RegExp(`${key("Id")}${value}`, "gi"))].flatMap(
    ([whole, id], i): (TemplateTarget | Unknown)[] => {
      const path = `${at}: Targets[${i}].Id`;
      const address = addressIn(id!);
      if (address !== undefined) return [{ path, address }];
      if (isNamed(id!)) return [];
      const parameter = /(?:!Ref\s+|Ref["']?\s*:\s*)["']?(\w+)/.exec(whole + rest(targets, whole))?.[1];
      const given = parameter === undefined ? undefined : (parameters.get(parameter) ?? defaultOf(parameter, lines));
      if (isUnknown(given)) return [given];
      const stands = typeof given === "string" ? addressIn(given) : undefined;
      return stands !== undefined || ip ? [{ path, address: stands }] : [];
    },
  );
}

/** The line after a match. */
function rest(text: string, match: string): string {
  return text.slice(text.indexOf(match) + match.length).split("\n")[0]!;
}

/** The default of a template's parameter. */
function defaultOf(parameter: string, lines: readonly string[]): string | undefined {
  const declared = new RegExp(`^\\s+["']?${parameter}["']?\\s*:`);
  const at = lines.findIndex((line) => declared.test(line));
  if (at < 0) return undefined;
  const indent = lines[at]!.length - lines[at]!.trimStart().length;
  return new RegExp(`${key("Default")}${value}`).exec(blockAround(lines.slice(at + 1), 0, indent + 1))?.[1];
}

function addressesOf(document: string, at: string): TemplateTarget[] {
  const tokens = document.split(/[\s"',[\]{}]+|-\s/);
  return tokens.flatMap((token) => {
    const address = /[.:]/.test(token) ? addressIn(token) : undefined;
    return address === undefined ? [] : [{ path: at, address }];
  });
}
