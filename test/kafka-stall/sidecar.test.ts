import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { stallSidecarScript } from "../../components/kafka/stall-sidecar-script";
import { generated, generatedText } from "../../tools/kafka-stall/bundle";
import { broker, one, statistics, two } from "./documents";

test("the generated program is up to date (npm run build:kafka-stall), and fits into a ConfigMap", () => {
  expect(readFileSync(generated, "utf8") === generatedText()).toBe(true);
  expect(stallSidecarScript.length).toBeLessThan(100_000);
});

describe("the program, in a process of its own", () => {
  let folder: string;
  let child: ChildProcess;
  let log = "";
  let url: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "moorings-stall-"));
    writeFileSync(join(folder, "sidecar.cjs"), stallSidecarScript);
    child = spawn(process.execPath, [join(folder, "sidecar.cjs")], {
      env: {
        STALL_DIRECTORY: folder,
        STALL_ADDRESS: "127.0.0.1",
        STALL_PORT: "0",
        STALL_POLL_MS: "20",
        STALL_MOST_BYTES: "20000",
        STALL_SOCKET_TIMEOUT_MS: "15000",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout?.on("data", (text: Buffer) => (log += text.toString()));
    const listening = await until(() => /"message":"listening","port":(\d+)/.exec(log));
    url = `http://127.0.0.1:${listening[1]!}`;
  });
  afterAll(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true });
  });

  async function until<T>(look: () => T | null | false | Promise<T | null | false>): Promise<T> {
    for (;;) {
      const found = await look();
      if (found !== null && found !== false) return found;
      await new Promise((done) => setTimeout(done, 20));
    }
  }
  const scrape = async (path = "/metrics") => (await fetch(`${url}${path}`)).text();
  const shows = (line: string) => until(async () => (await scrape()).split("\n").includes(line));
  const append = (file: string, text: string) => appendFileSync(join(folder, `${file}.jsonl`), text);
  const document = (seconds: number, rest: object = {}) =>
    `${JSON.stringify(
      statistics({
        seconds,
        brokers: { [one]: broker(101, 7, { waitresp_cnt: 2 }), [two]: broker(102, 1) },
        ...rest,
      }),
    )}\n`;

  test("says that nobody has written anything yet, and is healthy", async () => {
    expect(await scrape("/health")).toBe("ok\n");
    expect((await fetch(`${url}/`)).status).toBe(404);
    const text = await scrape();
    expect(text).toContain("# TYPE kafka_stall_detector_up gauge\nkafka_stall_detector_up 1\n");
    expect(text).toMatch(/^kafka_client_statistics_age_seconds\{client="none"\} \d/m);
  });

  test("names the broker that doesn't answer, in metrics and in the log", async () => {
    append("app", document(0) + document(10) + document(20));
    await shows(`kafka_client_broker_stalled{client="app/shop#producer-1",broker="${one}",kind="black-holed"} 0`);
    append("app", document(30, { waiting: 250 }));
    await shows(`kafka_client_broker_stalled{client="app/shop#producer-1",broker="${one}",kind="black-holed"} 1`);
    const text = await scrape();
    for (const line of [
      `kafka_client_broker_stalled{client="app/shop#producer-1",broker="${one}",kind="unreachable"} 0`,
      `kafka_client_broker_stalled{client="app/shop#producer-1",broker="${two}",kind="black-holed"} 0`,
      'kafka_client_queue_ratio{client="app/shop#producer-1"} 0.25',
      'kafka_client_delivery_stalled{client="app/shop#producer-1"} 0',
      'kafka_client_request_timeouts_total{client="app/shop#producer-1"} 0',
    ])
      expect(text.split("\n")).toContain(line);
    expect(text).not.toContain('client="none"');
    const entries = log
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entries).toContainEqual(
      expect.objectContaining({ level: "error", change: "raised", kind: "black-holed", broker: one }),
    );
  });

  test("waits for the end of a line, and escapes what labels can't hold", async () => {
    const text = document(1, { name: 'a"\\b\n', waiting: 500 });
    append("other", text.slice(0, 100));
    append("third", document(1, { name: "c" }));
    await until(async () => (await scrape()).includes('"third/c"'));
    expect(await scrape()).not.toContain("other/");
    append("other", text.slice(100));
    await shows('kafka_client_queue_ratio{client="other/a\\"\\\\b\\n"} 0.5');
  });

  test("reports garbage and goes on", async () => {
    append("third", `{"broken\n\n[]\n${document(2, { name: "c", waiting: 100 })}`);
    await shows('kafka_client_queue_ratio{client="third/c"} 0.1');
    expect(log).toContain('"client":"third/unreadable","kind":"malformed"');
    expect(await scrape()).not.toContain("unreadable");
  });

  test("empties a file that has grown, and reads on", async () => {
    const file = join(folder, "app.jsonl");
    for (let seconds = 31; statSync(file).size <= 20_000 && seconds < 200; seconds += 1)
      append("app", document(seconds).repeat(3));
    await until(() => statSync(file).size === 0);
    append("app", document(300, { waiting: 700 }));
    await shows('kafka_client_queue_ratio{client="app/shop#producer-1"} 0.7');
  });

  test("reads a file that took another's place from its beginning", async () => {
    writeFileSync(join(folder, "new"), document(301, { waiting: 800 }));
    renameSync(join(folder, "new"), join(folder, "app.jsonl"));
    await shows('kafka_client_queue_ratio{client="app/shop#producer-1"} 0.8');
    writeFileSync(join(folder, "app.jsonl"), "");
    await new Promise((done) => setTimeout(done, 100));
    append("app", document(302, { waiting: 900 }));
    await shows('kafka_client_queue_ratio{client="app/shop#producer-1"} 0.9');
  });

  test("ends at SIGTERM by itself", async () => {
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(log).toContain("SIGTERM: stopped");
  });
});
