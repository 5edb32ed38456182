import { layerNames, layersOf, type Layer } from "../../stacks/layers";
import { platform } from "../../stacks/platform";
import { readSettings } from "../../stacks/settings";
import { environments, stackConfig } from "../support/environments";
import { type Registration, run, type RunOptions } from "../support/harness";
import { providerState } from "../support/provider-state";

const reference = "pulumi:pulumi:StackReference";

describe("the stack's name decides what it makes", () => {
  test.each<[string, string, Layer[]]>([
    ["dev", "dev", ["network", "cluster", "edge", "kafka"]],
    ["dev-network", "dev", ["network"]],
    ["dev-kafka", "dev", ["kafka"]],
    ["my-team", "my-team", ["network", "cluster", "edge", "kafka"]],
    ["my-team-edge", "my-team", ["edge"]],
  ])("%s of %s", (stack, environment, layers) => expect([...layersOf(stack, environment)]).toEqual(layers));

  test.each([
    ["prod", "dev"],
    ["prod-network", "dev"],
    ["dev-netwrok", "dev"],
    ["dev-", "dev"],
    ["developer", "dev"],
    ["devnetwork", "dev"],
  ])("%s doesn't take the settings of %s", (stack, environment) =>
    expect(layersOf(stack, environment)).toContain(`the stack is called ${stack}: these are the settings of dev`),
  );
});

type Outputs = Record<string, unknown>;

/** Runs stack `name` of an environment in this process, as an update in which every provider answers. */
async function update(environment: string, name: string, stacks: Record<string, Outputs> = {}) {
  const { settings, layers } = readSettings(stackConfig(environment), "moorings", name);
  const state: RunOptions["state"] = (resource) =>
    resource.type === reference
      ? { outputs: stacks[(resource.inputs as { name: string }).name] ?? {} }
      : providerState(resource);
  const ran = await run(() => platform(settings, layers) as Outputs, { project: "moorings", stack: name, state });
  expect(ran.errors).toEqual([]);
  return ran;
}

/** What an update would see of a resource, but for its place: URNs carry the stack's name, and edges end where a stack does. */
const essence = (stack: string, resource: Registration) => {
  const { type, name, parent, inputs, protect, retainOnDelete, ignoreChanges, customTimeouts } = resource;
  const anywhere = (urn: string) => urn.replaceAll(`urn:pulumi:${stack}::`, "");
  return {
    key: `${type} ${name}`,
    parent: anywhere(parent).replace(/.*::pulumi:pulumi:Stack::.*/, "the stack"),
    inputs: JSON.parse(anywhere(JSON.stringify(inputs))) as unknown,
    protect,
    retainOnDelete,
    ignoreChanges,
    customTimeouts,
  };
};

const registered = (stack: string, resources: readonly Registration[]) =>
  resources
    .filter((r) => r.type !== "pulumi:pulumi:Stack")
    .map((r) => essence(stack, r))
    .sort((a, b) => (a.key < b.key ? -1 : 1));

describe.each(environments)("%s", (environment) => {
  test("its single layers together register what the whole stack registers", async () => {
    const whole = await update(environment, environment);
    const stacks: Record<string, Outputs> = {};
    const single: ReturnType<typeof registered> = [];
    for (const layer of layerNames) {
      const name = `${environment}-${layer}`;
      const { resources, outputs } = await update(environment, name, stacks);
      stacks[`organization/moorings/${name}`] = outputs as Outputs;
      const own = registered(name, resources);
      expect(own.length).toBeGreaterThan(1);
      single.push(...own);
    }
    // Each stack has the provider of its Kubernetes objects: the same one.
    const union = new Map(single.map((r) => [r.key, r]));
    const shared = single.filter((r) => union.get(r.key) !== r);
    expect(new Set(shared.map((r) => r.key))).toEqual(new Set(["pulumi:providers:kubernetes cluster"]));
    expect([...union.values()].sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual(
      registered(environment, whole.resources),
    );
  });

  test("a layer refers to those that it builds on, and to no other", async () => {
    const refersTo = async (layer: Layer) => {
      const references: string[] = [];
      const { settings, layers } = readSettings(stackConfig(environment), "moorings", `${environment}-${layer}`);
      await run(() => void platform(settings, layers), {
        project: "moorings",
        stack: `${environment}-${layer}`,
        state: (resource) => {
          if (resource.type !== reference) return providerState(resource);
          references.push((resource.inputs as { name: string }).name);
          return { outputs: outputsOfAll };
        },
      });
      return references;
    };
    const stack = (layer: Layer) => `organization/moorings/${environment}-${layer}`;
    expect(await refersTo("network")).toEqual([]);
    expect(await refersTo("cluster")).toEqual([stack("network")]);
    expect((await refersTo("edge")).sort()).toEqual([stack("cluster"), stack("network")]);
    expect((await refersTo("kafka")).sort()).toEqual([stack("cluster"), stack("network")]);
  });
});

const outputsOfAll = {
  network: {
    vpcId: "vpc-1",
    publicSubnetIds: ["subnet-1", "subnet-2"],
    privateSubnetIds: ["subnet-3", "subnet-4"],
    alarmRoutes: {
      pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
      ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
    },
  },
  cluster: {
    endpoint: "https://shop.eks.eu-west-1.amazonaws.com",
    certificateAuthority: "Q0E=",
    oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC",
    oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/ABC",
    securityGroupId: "sg-cluster",
    vpcId: "vpc-1",
  },
  kubeconfig: "{}",
};

test("an edge beside a network that was deployed before layers had owners sends its alarms where all went", async () => {
  const { resources } = await update("dev", "dev-edge", {
    "organization/moorings/dev-network": outputsOfAll,
    "organization/moorings/dev-cluster": outputsOfAll,
  });
  const alarms = resources.filter((r) => r.type === "aws:cloudwatch/metricAlarm:MetricAlarm");
  expect(alarms.length).toBeGreaterThan(3);
  const { pageTopicArn, ticketTopicArn } = outputsOfAll.network.alarmRoutes;
  const told = alarms.flatMap(({ inputs }) => inputs["alarmActions"] as string[]);
  expect(new Set(told)).toEqual(new Set([pageTopicArn, ticketTopicArn]));
});

test("a layer before the one that it builds on fails with the name of what is missing", async () => {
  const { settings, layers } = readSettings(stackConfig("dev"), "moorings", "dev-cluster");
  const { errors } = await run(() => void platform(settings, layers), {
    project: "moorings",
    stack: "dev-cluster",
    state: (resource) => (resource.type === reference ? { outputs: {} } : providerState(resource)),
  });
  expect(errors.map((e) => e.message).join()).toContain(
    "Required output 'network' does not exist on stack 'organization/moorings/dev-network'",
  );
});
