import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { closedBoxViolations } from "../../cli/closed-boxes";
import { comparePlans } from "../../cli/compare";
import { readProject } from "../../cli/project";
import { comparisonText } from "../../cli/report/text";
import { defaultStack } from "../../cli/stack-config";
import { moorings, type Result, spawned, Workspace } from "../support/moorings";

const work = new Workspace();
afterAll(() => work.dispose());

const examplePath = "examples/hand-registered";
let queues: string;
let levels: string;
let baseline: string;

beforeAll(async () => {
  queues = work.program("queues");
  levels = work.pack("levels");
  baseline = work.path("baseline.json");
  const made = await moorings(["preview", "--project", queues, "--policy-pack", levels, "--json", baseline]);
  expect(made.code).toBe(3);
});

/** `check` of the queues program with its pack. */
const check = (...args: string[]) => moorings(["check", "--project", queues, "--policy-pack", levels, ...args]);

describe("usage", () => {
  test.each([[["--help"]], [["preview", "--help"]], [["check", "--help"]]])(
    "%p shows examples and exit codes",
    async (args) => {
      const { code, stdout } = await moorings(args);
      expect(code).toBe(0);
      expect(stdout).toContain("Examples:\n  moorings preview --stack dev");
      expect(stdout).toContain(
        "Exit codes: 0 fine, 1 the program failed, 2 wrong usage, 3 a mandatory policy was violated.",
      );
    },
  );

  test.each<[string, () => string[], RegExp]>([
    [
      "a misspelt option",
      () => ["preview", "--polcy-pack", "x"],
      /unknown option '--polcy-pack'[^]*Did you mean --policy-pack\?/,
    ],
    ["a misspelt command", () => ["chekc"], /unknown command 'chekc'[^]*Did you mean check\?/],
    [
      "a folder without a project",
      () => ["check", "--project", "docs"],
      /there is no Pulumi\.yaml in .*docs: give the project's folder with --project DIR/,
    ],
    ["a misspelt stack", () => ["check", "--stack", "dve"], /there is no stack "dve" in .*: did you mean "dev"\?/],
    [
      "half a configuration value",
      () => ["check", "--project", queues, "-c", "timeout"],
      /--config timeout: write --config key=value/,
    ],
    [
      "no pack there",
      () => ["check", "--project", queues, "--policy-pack", "docs"],
      /there is no policy pack in .*docs: a pack's folder holds a PulumiPolicy\.yaml/,
    ],
    [
      "more configurations than packs",
      () => ["check", "--project", queues, "--policy-pack-config", "a", "--policy-pack-config", "b"],
      /there are 2 --policy-pack-config for 1 packs/,
    ],
    [
      "something that is no plan",
      () => ["check", "--project", queues, "--against", "package.json"],
      /package\.json isn't a plan of version 1: write one with moorings preview --json/,
    ],
    [
      "a reference without a plan",
      () => ["check", "--project", queues, "--stack-reference", "net"],
      /"net": write --stack-reference NAME=plan\.json/,
    ],
    [
      "an invoke without a result",
      () => ["check", "--project", queues, "--invoke", "a:b:c=missing.json"],
      /there is no file missing\.json/,
    ],
    ["no time at all", () => ["check", "--timeout", "0"], /write a number of seconds greater than 0/],
  ])("%s is wrong usage: exit 2 and what to write", async (_, args, message) => {
    const { code, stdout, stderr } = await moorings(args());
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  test("a plan that can't be written is an error, not a silence", async () => {
    const { code, stderr } = await check("--json", work.path("no/such/folder/plan.json"));
    expect(stderr).toContain("the plan can't be written to");
    expect(code).toBe(2);
  });
});

describe("the first outage, written down in examples/hand-registered", () => {
  let result: Result;
  beforeAll(async () => {
    result = await spawned(["check", "--project", examplePath]);
  });

  test("is refused with exit code 3", () => expect(result.code).toBe(3));

  test("names each resource, the rule, and what to write instead", () => {
    for (const address of ["10.20.33.17", "10.20.65.4", "10.20.97.211"]) {
      expect(result.stdout).toContain(`aws:lb/targetGroupAttachment:TargetGroupAttachment "web-${address}"`);
      expect(result.stdout).toContain(`targetId registers the IP address ${address} by hand`);
    }
    expect(result.stdout).toContain("[mandatory] no-hand-registered-ip-targets");
    expect(result.stdout).toContain("[mandatory] ip-target-group-has-alarms");
    expect(result.stdout).toContain("Instead:");
    expect(result.stdout).toContain('kind: "TargetGroupBinding"');
  });

  test("has no colour where the output isn't a terminal", () => expect(result.stdout).not.toContain("\u001b["));
});

describe("the plan", () => {
  test("has version 1 and its documented members", () => {
    const plan = work.plan("baseline.json");
    expect(Object.keys(plan).sort()).toEqual(
      [
        "version",
        "project",
        "stack",
        "resources",
        "policies",
        "closedBoxes",
        "outputs",
        "diagnostics",
        "timing",
      ].sort(),
    );
    expect([plan.version, plan.project, plan.stack]).toEqual([1, "queues", "dev"]);
    const members = [
      ...[
        "urn",
        "type",
        "name",
        "custom",
        "remote",
        "parent",
        "provider",
        "inputs",
        "dependencies",
        "propertyDependencies",
      ],
      ...[
        "protect",
        "retainOnDelete",
        "aliases",
        "ignoreChanges",
        "replaceOnChanges",
        "deleteBeforeReplace",
        "customTimeouts",
      ],
      "outputs",
    ];
    for (const resource of plan.resources) expect(Object.keys(resource)).toEqual(expect.arrayContaining(members));
    expect(plan.policies[0]).toMatchObject({ pack: "levels", policy: "known-url", enforcement: "advisory" });
  });

  test("isn't written when the program fails", async () => {
    const file = work.path("never.json");
    const { code } = await moorings([
      "preview",
      "--project",
      work.program("throws"),
      "-c",
      "where=top",
      "--json",
      file,
    ]);
    expect(code).toBe(1);
    expect(existsSync(file)).toBe(false);
  });
});

describe("--against", () => {
  const against = (...args: string[]) => check("--against", baseline, ...args);

  test("names what is removed and what changed, property by property", async () => {
    const { stdout } = await against("-c", "second=false", "-c", "timeout=20", "-c", 'tags={"a.b":"1"}');
    expect(stdout).toContain("0 added, 1 removed, 1 changed");
    expect(stdout).toContain('- aws:sqs/queue:Queue "second"');
    expect(stdout).toContain('~ aws:sqs/queue:Queue "first"');
    expect(stdout).toContain("visibilityTimeoutSeconds: 45 => 20");
    expect(stdout).toContain('tags["a.b"]: (none) => "1"');
  });

  test("knows a renamed resource by its alias", async () => {
    const { stdout } = await against("-c", "name=renamed");
    expect(stdout).toContain('> aws:sqs/queue:Queue "renamed", until now aws:sqs/queue:Queue "first"');
    expect(stdout).toContain("0 added, 0 removed");
  });

  test("names what is added, and says so when nothing changed", () => {
    const plan = work.plan("baseline.json");
    const smaller = { ...plan, resources: plan.resources.filter((r) => r.name !== "second") };
    expect(comparisonText(comparePlans(smaller, plan))).toContain('+ aws:sqs/queue:Queue "second"');
    expect(comparisonText(comparePlans(plan, plan))).toBe("Against the other plan: no change");
  });
});

describe("closed boxes", () => {
  const boxes = (...args: string[]) =>
    moorings(["check", "--project", work.program("boxes"), "--policy-pack", levels, ...args]);

  test("are listed and don't fail a check by themselves", async () => {
    const { code, stdout } = await boxes("--json", work.path("boxes.json"));
    expect(stdout).toContain('Closed boxes: 1 remote component\n    acme:index:Remote "box"');
    expect(stdout).toContain("Their arguments were checked by 4 policies.");
    expect(code).toBe(0);
  });

  test("fail it with --fail-on-closed-box, which says how to allow one", async () => {
    const { code, stdout } = await boxes("--fail-on-closed-box", "--allow-closed-box", "acme:index:Other");
    expect(stdout).toContain("--allow-closed-box acme:index:Remote");
    expect(code).toBe(3);
  });

  test("may be allowed by type", () => {
    const plan = work.plan("boxes.json");
    expect(closedBoxViolations(plan, [])).toHaveLength(1);
    expect(closedBoxViolations(plan, ["acme:index:Remote"])).toEqual([]);
  });
});

describe("policies", () => {
  const configured = async (config: object, ...args: string[]) => {
    const file = work.path("config.json");
    writeFileSync(file, JSON.stringify(config));
    return check("--policy-pack-config", file, ...args);
  };

  test("levels: mandatory fails, advisory doesn't, disabled says nothing", async () => {
    const { code, stdout } = await configured({ "short-timeout": "advisory", "one-queue": "disabled" });
    expect(stdout).toContain("[advisory] short-timeout");
    expect(stdout).not.toContain("one-queue");
    expect(code).toBe(0);
  });

  test("`all` sets every level that isn't set by name", async () => {
    const { code, stdout } = await configured({ all: "disabled", "one-queue": "mandatory" });
    expect(stdout).toContain("levels (4 policies, 3 disabled): 1 mandatory violation, 0 advisory");
    expect(code).toBe(3);
  });

  test("configuration reaches the policy", async () => {
    const { stdout } = await configured({ "short-timeout": { enforcementLevel: "mandatory", most: 44 } });
    expect(stdout).toContain("45 s is more than 44 s");
  });

  test("a configuration that doesn't fit the pack is wrong usage", async () => {
    const { code, stderr } = await configured({ "short-timeuot": "advisory", "short-timeout": { most: 0, mots: 3 } });
    expect(stderr).toContain('pack "levels" has no policy "short-timeuot": did you mean "short-timeout"?');
    expect(stderr).toContain('policy "short-timeout": most must be >= 1');
    expect(stderr).toContain('policy "short-timeout": unknown property "mots": did you mean "most"?');
    expect(code).toBe(2);
  });

  test("a level that doesn't exist is wrong usage", async () => {
    const { code, stderr } = await configured({ "one-queue": "required", all: { enforcementLevel: "of" } });
    const choice = "write one of advisory, mandatory, disabled, remediate";
    expect(stderr).toContain(`  - "one-queue" has the enforcement level "required"; ${choice}\n`);
    expect(stderr).toContain(`  - "all" has the enforcement level "of"; ${choice}\n`);
    expect(code).toBe(2);
  });

  test("a remediation changes what the program and the plan see", () => {
    const plan = work.plan("baseline.json");
    expect(plan.outputs["owner"]).toBe("remediated");
    expect(plan.resources.find((r) => r.name === "second")?.inputs["tags"]).toEqual({ owner: "remediated" });
  });

  test("what a preview can't know is advisory, whatever the policy's level", () => {
    const unknown = work.plan("baseline.json").policies.filter((p) => p.policy === "known-url");
    expect(unknown.map((p) => p.enforcement)).toEqual(["advisory"]);
    expect(unknown[0]?.message).toContain("can't be known during preview");
  });

  test("several packs run, each under its name", async () => {
    const { stdout } = await moorings([
      "check",
      "--project",
      queues,
      "--policy-pack",
      levels,
      "--policy-pack",
      "policy",
    ]);
    expect(stdout).toContain("Policies: levels (4 policies), moorings (59 policies): 2 mandatory violations");
  });

  test("a pack that doesn't start fails the run in its own words", async () => {
    const { code, stdout } = await moorings(["check", "--project", queues, "--policy-pack", work.pack("broken")]);
    expect(stdout).toContain("this pack has a hole");
    expect(stdout).not.toMatch(/node:internal|\u001b\[/);
    expect(code).toBe(1);
  });
});

test("the scripts of package.json are the commands that the README promises", () => {
  const { scripts } = JSON.parse(readFileSync(resolve(__dirname, "../../package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts["moorings"]).toBe("node --import tsx cli/main.ts");
  // Without a stack, so that `npm run preview -- --stack prod` names only one.
  expect(scripts["preview"]).toBe("npm run -s moorings -- preview");
  expect(defaultStack(readProject(resolve(__dirname, "../..")))).toBe("dev");
});
