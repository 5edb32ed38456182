import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/*
 * examples/migrate-hand-registered-targets/delete-a-pod.sh, with a kubectl and an aws that answer from files: what they are asked is in
 * `calls`. What a group looks like after the deletion is a list of answers, the last of which stays.
 */

const script = resolve(__dirname, "../../examples/migrate-hand-registered-targets/delete-a-pod.sh");
const group = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/nginx/0a1b2c3d4e5f6001";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "moorings-pod-"));
  program("kubectl", [
    'case "$*" in',
    `  *"targetgroupbinding/nginx --output jsonpath={.spec.targetGroupARN}"*) echo ${group} ;;`,
    '  *"targetgroupbinding/nginx --output jsonpath={.spec.serviceRef.name}"*) echo nginx ;;',
    '  *"get endpointslices --selector kubernetes.io/service-name=nginx"*) cat "$DIRECTORY/pods" ;;',
    '  *"delete pod"*) touch "$DIRECTORY/deleted" ;;',
    '  *) echo "Error from server (NotFound): targetgroupbindings not found" >&2; exit 1 ;;',
    "esac",
  ]);
  // Each answer once, the last one for good; before the deletion the first one.
  program("aws", [
    'n=$(cat "$DIRECTORY/n" 2> /dev/null || echo 0)',
    'if [ -e "$DIRECTORY/deleted" ]; then n=$((n + 1)); fi',
    'while [ ! -e "$DIRECTORY/answer-$n" ]; do n=$((n - 1)); done',
    'echo "$n" > "$DIRECTORY/n"',
    'cat "$DIRECTORY/answer-$n"',
  ]);
  write("pods", "nginx-x 10.0.0.3\nnginx-y 10.0.0.1\nnginx-z 10.0.0.10\n");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (file: string, text: string) => writeFileSync(join(directory, file), text);

function program(name: string, lines: readonly string[]): void {
  const text = ["#!/usr/bin/env bash", `echo "${name} $*" >> "$DIRECTORY/calls"`, ...lines, ""].join("\n");
  writeFileSync(join(directory, name), text, { mode: 0o755 });
}

/** Runs the script with what the load balancer answers, one list of targets (`address state`) after the other. */
function run(answers: readonly (readonly string[])[], args = ["shop", "nginx"]) {
  for (const [n, targets] of answers.entries())
    write(`answer-${n}`, targets.map((target) => `${target.replace(" ", "\t")}\n`).join(""));
  const { status, stdout, stderr } = spawnSync("bash", [script, ...args], {
    encoding: "utf8",
    env: {
      ...process.env,
      PATH: [directory, process.env["PATH"]].join(delimiter),
      DIRECTORY: directory,
      POLL_SECONDS: "0",
      SECONDS_TO_WAIT: answers.length > 2 ? "60" : "1",
    },
  });
  const deleted = readFileSync(join(directory, "calls"), { encoding: "utf8", flag: "a+" })
    .split("\n")
    .filter((call) => call.includes("delete pod"));
  return { status, stdout, stderr, deleted };
}

const before = ["10.0.0.1 healthy", "10.0.0.10 healthy", "10.0.0.3 unhealthy"];

test("deletes a healthy pod and waits until a new address is healthy in its place", () => {
  const { status, stdout, deleted } = run([
    before,
    ["10.0.0.1 draining", "10.0.0.10 healthy", "10.0.0.2 initial", "10.0.0.3 unhealthy"],
    ["10.0.0.10 healthy", "10.0.0.2 healthy", "10.0.0.3 unhealthy"],
  ]);
  expect(stdout).toContain("2 healthy targets; deleting pod nginx-y (10.0.0.1)");
  expect(deleted).toEqual(["kubectl --namespace shop delete pod nginx-y --wait=false"]);
  expect(stdout).toContain("  was 10.0.0.1 healthy\n");
  expect(stdout).toContain("  now 10.0.0.2 initial\n");
  expect(stdout).toContain("10.0.0.2 took over from 10.0.0.1, and nobody registered it");
  expect(status).toBe(0);
});

test.each<[string, (readonly string[])[], string]>([
  [
    "was there before, stale",
    [
      ["10.0.0.10 healthy", "10.0.0.3 initial"],
      ["10.0.0.10 healthy", "10.0.0.3 healthy"],
    ],
    "10.0.0.3",
  ],
  [
    "is that of the old one",
    [
      ["10.0.0.1 initial", "10.0.0.10 healthy"],
      ["10.0.0.1 healthy", "10.0.0.10 healthy"],
    ],
    "10.0.0.1",
  ],
])("takes a new pod's address that %s", (_, after, address) => {
  const { status, stdout } = run([before, ...after]);
  expect(stdout).toContain(`done: ${address} took over from 10.0.0.1`);
  expect(status).toBe(0);
});

test("an address on two ports counts once, and as healthy if it is on both", () => {
  const both = ["10.0.0.10 healthy", "10.0.0.10 healthy"];
  const { status, stdout, deleted } = run([
    ["10.0.0.3 healthy", "10.0.0.3 unhealthy", "10.0.0.1 healthy", "10.0.0.1 healthy", ...both],
    ["10.0.0.2 healthy", "10.0.0.2 initial", ...both],
    ["10.0.0.2 healthy", "10.0.0.2 healthy", ...both],
  ]);
  expect(stdout).toContain("2 healthy targets; deleting pod nginx-y (10.0.0.1)");
  expect(deleted).toHaveLength(1);
  expect(stdout).toContain("  now 10.0.0.2 initial\n");
  expect(stdout).toContain("done: 10.0.0.2 took over");
  expect(status).toBe(0);
});

test.each<[string, readonly string[], string]>([
  ["nobody registers the new one", ["10.0.0.10 healthy"], "the group has no new healthy target"],
  ["the old address is never taken out", before, "10.0.0.1 is still registered"],
  [
    "the old address is never taken out, though a new one comes",
    ["10.0.0.1 unhealthy", "10.0.0.10 healthy", "10.0.0.2 healthy"],
    "10.0.0.1 is still registered",
  ],
  ["the new one never gets healthy", ["10.0.0.10 healthy", "10.0.0.2 unhealthy"], "no new healthy target"],
])("gives up where %s", (_, after, why) => {
  const { status, stderr } = run([before, after]);
  expect(stderr).toContain(why);
  expect(stderr).toContain("kubectl --namespace shop describe targetgroupbinding nginx");
  expect(status).toBe(1);
});

test("deletes nothing where that would be an outage", () => {
  const { status, stderr, deleted } = run([["10.0.0.1 healthy", "10.0.0.10 draining", "10.0.0.3 unhealthy"]]);
  expect(stderr).toContain(`1 healthy targets in ${group}`);
  expect([status, deleted]).toEqual([2, []]);
});

test("deletes nothing where the healthy targets are other things than the Service's pods", () => {
  const { status, stderr, deleted } = run([["10.9.0.1 healthy", "10.9.0.2 healthy"]]);
  expect(stderr).toContain("no pod of Service nginx is a healthy target");
  expect([status, deleted]).toEqual([2, []]);
});

test("says what is missing", () => {
  expect(run([before], ["shop"])).toMatchObject({ status: 2, stderr: expect.stringContaining("NAMESPACE BINDING") });
  const { status, stderr } = run([before], ["shop", "web"]);
  expect(stderr).toContain("there is no target group binding web in namespace shop");
  expect(status).toBe(2);
});
