import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { layersOf } from "../stacks/layers";
import { environments } from "./support/environments";
import { Workspace } from "./support/moorings";

const root = resolve(__dirname, "..");
const folder = join(root, ".github/workflows");
const scripts = ".github/scripts";

interface Step {
  uses?: string;
  run?: string;
}
interface Job {
  needs?: string;
  if?: string;
  permissions?: Record<string, string>;
  strategy?: { matrix: { include: Record<string, string>[] } };
  steps: Step[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}
const read = (name: string) => parse(readFileSync(join(folder, name), "utf8")) as Workflow;

describe.each(readdirSync(folder))("%s", (name) => {
  const workflow = read(name);
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test("may only read, but for jobs that say what they write", () =>
    expect(workflow.permissions).toEqual({ contents: "read" }));

  test("never runs a pull request's code with the rights of the base branch", () =>
    expect(Object.keys(workflow.on)).not.toContain("pull_request_target"));

  test("takes no text of a pull request into a script", () => {
    for (const { run } of steps) expect(run ?? "").not.toContain("${{");
  });

  test("runs scripts that are there", () => {
    const scripts = steps.flatMap((s) => s.run?.match(/^\.[\w./-]+/gm) ?? []);
    expect(scripts.filter((script) => !existsSync(join(root, script)))).toEqual([]);
  });

  test("names a version of every action", () => {
    for (const { uses } of steps) expect(uses ?? "x/y@v1").toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
  });
});

describe("the preview of a pull request", () => {
  const { jobs } = read("preview.yml");

  test("writes the comment, and nothing else", () =>
    expect(jobs["offline"]!.permissions).toEqual({ contents: "read", "pull-requests": "write" }));

  test("gets cloud credentials by OIDC, after the offline check, and never for a fork", () => {
    expect(jobs["pulumi"]!.needs).toBe("offline");
    expect(jobs["pulumi"]!.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(jobs["pulumi"]!.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
  });

  test("previews every layer of every environment once, with its own settings and profile", () => {
    const previewed = jobs["pulumi"]!.strategy!.matrix.include.flatMap(({ stack, environment }) => {
      const layers = layersOf(stack!, environment!);
      expect(typeof layers).toBe("object");
      return [...(layers as ReadonlySet<string>)].map((layer) => `${environment} ${layer}`);
    });
    const all = environments.flatMap((e) => ["network", "cluster", "edge", "kafka"].map((layer) => `${e} ${layer}`));
    expect(previewed.sort()).toEqual(all.sort());
    const { run } = jobs["pulumi"]!.steps.at(-1)!;
    expect(run).toContain('--config-file "Pulumi.$ENVIRONMENT.yaml"');
    expect(run).toContain('--policy-pack policy --policy-pack-config "policy/profiles/$ENVIRONMENT.json"');
    expect(environments.filter((e) => !existsSync(join(root, `policy/profiles/${e}.json`)))).toEqual([]);
  });
});

describe("offline-preview.sh", () => {
  const [head, base, work] = [new Workspace(), new Workspace(), new Workspace()];
  afterAll(() => [head, base, work].forEach((workspace) => workspace.dispose()));
  const name = "offline-preview.sh";
  const checkoutWith = (workspace: Workspace, settings: string) => {
    const checkout = workspace.program("queues");
    // A small program in the place of the environments, which would take most of the test's time.
    writeFileSync(join(checkout, "Pulumi.dev.yaml"), settings);
    const moorings = `node --import tsx ${JSON.stringify(join(root, "cli/main.ts"))}`;
    writeFileSync(join(checkout, "package.json"), JSON.stringify({ main: "index.js", scripts: { moorings } }));
    mkdirSync(join(checkout, scripts), { recursive: true });
    cpSync(join(root, scripts, name), join(checkout, scripts, name));
    return checkout;
  };
  const ours = checkoutWith(head, "config: { queues:timeout: 20 }\n");
  const theirs = checkoutWith(base, "config: {}\n");
  const comment = work.path("comment.md");
  const script = (...args: string[]) =>
    spawnSync(join(ours, scripts, name), args, { cwd: work.path("."), encoding: "utf8" });

  test("compares with the base branch", () => {
    const { status } = script(theirs, comment, "dev");
    const text = readFileSync(comment, "utf8");
    expect(text).toMatch(/^<!-- moorings-preview -->\n/);
    expect(text).toContain("### dev: fine · 0 added, 0 removed, 1 changed");
    expect(text).toContain("visibilityTimeoutSeconds: 45 => 20");
    expect(text).toMatch(/Policies: moorings \(\d+ policies\): no violation/);
    expect(text).not.toContain("\u001b[");
    expect(status).toBe(0);
  });

  test("reports an environment that isn't there, and keeps the check's exit code", () => {
    const { status } = script(theirs, comment, "nowhere");
    const text = readFileSync(comment, "utf8");
    expect(text).toContain("### nowhere: **wrong usage**");
    expect(text).toContain("There is no Pulumi.nowhere.yaml.");
    expect(text).toContain('there is no stack "nowhere"');
    expect(status).toBe(2);
  });

  test("judges an environment by its profile", () => {
    mkdirSync(join(ours, "policy/profiles"), { recursive: true });
    writeFileSync(join(ours, "policy/profiles/dev.json"), '{ "no-such-rule": "mandatory" }');
    const { status } = script(work.path("."), comment, "dev");
    rmSync(join(ours, "policy"), { recursive: true });
    expect(readFileSync(comment, "utf8")).toContain('pack "moorings" has no policy "no-such-rule"');
    expect(status).toBe(2);
  });

  test("says why the base branch has no plan, and takes no other folder for it", () => {
    writeFileSync(work.path("Pulumi.dev.yaml"), "");
    writeFileSync(work.path("package.json"), '{ "scripts": { "moorings": "echo the base is broken; exit 1" } }');
    expect(script(work.path("."), comment, "dev").status).toBe(0);
    expect(readFileSync(comment, "utf8")).toMatch(/nothing to compare with: .*the base is broken/);
    const missing = script(work.path("nowhere"), comment, "dev");
    expect(missing.stderr).toContain("give a checkout of the base branch");
    expect(missing.status).toBe(2);
  });

  test("says how it is used", () => {
    const { status, stderr } = script();
    expect(stderr).toContain("offline-preview.sh BASE_CHECKOUT COMMENT_FILE");
    expect(status).toBe(2);
  });
});
