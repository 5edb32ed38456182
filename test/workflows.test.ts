import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { layersOf } from "../stacks/layers";
import { environments } from "./support/environments";

const root = resolve(__dirname, "..");
const folder = join(root, ".github/workflows");

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

  test("previews every layer of every environment once, with its own settings", () => {
    const previewed = jobs["pulumi"]!.strategy!.matrix.include.flatMap(({ stack, settings }) => {
      const environment = /^Pulumi\.(.+)\.yaml$/.exec(settings!)![1]!;
      const layers = layersOf(stack!, environment);
      expect(typeof layers).toBe("object");
      return [...(layers as ReadonlySet<string>)].map((layer) => `${environment} ${layer}`);
    });
    const all = environments.flatMap((e) => ["network", "cluster", "edge", "kafka"].map((layer) => `${e} ${layer}`));
    expect(previewed.sort()).toEqual(all.sort());
  });
});

describe("offline-preview.sh", () => {
  const work = mkdtempSync(join(tmpdir(), "moorings-workflow-"));
  afterAll(() => rmSync(work, { recursive: true, force: true }));
  const comment = join(work, "comment.md");
  const script = (...args: string[]) =>
    spawnSync(join(root, ".github/scripts/offline-preview.sh"), args, { cwd: root, encoding: "utf8" });

  test("compares with the base branch", () => {
    const { status } = script(root, comment, "dev");
    const text = readFileSync(comment, "utf8");
    expect(text).toMatch(/^<!-- moorings-preview -->\n/);
    expect(text).toContain("### dev: fine · no change");
    expect(text).toContain("Policies: moorings (51 policies): no violation");
    expect(text).not.toContain("\u001b[");
    expect(status).toBe(0);
  });

  test("reports an environment that isn't there, and keeps the check's exit code", () => {
    const { status } = script(work, comment, "nowhere");
    const text = readFileSync(comment, "utf8");
    expect(text).toContain("### nowhere: **wrong usage**");
    expect(text).toContain("There is no Pulumi.nowhere.yaml.");
    expect(text).toContain('there is no stack "nowhere"');
    expect(status).toBe(2);
  });

  test("says why the base branch has no plan, and takes no other folder for it", () => {
    writeFileSync(join(work, "Pulumi.dev.yaml"), "");
    writeFileSync(join(work, "package.json"), '{ "scripts": { "moorings": "echo the base is broken; exit 1" } }');
    expect(script(work, comment, "dev").status).toBe(0);
    expect(readFileSync(comment, "utf8")).toMatch(/nothing to compare with: .*the base is broken/);
    const missing = script(join(work, "nowhere"), comment, "dev");
    expect(missing.stderr).toContain("give a checkout of the base branch");
    expect(missing.status).toBe(2);
  });

  test("says how it is used", () => {
    const { status, stderr } = script();
    expect(stderr).toContain("offline-preview.sh BASE_CHECKOUT COMMENT_FILE");
    expect(status).toBe(2);
  });
});
