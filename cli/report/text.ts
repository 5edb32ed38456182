import type { Comparison } from "../compare";
import type { Diagnostic, Recording, Violation } from "../engine/records";
import { describe } from "../engine/urn";
import type { Json } from "../engine/values";
import type { Plan } from "../plan";
import { colors } from "./colors";
import { countsOf, isDefaultProvider, treeOf } from "./tree";

/** The tree of resources with type and name in columns. */
export function treeText(plan: Plan): string {
  const lines = treeOf(plan.resources);
  const width = Math.max(4, ...lines.map((l) => l.prefix.length + l.resource.type.length));
  const header = colors.bold(`     ${"Type".padEnd(width)}  Name`);
  const rows = lines.map(({ resource, prefix }) => {
    const note = resource.remote ? colors.yellow("  closed box") : resource.protect ? colors.dim("  protected") : "";
    const sign = resource.external ? ">" : "+";
    return ` ${colors.green(sign)}   ${(prefix + resource.type).padEnd(width)}  ${resource.name}${note}`;
  });
  return [header, ...rows].join("\n");
}

/** How many of each type. */
export function countsText(plan: Plan): string {
  const counts = countsOf(plan.resources.filter((r) => !r.external));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const width = String(Math.max(0, ...counts.map(([, count]) => count))).length;
  const rows = counts.map(([type, count]) => `    ${String(count).padStart(width)}  ${type}`);
  return [colors.bold(`Resources: ${total} to create`), ...rows].join("\n");
}

/** One rule and everything that breaks it: the rule's own words once, then where, then what to write instead. */
function ruleText(violations: readonly Violation[]): string {
  const [first] = violations;
  if (first === undefined) return "";
  const level = first.enforcement === "mandatory" ? colors.red("[mandatory]") : colors.yellow(`[${first.enforcement}]`);
  const severity = first.severity === "" ? "" : `  ${first.severity}`;
  const description = commonStart(violations.map((v) => v.message.trim().split("\n")));
  const places = violations.flatMap((v) => [
    `    ${describe(v.urn)}`,
    ...v.message
      .trim()
      .split("\n")
      .slice(description.length)
      .map((line) => `        ${line}`),
  ]);
  const instead =
    first.remediation === ""
      ? []
      : [
          "",
          "Instead:",
          ...first.remediation
            .trim()
            .split("\n")
            .map((l) => `  ${l}`),
        ];
  const more = first.url === "" ? [] : [`More: ${first.url}`];
  const indent = (lines: readonly string[]) => lines.map((line) => (line.trim() === "" ? "" : `    ${line}`));
  return [
    `  ${level} ${colors.bold(first.policy)}  (${first.pack})${severity}`,
    ...indent(description),
    ...places,
    ...indent(instead),
    ...indent(more),
    "",
  ].join("\n");
}

/** Leading lines that all messages share: a policy's description, which the SDK puts before each violation. */
function commonStart(messages: readonly string[][]): string[] {
  const [first = []] = messages;
  if (messages.length === 1) return first.length > 1 ? first.slice(0, 1) : [];
  const end = first.findIndex((line, i) => messages.some((m) => m[i] !== line));
  return end === -1 ? first.slice(0, -1) : first.slice(0, end);
}

/** Violations of one rule at one level belong together. */
function byRule(violations: readonly Violation[]): Violation[][] {
  const groups = new Map<string, Violation[]>();
  for (const v of violations) {
    const key = `${v.enforcement === "mandatory" ? 0 : 1} ${v.pack} ${v.policy} ${v.enforcement}`;
    groups.set(key, [...(groups.get(key) ?? []), v]);
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([, group]) => group);
}

/** The verdict of all packs. */
export function policiesText(plan: Plan, recording: Recording): string {
  const { policies } = plan;
  const off = (disabled: number) => (disabled === 0 ? "" : `, ${disabled} disabled`);
  const ran =
    recording.packs.map((p) => `${p.name} (${p.policies} policies${off(p.disabled)})`).join(", ") || "no pack";
  const mandatory = policies.filter((v) => v.enforcement === "mandatory").length;
  const rest = policies.length - mandatory;
  const verdict =
    policies.length === 0
      ? colors.green("no violation")
      : `${plural(mandatory, "mandatory violation")}, ${rest} advisory`;
  const changed = [...recording.remediations]
    .sort((a, b) => a.urn.localeCompare(b.urn))
    .map((r) => `  ${colors.yellow("[remediated]")} ${r.policy} changed ${describe(r.urn)}`);
  return [colors.bold(`Policies: ${ran}: `) + verdict, ...byRule(policies).map(ruleText), ...changed].join("\n");
}

/** What the check couldn't look into. */
export function closedBoxesText(plan: Plan, recording: Recording): string {
  if (plan.closedBoxes.length === 0) return "";
  const checked = recording.packs.reduce((sum, p) => sum + p.policies - p.disabled, 0);
  return [
    colors.bold(`Closed boxes: ${plural(plan.closedBoxes.length, "remote component")}`),
    ...plan.closedBoxes.map((urn) => `    ${describe(urn)}`),
    `  Provider plugins make what is inside, so only "pulumi preview" sees it. Their arguments were checked by ${plural(checked, "policy", "policies")}.`,
  ].join("\n");
}

/** Warnings, errors and what the program printed. */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  const shown = diagnostics.filter((d) => d.severity !== "debug");
  if (shown.length === 0) return "";
  const lines = shown.map((d) => {
    const where = d.urn === "" ? "" : `${describe(d.urn)}: `;
    return `  ${d.severity.padEnd(7)} ${where}${d.message.trim().replaceAll("\n", "\n          ")}`;
  });
  return [colors.bold("Diagnostics:"), ...lines].join("\n");
}

/** Longest text of an output that is shown whole: a document of thousands of characters would hide the verdict below it. */
const longestOutputText = 200;

/** Outputs of the stack, with long texts cut: `--json` writes all of them. */
export function outputsText(plan: Plan): string {
  const entries = Object.entries(plan.outputs);
  if (entries.length === 0) return "";
  const width = Math.max(...entries.map(([key]) => key.length));
  return [colors.bold("Outputs:"), ...entries.map(([key, v]) => `    ${key.padEnd(width)}  ${shortened(v)}`)].join(
    "\n",
  );
}

/** What changed against an older plan, property by property. */
export function comparisonText(comparison: Comparison): string {
  const { added, removed, changed, renamed } = comparison;
  const visible = (r: { type: string; name: string; parent: string }) =>
    !isDefaultProvider(r as Plan["resources"][number]);
  const lines = [
    ...added.filter(visible).map((r) => colors.green(`  + ${describe(r.urn)}`)),
    ...removed.filter(visible).map((r) => colors.red(`  - ${describe(r.urn)}`)),
    ...renamed.map((r) => colors.cyan(`  > ${describe(r.resource.urn)}, until now ${describe(r.before)}`)),
    ...changed.flatMap(({ resource, properties }) => [
      colors.yellow(`  ~ ${describe(resource.urn)}`),
      ...properties.map((p) => `      ${p.path}: ${valueText(p.before)} => ${valueText(p.after)}`),
    ]),
  ];
  const summary = `${added.length} added, ${removed.length} removed, ${changed.length} changed${renamed.length === 0 ? "" : `, ${renamed.length} renamed`}`;
  return [colors.bold(`Against the other plan: ${lines.length === 0 ? "no change" : summary}`), ...lines].join("\n");
}

function shortened(value: Json | undefined): string {
  if (value === undefined) return valueText(value);
  return JSON.stringify(value, (_, part: Json) =>
    typeof part === "string" && part.length > longestOutputText
      ? `${part.slice(0, 60)}... (${part.length} characters; all of it with --json)`
      : part,
  );
}

function valueText(value: Json | undefined): string {
  return value === undefined ? "(none)" : JSON.stringify(value);
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
