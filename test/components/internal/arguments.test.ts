import * as pulumi from "@pulumi/pulumi";
import { corrected, type KnownArguments } from "../../../components/internal/arguments";
import { late, number, text } from "../../../components/internal/shapes";
import { Problems } from "../../../components/internal/validate";

interface Args {
  cluster: string;
  replicas?: number;
  subnetId?: pulumi.Input<string>;
  tags?: string;
}

const known: KnownArguments<Args> = {
  shapes: { cluster: text, replicas: number, subnetId: late(text), tags: text },
  missing: { cluster: "is missing: write a cluster" },
  standIns: { cluster: "missing", subnetId: "subnet-missing" },
  elsewhere: { size: "isn't an argument: write replicas" },
};

/** What is said of arguments, without the first line that names the component, and what is taken in their place. */
function checked(given: unknown): { said: string[]; taken?: object } {
  const problems = new Problems("Thing", "x");
  const said = (check: () => void) => {
    try {
      check();
    } catch (error) {
      // Anything else is a crash.
      if (!pulumi.InputPropertiesError.isInstance(error)) throw error;
      return error.message.split("\n  - ").slice(1);
    }
    return undefined;
  };
  let taken: object | undefined;
  const atOnce = said(() => (taken = corrected(problems, given as Args, known)));
  return { said: atOnce ?? said(() => problems.throwIfAny()) ?? [], taken };
}

describe("a name that isn't an argument", () => {
  test.each([
    ["a letter more, at the end", "clusters", "cluster"],
    ["a letter more, at the beginning", "acluster", "cluster"],
    ["a letter fewer", "replica", "replicas"],
    ["a letter fewer, within", "clster", "cluster"],
    ["another letter, at the beginning", "kluster", "cluster"],
    ["another letter, at the end", "subnetIf", "subnetId"],
    ["another case", "subnetID", "subnetId"],
    ["another case, and a letter more", "SubnetIds", "subnetId"],
  ])("is told what was meant: %s", (_, name, meant) => {
    expect(checked({ cluster: "c", [name]: "a" }).said).toEqual([`${name}: isn't an argument: write ${meant}`]);
  });

  // The last are what every object has from its prototype: no table may be asked for them as if they stood in it.
  test.each(["nonsense", "clusterpool", "clutser", "c", "", "constructor", "toString", "hasOwnProperty"])(
    "is to be left out where nothing is near: %p",
    (name) => {
      expect(checked({ cluster: "c", [name]: "a" }).said).toEqual([`${name}: isn't an argument: leave it out`]);
    },
  );

  // An object of a literal has no such property of its own; one that was read from JSON has.
  test("may be that of the prototype itself", () => {
    const { said } = checked(JSON.parse('{"cluster": "c", "__proto__": {"replicas": 5}}'));
    expect(said).toEqual(["__proto__: isn't an argument: leave it out"]);
  });

  test("is told where the thing is, if people look for it", () => {
    expect(checked({ cluster: "c", size: 5 }).said).toEqual(["size: isn't an argument: write replicas"]);
  });

  test("isn't reported without a value, as if it hadn't been written", () => {
    expect(checked({ cluster: "c", nonsense: undefined, replicas: undefined }).said).toEqual([]);
  });
});

describe("what takes the place of arguments", () => {
  test("nothing, where they are what they must be: they are the same ones, late or not", () => {
    const subnetId = pulumi.output("subnet-1");
    const { said, taken } = checked({ cluster: "c", replicas: 3, subnetId });
    expect(said).toEqual([]);
    expect(taken).toEqual({ cluster: "c", replicas: 3, subnetId });
    expect((taken as Args).subnetId).toBe(subnetId);
  });

  test("their stand-in, or nothing where there is none", () => {
    const { said, taken } = checked({ cluster: null, replicas: "3", subnetId: 5, tags: "t" });
    expect(said).toEqual([
      "cluster: must be text, not null",
      'replicas: must be a number, not the text "3"',
      "subnetId: must be text, in quotes, not 5",
    ]);
    expect(taken).toEqual({ cluster: "missing", replicas: undefined, subnetId: "subnet-missing", tags: "t" });
  });

  test("the stand-in of what is missing; what may be left out has none", () => {
    expect(checked({ cluster: undefined })).toEqual({
      said: ["cluster: is missing: write a cluster"],
      taken: { cluster: "missing" },
    });
  });

  test("a wrong one counts as given: it isn't missing, too", () => {
    expect(checked({ cluster: 5 }).said).toEqual(["cluster: must be text, in quotes, not 5"]);
  });

  test("the caller's own object stays as it is", () => {
    const given = Object.freeze({ cluster: 5 });
    checked(given);
    expect(given).toEqual({ cluster: 5 });
  });
});

describe("what isn't arguments at all", () => {
  test.each<[string, unknown]>([
    ["null", null],
    ["a text", "cluster"],
    ["a number", 5],
    ["a flag", true],
    ["a list", []],
    ["an output", pulumi.output({ cluster: "c" })],
    ["a promise", Promise.resolve({ cluster: "c" })],
  ])("is one error: %s", (_, given) => {
    expect(checked(given)).toEqual({ said: ["args: must be an object with the arguments by their names"] });
  });

  test("nothing at all is arguments of which all are missing", () => {
    expect(checked(undefined)).toEqual({
      said: ["cluster: is missing: write a cluster"],
      taken: { cluster: "missing" },
    });
  });
});
