import { kafkaMetricsTargets } from "../../../components/kafka";
import type { Lab } from "../lab";
import { addressOf } from "../network";

/** Alarms listen to these; the agent shows them by the component's own rules. What reads certificates is another pod, and not here. */
export function metricsTests(lab: () => Lab): void {
  test("every metric that alarms listen to is there, on every node of its role", async () => {
    const targets = kafkaMetricsTargets({ kafkaName: "kafka", namespace: "kafka" });
    for (const [job, nodes] of [
      ["kafka-broker", lab().brokers],
      ["kafka-controller", lab().controllers],
    ] as const) {
      const { port, series } = targets[job]!;
      const wanted = series.flatMap(({ metrics }) => metrics);
      expect(wanted.length).toBeGreaterThan(4);
      for (const { machine } of nodes) {
        const answer = await fetch(`http://${addressOf(machine)}:${port}/metrics`);
        const shown = new Set((await answer.text()).split("\n").map((line) => line.split(/[ {]/)[0]));
        expect([machine.name, wanted.filter((metric) => !shown.has(metric))]).toEqual([machine.name, []]);
      }
    }
  });
}
