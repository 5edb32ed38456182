import { comparePlans } from "../../cli/compare";
import { answerInvoke, type InvokeContext } from "../../cli/engine/invokes";
import { createdOutputs } from "../../cli/engine/outputs";
import { seconds } from "../../cli/engine/policies";
import { blank } from "../../cli/engine/registry";
import { aliasUrn, describe as words, makeUrn, nameOf, urnOfReference } from "../../cli/engine/urn";
import {
  forDisplay,
  forPolicies,
  fromDisplay,
  type Json,
  outputValue,
  secret,
  unknown,
  withoutOutputValues,
} from "../../cli/engine/values";
import { waitsFrom } from "../../cli/engine/waits";
import type { Plan, PlanResource } from "../../cli/plan";
import { colorWanted } from "../../cli/report/colors";
import { outputsText } from "../../cli/report/text";

// Signatures of the engine protocol (pulumi/pulumi sdk/go/common/resource/sig/sig.go).
const key = "4dabf18193072939515e22adb298388d";
const secretOf = (value: Json) => ({ [key]: "1b47061264138c4ac30d75fd1eb44270", value });
const reference = (more: object) => ({
  [key]: "5cf8f73096256a8f31e491e813e4eb8e",
  urn: "urn:pulumi:s::p::t::n",
  ...more,
});

test.each<[string, Record<string, string>, boolean, boolean]>([
  ["a terminal", {}, true, true],
  ["a file or a pipe", {}, false, false],
  ["a log of a CI system", { CI: "true" }, false, false],
  ["NO_COLOR on a terminal", { NO_COLOR: "1" }, true, false],
  ["NO_COLOR, which counts more than FORCE_COLOR", { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  ["FORCE_COLOR in a pipe", { FORCE_COLOR: "1" }, false, true],
  ["FORCE_COLOR=0 on a terminal", { FORCE_COLOR: "0" }, true, false],
  ["a terminal that can't", { TERM: "dumb" }, true, false],
])("colour: %s", (_, env, isTerminal, wanted) => expect(colorWanted(env, isTerminal)).toBe(wanted));

describe("values", () => {
  test("output values lose their wrapping and leave their dependencies", () => {
    const wrapped = {
      a: [outputValue("x", ["urn:a"]), outputValue(secretOf("y"), ["urn:b"])],
      c: outputValue(unknown, ["urn:c"]),
    };
    const { value, dependencies } = withoutOutputValues(wrapped);
    expect(value).toEqual({ a: ["x", secretOf("y")], c: unknown });
    expect([...dependencies].sort()).toEqual(["urn:a", "urn:b", "urn:c"]);
  });

  test("policies see ids instead of resources, and no internal keys at any depth", () => {
    const inputs = {
      __defaults: [],
      made: reference({ id: "i-1" }),
      planned: reference({ id: "" }),
      component: reference({}),
      deep: [{ __x: 1, y: 2 }],
    };
    expect(forPolicies(inputs as never)).toEqual({
      made: "i-1",
      planned: unknown,
      component: "urn:pulumi:s::p::t::n",
      deep: [{ y: 2 }],
    });
  });

  test("a display holds no secret and no sentinel", () => {
    const asset = { [key]: "c44067f5952c0a294b673a41bacd8c17", path: "index.html" };
    const shown = forDisplay({
      s: secret({ deep: "hunter2" }),
      u: unknown,
      text: `a${unknown}b`,
      asset,
      output: outputValue(secretOf("x"), []),
    });
    expect(shown).toEqual({
      s: "[secret]",
      u: "[unknown]",
      text: "a[unknown]b",
      asset: "[asset index.html]",
      output: "[secret]",
    });
  });

  test("and reads back as unknowns and secrets", () => {
    expect(fromDisplay({ a: "[secret]", b: ["[unknown]", "x"] })).toEqual({
      a: secretOf("[secret]"),
      b: [unknown, "x"],
    });
  });
});

describe("URNs", () => {
  const where = { project: "p", stack: "s" };

  test("hold the types of all enclosing components, but not the stack's", () => {
    const root = makeUrn(where, "", "pulumi:pulumi:Stack", "p-s");
    const outer = makeUrn(where, root, "acme:index:Outer", "outer");
    const inner = makeUrn(where, outer, "acme:index:Inner", "inner");
    expect(makeUrn(where, inner, "aws:s3/bucket:Bucket", "b::c")).toBe(
      "urn:pulumi:s::p::acme:index:Outer$acme:index:Inner$aws:s3/bucket:Bucket::b::c",
    );
    expect(nameOf("urn:pulumi:s::p::t::b::c")).toBe("b::c");
    expect(words("urn:pulumi:s::p::a$b::n")).toBe('b "n"');
    expect(urnOfReference("urn:pulumi:s::p::pulumi:providers:aws::x::id-1")).toBe(
      "urn:pulumi:s::p::pulumi:providers:aws::x",
    );
  });

  test("an alias replaces only what it names", () => {
    const own = { type: "t:index:T", name: "new", parent: "urn:pulumi:s::p::acme:index:Outer::outer" };
    const none = { name: "", type: "", stack: "", project: "", parent: undefined };
    expect(aliasUrn(where, own, { ...none, name: "old" })).toBe("urn:pulumi:s::p::acme:index:Outer$t:index:T::old");
    expect(aliasUrn(where, own, { ...none, parent: "" })).toBe("urn:pulumi:s::p::t:index:T::new");
    expect(aliasUrn(where, own, { ...none, type: "t:index:Old", project: "q", stack: "z" })).toBe(
      "urn:pulumi:z::q::acme:index:Outer$t:index:Old::new",
    );
  });
});

describe("invokes", () => {
  const within = (provider: InvokeContext["provider"]): InvokeContext => ({ provider, find: () => undefined });
  const partition = "aws:index/getPartition:getPartition";

  // AWS General Reference, "ARN format" and "Service endpoints".
  test.each([
    ["eu-west-1", "aws", "amazonaws.com"],
    ["cn-north-1", "aws-cn", "amazonaws.com.cn"],
    ["us-gov-west-1", "aws-us-gov", "amazonaws.com"],
  ])("%s is in partition %s", (region, name, dnsSuffix) => {
    expect(answerInvoke(partition, {}, within({ region }))).toMatchObject({ partition: name, dnsSuffix });
  });

  test("without a region its partition is unknown", () => {
    expect(answerInvoke(partition, {}, within({}))).toMatchObject({ partition: unknown });
  });

  test("the account is known only where the configuration allows exactly one", () => {
    const account = (allowedAccountIds: Json) =>
      answerInvoke("aws:index/getCallerIdentity:getCallerIdentity", {}, within({ allowedAccountIds }))["accountId"];
    expect(account('["210987654321"]')).toBe("210987654321");
    expect(account(["210987654321"])).toBe("210987654321");
    expect(account('["210987654321","111111111111"]')).toBe(unknown);
  });

  test("a policy document is rendered as the provider renders it", () => {
    const { json } = answerInvoke(
      "aws:iam/getPolicyDocument:getPolicyDocument",
      {
        statements: [
          {
            sid: "Read",
            actions: ["s3:GetObject"],
            resources: ["a", "b"],
            principals: [{ type: "AWS", identifiers: ["arn:aws:iam::210987654321:root"] }],
            conditions: [
              { test: "StringEquals", variable: "aws:SourceVpc", values: ["vpc-1"] },
              { test: "StringEquals", variable: "aws:PrincipalTag/team", values: ["a", "b"] },
            ],
          },
          { effect: "Deny", actions: ["*"], resources: ["*"], principals: [{ type: "*", identifiers: ["*"] }] },
        ],
      },
      within({}),
    ) as { json: string };
    expect(JSON.parse(json)).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "Read",
          Effect: "Allow",
          Principal: { AWS: "arn:aws:iam::210987654321:root" },
          Action: "s3:GetObject",
          Resource: ["a", "b"],
          Condition: { StringEquals: { "aws:SourceVpc": "vpc-1", "aws:PrincipalTag/team": ["a", "b"] } },
        },
        { Effect: "Deny", Principal: "*", Action: "*", Resource: "*" },
      ],
    });
  });

  test("Kubernetes YAML is decoded document by document", () => {
    const decode = (text: string) => answerInvoke("kubernetes:yaml:decode", { text }, within({}));
    expect(decode("kind: A\n---\nkind: B\n---\n")).toEqual({ result: [{ kind: "A" }, { kind: "B" }] });
    expect(() => decode("a: [")).toThrow("the YAML can't be read");
  });

  test("anything else says how to answer it", () => {
    expect(() => answerInvoke("helm:x:y", {}, within({}))).toThrow("needs a provider plugin");
    expect(() => answerInvoke("aws:ec2/getVpc:getVpc", {}, within({}))).toThrow("--invoke aws:ec2/getVpc:getVpc=FILE");
  });
});

test("what an update ignores is no change", () => {
  const resource = {
    urn: "urn:pulumi:dev::p::kubernetes:apps/v1:StatefulSet::brokers",
    aliases: [],
    inputs: { spec: { replicas: 3, volumeClaimTemplates: [{ size: "10Gi" }], volumeClaims: 1 } },
    ignoreChanges: ["spec.volumeClaimTemplates"],
  } as unknown as PlanResource;
  const spec = { replicas: 5, volumeClaimTemplates: [{ size: "20Gi" }], volumeClaims: 2 };
  const plan = (r: PlanResource) => ({ resources: [r] }) as unknown as Plan;
  const { changed } = comparePlans(plan(resource), plan({ ...resource, inputs: { spec } }));
  expect(changed[0]?.properties.map((p) => p.path)).toEqual(["spec.replicas", "spec.volumeClaims"]);
});

describe("what a preview answers for a created resource", () => {
  const created = (type: string, inputs: object) =>
    createdOutputs({ ...blank, urn: "u", type, name: "n", inputs: inputs as never });

  test("a Kubernetes object without a name gets one that nobody knows yet", () => {
    expect(created("kubernetes:core/v1:Service", { metadata: { namespace: "web" } })).toEqual({
      metadata: { namespace: "web", name: unknown },
    });
    expect(created("kubernetes:core/v1:Service", {})).toEqual({ metadata: { name: unknown } });
    expect(created("kubernetes:core/v1:Service", { metadata: { name: "web" } })).toEqual({ metadata: { name: "web" } });
    expect(created("aws:s3/bucket:Bucket", { tags: {} })).toEqual({ tags: {} });
  });

  test("what AWS computes inside a given object is unknown, not absent", () => {
    expect(created("aws:eks/cluster:Cluster", { vpcConfig: { subnetIds: ["a"] } })).toEqual({
      vpcConfig: { subnetIds: ["a"], clusterSecurityGroupId: unknown, vpcId: unknown },
    });
  });
});

test("Go durations in seconds", () => {
  expect([seconds("20m"), seconds("1h30m"), seconds("90s"), seconds(undefined)]).toEqual([1200, 5400, 90, 0]);
});

test("waits in words: resources first, then the program's own promises, then what keeps Node alive", () => {
  const line = (promises: string[], handles: string[]) =>
    waitsFrom(`moorings-waits:${JSON.stringify({ promises, handles })}`);
  expect(line(["resource:b[aws:s3/bucket:Bucket]", "resource:p-s[pulumi:pulumi:Stack]"], ["Timeout"])).toContain(
    'aws:s3/bucket:Bucket "b"',
  );
  expect(line(["resource:p-s[pulumi:pulumi:Stack]"], ["Timeout"])).toContain("a promise of the program's own");
  expect(line([], ["PipeWrap", "Timeout", "Timeout"])).toBe("what keeps Node alive: Timeout");
  expect(waitsFrom("an ordinary line")).toBeUndefined();
  expect(waitsFrom('moorings-waits:{"promises":["resource:a')).toBe("");
});

test("a long text in an output doesn't hide the verdict below it", () => {
  const outputs = { short: "x".repeat(200), edge: { policy: "y".repeat(201), name: "shop" } };
  expect(outputsText({ outputs } as unknown as Plan)).toContain(
    [
      `    short  "${"x".repeat(200)}"`,
      `    edge   {"policy":"${"y".repeat(60)}... (201 characters; all of it with --json)","name":"shop"}`,
    ].join("\n"),
  );
});

test("plans compare by URN, alias and property", () => {
  const resource = (name: string, more: Partial<PlanResource> = {}) =>
    ({
      urn: `urn:${name}`,
      type: "t",
      name,
      inputs: {},
      aliases: [],
      ignoreChanges: [],
      dependencies: [],
      ...more,
    }) as PlanResource;
  const plan = (...resources: PlanResource[]) => ({ resources }) as Plan;
  const before = plan(
    resource("same"),
    resource("gone"),
    resource("old"),
    resource("edited", { inputs: { a: { b: [1, 2] } }, protect: true }),
  );
  const after = plan(
    resource("same", { dependencies: ["urn:other"] }), // follows from something else: no change of its own
    resource("new"),
    resource("moved", { aliases: ["urn:old"] }),
    resource("edited", { inputs: { a: { b: [1, 3] } }, protect: false }),
  );
  const result = comparePlans(before, after);
  expect(result.added.map((r) => r.name)).toEqual(["new"]);
  expect(result.removed.map((r) => r.name)).toEqual(["gone"]);
  expect(result.renamed).toEqual([{ resource: after.resources[2], before: "urn:old" }]);
  expect(result.changed.map((c) => [c.resource.name, c.properties])).toEqual([
    [
      "edited",
      [
        { path: "a.b[1]", before: 2, after: 3 },
        { path: "protect", before: true, after: false },
      ],
    ],
  ]);
});
