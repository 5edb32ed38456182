import { momentsOf, reactionOf } from "../../support/kafka/statistics";

interface State {
  readonly state?: string;
  readonly disconnects?: number;
}

/** A document of a client of brokers 100, 101 and 102; also the bootstrap address is one of librdkafka's brokers, without a number. */
function moment(at: number, queue: number, victim: State = {}, healthy: State = {}) {
  const broker = (nodeid: number, { state = "UP", disconnects = 1 }: State) => ({
    nodeid,
    state,
    disconnects,
    req_timeouts: 0,
    tx: 0,
  });
  const brokers = {
    bootstrap: broker(-1, { disconnects: at }),
    "k:9092/100": broker(100, {}),
    "k:9092/101": broker(101, victim),
    "k:9092/102": broker(102, healthy),
  };
  return { at, statistics: { msg_cnt: queue, brokers } };
}
const fault = { victim: 101, began: 1000, ended: 1030 };

test("dropped when the state changes, drained when the longest queue is gone", () => {
  const moments = [
    moment(999, 5),
    moment(1001, 5),
    moment(1005, 200),
    moment(1006, 20), // short for a moment: leaders moved
    moment(1010, 340),
    moment(1011, 310, { state: "DOWN", disconnects: 2 }),
    moment(1012, 6, { state: "DOWN", disconnects: 2 }),
    moment(1031, 900), // after it ended
  ];
  expect(reactionOf(moments, fault)).toEqual({ dropped: 11, drained: 12, peakQueue: 340, healthyDropped: [] });
});

test("a connection that was closed and is back between two documents was dropped, too", () => {
  expect(reactionOf([moment(999, 5), moment(1009, 6, { disconnects: 2 })], fault)).toMatchObject({
    dropped: 9,
    drained: 0,
  });
});

test("never, while it lasted", () => {
  const moments = [moment(999, 5), moment(1015, 500), moment(1029, 900)];
  expect(reactionOf(moments, fault)).toEqual({
    dropped: undefined,
    drained: undefined,
    peakQueue: 900,
    healthyDropped: [],
  });
});

test("who was well and lost its connection is named once", () => {
  const moments = [moment(999, 5), moment(1009, 6, {}, { disconnects: 2 }), moment(1010, 6, {}, { disconnects: 3 })];
  expect(reactionOf(moments, fault)).toMatchObject({ healthyDropped: [102] });
});

test("what was closed before the fault isn't its doing", () => {
  const before = moment(999, 5, { disconnects: 4 }, { disconnects: 7 });
  expect(reactionOf([before, moment(1009, 5, { disconnects: 4 }, { disconnects: 7 })], fault)).toMatchObject({
    dropped: undefined,
    healthyDropped: [],
  });
});

test("a line that is still being written is no document", () => {
  expect(momentsOf(`${JSON.stringify(moment(1, 2))}\n{"at":2,"stat`)).toEqual([moment(1, 2)]);
});
