import { setTimeout as delay } from "node:timers/promises";
import { say } from "../../karpenter/say";
import { detectedIn } from "../detected";
import type { Lab } from "../lab";
import { bare, Producers, unchanged, type Client } from "../producers";
import { record } from "../record";
import { reactionOf } from "../../../test/support/kafka/statistics";
import { exactlyOnce, now, report, told, victimId, victimOf, whole, type LabOf } from "./common";

/** The three configurations of the table, and Java's, in the same fault. */
function clientsOf(scenario: string, lab: Lab): Record<string, Client> {
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
  begin(lab: Lab): Promise<void>;
  end(lab: Lab): Promise<void>;
}

const faults: readonly Fault[] = [
  {
    name: "blackhole",
    title: "whose packets vanish",
    begin: async (lab) => lab.network.cut(victimOf(lab).machine),
    end: async (lab) => lab.network.heal(victimOf(lab).machine),
  },
  {
    name: "frozen",
    title: "that is frozen",
    begin: async (lab) => victimOf(lab).container?.kill("SIGSTOP"),
    end: async (lab) => victimOf(lab).container?.kill("SIGCONT"),
  },
  {
    // As a node that is gone: what it would have answered is lost, too, before its sockets could be closed.
    name: "killed",
    title: "that is killed with its node, and comes back under another address,",
    begin: async (lab) => {
      lab.network.cut(victimOf(lab).machine);
      await victimOf(lab).stop("SIGKILL");
    },
    end: async (lab) => {
      lab.network.heal(victimOf(lab).machine);
      lab.network.move(victimOf(lab).machine);
      victimOf(lab).start();
      await victimOf(lab).ready();
    },
  },
];

/** A broker that vanishes while four clients send. */
export function sideBySideTests(lab: LabOf): void {
  test.each(faults)("a broker $title is dropped within 16 s, and the queue is empty within 18 s", async (fault) => {
    await whole(lab());
    const { name } = fault;
    const producers = new Producers(lab(), name, clientsOf(name, lab()));
    await producers.start();
    const began = now();
    await fault.begin(lab());
    await delay(75_000 - (now() - began) * 1000); // longer than the minute that librdkafka takes by itself
    const ended = now();
    await fault.end(lab());
    await delay(5000);
    const counts = await producers.finish();
    const reactions = Object.fromEntries(
      ["profile", "defaults", "keepalive"].map((kind) => [
        kind,
        reactionOf(producers.statistics(`${name}-${kind}`), { victim: victimId, began, ended }),
      ]),
    );
    for (const [key, count] of Object.entries(counts)) report(name, key, count, reactions[key.slice(name.length + 1)]);
    const found = (kind: string) => detectedIn(producers.statistics(`${name}-${kind}`), { began });
    for (const kind of ["profile", "defaults", "keepalive"])
      for (const { at, what } of found(kind)) say(`${name} | ${kind}: the stall detector ${what} after ${told(at)}`);
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
    // The detector pages for who waits, while it waits; for the client that heals itself there is nothing to page for.
    const pages = (kind: string) => found(kind).filter(({ what }) => what === `raised black-holed page ${victimId}`);
    const pagedAt = pages("defaults")[0]?.at;
    expect(pagedAt).toBeGreaterThan(29);
    expect(pagedAt).toBeLessThan(34);
    expect(pages("profile")).toEqual([]);
  });
}
