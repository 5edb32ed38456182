import * as fc from "fast-check";
import { workload } from "../../tools/policies/workload";
import { unknown, type Given } from "../support/policy";

/* Stacks that hold whatever a program, or somebody who wants to break a rule, may write. */

/** Names that objects have by themselves. */
const inherited = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "prototype"];

/** Every property that some rule reads in the workload, so that hostile values stand where rules look. */
const keys = [...new Set(workload(40).flatMap(({ props }) => keysIn(props)))];

function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...keys) },
  fc.constantFrom("items", "targets", "selector", "matchExpressions", "rules", "tags", "env", "command", "[]", "0"),
  fc.constantFrom("templateBody", "parameters", "desiredState", "create", "definition", "content", "userData", "code"),
  fc.constantFrom(...inherited),
  fc.string(),
);

/** Texts that make a careless regular expression go back and forth for hours. */
const huge = fc
  .tuple(
    fc.oneof(
      fc.constantFrom("a", "0", " ", "(", "\\", "FILL(", "sleep ", "1.", "$(", "=", "ALARM(", "\n", "::", "a=) "),
      fc.constantFrom("Id: ", "kind: Endpoints\n", "Type: AWS::ElasticLoadBalancingV2::TargetGroup\n  Targets:\n"),
    ),
    fc.nat(20_000),
  )
  .map(([text, length]) => text.repeat(Math.ceil(length / text.length)));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(
      fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, NaN, Infinity, "", "10.0.0.1", "*", "25%"),
      fc.constant(unknown),
      fc.double(),
      fc.string(),
      { weight: 1, arbitrary: huge },
    ),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** A resource of the workload with some of its values replaced, at any depth; or of a type that no rule expects. */
const mutated = (given: Given) =>
  fc
    .tuple(fc.constantFrom(...pathsIn(given.props)), value)
    .map(([path, hostile]): Given => ({ ...given, props: replaced(given.props, path, hostile) as Given["props"] }));

function pathsIn(root: unknown, at: string[] = []): string[][] {
  if (typeof root !== "object" || root === null) return [at];
  return [at, ...Object.entries(root).flatMap(([k, inner]) => pathsIn(inner, [...at, k]))].filter((p) => p.length > 0);
}

function replaced(root: unknown, [head, ...rest]: string[], hostile: unknown): unknown {
  if (head === undefined) return hostile;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(root) ? [] : {}, root);
  copy[head] = replaced(copy[head], rest, hostile);
  return copy;
}

const types = [...new Set(workload(40).map(({ type }) => type))].concat(
  "kubernetes:apps/v1:StatefulSet",
  "kubernetes:helm.sh/v3:Release",
  "kubernetes:karpenter.sh/v1:NodePool",
  "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
  "kubernetes:core/v1:EndpointsList",
  "aws:lb/targetGroupAttachment:TargetGroupAttachment",
  "aws:cloudwatch/compositeAlarm:CompositeAlarm",
  "aws:cloudwatch/alarmMuteRule:AlarmMuteRule",
  "aws:eks/cluster:Cluster",
  "aws:ec2/launchTemplate:LaunchTemplate",
  "pulumi-nodejs:dynamic:Resource",
  // Carriers of each kind (policy/rules/carriers).
  "command:local:Command",
  "aws:cloudformation/stack:Stack",
  "aws-native:cloudformation:StackSet",
  "aws-native:cloudformation:CustomResourceEmulator",
  "aws:cloudcontrol/resource:Resource",
  "aws-native:index:ExtensionResource",
  "aws:lambda/function:Function",
  "aws:lambda/invocation:Invocation",
  "aws:sfn/stateMachine:StateMachine",
  "aws:scheduler/schedule:Schedule",
  "aws:ssm/document:Document",
  "aws:ec2/instance:Instance",
  "aws:codebuild/project:Project",
  "aws:s3/bucketObjectv2:BucketObjectv2",
  "kubernetes:batch/v1:Job",
  "kubernetes:core/v1:Secret",
  "kubernetes:yaml:ConfigGroup",
);

const invented = fc.record({
  type: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...types) },
    fc.constantFrom(...inherited, "", ":", "::", "kubernetes:", "kubernetes:a/b/c:D:E", "kubernetes::"),
    fc.string(),
  ),
  props: fc.array(fc.tuple(key, value), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
});

/** Registrations by hand, by the rule that must find them: the one that the pack is about, and the carriers' (tier 2). */
const registrations: readonly (Omit<Given, "name"> & { policy: string })[] = [
  {
    policy: "no-hand-registered-ip-targets",
    type: "aws:alb/targetGroupAttachment:TargetGroupAttachment",
    props: { targetGroupArn: unknown, targetId: "10.20.33.17" },
  },
  {
    policy: "no-ip-targets-in-templates",
    type: "aws:cloudformation/stack:Stack",
    props: {
      templateBody: JSON.stringify({
        Resources: {
          Group: {
            Type: "AWS::ElasticLoadBalancingV2::TargetGroup",
            Properties: { TargetType: "ip", Targets: [{ Id: "10.20.33.17" }] },
          },
        },
      }),
    },
  },
  {
    policy: "no-ip-targets-in-templates",
    type: "aws:cloudcontrol/resource:Resource",
    props: {
      typeName: "AWS::ElasticLoadBalancingV2::TargetGroup",
      desiredState: JSON.stringify({ TargetType: "ip", Targets: [{ Id: "10.20.33.17" }] }),
    },
  },
  ...[
    { type: "command:local:Command", props: { create: "aws elbv2 register-targets --targets Id=10.20.33.17" } },
    { type: "aws:ec2/instance:Instance", props: { userData: "aws elbv2 register-targets --targets Id=10.20.33.17" } },
    { type: "aws:ssm/document:Document", props: { content: '{"Service":"elbv2","Api":"registerTargets"}' } },
    {
      type: "kubernetes:batch/v1:Job",
      props: { spec: { template: { spec: { containers: [{ command: ["aws", "elbv2", "register-targets"] }] } } } },
    },
  ].map((given) => ({ ...given, policy: "no-target-registration-in-scripts" })),
];

/** Each of them with whatever beside it; `__proto__` would else take the planted properties' place. */
const planted = fc.tuple(
  ...registrations.map(({ policy, type, props }, i) =>
    fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => ({
      policy,
      given: { type, name: `planted-${i}`, props: { ...Object.fromEntries(entries), ...props } } satisfies Given,
    })),
  ),
);

export const stack = fc.tuple(
  fc.tuple(...workload(18).map(mutated)),
  fc.array(invented, { maxLength: 10 }),
  planted,
  fc.infiniteStream(fc.nat()),
);
