import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { kafkaClientProfile, kafkaStallDetector } from "../../components/kafka";

/*
 * What the service and its deployment must agree upon. The service itself runs in test-real/kafka-client; the gate has no Python packages.
 */

const folder = resolve(__dirname, "../../examples/kafka-client");
const text = (file: string) => readFileSync(resolve(folder, file), "utf8");
const service = text("app/orders.py");
const program = text("index.ts");

test("the service reads no variable without a default that its deployment doesn't set", () => {
  const read = [...service.matchAll(/os\.environ\["(\w+)"\]/g)].map(([, name]) => name!);
  expect(read.sort()).toEqual(["KAFKA_BOOTSTRAP_SERVERS", "KAFKA_PROFILE", "KAFKA_TOPIC"]);
  for (const name of read) expect(program).toContain(`name: "${name}"`);
  const { env } = kafkaStallDetector("x", { options: kafkaClientProfile().stallDetector });
  expect(env).toEqual([expect.objectContaining({ name: "KAFKA_STALL_DIRECTORY" })]);
  expect(service).toContain('os.environ.get("KAFKA_STALL_DIRECTORY")');
});

test("flush() ends before the pod does, and the detector runs as the image's user", () => {
  const flush = /"FLUSH_SECONDS", "(\d+)"/.exec(service)![1];
  const grace = /terminationGracePeriodSeconds: (\d+)/.exec(program)![1];
  expect(Number(flush)).toBe(40);
  expect(Number(grace)).toBe(60);
  expect(text("app/Dockerfile")).toContain("\nUSER 1000\n");
  expect(program).toContain("const userId = 1000;");
});

test("the page for developers names each refused property and each finding as the code does", () => {
  const page = readFileSync(resolve(folder, "../../docs/kafka-clients.md"), "utf8");
  for (const word of ["black-holed", "unreachable", "delivery-stalled", "queue-half-full", "no-statistics"])
    expect(page).toContain(`\`${word}\``);
  for (const [name, value] of Object.entries(kafkaClientProfile().files))
    expect([name, value.length > 0, page.includes(`\`${name}\``)]).toEqual([name, true, true]);
});
