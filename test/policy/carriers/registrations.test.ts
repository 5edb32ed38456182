import type { Plan } from "../../../cli/plan";
import { moorings, Workspace } from "../../support/moorings";

/*
 * One program registers an address in each way that is known (alarms.md 5a and what was found since), through the SDK where there is one
 * and by the token where not, and beside them does what is fine. What the pack says to each is written here by hand.
 */

type Level = "mandatory" | "advisory";

/** What is said to whom: one row for each way. A name that stands in no row hears nothing. */
const expected: Record<string, Partial<Record<Level, readonly string[]>>> = {
  "no-hand-registered-ip-targets": {
    mandatory: [
      // tier 1: the SDK's tokens and their aliases
      "aws-lb",
      "aws-alb",
      "aws-elasticloadbalancingv2",
      "aws-applicationloadbalancing",
      "aws-vpclattice",
      "native-elb",
      "native-vpclattice",
      "awsx-instance-id",
      "awsx-lambda-arn",
      "awsx-classic", // its child
      // the same resource from another package
      "terraform-lb",
      "terraform-alb",
      "terraform-vpclattice",
      "terraform-awscc",
      "terraform-module",
      "fork",
      // an address in other clothes
      "ipv6",
      "ipv4-in-ipv6",
      "with-port",
      "ipv6-with-port",
      "with-spaces",
      "prefix-length",
      "zone",
      "octal",
      "hexadecimal",
      "one-number",
      "two-numbers",
      "full-width",
      "dns-name",
      "number",
      "list",
      "scalar-for-list",
      // a resource in other clothes
      "in-output",
      "in-secret",
      "alias",
      "ignore-changes",
      "import",
      "protect",
      "transformation",
      "transform",
      "transform-of-parent",
      // Kubernetes: hand registration one level up
      "endpoints",
      "endpoints-not-ready",
      "endpoints-patch",
      "endpoints-list",
      "endpoints-custom",
      "endpoints-custom-patch",
      "slice",
      "slice-patch",
      "slice-list",
      "slice-v1beta1",
      "slice-v1beta1-patch",
      "slice-v1beta1-list",
      "slice-custom",
      "generic-list",
      "says-endpoints",
      "leading-zeros",
      // controllers of AWS resources
      "ack",
      "crossplane-classic",
      "crossplane-elbv2.aws.upbound.io",
      "crossplane-elbv2.aws.m.upbound.io",
      "crossplane-elbv2.m.aws.upbound.io",
      "crossplane-vpclattice.aws.upbound.io",
      "crossplane-vpclattice.aws.m.upbound.io",
      "crossplane-vpclattice.m.aws.upbound.io",
    ],
    // Unknown in a preview; the update stops.
    advisory: [
      "unknown-into-ip",
      "secret-into-ip",
      "awsx-into-ip",
      "into-closed-box",
      "bridged-into-ip",
      "unknown-into-unknown",
      "unknown-instance",
    ],
  },
  "no-attachments-on-ip-target-groups": {
    // Unknown values: what the resource rule can't know the dependencies tell.
    mandatory: ["unknown-into-ip", "secret-into-ip", "awsx-into-ip", "into-closed-box", "bridged-into-ip"],
    advisory: ["registrations-dev"], // the stack, for unknown-into-unknown
  },
  "no-binding-to-selectorless-service": {
    mandatory: ["bound-selectorless", "bound-external-name", "bound-patched"],
  },
  "no-ip-targets-in-templates": {
    mandatory: [
      "cfn-json",
      "cfn-yaml",
      "cfn-parameter",
      "cfn-set",
      "native-cfn",
      "native-cfn-set",
      "native-change-set",
      "cloud-control",
      "cloud-control-stack",
      "native-extension",
      "template-in-bucket",
      "manifests-yaml",
      "manifests-objs",
      "chart-with-objects",
      "object-in-object",
    ],
  },
  "no-target-registration-in-scripts": {
    advisory: [
      "command-local",
      "command-stdin",
      "command-remote",
      "custom-resource",
      "lambda-invocation",
      "lambda-inline",
      "native-lambda",
      "ssm-document",
      "native-ssm-document",
      "ssm-association",
      "ssm-window",
      "step-functions",
      "native-step-functions",
      "scheduler",
      "event-target",
      "native-event-rule",
      "api-destination",
      "api-gateway",
      "user-data",
      "user-data-base64",
      "launch-template",
      "launch-template-gzip",
      "launch-configuration",
      "native-launch-template",
      "ecs-task",
      "batch",
      "codebuild",
      "pod",
      "job",
      "cron-job",
      "config-map",
      "secret",
      "terraform-in-object",
      "manifests-yaml",
      "dynamic",
      "dynamic-python",
    ],
  },
  "carriers-can-be-seen": {
    advisory: [
      "opaque-template",
      "opaque-product",
      "opaque-application",
      "opaque-chart",
      "opaque-function",
      "custom-resource",
      "dynamic",
      "dynamic-python",
    ],
  },
};

const work = new Workspace();
let plan: Plan;
let stdout: string;
beforeAll(async () => {
  const ran = await moorings([
    "check",
    "--fail-on-closed-box",
    "--project",
    work.program("registrations"),
    "--policy-pack",
    "policy",
    "--json",
    work.path("registrations.json"),
  ]);
  if (ran.code !== 3) throw new Error(ran.stdout + ran.stderr);
  stdout = ran.stdout;
  plan = work.plan("registrations.json");
});
afterAll(() => work.dispose());

const nameOf = (urn: string) => urn.split("::").at(-1)!;

describe.each(Object.entries(expected))("%s", (rule, levels) => {
  test.each(["mandatory", "advisory"] as const)("%s for these, and for no other", (level) => {
    const found = plan.policies.filter((v) => v.policy === rule && v.enforcement === level);
    expect(found.map((v) => nameOf(v.urn)).sort()).toEqual([...(levels[level] ?? [])].sort());
  });
});

test("every row is in the program", () => {
  const registered = new Set(plan.resources.map((r) => r.name));
  const rows = Object.values(expected).flatMap((levels) => Object.values(levels).flat());
  expect(rows.filter((name) => !registered.has(name))).toEqual([]);
});

test("those who may register are there, and hear nothing of it", () => {
  const fine = plan.resources.filter((r) => r.name.startsWith("fine-")).map((r) => r.type);
  expect(fine).toEqual(
    expect.arrayContaining([
      "aws:ecs/service:Service",
      "aws-native:ecs:Service",
      "aws:autoscaling/group:Group",
      "aws:autoscaling/attachment:Attachment",
      "aws:autoscaling/trafficSourceAttachment:TrafficSourceAttachment",
      "aws:elb/attachment:Attachment",
      "aws:lightsail/lbAttachment:LbAttachment",
      "aws:iam/policy:Policy",
    ]),
  );
  const heard = plan.policies.filter((v) => nameOf(v.urn).startsWith("fine-") && v.policy in expected);
  expect(heard.map((v) => [nameOf(v.urn), v.policy])).toEqual([]);
});

test("closed boxes are listed, and refused where that is asked for; their arguments were judged all the same", () => {
  const closed = [
    "awsx-instance-id",
    "awsx-into-ip",
    "awsx-lambda-arn",
    "box",
    "fine-awsx",
    "manifests-objs",
    "manifests-yaml",
  ];
  expect(plan.closedBoxes.map(nameOf).sort()).toEqual(closed);
  const refused = plan.policies.filter((v) => v.policy === "closed-box");
  expect(refused.map((v) => [nameOf(v.urn), v.enforcement]).sort()).toEqual(closed.map((name) => [name, "mandatory"]));
  expect(stdout).toContain("Closed boxes: 7 remote components");
  expect(stdout).toContain("--allow-closed-box awsx:lb:ApplicationLoadBalancer");
});

test("what was found in a text is named by the call alone: texts hold secrets", () => {
  const said = plan.policies.filter((v) => v.policy in expected).map((v) => v.message);
  expect(said.join("\n")).not.toContain("hush");
  expect(said.join("\n")).not.toContain("--target-group-arn");
});
