import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyConfigSchema } from "@pulumi/policy";
import type { Rule } from "./lib/rule";
import { policies } from "./policies";

/** The page of one rule, all of it from the rule's own metadata. */
export function page(rule: Rule): string {
  const stack = "validateStack" in rule;
  return `# ${rule.displayName}

\`${rule.name}\` · ${rule.enforcementLevel} · severity ${rule.severity} · ${rule.tags.join(", ")}

${rule.description}

**When it runs.** ${
    stack
      ? "At the end of a preview, over all resources and what depends on what. In an update it runs after the changes, so it is the preview that stops them."
      : "On each resource, in a preview and in an update; an update stops before the resource is created or changed."
  }

## What to do

${rule.remediationSteps}

## Configuration

In a file for \`--policy-pack-config\`, under \`"${rule.name}"\`. \`enforcementLevel\` (\`mandatory\`, \`advisory\`, \`disabled\`) is there
for every rule.

| key | type | default | meaning |
| --- | --- | --- | --- |
${configRows(rule.configSchema)}
`;
}

/** The page that lists all rules. */
export function index(rules: Rule[]): string {
  const rows = rules.map(
    (r) => `| [${r.name}](${r.name}.md) | ${r.enforcementLevel} | ${r.severity} | ${r.description} |`,
  );
  return `# Policies

The rules of the pack \`moorings\`, with the level that they have unless configured otherwise. These pages are written by \`policy/docs.ts\` from
the rules themselves: change them there.

| rule | level | severity | what and why |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

/** Every file of the folder by name. */
export function pages(rules: Rule[]): Record<string, string> {
  return Object.fromEntries([["README.md", index(rules)], ...rules.map((r) => [`${r.name}.md`, page(r)])]);
}

function configRows(schema: PolicyConfigSchema): string {
  return Object.entries(schema.properties)
    .map(([key, property]) => {
      const type = property.enum?.map((value) => `\`${JSON.stringify(value)}\``).join(" or ") ?? String(property.type);
      const items =
        typeof property.items === "object" && "type" in property.items ? ` of ${String(property.items.type)}s` : "";
      return `| \`${key}\` | ${type}${items} | \`${JSON.stringify(property.default)}\` | ${property.description} |`;
    })
    .join("\n");
}

if (require.main === module) {
  const folder = join(__dirname, "..", "docs", "policies");
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(pages(policies))) writeFileSync(join(folder, file), text);
}
