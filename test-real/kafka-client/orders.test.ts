import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { kafkaClientProfile } from "../../components/kafka";
import { stallSidecarScript } from "../../components/kafka/stall-sidecar-script";
import { eventually } from "../apiserver/eventually";

/*
 * The example's service as it is, with the profile that its deployment mounts and the detector beside it. librdkafka brings a cluster of its own
 * (test.mock.num.brokers), which speaks the protocol on the loopback; a closed port stands for brokers that are all away.
 */

const app = resolve(__dirname, "../../examples/kafka-client/app");
const folder = mkdtempSync(join(tmpdir(), "moorings-kafka-client-"));
const python = join(folder, "venv/bin/python");
const children: ChildProcess[] = [];

function command(file: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(file, args, { encoding: "utf8" });
  if (error !== undefined || status !== 0)
    throw new Error(`${file} ${args.join(" ")}: this suite needs Python with venv, and PyPI: ${stderr}`, {
      cause: error,
    });
}

beforeAll(() => {
  command("python3", ["-m", "venv", join(folder, "venv")]);
  command(python, [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "-r",
    join(app, "requirements.txt"),
  ]);
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly log: () => string;
  readonly url: string;
}

async function started(file: string, args: string[], env: Record<string, string>, port: RegExp): Promise<Started> {
  const child = spawn(file, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  let log = "";
  child.stdout.on("data", (text: Buffer) => (log += text.toString()));
  child.stderr.on("data", (text: Buffer) => (log += text.toString()));
  const found = await eventually(
    () => Promise.resolve(port.exec(log)?.[1]),
    (number) => number !== undefined || child.exitCode !== null,
  );
  if (found === undefined) throw new Error(`${file} ended with ${String(child.exitCode)}:\n${log}`);
  return { child, log: () => log, url: `http://127.0.0.1:${found}` };
}

function service(name: string, properties: Record<string, string>, environment: Record<string, string> = {}) {
  const { librdkafka } = kafkaClientProfile({ clientId: "orders" });
  const profile = join(folder, `${name}.json`);
  writeFileSync(profile, JSON.stringify({ librdkafka: { ...librdkafka, ...properties } }));
  const directory = join(folder, name);
  mkdirSync(directory);
  const env = {
    KAFKA_PROFILE: profile,
    // Nobody listens on port 1.
    KAFKA_BOOTSTRAP_SERVERS: "127.0.0.1:1",
    KAFKA_TOPIC: "orders",
    KAFKA_STALL_DIRECTORY: directory,
    ADDRESS: "127.0.0.1",
    PORT: "0",
    ...environment,
  };
  return started(python, ["-u", join(app, "orders.py")], env, /listening on (\d+)/);
}

const order = (url: string, init: RequestInit = {}) =>
  fetch(url, { method: "POST", body: "one", headers: { "idempotency-key": "1" }, ...init });

async function endOf({ child }: Started): Promise<number | null> {
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
  return child.exitCode;
}

test("stores an order before it says so, and its statistics reach the detector", async () => {
  const running = await service("mock", { "test.mock.num.brokers": "3", "statistics.interval.ms": "1000" });
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(running.url)));
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202));
  expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
  expect((await order(running.url, { body: "x".repeat(1_000_000) })).status).toBe(413);

  const file = join(folder, "mock/orders.jsonl");
  await eventually(
    () => Promise.resolve(readFileSync(file, "utf8").split("\n").length),
    (lines) => lines > 3,
  );
  const script = join(folder, "kafka-stall.cjs");
  writeFileSync(script, stallSidecarScript);
  const env = { STALL_DIRECTORY: join(folder, "mock"), STALL_ADDRESS: "127.0.0.1", STALL_PORT: "0" };
  const sidecar = await started(process.execPath, [script], env, /"listening","port":(\d+)/);
  const metrics = await (await fetch(`${sidecar.url}/metrics`)).text();
  expect(metrics).toContain('kafka_client_queue_ratio{client="orders/orders#producer-1"} 0\n');
  expect(metrics.match(/kafka_client_broker_stalled\{.*kind="black-holed"\} 0/g)).toHaveLength(3);
  expect(sidecar.log()).not.toContain("malformed");

  expect(await endOf(running)).toBe(0);
  expect(running.log()).toContain("stopped");
});

test("asks senders to come back when nobody confirms, when the queue is full, and says what it couldn't send", async () => {
  const short = { ANSWER_SECONDS: "2", FLUSH_SECONDS: "1" };
  const running = await service("away", { "queue.buffering.max.messages": "1" }, short);
  const first = order(running.url);
  await eventually(
    async () => (await order(running.url)).text(),
    (text) => text === "the queue is full",
  );
  const late = await first;
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await late.text()).toMatch(/no broker has confirmed it yet|the queue is full/);
  expect(await endOf(running)).toBe(1);
  expect(running.log()).toMatch(/1 orders were not confirmed/);
});
