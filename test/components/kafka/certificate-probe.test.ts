import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as plainServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createServer, type TlsOptions } from "node:tls";
import { certificateProbeScript } from "../../../components/kafka/certificate-probe-script";

/* The probe as the real process that runs in its pod, against real TLS servers on the loopback. */

const folder = mkdtempSync(join(tmpdir(), "moorings-probe-"));
const servers: Server[] = [];
let probe: ChildProcess;
let address: string;
const said: string[] = [];

/** A key and a certificate that ends in so many days, signed by itself. */
function certificate(days: number): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, `${days}.key`), join(folder, `${days}.pem`)];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const subject = ["-subj", "/CN=kafka-broker", "-days", String(days)];
  execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", key, "-out", cert], { stdio: "pipe" });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A listener as Kafka's: it demands a certificate of whoever connects (`ssl.client.auth=required`). */
async function listener(days: number, more: TlsOptions = {}): Promise<number> {
  const pair = certificate(days);
  const server = createServer({ ...pair, ca: pair.cert, requestCert: true, rejectUnauthorized: true, ...more });
  server.on("tlsClientError", () => undefined); // nobody has a certificate
  return listen(server);
}

const scrape = async () => (await fetch(address)).text();

/** The page once it has what is looked for. */
async function pageWith(wanted: RegExp): Promise<string> {
  for (;;) {
    const page = await scrape();
    if (wanted.test(page)) return page;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

beforeAll(async () => {
  const closed = plainServer();
  const closedPort = await listen(closed);
  closed.close();
  const ofServer = (server: string, name: string, port: number) => ({
    server,
    listener: name,
    host: "localhost",
    port,
  });
  const listeners = [
    ofServer("kafka-broker-100", "client", await listener(30)),
    ofServer("kafka-broker-100", "replication", await listener(2)),
    ofServer("kafka-broker-101", "client", closedPort),
    ofServer("kafka-broker-102", "client", await listener(40, { maxVersion: "TLSv1.2" })),
  ];
  const file = join(folder, "probe.js");
  writeFileSync(file, certificateProbeScript);
  probe = spawn(process.execPath, [file], {
    env: {
      LISTENERS: JSON.stringify(listeners),
      PORT: "0",
      INTERVAL_SECONDS: "900",
      RETRY_SECONDS: "900",
      FORGET_SECONDS: "3600",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: probe.stdout! });
  lines.on("line", (line) => said.push(line));
  const port = await new Promise<string>((resolve) => {
    lines.on("line", (line) => {
      const found = /^serving metrics on port (\d+)$/.exec(line);
      if (found !== null) resolve(found[1]!);
    });
  });
  address = `http://127.0.0.1:${port}/metrics`;
});

afterAll(() => {
  probe.kill("SIGKILL");
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const day = 86_400;
const remaining = (page: string, server: string, name: string) =>
  Number(
    new RegExp(`^kafka_certificate_remaining_seconds\\{server="${server}",listener="${name}"\\} (-?\\d+)$`, "m").exec(
      page,
    )?.[1],
  );

test("it reads what servers show that demand certificates, and has none itself", async () => {
  const page = await pageWith(/^kafka_certificate_listeners_read 2$/m);
  // Some minutes may have passed since the certificates were made.
  for (const [name, days] of [
    ["client", 30],
    ["replication", 2],
  ] as const) {
    expect(remaining(page, "kafka-broker-100", name)).toBeLessThanOrEqual(days * day);
    expect(remaining(page, "kafka-broker-100", name)).toBeGreaterThan(days * day - 3600);
  }
  expect(page).toContain("# TYPE kafka_certificate_remaining_seconds gauge\n");
});

test("what it can't read it says, and doesn't count: a server that is away, one that speaks TLS 1.2 alone", async () => {
  const told = (server: string) => said.some((line) => line.startsWith(`${server} client can't be read: `));
  while (!told("kafka-broker-101") || !told("kafka-broker-102"))
    await new Promise((resolve) => setTimeout(resolve, 50));
  const page = await scrape();
  expect(page).toContain("kafka_certificate_listeners_read 2\n");
  expect(page).not.toMatch(/kafka-broker-10[12]/);
});

test("it ends when it is asked to, as the first process of a container must", async () => {
  const ended = once(probe, "exit");
  probe.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
