import { noEqualListenerRulePriorities } from "../../policy/rules/listeners/no-equal-listener-rule-priorities";
import { checkStack, exempt, unknown, type Given } from "../support/policy";
import { ok, refused } from "../support/verdicts";

const arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:listener/app/edge/0123456789abcdef/0123456789abcdef";
const listenerType = "aws:lb/listener:Listener";

describe("no-equal-listener-rule-priorities", () => {
  const check = (given: Given[], config?: object) => checkStack(noEqualListenerRulePriorities, given, config);
  const listener = (name: string, type = listenerType): Given => ({ type, name, props: { port: 443, arn: unknown } });
  const rule = (name: string, priority: unknown, over: Partial<Given> = {}): Given => ({
    type: "aws:lb/listenerRule:ListenerRule",
    name,
    props: { listenerArn: arn, priority, actions: [{ type: "forward" }] },
    ...over,
  });
  /** A rule on a listener that is still to be made. */
  const on = (from: string, name: string, priority: unknown, over: Partial<Given> = {}): Given => ({
    ...rule(name, priority),
    props: { listenerArn: unknown, priority },
    propertyDependencies: { listenerArn: [from] },
    ...over,
  });

  test("rules of different priority, or on different listeners, are fine", () => {
    expect(check([rule("a", 10), rule("b", 20), rule("c", 10, { props: { listenerArn: `${arn}0`, priority: 10 } })])) //
      .toEqual(ok);
    expect(check([listener("one"), listener("two"), on("one", "a", 10), on("two", "b", 10)])).toEqual(ok);
  });

  test("so are rules whose priority AWS chooses, or that isn't known", () => {
    expect(check([rule("a", undefined), rule("b", undefined), rule("c", unknown), rule("d", unknown)])).toEqual(ok);
  });

  test("two of one priority are refused, in words that say what to do", () => {
    expect(check([rule("a", 10), rule("b", 10)])).toEqual(
      refused(/^"b" has the priority 10 of "a" on the same listener\. .*leave priority out/, "b"),
    );
    expect(check([listener("l"), on("l", "a", 10), on("l", "b", 10)])).toEqual(refused(/priority 10/, "b"));
  });

  test("a number and its text are one priority", () => {
    expect(check([rule("a", 10), rule("b", "10")]).violations).toHaveLength(1);
  });

  // Aliases: constructors of ListenerRule and Listener in @pulumi/aws 7.48.0; the alb and applicationloadbalancing modules of earlier versions.
  test.each([
    ["aws:lb/listenerRule:ListenerRule", "aws:elasticloadbalancingv2/listener:Listener"],
    ["aws:elasticloadbalancingv2/listenerRule:ListenerRule", "aws:lb/listener:Listener"],
    ["aws:alb/listenerRule:ListenerRule", "aws:alb/listener:Listener"],
    ["aws:applicationloadbalancing/listenerRule:ListenerRule", "aws:applicationloadbalancing/listener:Listener"],
    ["aws-native:elasticloadbalancingv2:ListenerRule", "aws-native:elasticloadbalancingv2:Listener"],
  ])("%s on %s", (type, of) => {
    const found = check([listener("l", of), on("l", "a", 1, { type }), on("l", "b", 1)]);
    expect(found).toEqual(refused(/"a"/, "b"));
  });

  test("what comes out of a component may be one listener or two: advisory, or a violation if configured so", () => {
    const given = [
      { type: "awsx:lb:ApplicationLoadBalancer", name: "lb", props: {} },
      on("lb", "a", 10),
      on("lb", "b", 10),
      rule("c", 5),
      rule("d", 5),
    ];
    expect(check(given)).toMatchObject({
      violations: [{ name: "d" }],
      undecided: expect.stringMatching(/^"a" and "b" have one priority and may have one listener: .*listenerArn/),
    });
    const strict = check(given, { unknownValues: "violation" });
    expect(strict.violations.map((v) => v.name)).toEqual(["d", "b"]);
    expect(strict.undecided).toBeUndefined();
  });

  test("other resources with a priority aren't its business; an exemption exempts", () => {
    const acl = { type: "aws:wafv2/webAcl:WebAcl" };
    expect(check([rule("a", 10, acl), rule("b", 10, acl)])).toEqual(ok);
    expect(check([rule("a", 10), rule("b", 10)], { exemptions: [exempt("b")] })).toEqual(ok);
  });
});
