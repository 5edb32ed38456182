import { labelKeyProblem, labelValueProblem } from "../../../components/internal/labels";

/** As long as a prefix may be: three labels of 63 and one of 61, with dots. */
const prefix = [63, 63, 63, 61].map((length) => "p".repeat(length)).join(".");

// apimachinery v0.36.3, pkg/api/validate/content/kube.go: `IsLabelKey` and `IsLabelValue`.
describe("labels", () => {
  test.each([
    "a",
    "A_b.C-1",
    "n".repeat(63),
    "example.com/team",
    "1.x/1",
    `${prefix}/${"n".repeat(63)}`,
    `${"p".repeat(253)}/n`,
  ])("%s is a key", (key) => expect(labelKeyProblem(key)).toBeUndefined());

  test.each([
    "",
    "a b",
    "-a",
    "a.",
    "n".repeat(64),
    "/a",
    "a/",
    "a/b/c",
    "Example.com/a",
    "a..b/c",
    "a.-b/c",
    "a-.b/c",
    "a_b/c",
    `${"p".repeat(254)}/n`,
    "a\n",
  ])("%j is no key", (key) => expect(labelKeyProblem(key)).toContain(`, not "${key}"`));

  test.each(["", "a", "A_b.C-1", "v".repeat(63)])("%j is a value", (value) =>
    expect(labelValueProblem(value)).toBeUndefined(),
  );
  test.each(["a b", "-a", "a.", "a/b", "v".repeat(64), "a\n", true as unknown as string])("%j is no value", (value) =>
    expect(labelValueProblem(value)).toContain(`, not "${value}"`),
  );
});
