import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/*
 * docs/runbooks/wiring-test.sh, with an aws that answers from files: what it was told to set is in `calls`. A terminal is one of
 * `script` (util-linux), which hands on what it reads.
 */

const wiringTest = resolve(__dirname, "../../docs/runbooks/wiring-test.sh");
const topic = (name: string) => `arn:aws:sns:eu-west-1:123456789012:${name}`;
const [page, ticket] = [topic("page"), topic("ticket")];
const confirmed = `${page}:0a1b2c3d`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "moorings-wiring-"));
  const aws = [
    "#!/usr/bin/env bash",
    'case "$*" in',
    '  "cloudwatch describe-alarms"*AlarmRule*) cat "$DIRECTORY/rules" ;;',
    '  "cloudwatch describe-alarms"*"--alarm-names"*) cat "$DIRECTORY/state" ;;',
    '  "cloudwatch describe-alarms"*) cat "$DIRECTORY/alarms" ;;',
    '  "cloudwatch set-alarm-state"*) echo "$4 $6" >> "$DIRECTORY/calls" ;;',
    '  "sns list-subscriptions-by-topic"*)',
    '    cat "$DIRECTORY/topic-${4##*:}" 2> /dev/null || { echo "An error occurred (NotFound): Topic does not exist" >&2; exit 254; } ;;',
    "esac",
    "",
  ];
  writeFileSync(join(directory, "aws"), aws.join("\n"), { mode: 0o755 });
  alarms(["prod-web-low", "OK"], ["prod-web-stale", "OK"], ["prod-web-slow", "OK", "true", ticket, ticket]);
  rules();
  subscriptions("page", confirmed);
  subscriptions("ticket", confirmed, "PendingConfirmation");
  writeFileSync(join(directory, "state"), "OK\n");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Name, state, whether actions are on, actions on ALARM, actions on OK. */
function alarms(...lines: [string, string, string?, string?, string?][]): void {
  const text = lines.map(([name, state, enabled = "true", on = page, off = on]) =>
    [name, state, enabled, on, off].join("\t"),
  );
  writeFileSync(join(directory, "alarms"), `${text.join("\n")}\n`);
}

/** Rules of the composite alarms. */
function rules(...lines: string[]): void {
  writeFileSync(join(directory, "rules"), lines.map((line) => `${line}\n`).join(""));
}

function subscriptions(name: string, ...arns: string[]): void {
  writeFileSync(join(directory, `topic-${name}`), arns.map((arn) => `${arn}\n`).join(""));
}

const env = () => ({
  ...process.env,
  PATH: [directory, process.env["PATH"]].join(delimiter),
  DIRECTORY: directory,
});

/** What was set, as "alarm state". */
const calls = () =>
  readFileSync(join(directory, "calls"), { encoding: "utf8", flag: "a+" })
    .split("\n")
    .filter((line) => line !== "");

const inTerminal = (args: readonly string[]) => ["-qec", ["bash", wiringTest, ...args].join(" "), "/dev/null"];

/** Runs it in a terminal at which somebody types these lines. */
function typed(lines: readonly string[], args = ["prod-web"]) {
  const { status, stdout } = spawnSync("script", inTerminal(args), {
    encoding: "utf8",
    env: env(),
    input: lines.map((line) => `${line}\n`).join(""),
  });
  return { status, stdout };
}

function withoutTerminal(args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync("bash", [wiringTest, ...args], {
    encoding: "utf8",
    env: env(),
    input: "yes\n",
  });
  return { status, stdout, stderr };
}

test("raises one alarm for each topic and sets it back, when somebody says that it arrived", () => {
  const { status, stdout } = typed(["yes", "y", "y"]);
  expect(stdout).toContain(`${page}: 1 confirmed, 0 waiting`);
  expect(stdout).toContain(`${ticket}: 1 confirmed, 1 waiting`);
  expect(calls()).toEqual(["prod-web-low ALARM", "prod-web-low OK", "prod-web-slow ALARM", "prod-web-slow OK"]);
  expect(stdout).toContain("everything arrived");
  expect(status).toBe(0);
});

test("raises the composite alarm for the alarms that it pages for", () => {
  alarms(["prod-web-low", "OK", "true", "-", "-"], ["prod-web-short-of-hosts", "OK"]);
  rules('ALARM("prod-web-low")');
  const { status } = typed(["yes", "y"], ["--all", "prod-web"]);
  expect(calls()).toEqual(["prod-web-short-of-hosts ALARM", "prod-web-short-of-hosts OK"]);
  expect(status).toBe(0);
});

test("raises every alarm with --all, but for those that are on", () => {
  alarms(["prod-web-low", "OK"], ["prod-web-stale", "ALARM"], ["prod-web-decay", "INSUFFICIENT_DATA"]);
  const { status, stdout } = typed(["yes", "y", "y"], ["--all", "prod-web"]);
  expect(stdout).toContain("left alone, because it is on: prod-web-stale");
  expect(calls()).toEqual(["prod-web-low ALARM", "prod-web-low OK", "prod-web-decay ALARM", "prod-web-decay OK"]);
  expect(status).toBe(0);
});

test("leaves an alarm alone that has come on since it looked: setting it back would hide an incident", () => {
  writeFileSync(join(directory, "state"), "ALARM\n");
  const { status, stdout } = typed(["yes"]);
  expect(stdout).toContain("NOT WIRED: prod-web-low: has come on by itself");
  expect([status, calls()]).toEqual([1, []]);
});

test("says so when a message didn't arrive, and sets the alarm back all the same", () => {
  const { status, stdout } = typed(["yes", "n", "y"]);
  expect(stdout).toContain(`NOT WIRED: prod-web-low: nobody got the message of ${page}`);
  expect(calls()).toContain("prod-web-low OK");
  expect(status).toBe(1);
});

test.each(["y", "no", ""])("raises nothing for %j instead of yes", (answer) => {
  const { status, stdout } = typed([answer]);
  expect(stdout).toContain("nothing was raised");
  expect([status, calls()]).toEqual([2, []]);
});

test("raises nothing without a terminal, whatever stands there", () => {
  const { status, stderr } = withoutTerminal(["prod-web"]);
  expect(stderr).toContain("run it in a terminal");
  expect([status, calls()]).toEqual([2, []]);
});

test("sets the alarm back when it is interrupted", async () => {
  const child = spawn("script", inTerminal(["prod-web"]), { env: env() });
  let shown = "";
  let pressing: NodeJS.Timeout | undefined;
  child.stdout.on("data", (data) => {
    const before = shown;
    shown += String(data);
    if (shown.includes('Write "yes"') && !before.includes('Write "yes"')) child.stdin.write("yes\n");
    // Again and again, as people do: bash notes one that comes between its prompt and its reading, and goes on reading.
    if (shown.includes("[y/n]")) pressing ??= setInterval(() => child.stdin.write("\x03"), 100);
  });
  child.stdin.on("error", () => clearInterval(pressing)); // it ended just now
  const status = await new Promise((done) => child.on("exit", done));
  clearInterval(pressing);
  expect(calls()).toEqual(["prod-web-low ALARM", "prod-web-low OK"]);
  expect(status).toBe(130);
});

describe("--check raises nothing", () => {
  const checked = () => withoutTerminal(["--check", "prod-web"]);

  test("and finds nothing where all is well", () => {
    const { status, stdout } = checked();
    expect(stdout).toContain("every alarm has a topic, and every topic a confirmed subscription");
    expect([status, calls()]).toEqual([0, []]);
  });

  test("finds a mail that nobody confirmed", () => {
    subscriptions("page", "PendingConfirmation");
    const { status, stdout } = checked();
    expect(stdout).toContain(`NOT WIRED: ${page} has no confirmed subscription`);
    expect(status).toBe(1);
  });

  test("finds a topic that is gone", () => {
    alarms(["prod-web-low", "OK", "true", topic("old")]);
    const { status, stdout } = checked();
    expect(stdout).toContain(
      `NOT WIRED: ${topic("old")} doesn't exist, or can't be read: An error occurred (NotFound)`,
    );
    expect(status).toBe(1);
  });

  // As combinePages makes them; by hand also without quotation marks, or by ARN (PutCompositeAlarm, AlarmRule).
  test.each([
    'ALARM("prod-web-decay") OR ALARM("prod-web-low")',
    "ALARM(prod-web-low) OR ALARM(prod-web-decay)",
    "ALARM( arn:aws:cloudwatch:eu-west-1:123456789012:alarm:prod-web-low )",
  ])("accepts an alarm without an action that a composite alarm pages for: %s", (rule) => {
    alarms(["prod-web-low", "OK", "true", "-", "-"], ["prod-web-short-of-hosts", "OK"]);
    rules(rule);
    const { status, stdout } = checked();
    expect(stdout).not.toContain("NOT WIRED");
    expect([status, calls()]).toEqual([0, []]);
  });

  test("finds an alarm without an action that no rule names, though one names its neighbour", () => {
    alarms(["prod-web-low", "OK", "true", "-", "-"], ["prod-web-short-of-hosts", "OK"]);
    rules('ALARM("prod-web-low-2") OR OK("prod-web-low")');
    const { status, stdout } = checked();
    expect(stdout).toContain("NOT WIRED: prod-web-low: does nothing when it fires");
    expect(status).toBe(1);
  });

  test.each<[string, [string, string, string?, string?, string?], string]>([
    [
      "an alarm without an action",
      ["prod-web-low", "OK", "true", "-", "-"],
      "prod-web-low: does nothing when it fires",
    ],
    ["an alarm that is switched off", ["prod-web-low", "OK", "false"], "prod-web-low: its actions are switched off"],
    [
      "an alarm whose end nobody hears",
      ["prod-web-low", "OK", "true", page, "-"],
      "prod-web-low: its end doesn't go where its beginning goes",
    ],
  ])("finds %s", (_, alarm, expected) => {
    alarms(alarm);
    const { status, stdout } = checked();
    expect(stdout).toContain(`NOT WIRED: ${expected}`);
    expect(status).toBe(1);
  });
});

test("says what is missing", () => {
  expect(withoutTerminal([])).toMatchObject({ status: 2, stderr: expect.stringContaining("PREFIX") as string });
  writeFileSync(join(directory, "alarms"), "");
  const { status, stderr } = withoutTerminal(["staging"]);
  expect(stderr).toContain("there is no alarm whose name begins with staging");
  expect(status).toBe(2);
});
