import { noIpTargetsInTemplates } from "../../../policy/rules/carriers/no-ip-targets-in-templates";
import { checkResource, unknown } from "../../support/policy";
import { ok } from "../../support/verdicts";

const stack = "aws:cloudformation/stack:Stack";
const check = (props: Record<string, unknown>, type = stack, config?: object) =>
  checkResource(noIpTargetsInTemplates, { type, name: "r", props }, config);
const messages = (verdict: ReturnType<typeof check>) => verdict.violations.map((v) => v.message);

const groupType = "AWS::ElasticLoadBalancingV2::TargetGroup";
/** A template with one target group, as AWS documents them (AWS::ElasticLoadBalancingV2::TargetGroup, `Targets`: TargetDescription). */
const template = (Properties: object, rest: object = {}) => ({
  ...rest,
  Resources: { Web: { Type: groupType, Properties } },
});
const json = (properties: object, rest?: object) => ({ templateBody: JSON.stringify(template(properties, rest)) });

describe("no-ip-targets-in-templates, in JSON", () => {
  test("a group without targets, and one of instances, functions and load balancers, are fine", () => {
    expect(check(json({ TargetType: "ip", VpcId: "vpc-0a" }))).toEqual(ok);
    expect(check(json({ Targets: [{ Id: "i-0123456789abcdef0" }, { Id: { Ref: "Instance" } }] }))).toEqual(ok);
    const arn = "arn:aws:lambda:eu-west-1:123456789012:function:f";
    expect(check(json({ TargetType: "lambda", Targets: [{ Id: arn }] }))).toEqual(ok);
    const none = { Ref: "AWS::NoValue" };
    expect(check(json({ TargetType: "ip", Targets: none }))).toEqual(ok);
    expect(check(json({ TargetType: "ip", Targets: { "Fn::If": ["Canary", none, none] } }))).toEqual(ok);
    expect(check({ templateUrl: "https://templates.example.com/shop.yaml" })).toEqual(ok);
  });

  test("an address is named, with where it is and what to write instead", () => {
    expect(messages(check(json({ Targets: [{ Id: "i-0a" }, { Id: "10.0.1.17", Port: 80 }] })))).toEqual([
      expect.stringMatching(
        /^templateBody\.Resources\.Web\.Targets\[1\]\.Id registers the IP address 10\.0\.1\.17 by hand\. .*TargetGroupBinding/,
      ),
    ]);
  });

  test.each<[string, object]>([
    [
      "in another case",
      { Resources: { Web: { type: groupType.toLowerCase(), properties: { targets: [{ id: "10.0.1.17" }] } } } },
    ],
    [
      "of VPC Lattice",
      { Resources: { W: { Type: "AWS::VpcLattice::TargetGroup", Properties: { Targets: [{ Id: "10.0.1.17" }] } } } },
    ],
    ["one where a list is expected", template({ Targets: { Id: "10.0.1.17" } })],
    [
      "of two branches",
      template({ Targets: { "Fn::If": ["Canary", [{ Id: "10.0.1.17" }], { Ref: "AWS::NoValue" }] } }),
    ],
    [
      "of two branches in a list",
      template({ Targets: [{ "Fn::If": ["Canary", { Ref: "AWS::NoValue" }, { Id: "10.0.1.17" }] }] }),
    ],
    [
      "below Fn::ForEach",
      { Resources: { "Fn::ForEach::Pods": ["Pod", ["a"], template({ Targets: [{ Id: "10.0.1.17" }] }).Resources] } },
    ],
    [
      "in a template in a text",
      {
        Resources: {
          S: {
            Type: "AWS::CloudFormation::Stack",
            Properties: { Template: JSON.stringify(template({ Targets: [{ Id: "10.0.1.17" }] })) },
          },
        },
      },
    ],
  ])("%s", (_, body) => {
    expect(check({ templateBody: JSON.stringify(body) }).violations).toHaveLength(1);
    expect(check({ templateBody: body }, "aws-native:cloudformation:Stack").violations).toHaveLength(1);
  });

  test("a parameter is what the stack gives, or its default", () => {
    const byParameter = (rest: object) => json({ Targets: [{ Id: { Ref: "PodIp" } }] }, rest);
    const declared = (Default?: string) => ({ Parameters: { PodIp: { Type: "String", Default } } });
    expect(messages(check(byParameter(declared("10.0.1.17"))))[0]).toContain("10.0.1.17");
    expect(check({ ...byParameter(declared("10.0.1.17")), parameters: { PodIp: "i-0a" } })).toEqual(ok);
    expect(check({ ...byParameter(declared()), parameters: { PodIp: "10.0.1.17" } }).violations).toHaveLength(1);
    const listed = { parameters: [{ parameterKey: "PodIp", parameterValue: "10.0.1.17" }] };
    expect(
      check({ ...byParameter(declared()), ...listed }, "aws-native:cloudformation:StackSet").violations,
    ).toHaveLength(1);
    expect(check({ ...byParameter(declared()), parameters: { PodIp: unknown } }).undecided).toContain(
      "parameters.PodIp",
    );
  });

  test("what isn't written out is refused in a group of type ip only", () => {
    const Targets = [{ Id: { "Fn::GetAtt": ["Pod", "PrivateIp"] } }];
    expect(messages(check(json({ TargetType: "ip", Targets })))[0]).toContain(
      "registers a target in a group of type ip by hand",
    );
    expect(check(json({ TargetType: "instance", Targets }))).toEqual(ok);
  });

  test("something that breaks the walk breaks nothing else", () => {
    expect(check({ templateBody: `${"[".repeat(50_000)}"TargetGroup"${"]".repeat(50_000)}` })).toEqual(ok);
    expect(check({ templateBody: null })).toEqual(ok);
    expect(check({ templateBody: '{"Resources": {"Web": null, "Type": "TargetGroup"}}' })).toEqual(ok);
    expect(
      check({ templateBody: `{"__proto__": ${JSON.stringify(template({ Targets: [{ Id: "10.0.1.17" }] }))}}` })
        .violations,
    ).toHaveLength(1);
  });
});

describe("no-ip-targets-in-templates, in YAML", () => {
  const yaml = (properties: string, head = "") => ({
    templateBody: `${head}Resources:\n  Web:\n    Type: ${groupType}\n    Properties:\n${properties}\n  Machines:\n    Type: ${groupType}\n    Properties:\n      Port: 80\n`,
  });

  test.each([
    "      Targets:\n        - Id: 10.0.1.17\n          Port: 80",
    "      Targets:\n      - Port: 80\n        Id: '10.0.1.17'",
    '      "Targets":\n        - "Id": "10.0.1.17"',
    "      Targets: [{ Id: 10.0.1.17, Port: 80 }]",
    "      Targets:\n        - Id: &pod 10.0.1.17",
    "      Targets:\n        - Id: !!str 10.0.1.17 # web-0",
    "      Targets:\n        - Id: >-\n            10.0.1.17",
    "      Targets:\n        - Id:\n            10.0.1.17",
    "      TargetType: ip\n      Targets:\n        - Id: !GetAtt Pod.PrivateIp",
  ])("%j is refused", (properties) => {
    const { violations } = check(yaml(properties));
    expect(violations).toHaveLength(1);
    expect(violations[0]!.message).toMatch(/^templateBody, line 3: Targets\[0\]\.Id registers/);
  });

  test.each([
    "      TargetType: ip",
    "      Targets:\n        - Id: i-0123456789abcdef0\n          Port: 80",
    "      Targets:\n        - Id: !Ref Instance",
    "      # Targets:\n      #   - Id: 10.0.1.17\n      TargetType: ip",
    "      HealthCheckPath: /targets/10.0.1.17",
  ])("%j is fine", (properties) => {
    expect(check(yaml(properties))).toEqual(ok);
  });

  test("the type may stand behind the properties, and the group on one line", () => {
    const behind = `Resources:\n  Web:\n    Properties:\n      Targets:\n        - Id: 10.0.1.17\n    Type: ${groupType}\n`;
    expect(check({ templateBody: behind }).violations).toHaveLength(1);
    const line = `Resources:\n  Web: { Type: ${groupType}, Properties: { Targets: [{ Id: 10.0.1.17 }] } }\n`;
    expect(check({ templateBody: line }).violations).toHaveLength(1);
  });

  test("a group of type ip and another with instances aren't taken for one", () => {
    const both = `Resources:\n  Pods:\n    Type: ${groupType}\n    Properties:\n      TargetType: ip\n  Machines:\n    Type: ${groupType}\n    Properties:\n      Targets:\n        - Id: !Ref Machine\n`;
    expect(check({ templateBody: both })).toEqual(ok);
  });

  test("a parameter is what the stack gives, or its default", () => {
    const head = (value: string) => `Parameters:\n  PodIp:\n    Type: String\n    Default: ${value}\n`;
    const targets = "      Targets:\n        - Id: !Ref PodIp";
    expect(messages(check(yaml(targets, head("10.0.1.17"))))[0]).toContain("10.0.1.17");
    expect(check(yaml(targets, head("i-0a")))).toEqual(ok);
    expect(check({ ...yaml(targets, head("i-0a")), parameters: { PodIp: "10.0.1.17" } }).violations).toHaveLength(1);
    expect(
      check(yaml("      Targets:\n        - Id:\n            Ref: PodIp", head("10.0.1.17"))).violations,
    ).toHaveLength(1);
  });

  test("JSON with comments is read by its shape, too", () => {
    const body = JSON.stringify(template({ Targets: [{ Id: "10.0.1.17" }] }), null, 2);
    expect(check({ templateBody: `// the shop\n${body}` }).violations).toHaveLength(1);
  });
});

describe("no-ip-targets-in-templates, elsewhere", () => {
  const control = "aws:cloudcontrol/resource:Resource";
  const typed = (typeName: unknown, desired: object) => ({ typeName, desiredState: JSON.stringify(desired) });

  test("Cloud Control's desired state", () => {
    const targets = { TargetType: "ip", Targets: [{ Id: "10.0.1.17" }] };
    expect(messages(check(typed(groupType, targets), control))[0]).toMatch(/^desiredState\.Targets\[0\]\.Id/);
    expect(check(typed("AWS::S3::Bucket", targets), control)).toEqual(ok);
    expect(check(typed(groupType, { TargetType: "ip" }), control)).toEqual(ok);
    expect(check({ typeName: groupType, desiredState: unknown }, control).undecided).toContain("desiredState");
  });

  test("manifests, whatever stands around them", () => {
    const group = "kubernetes:yaml/v2:ConfigGroup";
    const subsets = "subsets:\n  - addresses:\n      - ip: 10.0.1.17\n";
    const service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  clusterIP: 10.100.0.17\n";
    expect(
      check({ yaml: `${service}---\napiVersion: v1\nkind: Endpoints\n${subsets}` }, group).violations,
    ).toHaveLength(1);
    expect(check({ yaml: service }, group)).toEqual(ok);
    const slice = {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      endpoints: [{ addresses: ["10.0.1.17"] }],
    };
    expect(check({ yaml: JSON.stringify(slice) }, group).violations).toHaveLength(1);
    expect(check({ objs: [unknown, slice] }, group).violations).toHaveLength(1);
    expect(check({ objs: [{ apiVersion: "v1", kind: "List", items: [slice] }] }, group).violations).toHaveLength(1);
  });

  test("a template that isn't known is advisory, or a violation if configured so; one line of it hides nothing", () => {
    expect(check({ templateBody: unknown })).toMatchObject({
      violations: [],
      undecided: expect.stringContaining("templateBody"),
    });
    const strict = check({ templateBody: unknown }, stack, { unknownValues: "violation" });
    expect(messages(strict)).toEqual(["templateBody isn't known yet and may register IP addresses."]);
    const partly = check(
      { templateBody: template({ Targets: [unknown, { Id: "10.0.1.17" }] }) },
      "aws-native:cloudformation:Stack",
    );
    expect(partly.violations).toHaveLength(1);
    expect(partly.undecided).toContain("Targets");
  });

  test("what isn't known in an operator's object is no reason to ask", () => {
    const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";
    expect(check({ spec: { targetGroupARN: unknown, serviceRef: unknown } }, binding)).toEqual(ok);
    expect(check({ spec: unknown }, binding)).toEqual(ok);
  });

  test("other types aren't its business", () => {
    expect(check(json({ Targets: [{ Id: "10.0.1.17" }] }), "aws:s3/bucket:Bucket").notApplicable).toBe(true);
  });
});
