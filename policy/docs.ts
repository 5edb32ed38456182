import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyConfigSchema } from "@pulumi/policy";
import type { Rule } from "./lib/rule";
import { policies } from "./policies";
import { levelIn, profileFile, profileNames, profiles, whyNotStrict, type ProfileName } from "./profiles";

/** The page of one rule, all of it from the rule's own metadata. */
export function page(rule: Rule): string {
  return `# ${rule.displayName}

\`${rule.name}\` · ${rule.enforcementLevel} · severity ${rule.severity} · ${rule.tags.join(", ")}

${rule.description}

**When it runs.** ${
    "validateStack" in rule
      ? "At the end of a preview, over all resources and what depends on what. In an update it runs after the changes, so it is the preview that stops them."
      : "On each resource, in a preview and in an update; an update stops before the resource is created or changed."
  }

**In the [profiles](README.md#profiles).** ${profileNames.map((name) => `\`${name}\`: ${levelIn(name, rule)}`).join("; ")}.

## What to do

${rule.remediationSteps}

## Repair

${repairOf(rule)}

## Configuration

In a file for \`--policy-pack-config\`, under \`"${rule.name}"\`. \`enforcementLevel\` (\`mandatory\`, \`advisory\`, \`remediate\`, \`disabled\`) is there
for every rule.

| key | type | default | meaning |
| --- | --- | --- | --- |
${configRows(rule.configSchema)}

### Exemptions

\`\`\`json
{
  "${rule.name}": {
    "exemptions": [
      { "name": "legacy-*", "reason": "moves to its own account, ticket 123", "expires": "2030-06-30" },
      { "tag": "owner=network", "reason": "the network team keeps it by hand", "expires": "2030-12-31" }
    ]
  }
}
\`\`\`

The rule says nothing about such a resource${"validateStack" in rule ? ", the one that its violation would be reported on" : rule.repairs === undefined ? "" : ", and repairs nothing of it"}. After its last day an exemption exempts nothing and is a violation itself.
[More](README.md#exemptions).
`;
}

function repairOf(rule: Rule): string {
  const onlyViolation = "The level `remediate` means `mandatory` for it.";
  if (rule.repairs !== undefined)
    return `Under the level \`remediate\` the rule repairs what it finds before the provider sees it. It ${rule.repairs} What it can't repair stays a violation.`;
  return "validateStack" in rule
    ? `None: a rule on the whole stack can't change a resource. ${onlyViolation}`
    : `None: it would have to guess what somebody meant. ${onlyViolation}`;
}

/** The page that lists all rules. */
export function index(rules: Rule[]): string {
  const rows = rules.map(
    (r) =>
      `| [${r.name}](${r.name}.md) | ${[r.enforcementLevel, ...profileNames.map((name) => levelIn(name, r))].join(" | ")} | ${r.severity} | ${r.repairs === undefined ? "" : "yes"} | ${r.description} |`,
  );
  return `# Policies

The rules of the pack \`moorings\`. These pages are written by \`policy/docs.ts\` from the rules themselves: change them there.

The columns: the level that a rule has by itself and in each [profile](#profiles) (strict: [unknown values](#unknown-values) are violations), its severity, and
whether it [repairs](#repair).

| rule | by itself | ${profileNames.join(" | ")} | severity | repairs | what and why |
| --- | --- | ${profileNames.map(() => "---").join(" | ")} | --- | --- | --- |
${rows.join("\n")}

## Profiles

Configurations for \`--policy-pack-config\`, of \`moorings\` and of Pulumi's own command line:

\`\`\`
npm run -s moorings -- check --stack prod --policy-pack-config policy/profiles/prod.json
pulumi preview -s prod --policy-pack policy --policy-pack-config policy/profiles/prod.json
\`\`\`

Without a file each rule has its own level. A level alone is enough for a rule (\`"no-equal-physical-names": "disabled"\`), and \`"all"\` sets it for those
that the file gives none. To exempt something, copy a profile next to your program and add to it.

${profileNames.map(profileSection).join("\n")}
${whyNotStrict}

## Exemptions

Every rule takes a list of \`exemptions\`. Each names resources by exactly one of

- \`name\`, the resource's name in the program; \`*\` stands for any text;
- \`urn\`, likewise with \`*\`;
- \`tag\`, as \`key\` or \`key=value\`: in \`tags\` or \`tagsAll\`, maps or lists, or a label or annotation of a Kubernetes object. What a preview doesn't know
  exempts nothing: an exemption that nobody sees is none.

and has a \`reason\` and \`expires\`, the last day (UTC) on which it holds. A resource is exempt under the name that a violation would be reported on.

After that day it exempts nothing, and is a violation by itself: of the resources that it names, and of the stack, where it names none (a rule on single
resources can't tell, and always says it of the stack as well). An exemption that holds and names nothing is fine: one file may serve several stacks. A wrong one
(no reason, no date, two selectors) is refused before anything runs, by Pulumi as by \`moorings\`.

Some rules also have switches of their own for what is right for good and not an exception (\`allowTargetGroupArns\`, \`exemptTags\`): those need no date.

## The pack by itself

\`policy/\` needs nothing else of this repository: \`npm run build:policies\` writes it as JavaScript into \`dist/policy\`, profiles included. Copy that folder anywhere
and install its dependencies once; no compiler is needed:

\`\`\`
cp -r dist/policy /opt/moorings-policy && (cd /opt/moorings-policy && npm ci --omit=dev)
pulumi preview --policy-pack /opt/moorings-policy --policy-pack-config /opt/moorings-policy/profiles/prod.json
npm run -s moorings -- check --policy-pack /opt/moorings-policy --project ../their-program
\`\`\`

## Unknown values

What a preview doesn't know yet may be what a rule decides by. With \`unknownValues: "advisory"\`, the default, the rule says so and lets the preview pass. With
\`"violation"\` (strict) it doesn't. A rule on single resources runs again in the update, with the value known, before the resource is written; a rule on the stack runs
after the changes, so that for it the preview is the last chance.

## Repair

Rules with a "yes" change a resource's inputs under the level \`remediate\`, before the provider sees them, where that needs no guess about what somebody meant: never
by removing targets or rules, never over a value that isn't known, not of exempt resources, and not of components, whose children are the program's. Secrets stay secrets.
A second run changes nothing more. The program itself stays as it was: repair is for bridging, not for good.
`;
}

function profileSection(name: ProfileName): string {
  const { all, why, choices } = profiles[name];
  const rows = choices.map(({ rules, setting, why: reason }) => {
    const level =
      setting.unknownValues === undefined ? setting.enforcementLevel : `${setting.enforcementLevel}, strict`;
    return `| ${rules.map((rule) => `\`${rule}\``).join(", ")} | ${level} | ${reason} |`;
  });
  return `### \`${name}\`

Every rule is ${all}${choices.every(({ setting }) => setting.enforcementLevel === all) ? ", and those below are strict" : ", except for those below"}. ${why}

| rules | level | why |
| --- | --- | --- |
${rows.join("\n")}
`;
}

/** Every file of docs/policies by name. */
export function pages(rules: Rule[]): Record<string, string> {
  return Object.fromEntries([["README.md", index(rules)], ...rules.map((r) => [`${r.name}.md`, page(r)])]);
}

/** Every file of policy/profiles by name. */
export function profileFiles(): Record<string, string> {
  return Object.fromEntries(profileNames.map((name) => [`${name}.json`, profileFile(name)]));
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

function write(folder: string, files: Record<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

if (require.main === module) {
  write(join(__dirname, "..", "docs", "policies"), pages(policies));
  write(join(__dirname, "profiles"), profileFiles());
}
