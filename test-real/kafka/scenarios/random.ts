import { setTimeout as delay } from "node:timers/promises";
import { isDeep } from "../../../test/support/deep";
import { say } from "../../karpenter/say";
import type { Lab, Node } from "../lab";
import { Producers } from "../producers";
import { exactlyOnce, now, report, whole, type LabOf } from "./common";

/** Numbers between 0 and 1, the same for the same seed (mulberry32, public domain). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const faults: Record<string, (lab: Lab, node: Node, milliseconds: number) => Promise<void>> = {
  "black-holed": async (lab, { machine }, milliseconds) => {
    lab.network.cut(machine);
    await delay(milliseconds);
    lab.network.heal(machine);
  },
  frozen: async (_, node, milliseconds) => {
    node.container?.kill("SIGSTOP");
    await delay(milliseconds);
    node.container?.kill("SIGCONT");
  },
  killed: async (_, node, milliseconds) => {
    await node.stop("SIGKILL");
    await delay(milliseconds);
    node.start();
  },
  "asked to stop": async (_, node, milliseconds) => {
    await node.stop();
    await delay(milliseconds);
    node.start();
  },
};

/** One broker or controller after the other has something, and all are well in between, as disruption budgets see to it. */
export function randomTests(lab: LabOf): void {
  test("random faults, one at a time: every acknowledged message is there exactly once", async () => {
    await whole(lab());
    const clients = { "random-1": { rate: 50 }, "random-2": { rate: 50 }, "random-3": { rate: 50 } };
    const producers = new Producers(lab(), "random", clients);
    await producers.start();
    const seed = Number(process.env["KAFKA_SEED"] ?? Date.now() % 100_000);
    say(`random faults, KAFKA_SEED=${seed}`);
    const random = numbers(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const end = now() + (isDeep ? 600 : 120);
    while (now() < end) {
      const node = pick([...lab().brokers, ...lab().controllers]);
      const [name, fault] = pick(Object.entries(faults));
      const seconds = 2 + random() * 25;
      say(`${node.id} ${name} for ${seconds.toFixed(0)} s`);
      await fault(lab(), node, seconds * 1000);
      await whole(lab());
    }
    const counts = await producers.finish();
    for (const [name, count] of Object.entries(counts)) report("random faults", name, count);
    for (const count of Object.values(counts)) expect(count).toMatchObject(exactlyOnce);
  });
}
