import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { knownVersions, pinnedAddons } from "../../components/cluster/versions";

/* The table of builds in docs/eks-cluster.md, which is written from the one that clusters are made from. */

const file = resolve(__dirname, "../../docs/eks-cluster.md");
const marked = /(<!-- builds: [^>]*-->\n)[^]*?(<!-- end -->)/;

function table(): string {
  const rows = knownVersions.map((version) => ({ version, builds: Object.entries(pinnedAddons(version)) }));
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  const keys = rows[0]!.builds.map(([key]) => key);
  return (
    line(["Kubernetes", ...keys.map((key) => `\`${key}\``)]) +
    line(["Kubernetes", ...keys].map(() => "---")) +
    rows.map(({ version, builds }) => line([version, ...builds.map(([, build]) => build)])).join("")
  );
}

test("docs/eks-cluster.md names the builds that go with each version", () => {
  const written = (page: string) => page.replace(marked, (_, begin: string, end: string) => `${begin}${table()}${end}`);
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, written(readFileSync(file, "utf8")));
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(marked);
  expect(page).toBe(written(page));
});
