import * as fc from "fast-check";
import { prometheusText, StallDetector } from "../../kafka-stall";
import { isDeep } from "../support/deep";
import { broker, one, statistics, two } from "./documents";

const runs = { numRuns: isDeep ? 5000 : 200 };

const counter = fc.oneof(
  fc.nat(1000),
  fc.constantFrom(-1, 18446744073709551615, 0.5, Number.MAX_SAFE_INTEGER, "7", null, undefined),
);
const state = fc.constantFrom("UP", "DOWN", "INIT", "CONNECT", "TRY_CONNECT", "AUTH_REQ", "NEW-STATE", 3);
const entry = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      nodeid: fc.constantFrom(101, 102, -1, "x"),
      source: fc.constantFrom("learned", "configured", "logical", "internal", undefined),
      state,
      waitresp_cnt: counter,
      outbuf_cnt: counter,
      rx: counter,
      connects: counter,
      req_timeouts: counter,
    }),
  },
  fc.anything(),
);
const document = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      name: fc.constantFrom("a", "b", undefined),
      ts: fc.oneof({ weight: 9, arbitrary: fc.nat(600_000_000) }, counter),
      age: counter,
      msg_cnt: counter,
      msg_max: counter,
      brokers: fc.dictionary(fc.constantFrom(one, two, "GroupCoordinator", "__proto__"), entry),
      topics: fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.anything())),
    }),
  },
  fc.anything(),
);

test("no stream of documents makes it throw, and metrics stay what Prometheus can read", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(document, fc.nat(120_000)), { maxLength: 30 }), (stream) => {
      const detector = new StallDetector();
      let now = 0;
      for (const [given, later] of stream) {
        now += later;
        detector.observe(given, now);
        detector.check(now);
        const text = prometheusText(new Map([['a "client"\n', detector.metrics(now)]]));
        expect(text).not.toMatch(/NaN|undefined|Infinity|^\n/m);
      }
    }),
    runs,
  );
});

test("a broker that answers between any two documents is never black-holed, nor a client stalled by it", () => {
  const step = fc.record({ later: fc.integer({ min: 1, max: 15 }), answers: fc.nat(5), waiting: fc.nat(50) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const detector = new StallDetector({ socketTimeoutMs: 15_000 });
      let seconds = 1;
      let rx = 0;
      for (const { later, answers, waiting } of steps) {
        seconds += later;
        rx += 1 + answers;
        const brokers = {
          [one]: broker(101, rx, { waitresp_cnt: waiting }),
          [two]: broker(102, 1, { waitresp_cnt: 1 }),
        };
        detector.observe(statistics({ seconds, brokers }), 0);
        const accused = detector.findings.filter(({ kind, broker: b }) => b === one || kind === "delivery-stalled");
        expect(accused).toEqual([]);
      }
    }),
    runs,
  );
});
