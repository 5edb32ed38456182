import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

interface Row {
  readonly number: number;
  readonly complaint: string;
  readonly tests: readonly { readonly file: string; readonly title: string }[];
}

/** The table's rows: number, complaint, where it was reported, what holds here, and tests as `file`: "title". */
const rows = read("docs/known-failures.md")
  .split("\n")
  .flatMap((line): Row[] => {
    const [, number, complaint, , , tests = ""] = line.split(/ ?\| ?/);
    if (!/^\d+$/.test(number ?? "")) return [];
    const named = [...tests.matchAll(/`([^`]+)`: "((?:[^"\\]|\\.)*)"/g)];
    return [
      {
        number: Number(number),
        complaint: complaint ?? "",
        tests: named.map(([, file, title]) => ({ file: file ?? "", title: title ?? "" })),
      },
    ];
  });

test("the complaints are twenty, and each has a test", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(rows.filter(({ tests }) => tests.length === 0).map(({ number }) => number)).toEqual([]);
});

test.each(rows.map((row) => [row.number, row.complaint, row] as const))("%d, %s: its tests are there", (_, __, row) => {
  for (const { file, title } of row.tests) {
    const text = read(file);
    // As a test's title, or as the reason of an edge that a test takes as its title.
    const written = [`"${title}"`, `\`${title}\``, `'${title}'`].filter((quoted) => text.includes(quoted));
    expect([file, title, written.length]).toEqual([file, title, 1]);
  }
});

// pulumi-kubernetes 4.32.0 previews a custom resource whose definition isn't there yet (issue 3176).
test("the Kubernetes provider takes objects whose definition comes in the same update", () => {
  const { peerDependencies } = JSON.parse(read("package.json")) as { peerDependencies: Record<string, string> };
  const [, major, minor] = /^\^(\d+)\.(\d+)\./.exec(peerDependencies["@pulumi/kubernetes"] ?? "") ?? [];
  expect([Number(major), Number(minor) >= 32]).toEqual([4, true]);
});

test("nothing asks for a cluster's token, which ends after a quarter of an hour", () => {
  const sources = ["components", "stacks", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
      .map((file) => join(folder, file)),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => /getClusterAuth|getKubeconfig\(/.test(read(file)))).toEqual([]);
});
