import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../cli/errors";

/** A server to start. */
export interface ServerOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Folder for its log, `<name>.log`. */
  readonly directory: string;
  /** Whether it serves yet; a rejection means no, too. */
  readonly ready: () => Promise<boolean>;
  /** Only stops a hang: a crowded machine may need long. */
  readonly readySeconds?: number;
  /** How long it may take to stop before it is killed. */
  readonly graceSeconds?: number;
}

/** A running server. However the process that started it ends, it ends, too (guard.cjs). */
export interface Server {
  readonly log: string;
  /** Asks it to stop, kills it if it doesn't, and returns when nothing of it is left. */
  stop(): Promise<void>;
}

/** Starts a server and waits until it serves. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { name, command, args, readySeconds = 180, graceSeconds = 10 } = options;
  const log = join(options.directory, `${name}.log`);
  const output = openSync(log, "a");
  const guard = spawn(process.execPath, [join(__dirname, "guard.cjs"), String(graceSeconds), command, ...args], {
    env: options.env ?? process.env,
    stdio: ["pipe", output, output],
    detached: true, // not in the group of the tests: who kills that would kill the guard, too
  });
  closeSync(output);
  const input = guard.stdin as Socket;
  // A test that forgets to stop its server must not keep Jest from ending.
  guard.unref();
  input.unref();
  input.on("error", () => undefined); // it has ended by itself
  const guarded: Guarded = { exitCode: undefined };
  const ended = new Promise<void>((done) =>
    guard.once("exit", (code) => {
      guarded.exitCode = code;
      done();
    }),
  );
  const server: Server = {
    log,
    stop: async () => {
      guard.ref();
      input.write("stop\n");
      await ended;
    },
  };
  try {
    await untilReady(options.ready, guarded, readySeconds);
    return server;
  } catch (error) {
    await server.stop();
    throw new Error(`${name} ${messageOf(error)}; the end of its log:\n${tail(log)}`, { cause: error });
  }
}

interface Guarded {
  /** Undefined while it runs, null when it was killed. */
  exitCode: number | null | undefined;
}

async function untilReady(ready: () => Promise<boolean>, guarded: Guarded, seconds: number): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  let problem = "";
  const asked = () =>
    ready().catch((error: unknown) => {
      problem = ` (${messageOf(error)})`;
      return false;
    });
  for (;;) {
    if (guarded.exitCode !== undefined) throw new Error(`ended with exit code ${guarded.exitCode} before it was ready`);
    if (await asked()) return;
    if (Date.now() > deadline) throw new Error(`wasn't ready after ${seconds} s${problem}`);
    await delay(100);
  }
}

function tail(log: string): string {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-20).join("\n");
}

/**
 * Ports of the loopback address that nobody uses, all different. They lie below those that systems give to outgoing connections (from 32768
 * on Linux, 49152 on macOS): one of these could take the port before the server does.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = 20_000 + randomInt(12_000);
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
}
