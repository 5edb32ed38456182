import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const pages = [
  "pipeline-silent",
  "controller-silent",
  "registration-denied",
  "target-group-missing",
  "binding-errors",
  "karpenter-silent",
  "interruptions-unread",
  "interruption-backlog",
  "pods-unschedulable",
  "node-pool-not-ready",
  "nodes-not-registering",
  "launch-errors",
  "karpenter-denied",
  "karpenter-errors",
];

test.each(pages)("%s has a runbook of one screen", (page) => {
  const text = readFileSync(resolve(__dirname, "../../../../docs/runbooks", `${page}.md`), "utf8");
  for (const heading of [
    `# ${page}: `,
    "**What fired.**",
    "**What a visitor sees.**",
    "**First command**",
    "**Likely causes",
    "**How to end it**",
    "**When it clears.**",
  ])
    expect(text).toContain(heading);
  expect(text.split("\n").length).toBeLessThanOrEqual(60);
});
