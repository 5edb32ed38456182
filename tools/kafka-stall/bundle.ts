import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** The file that components carry. */
export const generated = resolve(root, "components/kafka/stall-sidecar-script.ts");

/** What it must be: the sidecar with its detector as one program, line by line so that a change can be read. */
export function generatedText(): string {
  const flags = [
    "--bundle",
    "--platform=node",
    "--format=cjs",
    "--target=node20",
    "--charset=utf8",
    "--legal-comments=none",
  ];
  const program = execFileSync(
    resolve(root, "node_modules/.bin/esbuild"),
    [...flags, "--log-level=warning", "kafka-stall/sidecar.ts"],
    { cwd: root, encoding: "utf8" },
  );
  const lines = program
    .trimEnd()
    .split("\n")
    .map((line) => `  ${JSON.stringify(line)},\n`);
  return `// Generated from kafka-stall/ by \`npm run build:kafka-stall\`: change it there.

/** The sidecar as one file of JavaScript, for a ConfigMap. */
export const stallSidecarScript = [
${lines.join("")}].join("\\n");
`;
}
