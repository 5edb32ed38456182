import { Living } from "../../test-real/engine/cloud/cloud";
import { depth, orphans } from "../../test-real/engine/graph";
import type { StateResource } from "../../test-real/engine/session";

const made = (urn: string, rest: Partial<StateResource> = {}): StateResource => ({
  urn,
  type: "aws:sqs/queue:Queue",
  custom: true,
  ...rest,
});
const component = (urn: string, rest: Partial<StateResource> = {}) =>
  made(urn, { ...rest, type: "moorings:index:Karpenter", custom: false });
const provider = (urn: string, rest: Partial<StateResource> = {}) =>
  made(urn, { ...rest, type: "pulumi:providers:kubernetes" });

describe("depth: the longest chain of a state file", () => {
  test.each<[string, number, StateResource[]]>([
    ["nothing", 0, []],
    ["two that don't know each other", 1, [made("a"), made("b")]],
    ["a dependency", 2, [made("a"), made("b", { dependencies: ["a"] })]],
    ["a parent", 2, [made("a"), made("b", { parent: "a" })]],
    ["a component counts for nothing itself", 1, [component("c"), made("a", { parent: "c" })]],
    [
      "a dependency on a component counts for what is inside, at any depth",
      3,
      [
        component("c"),
        made("a", { parent: "c" }),
        made("b", { parent: "a", dependencies: ["a"] }),
        made("d", { dependencies: ["c"] }),
      ],
    ],
    [
      "and not for what came later",
      2,
      [component("c"), made("d", { dependencies: ["c"] }), made("a", { parent: "c", dependencies: ["d"] })],
    ],
    [
      "a dependency on a parent doesn't count for its other children",
      2,
      [made("a"), made("b", { parent: "a" }), made("d", { dependencies: ["a"] })],
    ],
    [
      "a provider waits for what its cluster waits for",
      2,
      [made("a"), provider("p", { dependencies: ["a"] }), made("b", { provider: "p::1234" })],
    ],
  ])("%s: %d", (_, expected, resources) => {
    expect(depth(resources)).toBe(expected);
  });
});

test("orphans: by URN and id, in both directions, and neither components nor providers", () => {
  const living = (urn: string, id: string) => new Living(urn, "aws:sqs/queue:Queue", id, {}, {});
  const states = [component("c"), provider("p", { id: "1" }), made("a", { id: "1" }), made("b", { id: "old" })];
  expect(orphans([living("a", "1"), living("b", "new")], states)).toEqual([
    "only in the cloud: b new",
    "only in the state: b old",
  ]);
});
