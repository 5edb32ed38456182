import { bindingFieldsFitTogether } from "../../../policy/rules/targets/binding-fields-fit-together";
import { bindingNameFitsItsGate } from "../../../policy/rules/targets/binding-name-fits-its-gate";
import { noControllerMarksOnBindings } from "../../../policy/rules/targets/no-controller-marks-on-bindings";
import { oneBindingPerTargetGroup } from "../../../policy/rules/targets/one-binding-per-target-group";
import { checkResource, checkStack, exempt, unknown, type Given } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";
import { arn } from "./setup";

const type = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";
const spec = { targetGroupARN: arn, targetType: "ip", serviceRef: { name: "web", port: 80 } };
const rules = [noControllerMarksOnBindings, bindingNameFitsItsGate, bindingFieldsFitTogether];

describe.each(rules.map((rule) => [rule.name, rule] as const))("%s", (_, rule) => {
  const check = (props: Record<string, unknown>, token = type) =>
    checkResource(rule, { type: token, name: "binding", props });

  test("is content with a plain binding in any version of the API, and with other kinds", () => {
    for (const token of [type, "kubernetes:elbv2.k8s.aws/v1alpha1:TargetGroupBinding", `${type}Patch`])
      expect(check({ metadata: { namespace: "shop", name: "web" }, spec }, token)).toEqual(ok);
    expect(check({ spec }, "kubernetes:elbv2.k8s.aws/v1beta1:IngressClassParams").notApplicable).toBe(true);
  });

  test.each(rows(undefined, null, "x", 7, []))("takes metadata %j for none", (metadata) => {
    expect(check({ metadata, spec })).toEqual(ok);
  });
});

test("of EKS Auto Mode's binding only the name is judged: its webhook is its own", () => {
  const autoMode = (rule: (typeof rules)[number], props: Record<string, unknown>) =>
    checkResource(rule, { type: "kubernetes:eks.amazonaws.com/v1:TargetGroupBinding", name: "binding", props });
  expect(autoMode(noControllerMarksOnBindings, { spec }).notApplicable).toBe(true);
  expect(autoMode(bindingFieldsFitTogether, { spec: {} }).notApplicable).toBe(true);
  const long = { metadata: { name: "a".repeat(64) }, spec };
  expect(autoMode(bindingNameFitsItsGate, long)).toEqual(refused(/ target-health\.eks\.amazonaws\.com\/a+ is invalid/));
});

describe("no-controller-marks-on-bindings", () => {
  const check = (metadata: unknown, config?: object, token = type) =>
    checkResource(noControllerMarksOnBindings, { type: token, name: "binding", props: { metadata, spec } }, config);

  // pkg/deploy/tracking/provider.go and the tag prefixes of v3.5.0's controllers; issue 2357.
  test.each([
    "ingress.k8s.aws/stack",
    "ingress.k8s.aws/stack-namespace",
    "ingress.k8s.aws/stack-name",
    "ingress.k8s.aws/resource",
    "service.k8s.aws/stack",
    "service.k8s.aws/stack-name",
    "gateway.k8s.aws.alb/stack",
    "gateway.k8s.aws.nlb/stack-namespace",
  ])("the label %s is refused, whatever its value", (key) => {
    for (const value of ["shop", unknown])
      expect(check({ labels: { "acme.example/team": "shop", [key]: value } })).toEqual(
        refused(new RegExp(`^metadata\\.labels\\["${key}"\\] must go: .*deletes it\\. Use a key of your own`)),
      );
    expect(check({ labels: { [key]: "shop" } }, {}, `${type}Patch`).violations).toHaveLength(1);
    expect(check({ annotations: { [key]: "shop" } })).toEqual(ok);
  });

  test.each(["elbv2.k8s.aws/checkpoint", "elbv2.k8s.aws/checkpoint-timestamp"])("so is the annotation %s", (key) => {
    expect(check({ annotations: { [key]: "x" } })).toEqual(refused(/^metadata\.annotations\["elbv2.*skips a binding/));
  });

  test.each(["app.kubernetes.io/name", "ingress.example.com/stack", "k8s.aws/stack", "my-ingress.k8s.aws/stack"])(
    "the label %s is nobody else's",
    (key) => {
      expect(check({ labels: { [key]: "shop" } })).toEqual(ok);
    },
  );

  test("unknown labels are advisory, or a violation if configured so, and hide no annotation", () => {
    expect(check({ labels: unknown })).toEqual(advisory("metadata.labels"));
    expect(check({ labels: unknown }, { unknownValues: "violation" })).toEqual(
      refused(/^metadata\.labels isn't known yet and may hold the controller's own/),
    );
    const both = check({ labels: unknown, annotations: { "elbv2.k8s.aws/checkpoint": "x" } });
    expect(both.violations).toHaveLength(1);
    expect(both.undecided).toContain("labels");
  });
});

describe("binding-name-fits-its-gate", () => {
  const check = (name: unknown, config?: object) =>
    checkResource(bindingNameFitsItsGate, { type, name: "binding", props: { metadata: { name }, spec } }, config);

  // The part of a qualified name after the slash: at most 63 characters (lbc.md 3).
  test("63 characters fit, 64 don't", () => {
    expect(check("w".repeat(63))).toEqual(ok);
    expect(check("w".repeat(64))).toEqual(
      refused(/^metadata\.name has 64 characters.*target-health\.elbv2\.k8s\.aws\/w+ is invalid.*leave it to Pulumi/),
    );
  });

  test("a name that Pulumi makes is unknown here and fits by itself; an unknown one is advisory", () => {
    expect(check(undefined)).toEqual(ok);
    expect(check(unknown)).toEqual(advisory("metadata.name"));
  });
});

describe("binding-fields-fit-together", () => {
  const check = (over: object, config?: object, token = type) =>
    checkResource(
      bindingFieldsFitTogether,
      { type: token, name: "binding", props: { spec: { ...spec, ...over } } },
      config,
    );
  const from = [{ securityGroup: { groupID: "sg-0123456789abcdef0" } }];
  const ports = [{ protocol: "TCP", port: 8080 }];

  test("networking with peers and ports is fine, known or not", () => {
    expect(check({ networking: { ingress: [{ from, ports }] } })).toEqual(ok);
    expect(check({ networking: { ingress: [{ from: [unknown], ports: [{ port: unknown }] }] } })).toEqual(ok);
    expect(check({ networking: {} })).toEqual(ok);
  });

  // networking_manager.go, computeIngressPermissionsForTGBNetworking: the branch for no ports shadows its result.
  test.each([
    ["ports", { from, ports: [] }, "is empty: the controller makes no rule of it"],
    ["ports", { from }, "is missing: the controller makes no rule of it"],
    ["ports", { from, ports: null }, "is missing"],
    ["from", { from: [], ports }, "is empty: it lets nobody in"],
    ["from", { ports }, "is missing: it lets nobody in"],
  ])("%s: %j is refused", (list, rule, text) => {
    const found = check({ networking: { ingress: [{ from, ports }, rule] } });
    expect(found).toEqual(refused(new RegExp(`^spec\\.networking\\.ingress\\[1\\]\\.${list} ${text}`)));
    expect(check({ networking: { ingress: [rule] } }, {}, `${type}Patch`).violations).toHaveLength(1);
  });

  // webhooks/elbv2/targetgroupbinding_validator.go: checkNodeSelector, checkAssumeRoleConfig, checkRequiredFields.
  test("nodeSelector goes with instances only, a role to assume with addresses only", () => {
    const nodeSelector = { matchLabels: { pool: "web" } };
    const iamRoleArnToAssume = "arn:aws:iam::123456789012:role/r";
    expect(check({ nodeSelector })).toEqual(refused(/^spec\.nodeSelector can't be set with targetType ip: /));
    expect(check({ nodeSelector, targetType: "instance" })).toEqual(ok);
    expect(check({ iamRoleArnToAssume, targetType: "instance" })).toEqual(refused(/^spec\.iamRoleArnToAssume can't/));
    expect(check({ iamRoleArnToAssume })).toEqual(ok);
    expect(check({ iamRoleArnToAssume: "", targetType: "instance" })).toEqual(ok);
    expect(check({ nodeSelector, targetType: undefined })).toEqual(ok);
    expect(check({ nodeSelector, targetType: unknown })).toEqual(advisory("targetType"));
    expect(check({ nodeSelector: unknown })).toEqual(ok);
  });

  test("a binding names a target group, by ARN or name; a patch needn't", () => {
    const nothing = { targetGroupARN: undefined };
    expect(check(nothing)).toEqual(refused(/^spec names no target group\. Write its targetGroupARN/));
    expect(check({ targetGroupARN: "" })).toEqual(refused(/names no target group/));
    expect(check({ ...nothing, targetGroupName: "web" })).toEqual(ok);
    expect(check({ targetGroupARN: unknown })).toEqual(ok);
    expect(checkResource(bindingFieldsFitTogether, { type, name: "binding", props: { spec: unknown } })).toEqual(
      advisory("spec"),
    );
    expect(check(nothing, {}, `${type}Patch`)).toEqual(ok);
  });

  test("unknowns are advisory, or violations if configured so", () => {
    expect(check({ networking: unknown })).toEqual(advisory("networking"));
    expect(check({ networking: { ingress: [unknown] } })).toEqual(advisory("ingress"));
    expect(check({ networking: { ingress: [{ from, ports: unknown }] } })).toEqual(advisory("ports"));
    const strict = check({ networking: { ingress: [{ from, ports: unknown }] } }, { unknownValues: "violation" });
    expect(strict).toEqual(refused(/^spec\.networking\.ingress\[0\]\.ports isn't known yet and may hold nothing/));
  });
});

describe("one-binding-per-target-group", () => {
  const check = (given: Given[], config?: object) => checkStack(oneBindingPerTargetGroup, given, config);
  const group = (name = "group", props: object = {}, token = "aws:lb/targetGroup:TargetGroup"): Given => ({
    type: token,
    name,
    props: { targetType: "ip", arn: unknown, ...props },
  });
  const bound = (name: string, over: object = {}, from: string[] = [], token = type): Given => ({
    type: token,
    name,
    props: { metadata: { namespace: "shop" }, spec: { ...spec, ...over } },
    propertyDependencies: { spec: from },
  });
  const waiting = { targetGroupARN: unknown };

  test("a binding for each group is fine", () => {
    expect(check([bound("a"), bound("b", { targetGroupARN: `${arn}0` })])).toEqual(ok);
    expect(check([group("g"), group("h"), bound("a", waiting, ["g"]), bound("b", waiting, ["h"])])).toEqual(ok);
  });

  test("two for one are refused: by a known ARN, by where it came from, by name", () => {
    const second = refused(/^"b" binds the target group that "a" binds already.*multiClusterTargetGroup/, "b");
    expect(check([bound("a"), bound("b")])).toEqual(second);
    expect(check([group(), bound("a", waiting, ["group"]), bound("b", waiting, ["group"])])).toEqual(second);
    const named = { targetGroupARN: undefined, targetGroupName: "web" };
    expect(check([bound("a", named), bound("b", named)])).toEqual(second);
    expect(check([group("g", { name: "web", arn }), bound("a", named), bound("b")])).toEqual(second);
  });

  test.each([
    "aws:alb/targetGroup:TargetGroup",
    "aws:elasticloadbalancingv2/targetGroup:TargetGroup",
    "aws:applicationloadbalancing/targetGroup:TargetGroup",
    "aws-native:elasticloadbalancingv2:TargetGroup",
  ])("groups of type %s count, and bindings of any version of the API", (token) => {
    const old = "kubernetes:elbv2.k8s.aws/v1alpha1:TargetGroupBinding";
    const found = check([
      group("group", {}, token),
      bound("a", waiting, ["group"]),
      bound("b", waiting, ["group"], old),
    ]);
    expect(found.violations).toHaveLength(1);
  });

  test("EKS Auto Mode's counts like the controller's", () => {
    const autoMode = "kubernetes:eks.amazonaws.com/v1:TargetGroupBinding";
    expect(check([bound("a"), bound("b", {}, [], autoMode)])).toEqual(refused(/^"b" binds /, "b"));
  });

  test("each one too many is named", () => {
    expect(check([bound("a"), bound("b"), bound("c")]).violations.map((v) => v.name)).toEqual(["b", "c"]);
  });

  // checkExistingTargetGroups: every binding of the group must have it.
  test("several with multiClusterTargetGroup are fine, if all have it", () => {
    const multi = { multiClusterTargetGroup: true };
    expect(check([bound("a", multi), bound("b", multi)])).toEqual(ok);
    expect(check([bound("a", multi), bound("b")]).violations).toHaveLength(1);
    expect(check([bound("a", multi), bound("b", { multiClusterTargetGroup: unknown })]).undecided).toMatch(/^a: /);
    expect(check([bound("a"), bound("b", { multiClusterTargetGroup: unknown })]).violations).toHaveLength(1);
  });

  test("which group it is must be certain", () => {
    const both = [bound("a", waiting, ["g", "h"]), bound("b", waiting, ["g", "h"])];
    expect(check([group("g"), group("h"), ...both])).toEqual(ok);
    expect(check([bound("a", waiting), bound("b", waiting)])).toEqual(ok);
    expect(check([bound("a"), bound("b", {}, [], `${type}Patch`)])).toEqual(ok);
  });

  test("an exemption exempts", () => {
    expect(check([bound("a"), bound("b")], { exemptions: [exempt("b")] })).toEqual(ok);
  });
});
