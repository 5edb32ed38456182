import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv } from "ajv";
import { pages, profileFiles } from "../../policy/docs";
import { policies } from "../../policy/policies";
import { profileNames, profiles } from "../../policy/profiles";

const root = join(__dirname, "..", "..");
/** Rules whose findings are useless rather than harmful, or a project of their own. */
const advisory = new Set(["no-kafka-server-stop-hook", "controller-chart-is-current", "keepalive-is-no-timeout"]);
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** What rules may be about. A new one needs a word for readers who look for it. */
const subjects = [
  "alarms",
  "availability",
  "cost",
  "durability",
  "eks",
  "kafka",
  "karpenter",
  "load-balancing",
  "security",
  "security-groups",
];
const ajv = new Ajv({ allErrors: true, strict: false });
const ruleFiles = readdirSync(join(root, "policy/rules"), { recursive: true, encoding: "utf8" }).map((f) =>
  basename(f),
);

describe("every rule", () => {
  test.each(policies.map((p) => [p.name, p] as const))("%s tells a reader everything", (name, policy) => {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(ruleFiles).toContain(`${name}.ts`);
    expect(policy.enforcementLevel).toBe(advisory.has(name) ? "advisory" : "mandatory");
    expect(policy.displayName).toMatch(/^[A-Z].{15,75}[^.]$/);
    // What must hold, and after a colon or in a sentence of its own why; short enough for a reviewer to read it.
    expect(policy.description).toMatch(/\b(must|may|should|needs?)\b[^]*(: |\. |, or |, and )[^]*\.$/);
    expect(policy.description.length).toBeGreaterThan(150);
    expect(policy.description.length).toBeLessThanOrEqual(400);
    expect(advisory.has(name) ? ["medium"] : ["high", "critical"]).toContain(policy.severity);
    expect(policy.remediationSteps).toMatch(/```ts\n[^]+\n```/);
    expect(policy.tags.length).toBeGreaterThan(0);
    expect(subjects).toEqual(expect.arrayContaining(policy.tags));
    expect(policy.url).toBe(`https://github.com/moorings/moorings/blob/main/docs/policies/${name}.md`);
    expect(existsSync(join(root, "docs", "policies", `${name}.md`))).toBe(true);
    if (policy.repairs !== undefined) expect(policy.repairs).toMatch(/^[a-z].*\.$/);
  });

  test.each(policies.map((p) => [p.name, p.configSchema.properties] as const))(
    "%s has a description and a fitting default for each key of its configuration",
    (_, properties) => {
      expect(Object.keys(properties)).toContain("exemptions");
      for (const [key, property] of Object.entries(properties)) {
        expect([key, property.description]).toEqual([key, expect.stringMatching(/^[A-Z][^]*\.$/)]);
        expect([key, ajv.validate(property, property.default)]).toEqual([key, true]);
      }
    },
  );

  test("has a name of its own", () => {
    expect(new Set(policies.map((p) => p.name)).size).toBe(policies.length);
  });
});

test("docs/policies and policy/profiles are what the rules say: run `npm run docs:policies` after changing one", () => {
  const written = (folder: string) =>
    Object.fromEntries(readdirSync(join(root, folder)).map((f) => [f, read(`${folder}/${f}`)]));
  expect(written("docs/policies")).toEqual(pages(policies));
  expect(written("policy/profiles")).toEqual(profileFiles());
});

test.each(profileNames)("the profile %s sets each rule once, and only rules that there are", (name) => {
  const set = profiles[name].choices.flatMap(({ rules }) => rules);
  expect(policies.map((p) => p.name)).toEqual(expect.arrayContaining(set));
  expect(new Set(set).size).toBe(set.length);
});

test("the pack has the version of the package", () => {
  const version = (path: string) => (JSON.parse(read(path)) as { version: string }).version;
  expect(version("policy/package.json")).toBe(version("package.json"));
});
