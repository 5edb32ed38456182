/** Statistics as librdkafka writes them, with what a test says and nothing else. */
export interface Content {
  readonly brokers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly waiting?: number;
  readonly produced?: number;
  readonly age?: number;
  readonly [field: string]: unknown;
}

export interface Given extends Content {
  readonly seconds: number;
}

export const one = "kafka-1:9092/101";
export const two = "kafka-2:9092/102";

/** An entry of `brokers` that is UP and has answered `rx` requests. */
export function broker(nodeid: number, rx: number, rest: Readonly<Record<string, unknown>> = {}) {
  return { nodeid, source: "learned", state: "UP", waitresp_cnt: 0, outbuf_cnt: 0, rx, connects: 1, ...rest };
}

export function statistics({ seconds, brokers, waiting = 0, produced = waiting, age, ...rest }: Given) {
  return {
    name: "shop#producer-1",
    ts: seconds * 1e6,
    ...(age === undefined ? {} : { age: age * 1e6 }),
    msg_cnt: waiting,
    msg_max: 1000,
    brokers,
    topics: { orders: { partitions: { "0": { leader: 101, msgq_cnt: 0, msgs: produced }, "-1": { leader: -1 } } } },
    ...rest,
  };
}
