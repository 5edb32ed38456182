import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { buildPolicies } from "../../tools/policies/build";
import { isDeep } from "../support/deep";
import { Pack, unknown, type Given } from "../support/policy";
import { workload } from "../../tools/policies/workload";

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
  numRuns: isDeep ? 1_000 : 25,
  endOnFailure: true,
  interruptAfterTimeLimit: isDeep ? 900_000 : undefined,
};

/** Names that objects have by themselves. */
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "prototype"];

/** Every property that some rule reads in the workload, so that hostile values stand where rules look. */
const keys = [...new Set(workload(40).flatMap(({ props }) => keysIn(props)))];

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...keys) },
  fc.constantFrom("items", "targets", "selector", "matchExpressions", "rules", "tags", "env", "command", "[]", "0"),
  fc.constantFrom(...inherited),
  fc.string(),
);

/** Texts that make a careless regular expression go back and forth for hours. */
const huge = fc
  .tuple(
    fc.constantFrom("a", "0", " ", "(", "\\", "FILL(", "sleep ", "1.", "$(", "=", "ALARM(", "\n", "::"),
    fc.nat(20_000),
  )
  .map(([text, times]) => text.repeat(times));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, NaN, Infinity, "", "10.0.0.1", "*", "25%"),
      fc.constant(unknown),
      fc.double(),
      fc.string(),
      { weight: 1, arbitrary: huge },
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** A resource of the workload with some of its values replaced, at any depth; or of a type that no rule expects. */
const mutated = (given: Given) =>
  fc
    .tuple(fc.constantFrom(...pathsIn(given.props)), value)
    .map(([path, hostile]): Given => ({ ...given, props: replaced(given.props, path, hostile) as Given["props"] }));

function pathsIn(root: unknown, at: string[] = []): string[][] {
  if (typeof root !== "object" || root === null) return [at];
  return [at, ...Object.entries(root).flatMap(([k, inner]) => pathsIn(inner, [...at, k]))].filter((p) => p.length > 0);
}

function replaced(root: unknown, [head, ...rest]: string[], hostile: unknown): unknown {
  if (head === undefined) return hostile;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(root) ? [] : {}, root);
  copy[head] = replaced(copy[head], rest, hostile);
  return copy;
}

const types = [...new Set(workload(40).map(({ type }) => type))].concat(
  "kubernetes:apps/v1:StatefulSet",
  "kubernetes:helm.sh/v3:Release",
  "kubernetes:karpenter.sh/v1:NodePool",
  "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
  "kubernetes:core/v1:EndpointsList",
  "aws:lb/targetGroupAttachment:TargetGroupAttachment",
  "aws:cloudwatch/compositeAlarm:CompositeAlarm",
  "aws:cloudwatch/alarmMuteRule:AlarmMuteRule",
  "aws:eks/cluster:Cluster",
  "aws:ec2/launchTemplate:LaunchTemplate",
  "command:local:Command",
  "pulumi-nodejs:dynamic:Resource",
);

const invented = fc.record({
  type: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...types) },
    fc.constantFrom(...inherited, "", ":", "::", "kubernetes:", "kubernetes:a/b/c:D:E", "kubernetes::"),
    fc.string(),
  ),
  props: fc.array(fc.tuple(key, value), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
});

/** The registration that every rule of the pack is about, with whatever beside its address. */
const planted = fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries): Given => ({
  type: "aws:alb/targetGroupAttachment:TargetGroupAttachment",
  name: "planted",
  props: { ...Object.fromEntries(entries), targetGroupArn: unknown, targetId: "10.20.33.17" },
}));

const stack = fc.tuple(
  fc.tuple(...workload(18).map(mutated)),
  fc.array(invented, { maxLength: 10 }),
  planted,
  fc.infiniteStream(fc.nat()),
);

test("the pack answers whatever it is asked, and finds an address beside anything", async () => {
  const ask = async ([known, others, byHand, numbers]: typeof stack extends fc.Arbitrary<infer S> ? S : never) => {
    const named = others.map((other, i): Given => ({ ...other, name: `other-${i}` }));
    const group: Given = { type: "aws:lb/targetGroup:TargetGroup", name: "group", props: { targetType: "ip" } };
    const all = [...known, ...named, group, { ...byHand, propertyDependencies: { targetGroupArn: ["group"] } }];
    // Parents at random: some of them go in a circle.
    for (const given of all) {
      const next = numbers.next();
      if (next.value % 3 === 0) given.parent = all[next.value % all.length]!.name;
    }
    const answers = await Promise.all(all.map((given) => pack.analyze(given)));
    const found = answers.at(-1)!.filter(({ level }) => level === "mandatory");
    expect(found.map(({ policy }) => policy)).toContain("no-hand-registered-ip-targets");
    const whole = await pack.analyzeStack(all);
    expect(whole.filter(({ level }) => level === "mandatory").map(({ policy }) => policy)).toContain(
      "no-attachments-on-ip-target-groups",
    );
  };
  await fc.assert(fc.asyncProperty(stack, ask), runs);
});
