import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { StallDetector } from "./detector";
import type { Change } from "./findings";
import { prometheusText } from "./prometheus";
import { LinesFile } from "./sidecar-file";

/*
 * A program of one file for a container beside a Kafka client: reads the statistics that the client appends to files in a shared folder, a
 * JSON document a line, and serves what the detector makes of them to Prometheus.
 */

const settings = {
  directory: process.env["STALL_DIRECTORY"] ?? "/var/run/kafka-stall",
  port: number("STALL_PORT", 9405, 0),
  /** A file that is larger is emptied. Twice the chunk, because a document with many partitions has a megabyte. */
  mostBytes: number("STALL_MOST_BYTES", 2 << 20),
  pollMs: number("STALL_POLL_MS", 1000),
  /** Clients that have written nothing for so long are forgotten: a restarted one may have another name. */
  forgetMs: number("STALL_FORGET_MS", 3_600_000),
};
const options = {
  socketTimeoutMs: number("STALL_SOCKET_TIMEOUT_MS", 60_000),
  statisticsIntervalMs: number("STALL_STATISTICS_INTERVAL_MS", 5000),
  fetchWaitMaxMs: number("STALL_FETCH_WAIT_MAX_MS", 500),
};

function number(name: string, otherwise: number, least = 1): number {
  const given = process.env[name];
  const value = given === undefined ? otherwise : Number(given);
  if (Number.isInteger(value) && value >= least) return value;
  log({ level: "error", message: `${name} must be a whole number from ${least} on, not "${given ?? ""}"` });
  process.exit(2);
}

interface Client {
  readonly detector: StallDetector;
  heardMs: number;
}

const files = new Map<string, LinesFile>();
const clients = new Map<string, Client>();
/** Stands for a client that has never written anything, so that its silence has a number, too. */
const nobody = new StallDetector(options);
/** Files with something wrong, so that each is reported once. */
const broken = new Map<string, string>();

/** Milliseconds of a clock that never goes back, as wall clocks do. */
function now(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

function poll(): void {
  for (const name of namesIn(settings.directory)) {
    const file = files.get(name) ?? new LinesFile(join(settings.directory, name), settings.mostBytes);
    files.set(name, file);
    const lines = attempt(name, () => file.read()) ?? [];
    for (const line of lines) if (line.trim() !== "") take(basename(name, ".jsonl"), line);
  }
  if (clients.size === 0) report("none", nobody.check(now()));
  for (const [name, { detector, heardMs }] of clients) {
    report(name, detector.check(now()));
    if (now() - heardMs > settings.forgetMs) clients.delete(name);
  }
}

function namesIn(directory: string): string[] {
  const names = attempt("", () => readdirSync(directory).filter((name) => name.endsWith(".jsonl"))) ?? [];
  for (const name of files.keys()) if (!names.includes(name)) files.delete(name);
  return names;
}

function attempt<T>(name: string, action: () => T): T | undefined {
  try {
    const result = action();
    broken.delete(name);
    return result;
  } catch (error) {
    const message = String(error);
    if (broken.get(name) !== message) log({ level: "error", message, file: join(settings.directory, name) });
    broken.set(name, message);
    return undefined;
  }
}

function take(file: string, line: string): void {
  let document: unknown;
  try {
    document = JSON.parse(line);
  } catch {
    document = undefined; // which isn't a document, and so the detector says
  }
  const name = `${file}/${nameOf(document)}`;
  const client = clients.get(name) ?? { detector: new StallDetector(options), heardMs: 0 };
  clients.set(name, client);
  client.heardMs = now();
  report(name, client.detector.observe(document, now()));
}

/** Clients of one process write to one file; processes have a file each. */
function nameOf(document: unknown): string {
  return typeof document === "object" && document !== null && "name" in document && typeof document.name === "string"
    ? document.name
    : "unreadable";
}

function report(client: string, changes: readonly Change[]): void {
  for (const { change, finding } of changes) {
    const level = change === "cleared" ? "info" : finding.severity === "page" ? "error" : "warn";
    const { kind, broker, severity, detail: message } = finding;
    log({ level, change, client, kind, broker, severity, message });
  }
}

function log(entry: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);
}

const server = createServer((request, response) => {
  const path = (request.url ?? "/").split("?")[0];
  if (path === "/metrics") {
    // A client that can't be read has findings in the log, but no numbers.
    const readable = [...clients].filter(([name]) => !name.endsWith("/unreadable"));
    const metrics = new Map(readable.map(([name, { detector }]) => [name, detector.metrics(now())]));
    if (metrics.size === 0) metrics.set("none", nobody.metrics(now()));
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" });
    response.end(prometheusText(metrics));
  } else if (path === "/health") {
    response.writeHead(200, { "content-type": "text/plain" }).end("ok\n");
  } else {
    response.writeHead(404, { "content-type": "text/plain" }).end("There is /metrics and /health.\n");
  }
});

server.on("error", (error) => {
  log({ level: "error", message: String(error) });
  process.exit(1);
});
server.listen(settings.port, process.env["STALL_ADDRESS"], () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : settings.port;
  log({ level: "info", message: "listening", port, directory: settings.directory, ...options });
});
const timer = setInterval(poll, settings.pollMs);
poll();

for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
    log({ level: "info", message: `${signal}: stopped` });
  });
