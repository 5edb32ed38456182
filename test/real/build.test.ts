import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { execute } from "../../test-real/command";
import { build } from "../../test-real/servers/build";
import { cacheDirectory, digestOf } from "../../test-real/servers/cache";
import { toolPath } from "../../test-real/servers/tools";
import { isAlive } from "../support/alive";

/* How tools get into the cache, with a Go that only writes down what it is asked (test/fixtures/servers/bin/go). */

const root = resolve(__dirname, "../..");
const fakeGo = join(root, "test/fixtures/servers/bin");
const environment = { ...process.env };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "moorings-build-"));
  Object.assign(process.env, { PATH: fakeGo, XDG_CACHE_HOME: join(directory, "cache"), FAKE_GO: directory });
  behave({});
});
afterEach(() => {
  process.env = { ...environment };
  rmSync(directory, { recursive: true, force: true });
});

function behave(behaviour: Record<string, string | number>): void {
  const all = { version: "go1.26.8", failed_downloads: 0, build: "works", until: "", ...behaviour };
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(directory, "behaviour"), lines.join(""));
}

const calls = () => readFileSync(join(directory, "calls"), "utf8").trim().split("\n");
const asked = (what: string) => calls().filter((call) => call.startsWith(what)).length;
/** Everything in the cache, by its name. */
const cached = () => {
  const cache = join(directory, "cache/moorings/tools");
  return existsSync(cache) ? readdirSync(cache).flatMap((digest) => readdirSync(join(cache, digest))) : [];
};

async function run(...tools: Parameters<typeof build>[0]): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => {
    lines.push(line);
    if (line.includes("now")) writeFileSync(join(directory, "progress"), "");
  };
  await build(tools, { print, retrySeconds: 0, progressSeconds: 0.05 });
  return lines;
}

async function command(...args: string[]) {
  let out = "";
  let err = "";
  const code = await execute(args, { out: (text) => void (out += text), err: (text) => void (err += text) });
  return { code, out, err };
}

describe("the cache", () => {
  test.each<[string, NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ["Linux", "linux", {}, "/home/ada/.cache/moorings/tools"],
    ["macOS", "darwin", {}, "/home/ada/Library/Caches/moorings/tools"],
    ["who chose a folder", "darwin", { XDG_CACHE_HOME: "/var/tmp/ada" }, "/var/tmp/ada/moorings/tools"],
    ["who chose none", "linux", { XDG_CACHE_HOME: "" }, "/home/ada/.cache/moorings/tools"],
    ["who chose a relative one", "linux", { XDG_CACHE_HOME: "cache" }, "/home/ada/.cache/moorings/tools"],
  ])("of %s is in the user's folder for caches", (_, platform, env, folder) => {
    expect(cacheDirectory(env, platform, "/home/ada")).toBe(folder);
  });

  test("has one folder for each combination of what decides a build", () => {
    const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
    const go = { version: "go1.26.8", os: "linux", arch: "amd64" };
    write("go.mod", "module x");
    write("go.sum", "a b");
    const digests = [digestOf(directory, ["-trimpath"], go)];
    const again = () => digests.push(digestOf(directory, ["-trimpath"], go));
    digests.push(digestOf(directory, ["-race"], go));
    for (const other of [{ version: "go1.27.0" }, { os: "darwin" }, { arch: "arm64" }])
      digests.push(digestOf(directory, ["-trimpath"], { ...go, ...other }));
    write("go.sum", "a c");
    again();
    write("go.mod", "module y");
    again();
    write("main.go", "package main");
    again();
    expect(new Set(digests).size).toBe(8);

    write("README.md", "no part of a build");
    expect(digestOf(directory, ["-trimpath"], go)).toBe(digests.at(-1));
  });
});

describe("a build", () => {
  test("makes what is missing under its own name, and the next run has it", async () => {
    expect(() => toolPath("etcd")).toThrow('etcd isn\'t built: run "npm run test:real -- SUITE"');
    await run("etcd", "kube-apiserver");
    expect(cached().sort()).toEqual(["etcd", "kube-apiserver"]);
    expect(readFileSync(toolPath("etcd"), "utf8")).toBe("half and whole");

    expect(await run("etcd")).toEqual([expect.stringMatching(/^etcd: cached in /)]);
    expect(asked("build")).toBe(1);
    await run("etcd", "pulumi");
    expect(asked("build")).toBe(2);
    expect(cached().sort()).toEqual(["etcd", "kube-apiserver", "pulumi"]);
  });

  test("makes anew what is no program", async () => {
    await run("etcd");
    writeFileSync(toolPath("etcd"), "");
    expect(() => toolPath("etcd")).toThrow("etcd isn't built");
    await run("etcd");
    expect(readFileSync(toolPath("etcd"), "utf8")).toBe("half and whole");
  });

  test("keeps what Go leaves behind in a folder that goes", async () => {
    behave({ build: "fails" });
    await expect(run("etcd")).rejects.toThrow("building etcd failed");
    expect(readFileSync(join(directory, "temporary"), "utf8")).toMatch(/\/moorings\/tools\/[0-9a-f]+\/\.build-\w+\n$/);
    expect(cached()).toEqual([]);
  });

  test("says so where it can't keep anything", async () => {
    writeFileSync(join(directory, "file"), "");
    process.env["XDG_CACHE_HOME"] = join(directory, "file");
    const { code, err } = await command("engine");
    expect(err).toMatch(/^error: built tools can't be kept in .*ENOTDIR.*; set XDG_CACHE_HOME to a folder/);
    expect(code).toBe(1);
  });

  test("can be all that the command does", async () => {
    const { code, out } = await command("engine", "--build-only");
    expect(code).toBe(0);
    expect(out.trimEnd()).toMatch(/building pulumi: done in \d+ s$/);
    expect(cached()).toEqual(["pulumi"]);
  });

  test("says when it begins, how far it is, and when it ends", async () => {
    behave({ until: "progress" });
    const lines = await run("etcd");
    const building = lines.filter((line) => line.startsWith("building"));
    expect(building[0]).toBe("building etcd");
    expect(building.slice(1, -1)).toContainEqual(
      expect.stringMatching(/^building etcd: \d+ s, 1 packages, now example\.com\/part\/of\/server$/),
    );
    expect(building.at(-1)).toMatch(/^building etcd: done in \d+ s$/);
  });

  test("tries a failed download again", async () => {
    behave({ failed_downloads: 2 });
    const lines = await run("etcd");
    expect(asked("mod download")).toBe(3);
    expect(lines.join("\n")).toContain("connection refused\ntrying again in 0 s (2 left)");
    expect(cached()).toEqual(["etcd"]);
  });

  test("gives up after the third", async () => {
    behave({ failed_downloads: 3 });
    await expect(run("etcd")).rejects.toThrow(/downloading .* failed: dial tcp: connection refused/);
    expect(asked("mod download")).toBe(3);
    expect(asked("build")).toBe(0);
  });

  test("that fails says why and leaves nothing", async () => {
    behave({ build: "fails" });
    await expect(run("etcd")).rejects.toThrow("building etcd failed: example.com/part/of/server\nundefined: x");
    expect(cached()).toEqual([]);
  });

  test("and another one at the same time don't disturb each other", async () => {
    behave({ until: "both" });
    const both = Promise.all([run("etcd", "pulumi"), run("etcd", "pulumi")]);
    while (!existsSync(join(directory, "calls")) || asked("build") < 2) await delay(20);
    writeFileSync(join(directory, "both"), "");
    await both;
    expect(cached().sort()).toEqual(["etcd", "pulumi"]);
    for (const tool of ["etcd", "pulumi"] as const) expect(readFileSync(toolPath(tool), "utf8")).toBe("half and whole");
  });

  /** Interrupts the command in the middle of a build, and returns how it ended and the process id of what Go had started. */
  async function endedBy(signal: NodeJS.Signals): Promise<[unknown, number]> {
    behave({ build: "hangs" });
    const args = ["--import", "tsx", "test-real/main.ts", "engine"];
    const main = spawn(process.execPath, args, { cwd: root, env: process.env, stdio: "ignore" });
    const ended = new Promise((done) => main.once("exit", (code, by) => done(by ?? code)));
    const building = join(directory, "building");
    while (!existsSync(building) || readFileSync(building, "utf8") === "") await delay(20);
    main.kill(signal);
    return [await ended, Number(readFileSync(building, "utf8"))];
  }

  test("that is interrupted leaves nothing, and no process", async () => {
    const [end, compiler] = await endedBy("SIGINT");
    expect(end).toBe(130);
    expect(cached()).toEqual([]);
    while (isAlive(compiler)) await delay(20);
  });

  test("that is killed leaves no tool", async () => {
    const [end, compiler] = await endedBy("SIGKILL");
    process.kill(compiler, "SIGKILL");
    expect(end).toBe("SIGKILL");
    expect(cached()).toEqual([expect.stringMatching(/^\.build-/)]);
  });
});

describe("without what it needs, the command fails and says what to do", () => {
  test("no Go", async () => {
    process.env["PATH"] = join(directory, "nothing");
    const { code, err } = await command("engine");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error: Go is missing: tools\/go\.mod needs 1\.26\.0\. Install Go 1\.26\.0 or newer \(https:\/\/go\.dev\/doc\/install, /,
    );
  });

  test.each(["go1.25.9", "go1.9", "go1.24rc1"])("an old Go: %s", async (version) => {
    behave({ version });
    const { code, err } = await command("apiserver");
    expect(code).toBe(1);
    expect(err).toContain(`error: Go is too old: this is ${version}, and tools/go.mod needs 1.26.0. Install Go`);
    expect(asked("build")).toBe(0);
  });

  test.each(["go1.26.0", "go1.26.8", "go1.27rc1", "go2.0"])("but %s will do", async (version) => {
    behave({ version });
    await run("etcd");
    expect(asked("build")).toBe(1);
  });
});

describe("the command", () => {
  test("without a suite shows which there are and what each needs", async () => {
    const { code, err } = await command();
    expect(code).toBe(2);
    expect(err).toMatch(/engine +the real Pulumi engine.*\n +needs Go, for pulumi\n/);
    expect(err).toMatch(/apiserver .*\n +needs Go, for etcd, kube-apiserver, kube-controller-manager\n/);
    expect(err).toMatch(/ karpenter .*\n +needs Go, for etcd, .*, karpenter-kwok; root on Linux, with unshare and ip/);
    expect(err).toMatch(/event-ruler .*\n +needs Java and Maven\n/);
  });

  test("names the suite that was probably meant", async () => {
    const { code, err } = await command("engine", "apiservr");
    expect(code).toBe(2);
    expect(err).toContain('error: there is no suite "apiservr": did you mean "apiserver"?');
    expect(err).toMatch(/Suites:\n +engine /);
    expect(existsSync(join(directory, "calls"))).toBe(false);
  });
});

describe("a suite with a network of its own", () => {
  const unshare = (script: string) => {
    process.env["PATH"] = `${directory}:${fakeGo}`;
    writeFileSync(join(directory, "unshare"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };

  test("says what it misses, before anything is built", async () => {
    const { code, err } = await command("karpenter");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^error: unshare can't be run \(.*ENOENT\): .* That needs Linux, with unshare \(util-linux\) and ip/,
    );
    expect(existsSync(join(directory, "calls"))).toBe(false);
  });

  test("says who has to run it", async () => {
    unshare('echo "unshare failed: Operation not permitted" >&2; exit 1');
    const { code, err } = await command("karpenter");
    expect(code).toBe(1);
    expect(err).toMatch(/a network of its own can't be had \(unshare failed: Operation not permitted\): .* as root/);
    expect(existsSync(join(directory, "calls"))).toBe(false);
  });

  test("runs by itself", async () => {
    unshare("exit 0");
    const { code, err } = await command("karpenter", "engine");
    expect(code).toBe(2);
    expect(err).toContain("error: karpenter, engine: one of these runs in a network of its own; run it by itself");
    expect(existsSync(join(directory, "calls"))).toBe(false);
  });
});
