import { setTimeout as delay } from "node:timers/promises";
import { say } from "../../karpenter/say";
import { longestGaps } from "../../../test/support/kafka/counted";
import { Producers } from "../producers";
import { topic } from "../rendered";
import { exactlyOnce, now, report, told, tool, victimOf, whole, type LabOf } from "./common";

/** What happens on purpose. */
export function plannedTests(lab: LabOf): void {
  test("two of three copies must have a message: the topic's effective setting, not only the file's", async () => {
    const described = await lab().administer(
      `${tool("configs")} --entity-type topics --entity-name ${topic.name} --describe --all`,
    );
    expect(described).toMatch(/^ *min\.insync\.replicas=2 /m);
  });

  test("a broker that is asked to stop hands everything over: at 500 messages/s nothing is lost or there twice", async () => {
    const producers = new Producers(lab(), "shutdown", { shutdown: { rate: 500 } });
    await producers.start();
    const began = now();
    const seconds = await victimOf(lab()).stop();
    await delay(5000);
    victimOf(lab()).start();
    await victimOf(lab()).ready();
    const { shutdown } = await producers.finish();
    const gaps = [...longestGaps(producers.deliveries("shutdown"), began).values()].sort((a, b) => a - b);
    report("controlled shutdown", "profile", shutdown!);
    say(`stopped in ${told(seconds)}; silence of a partition: ${told(gaps[12])} (median), ${told(gaps.at(-1))} (most)`);
    expect(shutdown).toMatchObject(exactlyOnce);
    expect(gaps).toHaveLength(topic.partitions);
  });

  test("all brokers restart one after the other, as the StatefulSet does it: every partition goes on", async () => {
    await whole(lab());
    const producers = new Producers(lab(), "rolling", { rolling: { rate: 100 } });
    await producers.start();
    const began = now();
    for (const node of [...lab().brokers].reverse()) {
      await node.stop();
      node.start();
      await node.ready();
      await delay(node.minReadySeconds * 1000);
    }
    const { rolling } = await producers.finish();
    const gaps = [...longestGaps(producers.deliveries("rolling"), began).values()].sort((a, b) => a - b);
    report("rolling restart", "profile", rolling!);
    say(`silence of a partition: ${told(gaps[12])} (median), ${told(gaps.at(-1))} (most)`);
    expect(rolling).toMatchObject(exactlyOnce);
    expect(gaps).toHaveLength(topic.partitions);
  });
}
