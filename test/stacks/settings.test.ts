import { readSettings } from "../../stacks/settings";
import { placeholdersIn } from "../../stacks/settings/placeholders";
import { environments, stackConfig } from "../support/environments";

/** Configuration of dev with some keys replaced; undefined removes one. */
function changed(changes: Record<string, unknown>): Record<string, string> {
  const config: Record<string, string> = stackConfig("dev");
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete config[key];
    else config[key] = typeof value === "string" ? value : JSON.stringify(value);
  }
  return config;
}

function member(key: string, path: string[], value: unknown): Record<string, unknown> {
  const object = JSON.parse(stackConfig("dev")[key]!) as Record<string, unknown>;
  let inner = object;
  for (const step of path.slice(0, -1)) inner = inner[step] as Record<string, unknown>;
  const last = path.at(-1)!;
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return { [key]: object };
}

const problems = (changes: Record<string, unknown>): string => {
  try {
    readSettings(changed(changes), "moorings", "dev");
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

test("the committed settings read, each under the name that they carry", () => {
  expect(environments).toEqual(["dev", "prod", "staging"]);
  for (const environment of environments)
    expect(readSettings(stackConfig(environment), "moorings", environment).settings.environment).toBe(environment);
});

describe("a stack of one layer", () => {
  test("reads the settings of its environment", () => {
    const { settings, layers } = readSettings(stackConfig("dev"), "moorings", "dev-edge");
    expect(settings.cluster.name).toBe("moorings-dev");
    expect([...layers]).toEqual(["edge"]);
  });

  test("never takes those of another: it would turn into a second one of that", () => {
    expect(() => readSettings(stackConfig("dev"), "moorings", "prod-edge")).toThrow(
      "the settings of stack prod-edge are wrong:\n  - moorings:environment: is dev, but the stack is called prod-edge: these are the settings of " +
        "dev, dev-network, dev-cluster, dev-edge, dev-kafka",
    );
  });

  test("without settings says where they are", () => {
    expect(() => readSettings({ "aws:region": "eu-west-1" }, "moorings", "dev-edge")).toThrow(
      "stack dev-edge has no settings. A stack of one layer takes those of its environment: add --config-file Pulumi.dev.yaml",
    );
  });
});

test("settings are frozen, with defaults", () => {
  const { settings } = readSettings(
    changed({ ...member("moorings:cluster", ["logRetentionDays"], undefined), "moorings:protected": undefined }),
    "moorings",
    "dev",
  );
  expect(settings.protected).toBe(true);
  expect(settings.cluster.logRetentionDays).toBe(90);
  expect(settings.region).toBe("eu-west-1");
  expect(() => {
    (settings.cluster as { name: string }).name = "other";
  }).toThrow(TypeError);
  expect(() => (settings.network.availabilityZones as string[]).push("eu-west-1c")).toThrow(TypeError);
});

test.each([
  [
    "a misspelt key",
    member("moorings:cluster", ["apiAccesCidrs"], ["198.51.100.0/24"]),
    'moorings:cluster.apiAccesCidrs: is not a key; did you mean "apiAccessCidrs"?',
  ],
  ["a misspelt section", { "moorings:netwrok": {} }, 'moorings:netwrok: is not a key; did you mean "network"?'],
  [
    "an unknown key that is near nothing",
    member("moorings:edge", ["web", "x"], 1),
    "moorings:edge.web.x: is not a key; there are hosts, image, minReplicas, maxReplicas",
  ],
  ["a missing section", { "moorings:edge": undefined }, "moorings:edge: is missing"],
  ["a missing key", member("moorings:cluster", ["name"], undefined), "moorings:cluster.name: is missing"],
  ["a wrong type", { "moorings:protected": "yes" }, "moorings:protected: must be boolean"],
  [
    "a version without quotes",
    member("moorings:cluster", ["kubernetesVersion"], 1.36),
    'moorings:cluster.kubernetesVersion: must be text: write "1.36" in quotes',
  ],
  [
    "a word that isn't a choice",
    member("moorings:network", ["natGateways"], "none"),
    "moorings:network.natGateways: must be one of single, one-per-zone",
  ],
  [
    "one zone",
    member("moorings:network", ["availabilityZones"], ["eu-west-1a"]),
    "moorings:network.availabilityZones: must name at least two zones",
  ],
  [
    "no CIDR",
    member("moorings:network", ["cidrBlock"], "ten"),
    "moorings:network.cidrBlock: must be an IPv4 CIDR block such as 10.20.0.0/16",
  ],
  [
    "a VPC both made and given",
    member("moorings:network", ["existing"], {
      vpcId: "vpc-1",
      publicSubnetIds: ["a", "b"],
      privateSubnetIds: ["c", "d"],
    }),
    "moorings:network.cidrBlock: give cidrBlock and natGateways to have a VPC made, or existing",
  ],
  [
    "a VPC neither made nor given",
    member("moorings:network", ["cidrBlock"], undefined),
    "moorings:network.cidrBlock: give cidrBlock and natGateways to have a VPC made, or existing",
  ],
  [
    "an API that nobody reaches",
    member("moorings:cluster", ["apiAccessCidrs"], []),
    "moorings:cluster.apiAccessCidrs: name the networks that may reach the Kubernetes API",
  ],
  [
    "a misspelt key of a node pool",
    member("moorings:cluster", ["nodePools", "kafka", "limit"], {}),
    'moorings:cluster.nodePools.kafka.limit: is not a key; did you mean "limits"?',
  ],
  ["no name of the environment", { "moorings:environment": undefined }, "moorings:environment: is missing"],
  [
    "a name that can't be part of a stack's",
    { "moorings:environment": "Dev_1" },
    "moorings:environment: must be small letters, digits and single hyphens",
  ],
  [
    "nobody to page",
    member("moorings:alerts", ["pageEndpoints"], {}),
    "moorings:alerts.pageEndpoints: must name somebody who is paged",
  ],
  [
    "an owner of no layer",
    member("moorings:alerts", ["owners"], { loadbalancer: {} }),
    'moorings:alerts.owners.loadbalancer: is not a key; did you mean "loadBalancer"?',
  ],
  [
    "an owner whom nobody pages",
    member("moorings:alerts", ["owners"], { kafka: { pageEndpoints: {} } }),
    "moorings:alerts.owners.kafka.pageEndpoints: must name somebody who is paged",
  ],
  [
    "a chat that isn't one",
    member("moorings:alerts", ["chat"], { room: { service: "irc", channelId: "x", workspaceId: "y" } }),
    "moorings:alerts.chat.room.service: must be one of slack, teams",
  ],
  [
    "nobody to administer",
    member("moorings:cluster", ["admins"], {}),
    "moorings:cluster.admins: must name somebody who may administer the cluster",
  ],
  [
    "certificate and domain",
    member("moorings:edge", ["domain"], "web.example.com"),
    "moorings:edge.certificateArn: give either certificateArn, or domain and zoneId",
  ],
  [
    "neither certificate nor domain",
    member("moorings:edge", ["certificateArn"], undefined),
    "moorings:edge.certificateArn: give either certificateArn, or domain and zoneId",
  ],
  [
    "fewer at most than at least",
    member("moorings:edge", ["web", "maxReplicas"], 1),
    "moorings:edge.web.maxReplicas: must be at least minReplicas",
  ],
  ["no region", { "aws:region": undefined }, "aws:region: is missing"],
  [
    "zones of another region",
    { "aws:region": "us-east-1" },
    "moorings:network.availabilityZones: eu-west-1a, eu-west-1b isn't in aws:region (us-east-1)",
  ],
  [
    "more zones than the VPC has room for",
    member(
      "moorings:network",
      ["availabilityZones"],
      ["a", "b", "c", "d", "f"].map((z) => `eu-west-1${z}`),
    ),
    "moorings:network.availabilityZones: must name at most 4 zones",
  ],
  [
    "a VPC without room for pods",
    member("moorings:network", ["cidrBlock"], "10.20.0.0/20"),
    "moorings:network.cidrBlock: must be a block of /16 to /19, not /20",
  ],
  [
    "fewer given subnets than zones",
    {
      "moorings:network": {
        availabilityZones: ["eu-west-1a", "eu-west-1b", "eu-west-1c"],
        existing: { vpcId: "vpc-1", publicSubnetIds: ["a", "b", "c"], privateSubnetIds: ["d", "e"] },
      },
    },
    "moorings:network.existing.privateSubnetIds: names 2 different subnets for 3 availabilityZones: one for each",
  ],
  [
    "a subnet named twice",
    {
      "moorings:network": {
        availabilityZones: ["eu-west-1a", "eu-west-1b"],
        existing: { vpcId: "vpc-1", publicSubnetIds: ["a", "a"], privateSubnetIds: ["d", "e"] },
      },
    },
    "moorings:network.existing.publicSubnetIds: names 1 different subnets for 2 availabilityZones",
  ],
  [
    "a zone named twice",
    member("moorings:network", ["availabilityZones"], ["eu-west-1a", "eu-west-1a"]),
    "moorings:network.availabilityZones: names a zone twice",
  ],
  [
    "a certificate of another region",
    member("moorings:edge", ["certificateArn"], "arn:aws:acm:us-east-1:210987654321:certificate/abc"),
    "moorings:edge.certificateArn: is a certificate of us-east-1; a load balancer takes those of its own region (eu-west-1)",
  ],
  [
    "CPU that brokers don't have",
    member("moorings:cluster", ["nodePools", "kafka", "limits", "cpu"], "1"),
    "moorings:cluster.nodePools.kafka.limits.cpu: 1 is less than 3 brokers and 3 controllers need, 1050m",
  ],
  [
    "a misspelt guard of the account",
    { "aws:allowedAccountIds": undefined, "aws:allowedAccountId": ["210987654321"] },
    "aws:allowedAccountIds: must list the accounts that may be changed",
  ],
  ["an account that is none", { "aws:allowedAccountIds": ["1234"] }, "aws:allowedAccountIds: must list the accounts"],
  [
    "Kubernetes objects without a cluster",
    { "pulumi:disable-default-providers": undefined },
    "pulumi:disable-default-providers: must be [kubernetes]",
  ],
  ["a misspelt namespace", { "morings:edge": {} }, "morings:edge: morings is nobody's namespace"],
  [
    "an encrypted value where the value matters",
    member("moorings:edge", ["visitors", "office"], "[secret]"),
    '"[secret]" stands for an encrypted value, which an offline preview can\'t read',
  ],
  [
    "Kafka in more zones than there are",
    member("moorings:kafka", ["zones"], 3),
    "moorings:kafka.zones: is 3, but there are 2 network.availabilityZones",
  ],
  [
    "brokers that don't fit into their pool",
    member("moorings:kafka", ["brokerSize", "memoryMiB"], 65536),
    "moorings:cluster.nodePools.kafka.limits.memory: 48Gi is less than 3 brokers and 3 controllers need, 198144Mi",
  ],
])("%s", (_, changes, expected) => {
  expect(problems(changes)).toContain(expected);
});

test("a VPC that is there is taken, with a subnet for each zone", () => {
  const existing = { vpcId: "vpc-1", publicSubnetIds: ["a", "b"], privateSubnetIds: ["c", "d"] };
  const network = { availabilityZones: ["eu-west-1a", "eu-west-1b"], existing };
  expect(readSettings(changed({ "moorings:network": network }), "moorings", "dev").settings.network).toEqual(network);
});

test("all problems come at once, under the file's name", () => {
  const message = problems({
    "moorings:netwrok": {},
    "aws:region": undefined,
    ...member("moorings:cluster", ["name"], 7),
  });
  expect(message).toMatch(/^the settings of stack dev are wrong:/);
  expect(message.match(/\n {2}- /g)).toHaveLength(3);
});

test("one team is enough: owners and chat are optional", () => {
  const { alerts } = readSettings(changed({}), "moorings", "dev").settings;
  expect(alerts).toMatchObject({ ticketEndpoints: {}, owners: {}, chat: {} });
});

describe("example values", () => {
  test.each([
    ["the example account", { k: "arn:aws:iam::123456789012:role/x" }, ["k"]],
    [
      "documentation ranges",
      { k: '["192.0.2.0/24","198.51.100.7/32","203.0.113.0/24","10.0.0.0/8"]' },
      ["k[0]", "k[1]", "k[2]"],
    ],
    ["example domains", { k: '{"a":{"b":"x@example.com"},"c":"web.example.org"}' }, ["k.a.b", "k.c"]],
    [
      "identities that nobody has",
      {
        k: "arn:aws:acm:eu-west-1:210987654321:certificate/00000000-0000-4000-8000-000000000000",
        l: '{"clusterId":"EXAMPLE-dev-AAAAAAAAAA"}',
      },
      ["k", "l.clusterId"],
    ],
    [
      "ids that the documentation leaves out",
      { k: '{"vpcId":"vpc-...","ids":["subnet-..."]}' },
      ["k.ids[0]", "k.vpcId"],
    ],
    ["nothing", { k: "arn:aws:iam::210987654321:role/x", l: '["10.1.0.0/16"]', m: "shop.acme.io" }, []],
  ])("%s", (_, config, keys) => {
    expect(placeholdersIn(config)).toEqual(keys);
  });
});
