import { setTimeout as delay } from "node:timers/promises";
import { say } from "../karpenter/say";
import { longestGaps, type Count } from "./counted";
import { Lab } from "./lab";
import { bare, Producers, unchanged, type Client } from "./producers";
import { topic } from "./rendered";
import { reactionOf, type Reaction } from "./statistics";
import { record } from "./record";

/*
 * The clocks are Kafka's own, and are what is asserted: 9 s until a silent broker is fenced, 15 s until the profile drops it, 60 s until librdkafka
 * does by itself. How fast this machine is must not matter: everything waits for what it needs, and faults begin in a steady state.
 */

jest.setTimeout(60 * 60_000);

let lab: Lab;
beforeAll(async () => {
  lab = await Lab.start();
});
// Undefined when it couldn't start.
afterAll(() => (lab as Lab | undefined)?.stop());

const nothingLost = { lost: 0, failed: 0 };
const exactlyOnce = { ...nothingLost, duplicated: 0, disordered: 0 };
const victimIndex = 1;
const now = () => Date.now() / 1000;
const told = (value: number | undefined) => (value === undefined ? "never" : `${value.toFixed(1)} s`);

/** All brokers serve, and every copy is in sync. */
async function whole(): Promise<void> {
  for (const node of [...lab.controllers, ...lab.brokers]) await node.ready();
  const script = `for try in 1 2 3 4 5 6 7 8 9 10; do
  behind=$(/opt/kafka/bin/kafka-topics.sh --bootstrap-server "$BOOTSTRAP_SERVERS" --command-config "$ADMIN_PROPERTIES" --describe --under-replicated-partitions)
  [[ -n $behind ]] || exit 0
done
echo "$behind"; exit 1`;
  await lab.administer(script);
}

function report(fault: string, name: string, count: Count, reaction?: Reaction): void {
  const what =
    reaction === undefined
      ? ""
      : `dropped ${told(reaction.dropped)}, drained ${told(reaction.drained)}, peak queue ${reaction.peakQueue}, ` +
        `healthy brokers dropped: ${reaction.healthyDropped.join(", ") || "none"}; `;
  const { acknowledged, lost, duplicated, failed } = count;
  say(
    `${fault} | ${name}: ${what}${acknowledged} acknowledged, ${lost} lost, ${duplicated} duplicated, ${failed} failed`,
  );
}

test("two of three copies must have a message: the topic's effective setting, not only the file's", async () => {
  const described = await lab.administer(
    `/opt/kafka/bin/kafka-configs.sh --bootstrap-server "$BOOTSTRAP_SERVERS" --command-config "$ADMIN_PROPERTIES" --entity-type topics --entity-name ${topic.name} --describe --all`,
  );
  expect(described).toMatch(/^ *min\.insync\.replicas=2 /m);
});

test("a broker that is asked to stop hands everything over: nothing lost, nothing twice, no partition silent for 5 s", async () => {
  const producers = new Producers(lab, "shutdown", { shutdown: { rate: 500 } });
  await producers.start();
  const began = now();
  const victim = lab.brokers[victimIndex]!;
  const seconds = await victim.stop();
  await delay(5000);
  victim.start();
  await victim.ready();
  const { shutdown } = await producers.finish();
  const gaps = [...longestGaps(producers.deliveries("shutdown"), began).values()].sort((a, b) => a - b);
  report("controlled shutdown", "profile", shutdown!);
  say(
    `stopped in ${seconds.toFixed(1)} s; longest silence of a partition: ${told(gaps[12])} (median), ${told(gaps.at(-1))} (most)`,
  );
  expect(shutdown).toMatchObject(exactlyOnce);
  expect(gaps).toHaveLength(topic.partitions);
  expect(seconds).toBeLessThan(30);
});

/** The three configurations of the table, and Java's, in the same fault. */
function sideBySide(scenario: string): Record<string, Client> {
  const profile = lab.rendered.profile.files["librdkafka.properties"]!;
  return {
    [`${scenario}-profile`]: { rate: 100 },
    [`${scenario}-defaults`]: { rate: 100, properties: bare(profile), ...unchanged },
    [`${scenario}-keepalive`]: { rate: 100, properties: bare(profile, "socket.keepalive.enable=true") },
    [`${scenario}-java`]: { rate: 100, java: true },
  };
}

interface Fault {
  readonly name: string;
  readonly title: string;
  begin(): void;
  end(): void;
}
const victim = () => lab.brokers[victimIndex]!;
const faults: Fault[] = [
  {
    name: "blackhole",
    title: "whose packets vanish",
    begin: () => lab.network.cut(victim().machine),
    end: () => lab.network.heal(victim().machine),
  },
  {
    name: "frozen",
    title: "that is frozen",
    begin: () => victim().container!.kill("SIGSTOP"),
    end: () => victim().container!.kill("SIGCONT"),
  },
];

test.each(faults)("a broker $title is dropped within 16 s and the queue is empty within 18 s", async (fault) => {
  await whole();
  const { name } = fault;
  const producers = new Producers(lab, name, sideBySide(name));
  await producers.start();
  const began = now();
  fault.begin();
  await delay(75_000); // longer than the minute that librdkafka takes by itself
  const ended = now();
  fault.end();
  await delay(5000);
  const counts = await producers.finish();
  const reactions = Object.fromEntries(
    ["profile", "defaults", "keepalive"].map((kind) => [
      kind,
      reactionOf(producers.statistics(`${name}-${kind}`), { victim: 100 + victimIndex, began, ended }),
    ]),
  );
  for (const [key, count] of Object.entries(counts)) report(name, key, count, reactions[key.slice(name.length + 1)]);
  record(name, { producers, counts, reactions, began, ended });

  const { profile, defaults, keepalive } = reactions;
  expect(profile!.dropped).toBeLessThanOrEqual(16);
  expect(profile!.drained).toBeLessThanOrEqual(18);
  expect(profile!.healthyDropped).toEqual([]);
  expect(counts[`${name}-profile`]).toMatchObject(exactlyOnce);
  // Why the profile is there: the default is a minute, and keepalive changes nothing while requests are in flight.
  expect(defaults!.dropped).toBeGreaterThan(55);
  expect(keepalive!.dropped).toBeGreaterThan(55);
  for (const count of Object.values(counts)) expect(count.lost).toBe(0);
});
