import * as pulumi from "@pulumi/pulumi";
import { Problems } from "../../../components/internal/validate";
import { run } from "../../support/harness";

const notA = (text: string) => (text === "a" ? "must not be a" : undefined);

describe("an argument that may only be known later", () => {
  const messages = async (...values: (pulumi.Input<string> | undefined)[]) => {
    const { errors } = await run(() => {
      const problems = new Problems("Thing", "x");
      const taken = values.map((value, index) => problems.input(value, `args[${index}]`, notA));
      problems.throwIfAny();
      return { taken };
    });
    return errors.map(({ message }) => message).join("\n");
  };

  test("is reported at once, with the rest, where it is known", async () =>
    expect(await messages("a", "b", undefined, "a")).toBe(
      'Thing "x" can\'t be made from these arguments:\n  - args[0]: must not be a\n  - args[3]: must not be a',
    ));
  test.each([
    ["an output", () => pulumi.output("a")],
    ["a promise", () => Promise.resolve("a")],
  ])("and when it is known otherwise: %s", async (_, late) =>
    expect(await messages("b", late())).toContain("args[1] must not be a"),
  );
  test("isn't reported where it is right", async () =>
    expect(await messages("b", pulumi.output("b"), undefined)).toBe(""));

  test("isn't reported where it is encrypted, and so unknown to the offline preview", async () => {
    const { errors } = await run(() => {
      const problems = new Problems("Thing");
      const taken = ["[secret]", pulumi.output("[secret]")].map((v) => problems.input(v, "arg", () => "is wrong"));
      problems.throwIfAny();
      return { taken };
    });
    expect(errors).toEqual([]);
  });

  test("is late where only a part of it is", async () => {
    const joined = (list: string[]) => notA(list.join(""));
    const { errors } = await run(() => {
      const problems = new Problems("Thing");
      const taken = problems.input([pulumi.output(""), "a"], "list", joined);
      problems.throwIfAny();
      return { taken };
    });
    expect(errors.map(({ message }) => message)).toEqual(["list must not be a"]);
  });
});
