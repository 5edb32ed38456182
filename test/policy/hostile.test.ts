import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { buildPolicies } from "../../tools/policies/build";
import { isDeep } from "../support/deep";
import { Pack, type Given } from "../support/policy";
import { stack } from "./hostile-stacks";

/*
 * Whatever stands in a resource, the pack answers, and a registration by hand beside it is found. A real pack, asked over the protocol: an
 * exception in a rule fails the call, a loop never answers it.
 */

const folder = join(mkdtempSync(join(tmpdir(), "moorings-hostile-")), "policy");
let pack: Pack;
beforeAll(async () => {
  buildPolicies(folder);
  symlinkSync(resolve(__dirname, "../../node_modules"), join(folder, "node_modules"));
  pack = await Pack.start(folder);
});
afterAll(async () => {
  await pack.stop();
  rmSync(resolve(folder, ".."), { recursive: true });
});

/** Each run asks a real process about thirty resources twice. The gate asks the same each time; `npm run test:deep` others. */
const runs = {
  ...(isDeep ? { numRuns: 500 } : { numRuns: 15, seed: 8 }),
  endOnFailure: true,
  interruptAfterTimeLimit: isDeep ? 900_000 : undefined,
};
const patience = isDeep ? 1_000_000 : undefined;

const answers = async () => {
  const ask = async ([known, others, byHand, numbers]: typeof stack extends fc.Arbitrary<infer S> ? S : never) => {
    const named = others.map((other, i): Given => ({ ...other, name: `other-${i}` }));
    const group: Given = { type: "aws:lb/targetGroup:TargetGroup", name: "group", props: { targetType: "ip" } };
    const [attachment, ...carriers] = byHand.map(({ given }) => given);
    const all: Given[] = [
      ...[...known, ...named, group, ...carriers],
      { ...attachment!, propertyDependencies: { targetGroupArn: ["group"] } },
    ];
    // Parents at random: some of them go in a circle.
    for (const given of all) {
      const next = numbers.next();
      if (next.value % 3 === 0) given.parent = all[next.value % all.length]!.name;
    }
    const answered = new Map(
      await Promise.all(all.map(async (given) => [given.name, await pack.analyze(given)] as const)),
    );
    for (const { policy, given } of byHand)
      expect({ name: given.name, found: answered.get(given.name) }).toEqual({
        name: given.name,
        found: expect.arrayContaining([expect.objectContaining(said(policy))]) as unknown,
      });
    expect(await pack.analyzeStack(all)).toContainEqual(
      expect.objectContaining(said("no-attachments-on-ip-target-groups")),
    );
  };
  await fc.assert(fc.asyncProperty(stack, ask), runs);
};
test("the pack answers whatever it is asked, and finds a registration beside anything", answers, patience);

/** A violation of this rule. What an unknown kept from deciding is none: its message is another one. */
function said(policy: string): object {
  const level = policy === "no-target-registration-in-scripts" ? "advisory" : "mandatory";
  return { policy, level, message: expect.not.stringContaining("can't run policy") as unknown };
}
