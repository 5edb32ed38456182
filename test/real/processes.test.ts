import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts, startServer, type ServerOptions } from "../../test-real/servers/processes";
import { isAlive } from "../support/alive";

const root = resolve(__dirname, "../..");
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "moorings-processes-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const path = (name: string) => join(directory, name);
/** The process ids that a program wrote, once it has: it may be asked before it is up. */
const pids = async (): Promise<number[]> => {
  while (!existsSync(path("pids")) || readFileSync(path("pids"), "utf8") === "") await delay(20);
  return readFileSync(path("pids"), "utf8").split(" ").map(Number);
};
/** Waits for ends that nobody tells us of. The bound of the test stops the hang. */
const untilGone = async (all: readonly number[]) => {
  while (all.some(isAlive)) await delay(20);
};

/** A server of a few lines of JavaScript. */
const server = (code: string, more: Partial<ServerOptions> = {}) =>
  startServer({
    name: "small",
    command: process.execPath,
    args: ["-e", code],
    directory,
    ready: () => Promise.resolve(existsSync(path("ready"))),
    ...more,
  });
const write = (name: string, text: string) =>
  `require("node:fs").writeFileSync(${JSON.stringify(path(name))}, String(${text}));`;
const forever = "setInterval(() => {}, 1000);";
const deaf = `process.on("SIGTERM", () => {}); ${forever}`;

test("a server that is ready serves until it is stopped, which it may do in its own way", async () => {
  const goodbye = `process.on("SIGTERM", () => { ${write("goodbye", "1")} process.exit(); });`;
  const started = await server(`${goodbye} ${forever} ${write("pids", "process.pid")} ${write("ready", "1")}`);
  const [pid] = await pids();
  expect(isAlive(pid!)).toBe(true);
  await started.stop();
  expect(isAlive(pid!)).toBe(false);
  expect(existsSync(path("goodbye"))).toBe(true);
});

test("a server that doesn't listen is killed, and so is what it started", async () => {
  const child = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(deaf)}], { stdio: "ignore" })`;
  const code = `${deaf} ${write("pids", `process.pid + " " + ${child}.pid`)} ${write("ready", "1")}`;
  const started = await server(code, { graceSeconds: 0.1 });
  const all = await pids();
  expect(all.map(isAlive)).toEqual([true, true]);
  await started.stop();
  await untilGone(all);
});

test("a server that ends before it is ready fails at once, with the end of its log", async () => {
  await expect(
    server('console.log("reading flags"); console.error("unknown flag: --x"); process.exit(3);'),
  ).rejects.toThrow(
    "small ended with exit code 3 before it was ready; the end of its log:\nreading flags\nunknown flag: --x",
  );
});

test("a server that never gets ready fails in the end, and is gone", async () => {
  const ready = () => Promise.reject(new Error("connection refused"));
  const started = server(`console.log("waiting"); ${write("pids", "process.pid")} ${forever}`, {
    ready,
    readySeconds: 1,
  });
  const failure = expect(started).rejects.toThrow(
    "small wasn't ready after 1 s (connection refused); the end of its log:\nwaiting",
  );
  const [pid] = await pids();
  await failure;
  expect(isAlive(pid!)).toBe(false);
});

test("a program that isn't there is said to be missing", async () => {
  await expect(server("", { command: path("nothing") })).rejects.toThrow(/exit code 127[^]*ENOENT/);
});

test("free ports are different and can be used", async () => {
  const ports = await freePorts(5);
  expect(new Set(ports).size).toBe(5);
  for (const port of ports) {
    const listening = createServer();
    await new Promise<void>((done, failed) => listening.once("error", failed).listen(port, "127.0.0.1", done));
    await new Promise((done) => listening.close(done));
  }
});

describe("of a server that a test never stopped, nothing is left when Jest", () => {
  /** Runs the suite in test/fixtures/servers in a Jest of its own, the leader of its process group. */
  function startJest(end: string): ChildProcess {
    const { transform } = jest.requireActual<{ transform: object }>("../../test-real/jest.config.js");
    // Jest waits for a test that an exception left hanging.
    const testTimeout = end === "crashes" ? 1000 : 60_000;
    const config = { rootDir: root, testMatch: ["**/test/fixtures/servers/*.ts"], transform, testTimeout };
    return spawn(process.execPath, ["node_modules/jest/bin/jest.js", "--config", JSON.stringify(config)], {
      cwd: root,
      env: { ...process.env, LEFT_IN: directory, END: end },
      stdio: "ignore",
      detached: true,
    });
  }

  test.each<[string, string, (run: ChildProcess) => void]>([
    ["ends with a failed test", "fails", () => undefined],
    ["meets an exception that nobody catches", "crashes", () => undefined],
    ["is interrupted on its terminal", "hangs", (run) => process.kill(-run.pid!, "SIGINT")],
    ["is killed", "hangs", (run) => run.kill("SIGKILL")],
    ["is killed with all of its group", "hangs", (run) => process.kill(-run.pid!, "SIGKILL")],
  ])("%s", async (_, end, act) => {
    const run = startJest(end);
    const ended = new Promise((done) => run.once("exit", (code, signal) => done(code ?? signal)));
    const all = await pids();
    expect(all.map(isAlive)).toEqual([true, true]);
    act(run);
    expect(await ended).not.toBe(0);
    await untilGone(all);
  });
});
