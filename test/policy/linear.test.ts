import type { PolicyResource } from "@pulumi/policy";
import { policies } from "../../policy/policies";
import { workload } from "../../tools/policies/workload";
import { givenResources, type Given } from "../support/policy";

/** Counts what is read of an object and of everything in it. */
class Counter {
  reads = 0;

  watch<T extends object>(object: T): T {
    return new Proxy(object, {
      get: (target, key, receiver) => {
        this.reads++;
        const value: unknown = Reflect.get(target, key, receiver);
        return typeof value === "object" && value !== null ? this.watch(value) : value;
      },
    });
  }
}

/** A stack with an attachment to each of its target groups. */
function withAttachments(given: readonly Given[]): Given[] {
  return given.flatMap((group): Given[] =>
    group.type !== "aws:lb/targetGroup:TargetGroup"
      ? [group]
      : [
          group,
          {
            type: "aws:lb/targetGroupAttachment:TargetGroupAttachment",
            name: `${group.name}-attachment`,
            props: { targetGroupArn: group.props["arn"], targetId: "i-0123456789abcdef0" },
            propertyDependencies: { targetGroupArn: [group.name] },
          },
        ],
  );
}

function readsOf(validate: (args: never, report: () => void) => unknown, size: number): number {
  const counter = new Counter();
  const resources = givenResources(withAttachments(workload(size))).map((r): PolicyResource => {
    const { type, props, propertyDependencies } = r;
    return Object.defineProperties(r, {
      type: { get: () => (counter.reads++, type) },
      props: { get: () => counter.watch(props), set: () => undefined },
      propertyDependencies: { get: () => (counter.reads++, propertyDependencies) },
    });
  });
  const args = { resources, stackTags: new Map(), getConfig: () => ({}), notApplicable: () => undefined };
  validate(args as never, () => undefined);
  return counter.reads;
}

// A clock would tell more of the machine than of the rule.
test.each(policies.flatMap((p) => ("validateStack" in p ? [[p.name, p.validateStack] as const] : [])))(
  "%s reads ten times as much of a stack that is ten times as big, and not more",
  (_, validate) => {
    expect(readsOf(validate, 1_100) / readsOf(validate, 110)).toBeLessThan(11);
  },
);
