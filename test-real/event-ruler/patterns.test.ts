import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { matches } from "../../test/support/event-pattern";
import { callNames, event, identityNames, make, rulesOf } from "../../test/support/recorded-calls";

/*
 * The gate judges event patterns by a small matcher of its own, because npm has none and the gate has no Java. Here the one that AWS publishes
 * judges the same events: the two must agree on each.
 */

/** Runs a program with a text, and returns what it prints. */
function output(command: string, args: readonly string[], input = ""): string {
  const { stdout, stderr, status, error } = spawnSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  if (error !== undefined)
    throw new Error(`${command} can't be run: this suite needs Java and Maven`, { cause: error });
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}: ${stderr}${stdout}`);
  return stdout;
}

test("AWS's matcher decides as ours does, for each recorded call by each identity", async () => {
  const { resources, errors } = await make();
  expect(errors).toEqual([]);
  const rules = Object.fromEntries(rulesOf(resources).map((r) => [r.name, r.inputs["eventPattern"] as string]));
  const events = callNames.flatMap((call) => identityNames.map((who) => ({ call, who, json: event(call, who) })));

  const jars = mkdtempSync(join(tmpdir(), "event-ruler-"));
  const pom = resolve(__dirname, "../../tools/event-ruler/pom.xml");
  output("mvn", ["-q", "-B", "-f", pom, "dependency:copy-dependencies", `-DoutputDirectory=${jars}`]);
  const input = JSON.stringify({ rules, events: events.map(({ json }) => JSON.stringify(json)) });
  const theirs = output("java", ["-cp", join(jars, "*"), join(__dirname, "Matched.java")], input)
    .trimEnd()
    .split("\n");

  const ours = events.map(({ json }) =>
    Object.keys(rules)
      .filter((name) => matches(JSON.parse(rules[name]!) as Pattern, JSON.parse(JSON.stringify(json)) as Pattern))
      .sort()
      .join(","),
  );
  expect(ours.filter((names) => names !== "").length).toBeGreaterThan(100);
  const named = (answers: readonly string[]) => events.map(({ call, who }, i) => [call, who, answers[i]]);
  expect(named(theirs)).toEqual(named(ours));
});

type Pattern = Parameters<typeof matches>[0];
