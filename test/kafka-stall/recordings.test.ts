import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { StallDetector, type StallDetectorOptions } from "../../kafka-stall";

const folder = resolve(__dirname, "../fixtures/kafka-statistics");
const recordings = readdirSync(folder).flatMap((file) => /^(.+)\.jsonl\.gz$/.exec(file)?.[1] ?? []);

interface Line {
  readonly t: number;
  readonly s: unknown;
}

interface Seen {
  readonly t: number;
  /** "raised black-holed page kafka-1:9092/101" */
  readonly what: string;
}

function replay(recording: string, options: StallDetectorOptions): Seen[] {
  const detector = new StallDetector({ statisticsIntervalMs: 1000, ...options });
  const text = gunzipSync(readFileSync(resolve(folder, `${recording}.jsonl.gz`))).toString();
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => {
      const { t, s } = JSON.parse(line) as Line;
      // The caller's clock stands still: what is found of brokers goes by the statistics' own.
      return detector.observe(s, 0).map(({ change, finding }) => ({
        t,
        what: `${change} ${finding.kind} ${finding.severity} ${finding.broker ?? ""}`,
      }));
    });
}

/** By hand, from what the lab logged (README of the fixtures): what must be seen, in which seconds after the fault. */
type Expected = readonly (readonly [what: string, from: number, to: number])[];

const victim = "kafka-1:9092/101";
const raised = `raised black-holed page ${victim}`;
const cleared = `cleared black-holed page ${victim}`;
const timedOut = `raised request-timeouts warn ${victim}`;

/** A broker that the client drops after its 60 seconds: B in the meantime, over when the client has healed itself. */
const untilDropped = (bound: number, ...rest: Expected): Expected => [
  [raised, bound, bound + 3],
  ...rest,
  [cleared, 60.9, 62.5],
];

const at15: Record<string, Expected> = {
  "blackhole-defaults": untilDropped(15),
  "blackhole-keepalive-sysctls": untilDropped(15, [timedOut, 60, 61.5]),
  "blackhole-recommended": [],
  "frozen-defaults": untilDropped(15),
  "kill9-new-ip-defaults": untilDropped(15, [timedOut, 60, 61.5]),
  "client-only-blackhole-recommended": [[timedOut, 15, 17]],
  "controlled-shutdown-recommended": [],
  "fake-brokers-blackhole-samples": [["raised request-timeouts warn kafka-1:9092/1", 60.1, 62.1]],
  "mock-cluster-consumer-sample": [],
};
const at30: Record<string, Expected> = {
  ...at15,
  "blackhole-defaults": untilDropped(30),
  "blackhole-keepalive-sysctls": untilDropped(30, [timedOut, 60, 61.5]),
  "frozen-defaults": untilDropped(30),
  "kill9-new-ip-defaults": untilDropped(30, [timedOut, 60, 61.5]),
};

/** Twice: with the bound of each client's own timeout, and warnings after half a minute of connecting, which the recordings are long enough for. */
const quick = { stalledSeconds: 15, unreachableWarnSeconds: 30, unreachablePageSeconds: 50 };
const unreachable: Expected = [
  [timedOut, 15, 17],
  [`raised unreachable warn ${victim}`, 45.8, 48],
  [`escalated unreachable page ${victim}`, 65.8, 68],
  [`cleared unreachable page ${victim}`, 70, 73],
];

describe.each<[string, StallDetectorOptions, Record<string, Expected>]>([
  ["15 s", { stalledSeconds: 15 }, at15],
  ["30 s", { stalledSeconds: 30 }, at30],
  ["a client with librdkafka's own timeout of 60 s", { socketTimeoutMs: 60_000 }, at30],
  ["15 s, unreachable after 30 s", quick, { ...at15, "client-only-blackhole-recommended": unreachable }],
])("bound of %s", (_, options, expected) => {
  test.each(recordings)("%s", (recording) => {
    const wanted = expected[recording]!;
    const seen = replay(recording, options);
    expect(seen.map(({ what }) => what)).toEqual(wanted.map(([what]) => what));
    seen.forEach(({ t }, index) => {
      const [, from, to] = wanted[index]!;
      expect(t).toBeGreaterThanOrEqual(from);
      expect(t).toBeLessThanOrEqual(to);
    });
  });
});

test("with the bound that follows from the profile's timeout nothing pages where the client heals itself", () => {
  const healing = recordings.filter((recording) => recording.endsWith("-recommended"));
  expect(healing).toHaveLength(3);
  for (const recording of healing)
    expect(replay(recording, { socketTimeoutMs: 15_000 }).filter(({ what }) => what.includes(" page "))).toEqual([]);
});
