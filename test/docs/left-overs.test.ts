import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

/* docs/left-overs.sh, with an aws that answers from files, one for each operation, and writes down what it was asked. */

const script = resolve(__dirname, "../../docs/left-overs.sh");

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "moorings-left-overs-"));
  const aws = [
    "#!/usr/bin/env bash",
    'echo "$*" >> "$DIRECTORY/calls"',
    'if [ "$2" = "$FAILS" ]; then echo "An error occurred (UnauthorizedOperation)" >&2; exit 254; fi',
    'cat "$DIRECTORY/$2" 2> /dev/null || echo None',
    "",
  ];
  writeFileSync(join(directory, "aws"), aws.join("\n"), { mode: 0o755 });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs it with answers by operation, as the CLI prints texts: with tabs, and None for nothing. */
function run(answers: Record<string, string>, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  for (const [operation, text] of Object.entries(answers)) writeFileSync(join(directory, operation), text);
  writeFileSync(join(directory, "calls"), "");
  const env = { PATH: [directory, process.env["PATH"]].join(delimiter), DIRECTORY: directory, FAILS: "", ...more };
  const { status, stdout, stderr } = spawnSync("bash", [script, ...args], { env, encoding: "utf8" });
  for (const operation of Object.keys(answers)) rmSync(join(directory, operation));
  return { status, stdout, stderr, calls: readFileSync(join(directory, "calls"), "utf8").trim().split("\n") };
}

test("asks for what carries the cluster's tags, and for instance profiles by their path", () => {
  const { status, stdout, calls } = run({}, ["shop-prod", "eu-west-1"]);
  expect([status, stdout]).toEqual([0, "nothing of shop-prod is left in eu-west-1\n"]);
  // Tags: Karpenter's CloudFormation template (kubernetes.io/cluster/<name> = owned), amazon-vpc-cni-k8s (CLUSTER_NAME), the load balancer
  // controller's elbv2.k8s.aws/cluster. Path: Karpenter's upgrade guide, 1.7.
  expect(calls.map((call) => call.split(" ").slice(0, 2).join(" "))).toEqual([
    "ec2 describe-instances",
    "ec2 describe-launch-templates",
    "iam list-instance-profiles",
    "ec2 describe-network-interfaces",
    "ec2 describe-security-groups",
    "resourcegroupstaggingapi get-resources",
    "ec2 describe-volumes",
    "logs describe-log-groups",
  ]);
  const owned = calls.filter((call) => call.includes("Name=tag:kubernetes.io/cluster/shop-prod,Values=owned"));
  expect(owned).toHaveLength(4);
  expect(calls[2]).toContain("--path-prefix /karpenter/eu-west-1/shop-prod/");
  expect(calls[3]).toContain("Name=tag:cluster.k8s.amazonaws.com/name,Values=shop-prod");
});

test("names what is left, and how it goes", () => {
  const answers = { "describe-instances": "i-0b\ti-0a\n", "list-instance-profiles": "shop-prod_1234\n" };
  const { status, stdout } = run(answers, ["shop-prod"], { AWS_REGION: "eu-west-1" });
  expect(stdout.split("\n")).toEqual([
    "instances (aws ec2 terminate-instances --instance-ids):",
    "  i-0a",
    "  i-0b",
    "instance profiles (aws iam remove-role-from-instance-profile, then delete-instance-profile):",
    "  shop-prod_1234",
    "",
  ]);
  expect(status).toBe(1);
});

test("what can't be read isn't nothing", () => {
  const { status, stdout, stderr } = run({}, ["shop-prod", "eu-west-1"], { FAILS: "describe-network-interfaces" });
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("the network interfaces of pods can't be read, so nothing is known of them");
});

test.each([[[]], [["shop-prod"]], [["", "eu-west-1"]], [["shop-prod", "eu-west-1", "x"]]])(
  "refuses to look without a cluster and a region: %j",
  (args) => expect(run({}, args)).toMatchObject({ status: 2, stdout: "", calls: [""] }),
);
