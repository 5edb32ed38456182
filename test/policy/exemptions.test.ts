import { Exemptions, type Exemption } from "../../policy/lib/exemptions";
import { noEqualListenerRulePriorities } from "../../policy/rules/listeners/no-equal-listener-rule-priorities";
import { noHandRegisteredIpTargets } from "../../policy/rules/targets/no-hand-registered-ip-targets";
import { checkResource, checkStack, unknown, urnOf, type Given } from "../support/policy";
import { ok, refused } from "../support/verdicts";

const holds = { reason: "the network team keeps it by hand", expires: "9999-12-31" };
const ended = { reason: "moves to its own account", expires: "2020-02-29" };
const endedMessage =
  /^The exemption by name "pod" \(reason: moves to its own account\) ended on 2020-02-29: it exempts nothing any more\. Do what the rule asks and take it out of `exemptions`; .*new date/;

// One rule on single resources and one on the stack stand for all: what exempts is the same code.
const attachment = (props: object = {}, type = "aws:lb/targetGroupAttachment:TargetGroupAttachment"): Given => ({
  type,
  name: "pod",
  props: { targetId: "10.0.1.17", ...props },
});
const root: Given = { type: "pulumi:pulumi:Stack", name: "moorings-dev", props: {} };
const onResource = (given: Given, exemptions: unknown) =>
  checkResource(noHandRegisteredIpTargets, given, { exemptions });
const rule = (name: string, props: object = {}): Given => ({
  type: "aws:lb/listenerRule:ListenerRule",
  name,
  props: { listenerArn: "arn", priority: 10, ...props },
});
const onStack = (exemptions: unknown, ...given: Given[]) =>
  checkStack(noEqualListenerRulePriorities, [root, ...given], { exemptions });
const byHand = refused("registers the IP address 10.0.1.17 by hand", "pod");
const equal = refused("has the priority 10", "pod");

const selectors = (...all: Pick<Exemption, "name" | "urn" | "tag">[]) => all.map((selector) => [selector] as const);

describe("an exemption that holds", () => {
  test.each(
    selectors(
      { name: "pod" },
      { name: "p*d" },
      { name: "*o**" },
      { name: "p*o*d*" },
      { urn: urnOf(attachment()) },
      { urn: "urn:pulumi:*::pod" },
    ),
  )("names the resource by %j", (selector) => {
    expect(onResource(attachment(), [{ ...selector, ...holds }])).toEqual(ok);
    const urn = selector.urn?.replace(attachment().type, rule("pod").type);
    expect(onStack([{ ...selector, ...(urn && { urn }), ...holds }], rule("a"), rule("pod"))).toEqual(ok);
  });

  test.each(
    selectors(
      { name: "po" },
      { name: "pod*d" },
      { name: "p*o*o*d" },
      { name: "p.d" },
      { name: "urn:*" },
      { urn: "pod" },
      { tag: "pod" },
    ),
  )("doesn't by %j", (selector) => {
    expect(onResource(attachment(), [{ ...selector, ...holds }])).toEqual(byHand);
    expect(onStack([{ ...selector, ...holds }], rule("a"), rule("pod"))).toEqual(equal);
  });

  test("is compared at once, whatever its pattern and the name", () => {
    const long = { ...attachment(), name: "a".repeat(5000) };
    const name = `${"*a".repeat(50)}*b`; // a regular expression would still be at it when the sun is out
    expect(onResource(long, [{ name, ...holds }]).violations).toHaveLength(1);
    const withLines = { ...attachment(), name: "of\nshop" };
    expect(onResource(withLines, [{ name: "of*shop", ...holds }])).toEqual(ok);
  });

  test("is fine where it names nothing: one file may serve several stacks", () => {
    expect(onResource(root, [{ name: "elsewhere", ...holds }]).notApplicable).toBe(true);
    expect(onStack([{ name: "elsewhere", ...holds }], rule("a"))).toEqual(ok);
  });

  const kubernetes = "kubernetes:core/v1:Endpoints";
  const address = { subsets: [{ addresses: [{ ip: "10.0.1.17" }] }] };
  const labelled = (metadata: object) => attachment({ metadata, ...address, targetId: undefined }, kubernetes);
  test.each<[string, Given]>([
    ["a map of tags", attachment({ tags: { owner: "network" } })],
    [
      "a list of tags",
      attachment({
        tags: [
          { key: "team", value: "x" },
          { key: "owner", value: "network" },
        ],
      }),
    ],
    ["tagsAll, the provider's among them", attachment({ tagsAll: { owner: "network" } })],
    ["labels", labelled({ labels: { owner: "network" } })],
    ["annotations", labelled({ annotations: { owner: "network" } })],
  ])("finds its tag in %s", (_, given) => {
    for (const tag of ["owner", "owner=network"]) expect(onResource(given, [{ tag, ...holds }])).toEqual(ok);
    for (const tag of ["own", "owner=shop", "owner=", "owner=network=x"])
      expect(onResource(given, [{ tag, ...holds }]).violations).toHaveLength(1);
  });

  test("finds a tag whose key holds an equals sign", () => {
    expect(onResource(attachment({ tags: { "a=b": "c" } }), [{ tag: "a=b", ...holds }])).toEqual(ok);
    expect(onResource(attachment({ tags: { "a=b": "c" } }), [{ tag: "a=b=c", ...holds }])).toEqual(ok);
  });

  test("doesn't show where tags aren't known, but for a key that is", () => {
    const tag = [{ tag: "owner", ...holds }];
    const value = [{ tag: "owner=network", ...holds }];
    for (const exemption of [tag, value]) expect(onResource(attachment({ tags: unknown }), exemption)).toEqual(byHand);
    expect(onResource(attachment({ tags: { owner: unknown } }), value)).toEqual(byHand);
    expect(onResource(attachment({ tags: { owner: unknown } }), tag)).toEqual(ok);
    expect(onStack(tag, rule("a"), rule("pod", { tags: unknown }))).toEqual(equal);
  });

  test("covers what a stack rule can't decide about its resource", () => {
    const dim = (name: string) => ({
      ...rule(name, { listenerArn: unknown }),
      propertyDependencies: { listenerArn: ["pair"] },
    });
    const pair: Given = { type: "acme:index:Pair", name: "pair", props: {} };
    expect(onStack([], pair, dim("a"), dim("pod")).undecided).toContain("may have one listener");
    expect(onStack([{ name: "pod", ...holds }], pair, dim("a"), dim("pod"))).toEqual(ok);
  });
});

describe("an exemption that has ended", () => {
  const exemptions = [{ name: "pod", ...ended }];

  test("exempts nothing, and is a violation of the resource that it names", () => {
    const { violations } = onResource(attachment(), exemptions);
    expect(violations.map((v) => v.message)).toEqual([
      expect.stringMatching(endedMessage),
      expect.stringContaining("registers the IP address"),
    ]);
    expect(onStack(exemptions, rule("a"), rule("pod")).violations).toEqual([
      { name: "pod", message: expect.stringMatching(endedMessage) as string },
      { name: "pod", message: expect.stringContaining("has the priority 10") as string },
    ]);
  });

  test("is one also where the rule has nothing to say about the resource", () => {
    expect(onResource(attachment({ targetId: "i-0123456789abcdef0" }), exemptions)).toEqual(
      refused(endedMessage, "pod"),
    );
    expect(onResource(attachment({}, "acme:index:Thing"), exemptions)).toEqual(refused(endedMessage, "pod"));
    expect(onStack(exemptions, rule("pod"))).toEqual(refused(endedMessage, "pod"));
  });

  test("is one of the stack where it names nothing in it", () => {
    expect(onResource(root, exemptions)).toEqual(refused(endedMessage, "moorings-dev"));
    expect(onResource(attachment({}, "acme:index:Other"), [{ name: "x", ...ended }]).notApplicable).toBe(true);
    expect(onStack(exemptions, rule("a"))).toEqual(refused(endedMessage, "(no resource)"));
  });

  test("leaves another one that holds alone", () => {
    expect(onResource(attachment(), [...exemptions, { name: "pod", ...holds }])).toEqual(refused(endedMessage, "pod"));
  });

  test("ends when its last day is over", () => {
    const may = [{ name: "pod", reason: "r", expires: "2026-05-31" }];
    const pod = { ...attachment(), urn: "urn" };
    expect(new Exemptions(may, "2026-05-31").cover(pod)).toBe(true);
    expect(new Exemptions(may, "2026-06-01").cover(pod)).toBe(false);
    expect(new Exemptions(may, "2026-06-01").faults()).toHaveLength(1);
  });
});

// Pulumi and `moorings` refuse these by the schema; whoever else speaks the protocol may send them.
describe("an exemption that is none exempts nothing and is a violation of the stack:", () => {
  test.each<[string, unknown, RegExp]>([
    ["no list", "pod", /^exemptions is no list: it exempts nothing\. Write \[\{ "name": "web"/],
    ["a text", ["pod"], /^exemptions\[0\] is no object/],
    ["null", [null], /^exemptions\[0\] is no object/],
    ["no selector", [{ ...holds }], /^exemptions\[0\] has no name, urn or tag, and must have exactly one/],
    [
      "two selectors",
      [{ name: "pod", tag: "x", ...holds }],
      /^exemptions\[0\] has name and tag, and must have exactly one/,
    ],
    ["an empty name", [{ name: "", ...holds }], /^exemptions\[0\] has a name that is no text/],
    [
      "a number",
      [
        { name: "x", ...holds },
        { urn: 3, ...holds },
      ],
      /^exemptions\[1\] has a urn that is no text/,
    ],
    ["no reason", [{ name: "pod", expires: "9999-12-31" }], /^exemptions\[0\] has no reason/],
    ["a blank reason", [{ name: "pod", ...holds, reason: " " }], /^exemptions\[0\] has no reason/],
    ["no date", [{ name: "pod", reason: "r" }], /^exemptions\[0\] has no day as YYYY-MM-DD in expires/],
    ["a date of another form", [{ name: "pod", ...holds, expires: "31.12.9999" }], /no day as YYYY-MM-DD/],
    ["a day that there isn't", [{ name: "pod", ...holds, expires: "2030-02-30" }], /no day as YYYY-MM-DD/],
    ["a month that there isn't", [{ name: "pod", ...holds, expires: "2030-13-01" }], /no day as YYYY-MM-DD/],
  ])("%s", (_, exemptions, fault) => {
    expect(onResource(attachment(), exemptions)).toEqual(byHand);
    expect(onResource(root, exemptions)).toEqual(refused(fault, "moorings-dev"));
    expect(onStack(exemptions, rule("a"), rule("pod")).violations).toEqual([
      { name: "(no resource)", message: expect.stringMatching(fault) as string },
      { name: "pod", message: expect.stringContaining("has the priority 10") as string },
    ]);
  });
});
