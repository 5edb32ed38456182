import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/*
 * The import rules (.dependency-cruiser.cjs) and the lint rules for components (eslint.config.mjs), each shown by what it refuses:
 * a rule whose pattern misses everything looks exactly like a clean house.
 */

const root = resolve(__dirname, "..");

/** Runs Node in a folder and gives what it printed, whatever the exit code: both tools use it for what they found. */
function node(args: string[], cwd: string, input = ""): Promise<string> {
  return new Promise((done, failed) => {
    // With CI set, typed lint would take a file as it is on disk and not the text that it is given.
    const env = { ...process.env, TSESTREE_SINGLE_RUN: "false" };
    const child = execFile(process.execPath, args, { cwd, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      stdout === ""
        ? failed(new Error(`${args.join(" ")} printed nothing: ${error?.message ?? ""}\n${stderr}`))
        : done(stdout),
    );
    child.stdin?.end(input);
  });
}

interface Cruise {
  modules: { source: string; dependencies: { module: string }[] }[];
  summary: { violations: { from: string; to: string; rule: { name: string } }[] };
}

const folders = ["components", "stacks", "policy", "cli", "test-real", "replays", "kafka-stall", "index.ts"];

/** The command of `npm run check`, in any folder of this layout. */
async function cruise(cwd: string): Promise<Cruise> {
  const command = join(root, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  const config = join(root, ".dependency-cruiser.cjs");
  return JSON.parse(await node([command, "--config", config, "--output-type", "json", ...folders], cwd)) as Cruise;
}

/** Files of the fixture tree that others import: one of each kind. */
const targets = [
  "index.ts",
  "components/index.ts",
  ...["cluster", "alarms", "karpenter", "load-balancing", "kafka", "guards"].flatMap((f) => [
    `components/${f}/index.ts`,
    `components/${f}/inner.ts`,
  ]),
  "components/internal/inner.ts",
  "stacks/inner.ts",
  "policy/inner.ts",
  "cli/inner.ts",
  "test/support/inner.ts",
  "test/fixtures/inner.ts",
  "test/inner.ts",
  "test-real/servers/inner.ts",
  "replays/race/inner.ts",
  "kafka-stall/inner.ts",
  "kafka-stall/sidecar-inner.ts",
];

/** Wrong imports, each alone in a file of its own: file, what it says, and the one rule that must refuse it. */
const refused: [string, string, string][] = [
  // Types vanish at run time, but not from what a reader has to understand.
  ["components/internal/tick.ts", 'import type { Tock } from "./tock"; export type Tick = Tock;', "no-cycles"],

  ["components/cluster/package.ts", 'import "declared";', "components-stand-alone"],
  ["components/cluster/nowhere.ts", 'import "not-installed";', "components-stand-alone"],
  ["components/cluster/core.ts", 'import "node:fs";', "components-stand-alone"],
  ["components/cluster/settings.ts", 'import "../../stacks/inner";', "components-stand-alone"],
  ["components/internal/support.ts", 'import "../../test/support/inner";', "components-stand-alone"],
  [
    "components/alarms/rule.ts",
    'import type { x } from "../../policy/inner"; export type Y = x;',
    "components-stand-alone",
  ],
  ["components/alarms/command.ts", 'export const c = () => import("../../cli/inner");', "components-stand-alone"],
  ["components/kafka/package-index.ts", 'import "../../index";', "components-stand-alone"],

  ["components/load-balancing/deep.ts", 'import "../cluster/inner";', "families-by-their-index"],
  [
    "components/load-balancing/deep-type.ts",
    'import type { x } from "../alarms/inner"; export type Y = x;',
    "families-by-their-index",
  ],
  ["components/guards/deep.ts", 'export * from "../alarms/inner";', "families-by-their-index"],

  ["components/cluster/upwards.ts", 'import "../alarms";', "family-cluster"],
  ["components/cluster/upwards-2.ts", 'import "../load-balancing";', "family-cluster"],
  ["components/alarms/upwards.ts", 'import "../karpenter";', "family-alarms"],
  ["components/alarms/public.ts", 'import "..";', "family-alarms"],
  ["components/karpenter/across.ts", 'import "../alarms";', "family-karpenter"],
  ["components/load-balancing/across.ts", 'import "../karpenter";', "family-load-balancing"],
  [
    "components/load-balancing/public.ts",
    'import type { x } from "../index"; export type Y = x;',
    "family-load-balancing",
  ],
  ["components/kafka/across.ts", 'import "../load-balancing";', "family-kafka"],
  ["components/guards/across.ts", 'import "../cluster";', "family-guards"],
  ["components/internal/upwards.ts", 'import "../cluster";', "internal-knows-no-family"],
  ["components/internal/public.ts", 'import "..";', "internal-knows-no-family"],

  ["stacks/family.ts", 'import "../components/cluster";', "stacks-use-the-public-api"],
  ["stacks/layers/deep.ts", 'import "../../components/internal/inner";', "stacks-use-the-public-api"],
  ["stacks/package-index.ts", 'import "../index";', "stacks-use-the-public-api"],
  ["stacks/rule.ts", 'import "../policy/inner";', "stacks-use-the-public-api"],
  ["stacks/command.ts", 'import "../cli/inner";', "stacks-use-the-public-api"],
  ["stacks/support.ts", 'import "../test/support/inner";', "stacks-use-the-public-api"],

  ["policy/public.ts", 'import "../components";', "policy-stands-alone"],
  ["policy/rules/constant.ts", 'import "../../components/internal/inner";', "policy-stands-alone"],
  ["policy/rules/support.ts", 'import "../../test/support/inner";', "policy-stands-alone"],
  ["policy/package.ts", 'import "declared";', "policy-stands-alone"],
  ["policy/provider.ts", 'import "@pulumi/aws";', "policy-stands-alone"],

  ["cli/public.ts", 'import "../components";', "cli-runs-anybodys-program"],
  ["cli/package-index.ts", 'import "../index";', "cli-runs-anybodys-program"],
  ["cli/engine/settings.ts", 'import "../../stacks/inner";', "cli-runs-anybodys-program"],
  ["cli/engine/rule.ts", 'export const r = () => import("../../policy/inner");', "cli-runs-anybodys-program"],
  ["cli/support.ts", 'import "../test/support/inner";', "cli-runs-anybodys-program"],

  ["cli/real.ts", 'import "../test-real/servers/inner";', "nobody-needs-real-servers"],
  ["stacks/real.ts", 'import "../test-real/servers/inner";', "nobody-needs-real-servers"],
  ["test-real/suite/test.ts", 'import "../../test/inner";', "test-real-shares-support-only"],
  ["test-real/suite/rule.ts", 'import "../../policy/inner";', "test-real-shares-support-only"],
  ["test-real/suite/package.ts", 'import "../../index";', "test-real-shares-support-only"],

  ["stacks/replay.ts", 'import "../replays/race/inner";', "nobody-needs-replays"],
  ["test-real/suite/replay.ts", 'import "../../replays/race/inner";', "nobody-needs-replays"],
  ["replays/race/deep.ts", 'import "../../components/cluster/inner";', "replays-use-what-users-use"],
  ["replays/race/internal.ts", 'import "../../components/internal/inner";', "replays-use-what-users-use"],
  ["replays/race/settings.ts", 'import "../../stacks/inner";', "replays-use-what-users-use"],
  ["replays/race/rule.ts", 'import "../../policy/inner";', "replays-use-what-users-use"],
  ["replays/race/command.ts", 'import "../../cli/inner";', "replays-use-what-users-use"],
  ["replays/race/test.ts", 'import "../../test/inner";', "replays-use-what-users-use"],
  ["replays/race/real.ts", 'import "../../test-real/servers/inner";', "nobody-needs-real-servers"],

  ["kafka-stall/core.ts", 'import "node:fs";', "kafka-stall-imports-nothing"],
  ["kafka-stall/package.ts", 'import "declared";', "kafka-stall-imports-nothing"],
  ["kafka-stall/inside-out.ts", 'import "./sidecar-inner";', "kafka-stall-imports-nothing"],
  ["kafka-stall/sidecar-package.ts", 'import "declared";', "kafka-sidecar-needs-node-only"],
  ["kafka-stall/sidecar-public.ts", 'import "../components";', "kafka-sidecar-needs-node-only"],

  ["cli/tool.ts", 'import "tool";', "cli-declares-its-packages"],
  ["cli/stray.ts", 'import "undeclared";', "cli-declares-its-packages"],
];

/** What must stay possible, so that no rule is right by refusing everything: file and module. */
const allowed: [string, string][] = [
  ["components/entry.ts", "./cluster"],
  ["components/cluster/own.ts", "./inner"],
  ["components/cluster/internal.ts", "../internal/inner"],
  ["components/cluster/provider.ts", "@pulumi/aws"],
  ["components/alarms/down.ts", "../cluster"],
  ["components/karpenter/down.ts", "../cluster"],
  ["components/load-balancing/down.ts", "../cluster"],
  ["components/load-balancing/down-2.ts", "../alarms"],
  ["components/kafka/down.ts", "../alarms"],
  ["components/guards/down.ts", "../alarms/index"],
  ["stacks/layers/public.ts", "../../components"],
  ["stacks/provider.ts", "@pulumi/aws"],
  ["policy/rules/own.ts", "../inner"],
  ["policy/sdk.ts", "@pulumi/policy"],
  ["policy/core.ts", "fs"],
  ["cli/engine/own.ts", "../inner"],
  ["cli/engine/core.ts", "fs"],
  ["cli/package.ts", "declared"],
  ["cli/peer.ts", "@pulumi/pulumi"],
  ["test-real/suite/servers.ts", "../servers/inner"],
  ["test-real/suite/command.ts", "../../cli/inner"],
  ["test-real/suite/component.ts", "../../components/cluster/inner"],
  ["test-real/suite/environment.ts", "../../stacks/inner"],
  ["test-real/suite/support.ts", "../../test/support/inner"],
  ["test-real/suite/fixture.ts", "../../test/fixtures/inner"],
  ["test-real/suite/tool.ts", "tool"],
  ["replays/race/own.ts", "./inner"],
  ["replays/race/family.ts", "../../components/cluster"],
  ["replays/race/public.ts", "../../components"],
  ["replays/race/support.ts", "../../test/support/inner"],
  ["replays/race/tool.ts", "tool"],
  ["kafka-stall/own.ts", "./inner"],
  ["kafka-stall/sidecar.ts", "fs"],
  ["kafka-stall/sidecar-own.ts", "./inner"],
];

/** Writes the fixture tree: the house's folders with one file for each import, and packages that are nothing but names. */
function fixture(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "moorings-imports-")));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  };
  for (const file of targets) write(file, "export const x = 1;\n");
  // The other half of the cycle; dependency-cruiser reports each cycle once.
  write("components/internal/tock.ts", 'import { z } from "./tick"; export type Tock = typeof z;\n');
  for (const [file, text] of refused) write(file, `${text}\nexport const z = 1;\n`);
  for (const [file, module] of allowed) write(file, `import ${JSON.stringify(module)};\n`);
  for (const name of ["@pulumi/aws", "@pulumi/policy", "@pulumi/pulumi", "declared", "tool", "undeclared"]) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
    write(`node_modules/${name}/index.js`, "");
  }
  const version = "1.0.0";
  write(
    "package.json",
    JSON.stringify({
      name: "fixture",
      dependencies: { declared: version },
      peerDependencies: { "@pulumi/pulumi": version, "@pulumi/aws": version },
      devDependencies: { "@pulumi/pulumi": version, "@pulumi/aws": version, "@pulumi/policy": version, tool: version },
    }),
  );
  cpSync(join(root, "tsconfig.json"), join(tree, "tsconfig.json"));
  return tree;
}

describe("the import rules, in a tree of wrong imports", () => {
  let found: Cruise;
  beforeAll(async () => {
    const tree = fixture();
    try {
      found = await cruise(tree);
    } finally {
      rmSync(tree, { recursive: true });
    }
  });
  const rulesAgainst = (file: string) => [
    ...new Set(found.summary.violations.filter((v) => v.from === file).map((v) => v.rule.name)),
  ];

  test.each(refused)("%s: %s is refused by %s", (file, _, rule) => {
    expect(rulesAgainst(file)).toEqual([rule]);
  });

  test.each(allowed)("%s may import %s", (file, module) => {
    const seen = found.modules.find((m) => m.source === file)?.dependencies.map((d) => d.module);
    expect(seen).toEqual([module]); // it was looked at
    expect(rulesAgainst(file)).toEqual([]);
  });

  test("every rule is shown to bite", () => {
    const { forbidden } = jest.requireActual<{ forbidden: { name: string }[] }>("../.dependency-cruiser.cjs");
    expect([...new Set(refused.map(([, , rule]) => rule))].sort()).toEqual(forbidden.map((r) => r.name).sort());
  });
});

describe("the import rules, in this checkout", () => {
  test("every file keeps them, and every folder was looked at", async () => {
    const { modules, summary } = await cruise(root);
    expect(summary.violations.map((v) => `${v.rule.name}: ${v.from} -> ${v.to}`)).toEqual([]);
    const seen = modules.map((m) => m.source);
    expect(seen).toEqual(
      expect.arrayContaining([
        "index.ts",
        "components/index.ts",
        "stacks/index.ts",
        "policy/index.ts",
        "cli/main.ts",
        "test-real/main.ts",
        "replays/security-group-race/measure.ts",
      ]),
    );
  });

  test("every family of components has its place in the graph", () => {
    const { forbidden } = jest.requireActual<{ forbidden: { name: string }[] }>("../.dependency-cruiser.cjs");
    const families = readdirSync(join(root, "components"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "internal")
      .map((entry) => `family-${entry.name}`);
    expect(families.length).toBeGreaterThan(0);
    expect(forbidden.map((r) => r.name)).toEqual(expect.arrayContaining(families));
  });
});

/** Lines for a file of components, each with the rule that must refuse it, or none. */
const lines: [string, string | undefined][] = [
  ['import * as aws from "@pulumi/aws";', undefined],
  ['import * as pulumi from "@pulumi/pulumi";', undefined],
  ['import { Config } from "@pulumi/pulumi";', "no-restricted-syntax"],
  ['import { getStack as where } from "@pulumi/pulumi";', "no-restricted-syntax"],
  ["class Own extends pulumi.ComponentResource {}", undefined],
  ['const output = pulumi.output("x");', undefined],
  ['export const a = new pulumi.Config("moorings");', "no-restricted-syntax"],
  ["export const b = pulumi.getStack();", "no-restricted-syntax"],
  ["export const c = pulumi.getProject();", "no-restricted-syntax"],
  ["export const d = process.env.HOME;", "no-restricted-globals"],
  ["export const { env: e } = process;", "no-restricted-globals"],
  ["export const f = aws.config.region;", "no-restricted-syntax"],
  ['export const g = output.apply(() => new aws.s3.Bucket("made-in-apply"));', "no-restricted-syntax"],
  ['export const h = output.apply(() => new Own("moorings:index:Own", "made-in-apply"));', "no-restricted-syntax"],
  ["export const i = output.apply((v) => new Set(v).size);", undefined],
  ['export const j = output.apply(() => { throw new pulumi.ResourceError("no", undefined); });', undefined],
  [
    "export const k = `name-${output}`;",
    "@typescript-eslint/restrict-template-expressions and @typescript-eslint/no-base-to-string",
  ],
  [
    'export const n = "name-" + output;',
    "@typescript-eslint/restrict-plus-operands and @typescript-eslint/no-base-to-string",
  ],
  ["export const l = output ? 1 : 2;", "@typescript-eslint/no-unnecessary-condition"],
  ['void pulumi.log.warn("x");', undefined],
  ['pulumi.log.warn("x");', "@typescript-eslint/no-floating-promises"],
  ["export const m = [Config, where];", undefined],
];

/** Lints one text under two names: in components, and in stacks, where configuration is read. Typed lint is slow to start: once. */
const lint = `
  const { ESLint } = await import("eslint");
  const eslint = new ESLint({ cwd: process.cwd() });
  let code = "";
  for await (const chunk of process.stdin) code += chunk;
  const found = {};
  for (const filePath of ["components/internal/tags.ts", "stacks/platform.ts"]) {
    const [{ messages }] = await eslint.lintText(code, { filePath });
    found[filePath.split("/")[0]] = messages.map((m) => [m.line, m.ruleId]);
  }
  console.log(JSON.stringify(found));
`;

describe("the lint rules", () => {
  let found: Record<"components" | "stacks", [number, string | null][]>;
  beforeAll(async () => {
    const code = lines.map(([line]) => `${line}\n`).join("");
    found = JSON.parse(await node(["--input-type=module", "-e", lint], root, code)) as typeof found;
  });
  const rulesAgainst = (where: keyof typeof found, line: string) => [
    ...new Set(found[where].filter(([at]) => lines[at - 1]?.[0] === line).map(([, rule]) => rule)),
  ];

  test.each(lines)("in components, %s: %s", (line, rule) => {
    expect(rulesAgainst("components", line).join(" and ")).toBe(rule ?? "");
  });

  test("in stacks, configuration and the stack's name may be read; resources in apply stay refused", () => {
    expect(rulesAgainst("stacks", 'export const a = new pulumi.Config("moorings");')).toEqual([]);
    expect(rulesAgainst("stacks", "export const b = pulumi.getStack();")).toEqual([]);
    const inApply = 'export const g = output.apply(() => new aws.s3.Bucket("made-in-apply"));';
    expect(rulesAgainst("stacks", inApply)).toEqual(["no-restricted-syntax"]);
  });
});
