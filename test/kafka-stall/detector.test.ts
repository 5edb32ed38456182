import { StallDetector, type StallDetectorOptions } from "../../kafka-stall";
import { broker, one, statistics, two, type Content } from "./documents";

/** What a detector says to a document each five seconds: `35 raised black-holed page kafka-1:9092/101`. */
function said(until: number, at: (seconds: number) => Content, options: StallDetectorOptions = {}) {
  const detector = new StallDetector({ socketTimeoutMs: 15_000, ...options });
  const lines: string[] = [];
  for (let seconds = 0; seconds <= until; seconds += 5)
    for (const { change, finding } of detector.observe(statistics({ seconds, ...at(seconds) }), 0))
      lines.push([seconds, change, finding.kind, finding.severity, finding.broker].join(" ").trimEnd());
  return { lines, detector };
}

const waits = { waitresp_cnt: 3 };

describe("black-holed: UP, requests waiting, no answer, and a sibling is well", () => {
  const silent = (rest: object, sibling: object = broker(102, 1)) =>
    said(60, () => ({ brokers: { [one]: broker(101, 7, { ...rest }), [two]: { ...sibling } } })).lines;

  test.each<[string, object]>([
    ["in flight", waits],
    ["not sent yet", { outbuf_cnt: 1 }],
    ["as librdkafka before 1.8 writes that there is no idle time", { ...waits, rxidle: 18446744073709551615 }],
    ["as librdkafka writes it since", { ...waits, rxidle: -1 }],
    ["without the counter of connections", { ...waits, connects: undefined }],
    ["configured, not learned", { ...waits, source: "configured" }],
  ])("requests %s", (_, rest) => {
    expect(silent(rest)).toEqual([`30 raised black-holed page ${one}`]);
  });

  test("messages that wait for their leader count as requests", () => {
    const topics = { orders: { partitions: { "3": { leader: 101, msgq_cnt: 9, msgs: 9 } } } };
    const { lines } = said(30, () => ({ brokers: { [one]: broker(101, 7), [two]: broker(102, 1) }, topics }));
    expect(lines).toEqual([`30 raised black-holed page ${one}`]);
  });

  test("an idle broker, and one of whom nobody wants anything, isn't it", () => {
    expect(silent({})).toEqual([]);
    expect(silent({ state: "INIT", connects: 0, rx: 0 })).toEqual([]);
    expect(silent({ state: "DOWN" })).toEqual([]);
  });

  test("a coordinator that lets a consumer wait for its group isn't it, nor is a bootstrap entry", () => {
    expect(silent({ ...waits, source: "logical", nodeid: -1 })).toEqual([]);
    expect(silent({ ...waits, source: "configured", nodeid: -1 })).toEqual([]);
    expect(silent({ ...waits, source: "internal", nodeid: -1 })).toEqual([]);
  });

  test("a consumer: its Fetch waits; a paused partition is active, too, and waits for nothing", () => {
    const consumer = (waiting: number) =>
      said(40, () => ({
        brokers: { [one]: broker(101, 7, { waitresp_cnt: waiting }), [two]: broker(102, 1) },
        type: "consumer",
        topics: { orders: { partitions: { "0": { leader: 101, broker: 101, fetch_state: "active", msgs: 9 } } } },
      })).lines;
    expect(consumer(1)).toEqual([`30 raised black-holed page ${one}`]);
    expect(consumer(0)).toEqual([]);
  });

  test("its timeout and 10 seconds more, of a client with longer ones; 30, of one that waits too long", () => {
    const at = () => ({ brokers: { [one]: broker(101, 7, waits), [two]: broker(102, 1) } });
    // 30 s, half a second for which a Fetch may wait, and 10 s: 41.
    expect(said(40, at, { socketTimeoutMs: 30_000 }).lines).toEqual([]);
    expect(said(45, at, { socketTimeoutMs: 30_000 }).lines).toEqual([`45 raised black-holed page ${one}`]);
    // librdkafka's own, at which the client drops the broker itself: too late.
    expect(said(30, at, { socketTimeoutMs: 60_000 }).lines).toEqual([`30 raised black-holed page ${one}`]);
    expect(said(30, at, {}).lines).toEqual([`30 raised black-holed page ${one}`]);
    expect(said(40, at, { socketTimeoutMs: 15_000, fetchWaitMaxMs: 9_500 }).lines).toEqual([
      `35 raised black-holed page ${one}`,
    ]);
  });

  test.each<[string, (seconds: number) => object]>([
    ["an answer", (s) => broker(101, s >= 20 ? 8 : 7, waits)],
    ["a pause without requests", (s) => broker(101, 7, s === 20 ? {} : waits)],
    ["counters that begin anew", (s) => broker(101, s >= 20 ? 0 : 7, waits)],
    ["a new connection", (s) => (s === 20 ? broker(101, 7, { state: "CONNECT" }) : broker(101, 7, waits))],
  ])("%s after 20 seconds begins the count anew", (_, entry) => {
    const at = (s: number) => ({ brokers: { [one]: { ...entry(s) }, [two]: broker(102, 1) } });
    expect(said(45, at).lines).toEqual([]);
    expect(said(60, at).lines).toEqual([expect.stringMatching(`^5[05] raised black-holed page ${one}$`)]);
  });

  test("a broker that was away and is back has a new entry", () => {
    const at = (s: number) => ({
      brokers: { ...(s === 20 ? {} : { [one]: broker(101, s > 20 ? 0 : 7, waits) }), [two]: broker(102, 1) },
    });
    expect(said(50, at).lines).toEqual([]);
  });

  test("a client that stood still itself says nothing about its brokers", () => {
    const detector = new StallDetector({ socketTimeoutMs: 15_000 });
    for (const seconds of [0, 5, 65, 70])
      expect(
        detector.observe(statistics({ seconds, brokers: { [one]: broker(101, 7, waits), [two]: broker(102, 1) } }), 0),
      ).toEqual([]);
  });

  test("is over after two answers, not one; not when it is being connected to", () => {
    const { lines } = said(60, (s) => ({
      brokers: {
        [one]:
          s < 35 || s > 40 ? broker(101, s < 45 ? 7 : s < 55 ? 8 : 9, waits) : broker(101, 7, { state: "CONNECT" }),
        [two]: broker(102, 1),
      },
    }));
    expect(lines).toEqual([`30 raised black-holed page ${one}`, `55 cleared black-holed page ${one}`]);
  });

  test("is over when the cluster doesn't name it any more, and without any proof after five minutes", () => {
    const gone = said(40, (s) => ({
      brokers: { ...(s > 30 ? {} : { [one]: broker(101, 7, waits) }), [two]: broker(102, 1) },
    }));
    expect(gone.lines).toEqual([`30 raised black-holed page ${one}`, `35 cleared black-holed page ${one}`]);
    const unused = said(400, (s) => ({
      brokers: { [one]: broker(101, 7, s > 30 ? { state: "INIT" } : waits), [two]: broker(102, 1) },
    }));
    expect(unused.lines).toEqual([`30 raised black-holed page ${one}`, `330 cleared black-holed page ${one}`]);
  });

  test("shows in metrics for five minutes, so that whoever scrapes once a minute sees it", () => {
    const until = (end: number) =>
      said(end, (s) => ({ brokers: { ...(s > 30 ? {} : { [one]: broker(101, 7, waits) }), [two]: broker(102, 1) } }))
        .detector.metrics(0)
        .brokers.filter(({ blackHoled }) => blackHoled)
        .map((state) => state.broker);
    expect(until(25)).toEqual([]);
    expect(until(35)).toEqual([one]);
    expect(until(325)).toEqual([one]);
    expect(until(330)).toEqual([]);
  });
});

describe("all brokers at once", () => {
  const both = (rx: number) => ({ [one]: broker(101, rx, waits), [two]: broker(102, rx, waits) });

  test("nobody to compare with: nothing is delivered, and no broker is accused", () => {
    const { lines, detector } = said(40, (s) => ({ brokers: both(s > 30 ? 9 : 7), waiting: s > 30 ? 0 : 5 }));
    expect(lines).toEqual(["30 raised delivery-stalled page", "35 cleared delivery-stalled page"]);
    expect(detector.metrics(0).deliveryStalled).toBe(true);
  });

  test("a few seconds apart they don't accuse each other", () => {
    const { lines } = said(60, (s) => ({
      brokers: { [one]: broker(101, 7, waits), [two]: broker(102, Math.min(s, 10), waits) },
    }));
    expect(lines).toEqual(["30 raised delivery-stalled page"]);
  });

  test("a consumer has no messages that wait: its brokers tell", () => {
    expect(said(30, () => ({ brokers: both(7), type: "consumer" })).lines).toEqual(["30 raised delivery-stalled page"]);
  });

  test("brokers that answer with errors deliver nothing", () => {
    const { lines } = said(35, (s) => ({ brokers: both(s), waiting: 5 + s, produced: 100 + s }));
    expect(lines).toEqual(["30 raised delivery-stalled page"]);
  });

  test("a queue that grows, and from which messages are delivered, is well", () => {
    expect(said(60, (s) => ({ brokers: both(s), waiting: 5 + s, produced: 100 + 2 * s })).lines).toEqual([]);
    expect(said(60, (s) => ({ brokers: both(s), waiting: 100 - s, produced: 100 })).lines).toEqual([]);
    expect(said(60, (s) => ({ brokers: both(s), waiting: s % 10 })).lines).toEqual([]);
  });
});

describe("unreachable: not UP, and somebody tries", () => {
  const trying = (until: number, entry: (seconds: number) => object) =>
    said(until, (s) => ({ brokers: { [one]: { ...entry(s) }, [two]: broker(102, 1) } })).lines;

  test("a warning after a minute, a page after three", () => {
    expect(trying(200, () => broker(101, 7, { state: "CONNECT" }))).toEqual([
      `60 raised unreachable warn ${one}`,
      `180 escalated unreachable page ${one}`,
    ]);
  });

  test("flapping between two documents shows in the number of connections only", () => {
    expect(trying(60, (s) => broker(101, 7, { state: "DOWN", connects: s }))).toEqual([]);
    expect(trying(65, (s) => broker(101, 7, { state: "DOWN", connects: s }))).toEqual([
      `65 raised unreachable warn ${one}`,
    ]);
  });

  test("a connection that was closed because it was idle is tried once, and that is all", () => {
    expect(trying(400, (s) => broker(101, 7, { state: s === 200 ? "CONNECT" : "INIT" }))).toEqual([]);
  });

  test("a coordinator counts, a bootstrap address only while nothing else is known", () => {
    const entry = (source: string) => broker(-1, 0, { state: "CONNECT", source });
    expect(trying(60, () => entry("logical"))).toEqual([`60 raised unreachable warn ${one}`]);
    expect(trying(60, () => entry("configured"))).toEqual([]);
    expect(said(60, () => ({ brokers: { "kafka:9092/bootstrap": entry("configured") } })).lines).toEqual([
      "60 raised unreachable warn kafka:9092/bootstrap",
    ]);
  });

  test("is over when it is UP again", () => {
    const entry = (s: number) => (s < 70 ? broker(101, 7, { state: "CONNECT" }) : broker(101, 9, { connects: 2 }));
    expect(trying(80, entry)).toEqual([`60 raised unreachable warn ${one}`, `70 cleared unreachable warn ${one}`]);
  });
});

describe("the client", () => {
  test("its queue more than half full for ten seconds, by number or by size", () => {
    const full = (s: number) => ({ brokers: {}, waiting: s > 20 ? 400 : 501, produced: 501 + s });
    expect(said(40, full).lines).toEqual(["10 raised queue-half-full page", "35 cleared queue-half-full page"]);
    const large = { msg_size: 600, msg_size_max: 1000 };
    expect(said(10, () => ({ brokers: {}, ...large })).lines).toEqual(["10 raised queue-half-full page"]);
    expect(said(60, () => ({ brokers: {}, waiting: 500, produced: 500 })).detector.metrics(0).queueRatio).toBe(0.5);
  });

  test("request timeouts are counted over entries that begin anew, and warned of", () => {
    const counts = [4, 6, 0, 1];
    const { lines, detector } = said(15, (s) => ({
      brokers: { [two]: broker(102, s, { req_timeouts: counts[s / 5] }) },
    }));
    expect(lines).toEqual([`5 raised request-timeouts warn ${two}`]);
    expect(detector.metrics(0).requestTimeouts).toBe(3); // 2, then 1; the first 4 were before its time
  });

  test("another one under the same name begins anew", () => {
    const detector = new StallDetector({ socketTimeoutMs: 15_000 });
    const brokers = { [one]: broker(101, 7, waits), [two]: broker(102, 1) };
    const what = (seconds: number, age: number) =>
      detector
        .observe(statistics({ seconds, age, brokers }), 0)
        .map(({ change, finding }) => `${change} ${finding.kind}`);
    for (let s = 0; s < 30; s += 5) expect(what(s, s)).toEqual([]);
    expect(what(30, 30)).toEqual(["raised black-holed"]);
    expect(what(35, 1)).toEqual(["cleared black-holed"]);
    expect(what(60, 26)).toEqual([]);
    expect(what(3, 2)).toEqual([]); // the node's clock began anew, too
  });

  test("no statistics at all, by the caller's clock", () => {
    const detector = new StallDetector({});
    const kinds = (changes: readonly { change: string; finding: { kind: string } }[]) =>
      changes.map(({ change, finding }) => `${change} ${finding.kind}`);
    expect(detector.check(1_000_000)).toEqual([]);
    expect(detector.check(1_029_999)).toEqual([]);
    expect(kinds(detector.check(1_030_000))).toEqual(["raised no-statistics"]);
    expect(detector.check(1_060_000)).toEqual([]);
    expect(detector.metrics(1_060_000).statisticsAgeSeconds).toBe(60);
    expect(kinds(detector.observe(statistics({ seconds: 1, brokers: {} }), 1_061_000))).toEqual([
      "cleared no-statistics",
    ]);
    expect(detector.metrics(1_062_000).statisticsAgeSeconds).toBe(1);
  });
});

describe("documents that aren't librdkafka's", () => {
  test.each<[unknown, RegExp]>([
    [undefined, /isn't a JSON object/],
    [null, /isn't a JSON object/],
    [[], /isn't a JSON object/],
    ["{", /isn't a JSON object/],
    [{}, /ts isn't a number.*; brokers isn't an object/],
    [{ ts: -1, brokers: {} }, /ts isn't/],
    [{ ts: 1, brokers: [] }, /brokers isn't/],
    [{ ts: 1, brokers: { [one]: null } }, /brokers\["kafka-1:9092\/101"\]: isn't an object/],
    [{ ts: 1, brokers: { [one]: { nodeid: 101, state: "UP" } } }, /has no nodeid, state or rx/],
  ])("%j gives a finding", (document, detail) => {
    const [change, ...more] = new StallDetector().observe(document, 0);
    expect(change).toMatchObject({ change: "raised", finding: { kind: "malformed", severity: "warn" } });
    expect(change!.finding.detail).toMatch(detail);
    expect(more).toEqual([]);
  });

  test("don't count as a sign of life", () => {
    const detector = new StallDetector();
    detector.check(0);
    expect(detector.observe({}, 31_000).map(({ finding }) => finding.kind)).toEqual(["no-statistics", "malformed"]);
  });

  test("one broker that can't be read leaves the others judged", () => {
    const { lines } = said(30, () => ({
      brokers: { [one]: broker(101, 7, waits), [two]: broker(102, 1), odd: { nodeid: "x" } },
    }));
    expect(lines).toEqual(["0 raised malformed warn", `30 raised black-holed page ${one}`]);
  });
});

test.each<[StallDetectorOptions, RegExp]>([
  [{ socketTimeoutMs: 0 }, /socketTimeoutMs must be a number above 0, not 0/],
  [{ statisticsIntervalMs: Number.NaN }, /statisticsIntervalMs must be/],
  [{ statisticsIntervalMs: 60_000 }, /statisticsIntervalMs must be at most 15000, not 60000: /],
  [{ stalledSeconds: -1, unreachablePageSeconds: 0 }, /stalledSeconds .*; unreachablePageSeconds /],
])("options %j are refused", (options, message) => {
  expect(() => new StallDetector(options)).toThrow(message);
});
