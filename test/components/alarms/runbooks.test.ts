import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { environments } from "../../support/environments";
import { registeredBy } from "../../support/platform";
import { samples } from "../../support/components";
import { run, type Registration } from "../../support/harness";
import { providerState } from "../../support/provider-state";

/*
 * Whoever is woken up reads a page. Each is called like the last part of its alarm's name.
 */

const directory = resolve(__dirname, "../../../docs/runbooks");
const pages = readdirSync(directory)
  .filter((file) => file.endsWith(".md"))
  .map((file) => file.replace(/\.md$/, ""));
/** Pages of no alarm. */
const procedures = ["break-glass", "wiring-test"];

/** Alarms, and rules of EventBridge that report what somebody did. */
const isAlarm = ({ type, inputs }: Pick<Registration, "type" | "inputs">) =>
  /^aws:cloudwatch\/(metric|composite)Alarm:/.test(type) ||
  (type.startsWith("aws:cloudwatch/eventRule:") && JSON.stringify(inputs["tags"]).includes('"alarm-severity"'));

/** Names of the alarms that a component makes with all its arguments. */
async function alarmsOf(component: string): Promise<string[]> {
  const { kubernetes, full, make } = samples[component]!;
  if (kubernetes) return []; // of these the environments make the alarms
  const { resources, errors } = await run(() => void make("one", full, {}), { state: providerState });
  expect(errors).toEqual([]);
  return resources.filter(isAlarm).map(({ name }) => name);
}

test("every alarm has a page, and every page an alarm", async () => {
  const names: string[] = [];
  for (const component of Object.keys(samples)) names.push(...(await alarmsOf(component)));
  for (const environment of environments)
    names.push(...(await registeredBy(environment)).filter(isAlarm).map(({ name }) => name));
  expect(names.length).toBeGreaterThan(20);
  const pageOf = (name: string) => pages.find((page) => name.includes(`-${page}`));
  expect(names.filter((name) => pageOf(name) === undefined)).toEqual([]);
  const used = new Set(names.map(pageOf));
  expect(pages.filter((page) => !used.has(page) && !procedures.includes(page))).toEqual([]);
});

test.each(pages.filter((page) => !procedures.includes(page)))("%s says what a night needs, on one screen", (page) => {
  const text = readFileSync(resolve(directory, `${page}.md`), "utf8");
  for (const part of ["**What fired.**", "**What a visitor sees.**", "**First", "**When it clears.**"])
    expect(text).toContain(part);
  expect(text).toContain("```");
  expect(text.split("\n").length).toBeLessThanOrEqual(61);
});
