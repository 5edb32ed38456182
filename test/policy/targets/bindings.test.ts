import { ipTargetGroupNeedsBinding } from "../../../policy/rules/targets/ip-target-group-needs-binding";
import { noAttachmentsOnIpTargetGroups } from "../../../policy/rules/targets/no-attachments-on-ip-target-groups";
import { noBindingToSelectorlessService } from "../../../policy/rules/targets/no-binding-to-selectorless-service";
import { checkStack, exempt, unknown, type Given } from "../../support/policy";
import { ok } from "../../support/verdicts";
import { arn } from "./setup";

const group = (over: Partial<Given> = {}, type = "aws:lb/targetGroup:TargetGroup"): Given => ({
  type,
  name: "group",
  ...over,
  props: { targetType: "ip", arn: unknown, tags: { Name: "web" }, ...over.props },
});
const binding = (spec: object, propertyDependencies?: Record<string, string[]>): Given => ({
  type: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
  name: "binding",
  props: { metadata: { namespace: "shop", name: "web" }, spec: { serviceRef: { name: "web", port: 80 }, ...spec } },
  ...(propertyDependencies === undefined ? {} : { propertyDependencies }),
});
const names = (verdict: { violations: { name: string }[] }) => verdict.violations.map((v) => v.name);

describe("no-attachments-on-ip-target-groups", () => {
  const check = (given: Given[], config?: object) => checkStack(noAttachmentsOnIpTargetGroups, given, config);
  const attach = (over: Partial<Given> = {}): Given => ({
    type: "aws:lb/targetGroupAttachment:TargetGroupAttachment",
    name: "attachment",
    propertyDependencies: { targetGroupArn: ["group"] },
    ...over,
    props: { targetGroupArn: unknown, targetId: unknown, ...over.props },
  });

  test("an attachment to a group of instances is fine", () => {
    expect(check([group({ props: { targetType: "instance" } }), attach()])).toEqual(ok);
    expect(check([group({ props: { targetType: undefined } }), attach()])).toEqual(ok);
  });

  test("with everything unknown, the dependency gives it away", () => {
    const found = check([group(), attach()]);
    expect(names(found)).toEqual(["attachment"]);
    expect(found.violations[0]!.message).toMatch(/"attachment" .*"group".*TargetGroupBinding/);
    expect(found.undecided).toBeUndefined();
  });

  test.each([
    ["aws:lb/targetGroup:TargetGroup", "aws:alb/targetGroupAttachment:TargetGroupAttachment"],
    ["aws:alb/targetGroup:TargetGroup", "aws:lb/targetGroupAttachment:TargetGroupAttachment"],
    [
      "aws:elasticloadbalancingv2/targetGroup:TargetGroup",
      "aws:elasticloadbalancingv2/targetGroupAttachment:TargetGroupAttachment",
    ],
    [
      "aws:applicationloadbalancing/targetGroup:TargetGroup",
      "aws:applicationloadbalancing/targetGroupAttachment:TargetGroupAttachment",
    ],
    ["aws-native:elasticloadbalancingv2:TargetGroup", "aws:lb/targetGroupAttachment:TargetGroupAttachment"],
    ["aws:lb/targetGroup:TargetGroup", "awsx:lb:TargetGroupAttachment"],
  ])("%s with %s", (groupType, type) => {
    expect(names(check([group({}, groupType), attach({ type })]))).toEqual(["attachment"]);
  });

  test.each(["aws:vpclattice/targetGroup:TargetGroup", "aws-native:vpclattice:TargetGroup"])(
    "%s of type IP",
    (type) => {
      const lattice = {
        type: "aws:vpclattice/targetGroupAttachment:TargetGroupAttachment",
        propertyDependencies: { targetGroupIdentifier: ["group"] },
      };
      expect(names(check([group({ props: { type: "IP" } }, type), attach(lattice)]))).toEqual(["attachment"]);
      expect(check([group({ props: { type: "INSTANCE" } }, type), attach(lattice)])).toEqual(ok);
    },
  );

  test("a custom resource that names the group in its spec", () => {
    const upbound = attach({
      type: "kubernetes:elbv2.aws.upbound.io/v1beta1:LBTargetGroupAttachment",
      props: { spec: { forProvider: { targetGroupArn: unknown } } },
      propertyDependencies: { spec: ["group"] },
    });
    expect(names(check([group(), upbound]))).toEqual(["attachment"]);
  });

  test("a whole target group given to awsx", () => {
    const whole = attach({
      type: "awsx:lb:TargetGroupAttachment",
      props: { targetGroupArn: undefined, targetGroup: unknown },
      propertyDependencies: { targetGroup: ["group"] },
    });
    expect(names(check([group(), whole]))).toEqual(["attachment"]);
  });

  test.each(["aws:index/lbTargetGroup:LbTargetGroup", "aws:index/albTargetGroup:AlbTargetGroup"])("%s", (type) => {
    expect(names(check([group({}, type), attach()]))).toEqual(["attachment"]);
    expect(check([group({ props: { targetType: "instance" } }, type), attach()])).toEqual(ok);
  });

  test.each<[string, (targetType: string) => Record<string, unknown>]>([
    ["kubernetes:elbv2.services.k8s.aws/v1alpha1:TargetGroup", (targetType) => ({ spec: { targetType } })],
    [
      "kubernetes:elbv2.aws.upbound.io/v1beta1:LBTargetGroup",
      (targetType) => ({ spec: { forProvider: { targetType } } }),
    ],
    ["kubernetes:vpclattice.aws.m.upbound.io/v1beta1:TargetGroup", (type) => ({ spec: { forProvider: { type } } })],
  ])("%s, a group that a controller makes", (type, props) => {
    const made = (kind: string): Given => ({ type, name: "group", props: props(kind) });
    expect(names(check([made("IP"), attach()]))).toEqual(["attachment"]);
    expect(check([made("instance"), attach()])).toEqual(ok);
  });

  test("the group in a component of awsx, where only the component is seen: by default of type ip behind an ALB", () => {
    const inside = { propertyDependencies: { targetGroupArn: ["lb"] } };
    const box = (type: string, defaultTargetGroup?: object): Given => ({
      type,
      name: "lb",
      props: { defaultTargetGroup },
    });
    const application = "awsx:lb:ApplicationLoadBalancer";
    const network = "awsx:lb:NetworkLoadBalancer";
    expect(names(check([box(application), attach(inside)]))).toEqual(["attachment"]);
    expect(check([box(application, { targetType: "instance" }), attach(inside)])).toEqual(ok);
    expect(check([box(network), attach(inside)])).toEqual(ok);
    expect(names(check([box(network, { targetType: "ip" }), attach(inside)]))).toEqual(["attachment"]);
    // The engine shows the group itself: then it decides, once.
    const seen = group({ parent: "lb", props: { targetType: "instance" } });
    expect(check([box(application), seen, attach(inside)])).toEqual(ok);
  });

  test("known ARNs decide where there are any", () => {
    const literal = (value: string) => attach({ props: { targetGroupArn: value }, propertyDependencies: {} });
    expect(names(check([group({ props: { arn } }), literal(arn)]))).toEqual(["attachment"]);
    expect(check([group({ props: { arn } }), literal(`${arn}0`)])).toEqual(ok);
    const other = attach({ props: { targetGroupArn: `${arn}0` } });
    expect(check([group({ props: { arn } }), other])).toEqual(ok);
  });

  test("a known ARN that came from the group decides while the group's own isn't known", () => {
    expect(names(check([group(), attach({ props: { targetGroupArn: arn } })]))).toEqual(["attachment"]);
  });

  test("an attachment to another group of the stack is fine", () => {
    const instances = group({ name: "instances", props: { targetType: "instance" } });
    expect(check([group(), instances, attach({ propertyDependencies: { targetGroupArn: ["instances"] } })])).toEqual(
      ok,
    );
  });

  test("a group inside a component from another language, of which only the component is known", () => {
    const component: Given = { type: "awsx:lb:ApplicationLoadBalancer", name: "lb", props: {} };
    const found = check([
      component,
      group({ parent: "lb" }),
      attach({ propertyDependencies: { targetGroupArn: ["lb"] } }),
    ]);
    expect(names(found)).toEqual(["attachment"]);
  });

  test("a target type that isn't known is advisory and doesn't hide another attachment", () => {
    const found = check([
      group({ name: "dim", props: { targetType: unknown } }),
      attach({ name: "first", propertyDependencies: { targetGroupArn: ["dim"] } }),
      group(),
      attach(),
    ]);
    expect(names(found)).toEqual(["attachment"]);
    expect(found.undecided).toMatch(/^dim: .*targetType/);
  });

  test("exemptions: tag of the group, ARN, and not a tag that can't be seen", () => {
    const tagged = group({ props: { tags: { "moorings-hand-registered-targets": unknown } } });
    expect(check([tagged, attach()])).toEqual(ok);
    expect(names(check([tagged, attach()], { exemptTag: "other" }))).toEqual(["attachment"]);
    expect(names(check([group({ props: { tags: unknown } }), attach()]))).toEqual(["attachment"]);
    const known = [group({ props: { arn } }), attach({ props: { targetGroupArn: arn } })];
    expect(check(known, { allowTargetGroupArns: ["*:targetgroup/web/*"] })).toEqual(ok);
    expect(check([group(), attach()], { exemptions: [exempt("attachment")] })).toEqual(ok);
  });
});

describe("ip-target-group-needs-binding", () => {
  const check = (given: Given[], config?: object) => checkStack(ipTargetGroupNeedsBinding, given, config);

  test("a binding whose spec came from the group is enough, known or not", () => {
    expect(check([group(), binding({ targetGroupARN: unknown }, { spec: ["group"] })])).toEqual(ok);
    expect(check([group(), { ...binding({}, { spec: ["group"] }), props: { spec: unknown } }])).toEqual(ok);
  });

  test("so is one of EKS Auto Mode", () => {
    const autoMode = { type: "kubernetes:eks.amazonaws.com/v1:TargetGroupBinding" };
    expect(check([group(), { ...binding({ targetGroupARN: unknown }, { spec: ["group"] }), ...autoMode }])).toEqual(ok);
    expect(check([group({ props: { arn } }), { ...binding({ targetGroupARN: arn }), ...autoMode }])).toEqual(ok);
  });

  test("so is an equal ARN or name", () => {
    expect(check([group({ props: { arn } }), binding({ targetGroupARN: arn })])).toEqual(ok);
    expect(check([group({ props: { name: "web" } }), binding({ targetGroupName: "web" })])).toEqual(ok);
  });

  test.each([
    "aws:lb/targetGroup:TargetGroup",
    "aws:alb/targetGroup:TargetGroup",
    "aws-native:elasticloadbalancingv2:TargetGroup",
  ])("%s without one is refused", (type) => {
    const found = check([group({}, type), binding({ targetGroupARN: `${arn}0` })]);
    expect(names(found)).toEqual(["group"]);
    expect(found.violations[0]!.message).toContain("moorings-bound-elsewhere");
  });

  test("a binding of another group doesn't count", () => {
    const other = group({ name: "other" });
    expect(names(check([group(), other, binding({ targetGroupARN: unknown }, { spec: ["other"] })]))).toEqual([
      "group",
    ]);
  });

  test.each([
    ["aws:ecs/service:Service", { loadBalancers: [{ targetGroupArn: unknown }] }, "loadBalancers"],
    ["aws:ecs/taskSet:TaskSet", { loadBalancers: [{ targetGroupArn: unknown }] }, "loadBalancers"],
    ["aws-native:ecs:Service", { loadBalancers: [{ targetGroupArn: unknown }] }, "loadBalancers"],
    ["awsx:ecs:FargateService", { taskDefinitionArgs: unknown }, "taskDefinitionArgs"],
  ])("%s registers its tasks itself", (type, props, property) => {
    expect(check([group(), { type, name: "ecs", props, propertyDependencies: { [property]: ["group"] } }])).toEqual(ok);
  });

  test("an ECS service with the group's ARN written out", () => {
    const ecs = { type: "aws:ecs/service:Service", name: "ecs", props: { loadBalancers: [{ targetGroupArn: arn }] } };
    expect(check([group({ props: { arn } }), ecs])).toEqual(ok);
  });

  test("groups of instances need none; VPC Lattice has its own controllers", () => {
    expect(check([group({ props: { targetType: "instance" } })])).toEqual(ok);
    expect(check([group({ props: { type: "IP" } }, "aws:vpclattice/targetGroup:TargetGroup")])).toEqual(ok);
  });

  test("tags say that the binding is elsewhere; unknown tags say nothing", () => {
    expect(check([group({ props: { tags: { "moorings-bound-elsewhere": "gitops" } } })])).toEqual(ok);
    expect(check([group({ props: { tags: [{ key: "moorings-bound-elsewhere", value: "gitops" }] } })])).toEqual(ok);
    expect(check([group({ props: { tagsAll: { "moorings-hand-registered-targets": "x" } } })])).toEqual(ok);
    expect(check([group({ props: { tags: { mine: "x" } } })], { exemptTags: ["mine"] })).toEqual(ok);
    for (const nothing of ["", " ", "false", null])
      expect(check([group({ props: { tags: { "moorings-bound-elsewhere": nothing } } })]).violations).toHaveLength(1);
    expect(names(check([group({ props: { tags: unknown, tagsAll: unknown } })]))).toEqual(["group"]);
  });

  test("an unknown target type is advisory and doesn't hide another group", () => {
    const dim = (name: string) => group({ name, props: { targetType: unknown } });
    const found = check([dim("dim"), group(), dim("dimmer")]);
    expect(names(found)).toEqual(["group"]);
    expect(found.undecided).toMatch(/^dim: /);
  });
});

describe("no-binding-to-selectorless-service", () => {
  const check = (given: Given[], config?: object) => checkStack(noBindingToSelectorlessService, given, config);
  const service = (spec: unknown, metadata: object = { namespace: "shop", name: "web" }): Given => ({
    type: "kubernetes:core/v1:Service",
    name: "service",
    props: { metadata, spec },
  });
  const selecting = { selector: { app: "web" } };

  test("a Service with a selector is fine", () => {
    expect(check([service(selecting), binding({})])).toEqual(ok);
  });

  test.each([
    {},
    { selector: {} },
    { type: "ExternalName", externalName: "db.example.com" },
    { type: "ExternalName", externalName: "db.example.com", selector: { app: "web" } }, // which Kubernetes then ignores
  ])("%j isn't", (spec) => {
    const found = check([service(spec), binding({})]);
    expect(names(found)).toEqual(["binding"]);
    expect(found.violations[0]!.message).toMatch(/"service".*spec\.selector/);
  });

  test("a patch that takes the selector away isn't; of what it leaves out it says nothing", () => {
    const patch = (spec: unknown) => ({ ...service(spec), type: "kubernetes:core/v1:ServicePatch" });
    expect(names(check([patch({ selector: {} }), binding({})]))).toEqual(["binding"]);
    expect(names(check([patch({ selector: null }), binding({})]))).toEqual(["binding"]);
    expect(check([patch({ ports: [] }), binding({})])).toEqual(ok);
    expect(check([patch(undefined), binding({})])).toEqual(ok);
    expect(names(check([service(selecting), patch({ selector: null }), binding({})]))).toEqual(["binding"]);
  });

  test("the Service is found through the dependency while its name isn't known", () => {
    const waiting = binding({ serviceRef: { name: unknown, port: 80 } }, { spec: ["service"] });
    expect(names(check([service({}, { name: unknown }), waiting]))).toEqual(["binding"]);
    expect(check([service({}, { name: unknown }), binding({ serviceRef: { name: unknown, port: 80 } })])).toEqual(ok);
  });

  test("a Service of that name in another namespace is another Service", () => {
    expect(check([service({}, { namespace: "other", name: "web" }), binding({})])).toEqual(ok);
    expect(check([service({}, { namespace: "shop", name: "api" }), binding({})])).toEqual(ok);
  });

  test("an unknown selector is advisory; allowedNamespaces exempts", () => {
    expect(check([service({ selector: unknown }), binding({})]).undecided).toMatch(/^service: .*selector/);
    expect(check([service({}), binding({})], { allowedNamespaces: ["shop"] })).toEqual(ok);
  });

  test("of a Service in a cluster that doesn't exist yet nothing is known, and nothing is said against it", () => {
    // The engine has no outputs of objects whose provider has no kubeconfig yet: stack rules see {} (real engine 3.248).
    const nothing: Given = { type: "kubernetes:core/v1:Service", name: "service", props: {} };
    const waiting = { ...binding({}, { spec: ["service"] }), props: {} };
    const found = check([nothing, waiting]);
    expect(found.violations).toEqual([]);
    expect(found.undecided).toMatch(/^service: .*spec/);
  });

  test("a Service that no binding points to may do without", () => {
    expect(check([service({})])).toEqual(ok);
  });
});
