import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as library from "../components";
import { samples } from "./support/components";
import { type Registration, run, type RunOptions, secretSignature } from "./support/harness";
import { previewState, providerState } from "./support/provider-state";
import { secretText, tags } from "./support/samples/sample";
import schema from "./snapshots/schema.json";

/** Types that take no tags in AWS, so that a component can't put any on them (API references of each service). */
const untaggable = new Set([
  "aws:acm/certificateValidation:CertificateValidation",
  "aws:cloudwatch/dashboard:Dashboard",
  "aws:cloudwatch/eventTarget:EventTarget",
  "aws:cloudwatch/logStream:LogStream",
  "aws:iam/rolePolicy:RolePolicy",
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  "aws:kms/alias:Alias",
  "aws:lb/listenerCertificate:ListenerCertificate",
  "aws:organizations/policyAttachment:PolicyAttachment",
  "aws:route53/record:Record",
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
  "aws:s3/bucketPolicy:BucketPolicy",
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
  "aws:s3/bucketVersioning:BucketVersioning",
  "aws:s3/bucketOwnershipControls:BucketOwnershipControls",
  "aws:sns/topicPolicy:TopicPolicy",
  "aws:sns/topicSubscription:TopicSubscription",
  "aws:sqs/queuePolicy:QueuePolicy",
  "aws:wafv2/webAclAssociation:WebAclAssociation",
]);

/** Components with an argument that people put secrets in; their full samples do. */
const takesSecrets = new Set(["AlarmTopics", "DrainSafeDeployment", "MetricExport"]);

/** Components of which a cluster takes one, and why a second is refused. */
const onePerCluster: Record<string, string> = {
  LoadBalancerController: 'opts.providers: is the provider of the controller "one", too',
};

const components = Object.entries(library).flatMap(([name, exported]) =>
  typeof exported === "function" && (exported as { prototype?: unknown }).prototype instanceof pulumi.ComponentResource
    ? [name]
    : [],
);

test("every exported component has a sample, and every sample is exported", () => {
  expect(Object.keys(samples).sort()).toEqual([...components].sort());
});

test.each(Object.keys(samples))("the full sample of %s gives every argument", (component) => {
  const { full, without } = samples[component]!;
  const resources: Record<string, { inputProperties: object }> = schema.resources;
  const takes = Object.keys(resources[`moorings:index:${component}`]!.inputProperties);
  const given = Object.entries(full).flatMap(([argument, value]) => (value === undefined ? [] : [argument]));
  expect([...given, ...without].sort()).toEqual(takes.sort());
});

const cases = Object.keys(samples).flatMap((component) =>
  (["minimal", "full"] as const).map((which) => [component, which] as const),
);
const modes: [string, RunOptions][] = [
  ["update", { state: providerState }],
  ["preview", { state: previewState, preview: true }],
];
const providerTypes = /^pulumi:(providers|pulumi):/;

/** The public fields of a component that have a value: what a user of it reads. */
function shown(component: pulumi.ComponentResource): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(component).filter(([key, value]) => value !== undefined && !key.startsWith("__") && key !== "urn"),
  );
}

const isSecret = (value: unknown): value is { value: unknown } =>
  Object.entries(secretSignature).every(([k, v]) => (value as Record<string, unknown> | null | undefined)?.[k] === v);

/** A value of the wire without the marks of secrets. */
const opened = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, part: unknown) => (isSecret(part) ? part.value : part)));

/** What of a value of the wire anybody can read. */
const inClear = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isSecret(part) ? "[secret]" : part));

/** Makes components of one kind, each with the providers that a user would pass. */
function make(component: string, args: object, names: string[], options: RunOptions) {
  const made: pulumi.ComponentResource[] = [];
  const ran = run(() => {
    const providers = [
      new aws.Provider("given-aws", { region: "eu-west-1" }),
      new k8s.Provider("given-kubernetes", { kubeconfig: "{}" }),
    ];
    made.push(...names.map((name) => samples[component]!.make(name, args, { providers })));
    return shown(made[0]!);
  }, options);
  return ran.then((result) => ({ ...result, made }));
}

const inside = (resources: readonly Registration[]) => resources.filter((r) => !providerTypes.test(r.type));

describe.each(modes)("in an %s", (mode, options) => {
  describe.each(cases)("%s with %s arguments", (component, which) => {
    const build = (names = ["one"]) => make(component, samples[component]![which], names, options);

    test("is made without an error, under its token", async () => {
      const { errors, resources } = await build();
      expect(errors).toEqual([]);
      expect(resources.filter((r) => r.type === `moorings:index:${component}` && r.name === "one")).toHaveLength(1);
    });

    test("keeps its children inside, under names that begin with its own", async () => {
      const { resources } = await build();
      const own = inside(resources);
      const root = own.find((r) => r.type === `moorings:index:${component}`)!;
      const urns = new Set(own.map((r) => r.urn));
      const children = own.filter((r) => r !== root);
      expect(children.length).toBeGreaterThan(0);
      expect(children.filter((r) => !urns.has(r.parent)).map((r) => r.urn)).toEqual([]);
      expect(children.filter((r) => !r.name.startsWith("one-")).map((r) => r.name)).toEqual([]);
    });

    const reason = onePerCluster[component];
    test(reason === undefined ? "can be made twice" : "can't be made twice", async () => {
      const { errors, resources } = await build(["one", "two"]);
      expect(errors.map((e) => e.message)).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
      const keys = resources.map((r) => `${r.type} ${r.name}`);
      expect(keys.length).toBe(new Set(keys).size);
    });

    test("uses the providers that it was given and no other", async () => {
      const { resources, calls } = await build();
      const given = (of: string, provider: string | undefined) => provider?.includes(`::given-${of}::`) === true;
      const custom = inside(resources).filter((r) => r.custom && !r.remote && /^(aws|kubernetes):/.test(r.type));
      const wrong = custom.filter((r) => !given(r.type.split(":")[0]!, r.provider));
      expect(wrong.map((r) => `${r.type} ${r.name} by ${r.provider}`)).toEqual([]);
      // The engine gives components of other packages what their parent was given, unless they are told another.
      const told = inside(resources).flatMap((r) => (r.remote ? [r.provider, ...Object.values(r.providers)] : []));
      expect(told.filter((provider) => provider !== "" && !/::given-(aws|kubernetes)::/.test(provider))).toEqual([]);
      // A question to AWS without a parent is answered by the default provider: by another account, quite possibly.
      const asked = calls.filter((c) => c.token.startsWith("aws:") && !given("aws", c.provider));
      expect(asked.map((c) => c.token)).toEqual([]);
    });

    test("registers what it shows as its outputs", async () => {
      const { resources, registeredOutputs, made, outputs } = await build();
      const root = resources.find((r) => r.type === `moorings:index:${component}`)!;
      const registered = registeredOutputs[root.urn] ?? {};
      expect(Object.keys(registered).sort()).toEqual(Object.keys(shown(made[0]!)).sort());
      if (mode === "preview") return; // whatever a provider computes is unknown
      expect(JSON.stringify(registered)).not.toContain(pulumi.runtime.unknownValue);
      expect(opened(registered)).toEqual(opened(outputs));
    });

    test("never writes a secret in clear", async () => {
      const { resources, registeredOutputs } = await build();
      const clear = resources.map((r) => inClear(r.inputs)).join() + inClear(registeredOutputs);
      // The caller's, and the private keys and the kubeconfig of test/support/provider-state.ts.
      for (const secret of [secretText, "PRIVATE", String.raw`{\"kind\":\"Config\"}`])
        expect(clear).not.toContain(secret);
      // It arrives, too: what is dropped would never be seen in clear either.
      if (which === "full" && takesSecrets.has(component))
        expect(JSON.stringify(resources.map((r) => r.inputs))).toContain(secretText);
    });
  });
});

test.each(Object.keys(samples).filter((c) => "tags" in samples[c]!.full))(
  "%s tags whatever takes tags",
  async (component) => {
    const { resources } = await make(component, samples[component]!.full, ["one"], modes[0]![1]);
    const taggable = inside(resources).filter((r) => /^(aws|eks):/.test(r.type) && !untaggable.has(r.type));
    const untagged = taggable.filter(
      (r) => (r.inputs["tags"] as Record<string, string> | undefined)?.["team"] !== tags.team,
    );
    expect(untagged.map((r) => `${r.type} ${r.name}`)).toEqual([]);
  },
);

test.each(Object.keys(samples))("%s reports two problems at once, with its name", async (component) => {
  const { args, messages } = samples[component]!.wrong;
  const { errors, resources } = await make(component, args, ["one"], modes[0]![1]);
  const message = errors.map((e) => e.message).join("\n");
  expect(message).toContain(`${component} "one" can't be made from these arguments:`);
  for (const part of messages) expect(message).toContain(`\n  - ${part}`);
  expect(inside(resources).filter((r) => r.custom)).toEqual([]);
});

test.each(Object.keys(samples))("%s says whether it makes Kubernetes objects", async (component) => {
  const { resources } = await make(component, samples[component]!.full, ["one"], modes[0]![1]);
  expect(inside(resources).some((r) => r.type.startsWith("kubernetes:"))).toBe(samples[component]!.kubernetes);
});

test.each(Object.keys(samples).filter((c) => samples[c]!.kubernetes))(
  "%s refuses to guess a cluster",
  async (component) => {
    const { errors } = await run(
      () => void samples[component]!.make("one", samples[component]!.minimal, {}),
      modes[0]![1],
    );
    expect(errors.map((e) => e.message).join()).toContain("opts.providers: has no Kubernetes provider");
  },
);
