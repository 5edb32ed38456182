import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { Problems } from "../../../components/internal/validate";
import {
  eachWrong,
  expectGraphOrRefusal,
  hostileArguments,
  places,
  right,
  wrong,
  type Trial,
} from "../../support/hostile-arguments";

/** How the component under trial goes wrong. */
interface Faults {
  size?: number;
  colour?: string;
  crash?: boolean;
  half?: boolean;
  late?: boolean;
  child?: string;
  role?: string;
  policyArn?: string;
}

class Thing extends pulumi.ComponentResource {
  constructor(name: string, args: Faults, opts: pulumi.ComponentResourceOptions) {
    super("test:index:Thing", name, args, opts);
    const problems = new Problems("Thing", name);
    if (args.half === true) new aws.sns.Topic(`${name}-early`, {}, { parent: this });
    if (args.crash === true) throw new TypeError("Cannot read properties of undefined");
    problems.unless((args.size ?? 1) > 0, "size", "must be above 0");
    problems.unless(args.colour !== "blue", "colour", "must not be blue");
    problems.throwIfAny();
    const topic = new aws.sns.Topic(args.child ?? `${name}-topic`, {}, { parent: this });
    const role = new aws.iam.Role(
      `${name}-role`,
      { name: args.role, assumeRolePolicy: "{}", permissionsBoundary: args.policyArn },
      { parent: this },
    );
    if (args.late === true) void pulumi.all([topic.arn, role.arn]).apply(() => Promise.reject(new Error("too late")));
  }
}
const make: Trial["make"] = (name, args, opts) => new Thing(name, args, opts);
const judge = (args: Faults, named: string[] = [], more: Partial<Trial> = {}) =>
  expectGraphOrRefusal({ make, args: { ...args }, named, ...more });

describe("a trial with arguments that may be wrong", () => {
  test("passes a graph in each partition, in a preview too, and a refusal that names all that is wrong", async () => {
    for (const place of places) await judge({ policyArn: "arn:aws:iam::123456789012:policy/x" }, [], { place });
    await judge({ size: 2 }, [], { preview: true });
    await judge({ size: 0, colour: "blue" }, ["colour", "size"]);
  });

  test.each<[string, Faults, string[]]>([
    ["a wrong argument that passes", { size: 1 }, ["size"]],
    ["one that isn't named", { size: 0 }, ["size", "colour"]],
    ["a right one that is refused", { size: 0, colour: "blue" }, ["size"]],
    ["a crash where all is right", { crash: true }, []],
    ["a crash instead of a refusal", { crash: true }, ["size"]],
    ["an error in the middle of an update", { late: true }, []],
    ["half a graph", { half: true, size: 0 }, ["size"]],
    ["a child with another name", { child: "topic" }, []],
    ["a child that is named after nothing", { child: `one-${String(undefined)}` }, []],
    ["a name that AWS refuses", { role: "r".repeat(65) }, []],
    ["letters that AWS refuses", { role: "a role" }, []],
    ["an ARN of another partition", { policyArn: "arn:aws-cn:iam::123456789012:policy/x" }, []],
  ])("fails for %s", async (_, faults, named) => {
    await expect(judge(faults, named)).rejects.toThrow();
  });

  test("each wrong value stands once among right ones", () => {
    const given = {
      size: [...right(1, 2), ...wrong("size", 0, -1)],
      colour: [...wrong("colour", "blue"), ...right("red")],
    };
    expect(eachWrong(given)).toEqual([
      { args: { size: 0, colour: "red" }, named: ["size"] },
      { args: { size: -1, colour: "red" }, named: ["size"] },
      { args: { size: 1, colour: "blue" }, named: ["colour"] },
    ]);
  });

  test("random arguments say what is wrong with them", () => {
    const all = hostileArguments({ size: [...right(1, undefined), ...wrong("size", 0)], tags: right({ a: "b" }) });
    const seen = fc.sample(all, { numRuns: 60, seed: 7 });
    for (const { args, named } of seen) expect(named).toEqual(args["size"] === 0 ? ["size"] : []);
    expect(new Set(seen.map(({ args }) => args["size"]))).toEqual(new Set([1, undefined, 0]));
  });
});
