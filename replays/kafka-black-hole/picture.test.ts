import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { picture } from "./picture";
import recorded from "./recorded.json";
import { secondsOf } from "./recording";

test("the committed picture is what was recorded: npm run docs:pictures", () => {
  const committed = readFileSync(resolve(__dirname, "../../docs/replays/kafka-black-hole.svg"), "utf8");
  expect(picture(recorded)).toBe(committed);
});

/** What docs/kafka-black-hole.md says of it. */
test("in the recording the profile's queue is short again within 18 s, and the others' after a minute", () => {
  const longUntil = (seconds: readonly { at: number; queue: number }[]) =>
    seconds.filter(({ queue }) => queue > 100).at(-1)?.at ?? 0;
  const { profile, defaults, keepalive } = recorded.clients;
  expect(longUntil(profile)).toBeLessThan(18);
  for (const others of [defaults, keepalive]) expect(longUntil(others)).toBeGreaterThan(55);
});

test("a second is what was sent and acknowledged since the second before", () => {
  const moment = (at: number, tx: number) => {
    const broker = { nodeid: 100, state: "UP", disconnects: 0, req_timeouts: 0, tx };
    return { at, statistics: { msg_cnt: 7, brokers: { "k:9092/100": broker, bootstrap: { ...broker, nodeid: -1 } } } };
  };
  const delivery = (reported: number, outcome = "ok") => ({
    sequence: 0,
    partition: 0,
    produced: 0,
    reported,
    outcome,
  });
  const moments = [moment(990, 1), moment(996, 10), moment(1001, 40), moment(1040, 50)];
  const deliveries = [delivery(996), delivery(997), delivery(1001), delivery(1000, "_MSG_TIMED_OUT"), delivery(1002)];
  expect(secondsOf(moments, deliveries, { began: 1000, ended: 1030 })).toEqual([
    { at: -4, queue: 7, sent: { "100": 9 }, acknowledged: 1 },
    { at: 1, queue: 7, sent: { "100": 30 }, acknowledged: 2 },
  ]);
});
