import { setTimeout as delay } from "node:timers/promises";
import { say } from "../../karpenter/say";
import { Producers } from "../producers";
import { exactlyOnce, report, tool, whole, type LabOf } from "./common";

/** Controllers that vanish. */
export function quorumTests(lab: LabOf): void {
  test("without two of three controllers producers go on, nothing pretends to have succeeded, and it heals", async () => {
    await whole(lab());
    const producers = new Producers(lab(), "quorum", { quorum: { rate: 100 } });
    await producers.start();
    const gone = lab().controllers.slice(0, 2);
    for (const node of gone) await node.stop("SIGKILL");
    await delay(15_000);
    const before = producers.deliveries("quorum").filter(({ outcome }) => outcome === "ok").length;
    await expect(
      lab().administer(`${tool("topics")} --create --topic nobody-decides --partitions 1 --replication-factor 3`),
    ).rejects.toThrow(/imed ?out/i);
    await delay(5000);
    const after = producers.deliveries("quorum").filter(({ outcome }) => outcome === "ok").length;
    expect(after - before).toBeGreaterThan(100); // the data goes past the controllers
    for (const node of gone) node.start();
    await whole(lab());
    const made = await lab().administer(
      `${tool("topics")} --create --topic somebody-decides --partitions 1 --replication-factor 3; ${tool("topics")} --list`,
    );
    say(
      `topics afterwards: ${made
        .split("\n")
        .filter((line) => line.includes("-decides"))
        .join(", ")}`,
    );
    expect(made).toMatch(/^somebody-decides$/m);
    const { quorum } = await producers.finish();
    report("two of three controllers lost", "profile", quorum!);
    expect(quorum).toMatchObject(exactlyOnce);
  });
}
