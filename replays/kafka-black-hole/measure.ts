import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { deliveriesOf } from "../../test/support/kafka/counted";
import { momentsOf } from "../../test/support/kafka/statistics";
import { secondsOf, type Recording } from "./recording";

/**
 * Writes recorded.json anew from what the real brokers' suite recorded:
 *
 *     KAFKA_RECORDINGS=<folder> npm run test:real -- kafka && npx tsx replays/kafka-black-hole/measure.ts <folder>
 */
const folder = process.argv[2];
if (folder === undefined)
  throw new Error("which folder? The one that KAFKA_RECORDINGS named for npm run test:real -- kafka");
const text = (file: string) => readFileSync(join(folder, file), "utf8");
const fault = JSON.parse(text("blackhole.json")) as { began: number; ended: number };
const seconds = (kind: string) =>
  secondsOf(
    momentsOf(text(`blackhole-${kind}.statistics.jsonl`)),
    deliveriesOf(text(`blackhole-${kind}.deliveries`)),
    fault,
  );
const recording: Recording = {
  kafka: "4.4.0",
  librdkafka: "2.16.1",
  day: new Date(fault.began * 1000).toISOString().slice(0, 10),
  ended: Math.round((fault.ended - fault.began) * 10) / 10,
  clients: { profile: seconds("profile"), defaults: seconds("defaults"), keepalive: seconds("keepalive") },
};
const rows = Object.entries(recording.clients).map(
  ([name, list]) =>
    `    ${JSON.stringify(name)}: [\n${list.map((row) => `      ${JSON.stringify(row)}`).join(",\n")}\n    ]`,
);
const head = Object.fromEntries(Object.entries(recording).filter(([key]) => key !== "clients"));
writeFileSync(
  resolve(__dirname, "recorded.json"),
  `${JSON.stringify(head, null, 2).replace(/\n\}$/, "")},\n  "clients": {\n${rows.join(",\n")}\n  }\n}\n`,
);
