import { readFileSync, writeFileSync } from "node:fs";
import type { Plan, PlanResource } from "../../cli/plan";
import { type Given, Pack } from "../support/policy";
import { record } from "../support/recordings";
import { moorings, type Result, Workspace } from "../support/moorings";

const work = new Workspace();
afterAll(() => work.dispose());

interface Previewed extends Result {
  plan: Plan;
}

/** Previews a foreign program with a pack that checks little, and reads its plan. */
async function preview(program: string, ...args: string[]): Promise<Previewed> {
  const file = `${program}.json`;
  const packs = args.includes("--policy-pack") ? [] : ["--policy-pack", work.pack("levels")];
  const result = await moorings([
    "preview",
    "--project",
    work.program(program),
    "--json",
    work.path(file),
    ...packs,
    ...args,
  ]);
  return {
    ...result,
    plan: result.code === 0 || result.code === 3 ? work.plan(file) : ({ resources: [] } as unknown as Plan),
  };
}

const named = (plan: Plan, name: string): PlanResource => {
  const found = plan.resources.filter((r) => r.name === name);
  if (found.length !== 1) throw new Error(`${found.length} resources are named ${name}`);
  return found[0]!;
};

test("a program that packs functions with their dependencies finds them", async () => {
  const { plan, stdout } = await preview("code-paths");
  expect({ ...plan.outputs, stdout }).toMatchObject({ loadedWithSdk: false, packages: ["picocolors"] });
});

describe("a plain JavaScript program with its own entry point", () => {
  let ran: Previewed;
  beforeAll(async () => {
    ran = await preview("plain-js");
  });

  test("runs with its only stack's configuration", () => {
    expect(ran.code).toBe(3); // 45 s are more than the pack allows
    expect(ran.plan.stack).toBe("test");
    expect(named(ran.plan, "jobs").inputs).toMatchObject({ visibilityTimeoutSeconds: 45 });
  });

  test("gets the region from its provider's configuration, and unknown where only AWS could tell", () => {
    expect(ran.plan.outputs).toEqual({ queueUrl: "[unknown]", region: "ap-southeast-2" });
  });

  test("has what it printed among the diagnostics", () => expect(ran.stdout).toContain("info    declared the queue"));

  test("has a default provider, named by its version as the real engine names it", () => {
    const provider = ran.plan.resources.find((r) => r.type === "pulumi:providers:aws")!;
    expect(provider.name).toBe("default_7_48_0");
    expect(provider.inputs).toEqual({ region: "ap-southeast-2", version: "7.48.0" });
    expect(named(ran.plan, "jobs").provider).toBe(provider.urn);
    expect(ran.stdout).not.toContain("default_7_48_0");
  });
});

describe("a TypeScript program behind `main:`", () => {
  const bundled = ["--policy-pack", "policy"];

  test("needs the configuration that its Pulumi.yaml declares", async () => {
    const { code, stderr } = await preview("ts-main");
    expect(stderr).toContain("typed:zone (string) is missing");
    expect(code).toBe(2);
    const wrong = await preview("ts-main", "-c", "zone=a", "-c", "replicas=many");
    expect(wrong.stderr).toContain('typed:replicas must be of type integer, not "many"');
  });

  test("runs, with defaults, and is judged", async () => {
    const { plan, code } = await preview("ts-main", "-c", "zone=eu-west-1a", ...bundled);
    expect(plan.resources.filter((r) => r.type === "aws:ec2/subnet:Subnet").map((r) => r.name)).toEqual([
      "subnet-0",
      "subnet-1",
    ]);
    expect(named(plan, "subnet-0").propertyDependencies).toMatchObject({ vpcId: [named(plan, "main").urn] });
    expect(code).toBe(3);

    // The same resources, sent to the same pack by hand over the analyzer protocol, as the engine of Pulumi would.
    const given: Given[] = [
      { type: "aws:ec2/vpc:Vpc", name: "main", props: { cidrBlock: "10.0.0.0/16" } },
      { type: "aws:lb/targetGroup:TargetGroup", name: "pods", props: { targetType: "ip", port: 80, protocol: "HTTP" } },
      {
        type: "aws:alb/targetGroupAttachment:TargetGroupAttachment",
        name: "by-hand",
        props: { targetId: "10.0.1.17", targetGroupArn: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
        propertyDependencies: { targetGroupArn: ["pods"] },
      },
    ];
    const pack = await Pack.start("policy");
    const direct = [
      ...(await Promise.all(given.map((g) => pack.analyze(g)))).flat(),
      ...(await pack.analyzeStack(given)),
    ];
    await pack.stop();
    const expected = [
      "ip-target-group-needs-binding",
      "no-attachments-on-ip-target-groups",
      "no-hand-registered-ip-targets",
    ];
    expect(plan.policies.map((p) => p.policy).sort()).toEqual(expected);
    expect(direct.map((d) => d.policy).sort()).toEqual(expected);
    expect(plan.policies.map((p) => p.message).sort()).toEqual(direct.map((d) => d.message).sort());
  });
});

describe("a program with references, secrets, providers, transforms and a component", () => {
  let ran: Previewed;
  beforeAll(async () => {
    ran = await preview("everything");
  });

  test("previews while the other stack's outputs are unknown", () => {
    expect(ran.code).toBe(0);
    expect(ran.plan.outputs).toEqual({
      frankfurtRegion: "eu-central-1",
      loginPassword: "[secret]",
      plainSubnets: "[unknown]",
      storeEndpoint: "[unknown]",
    });
    expect(ran.stdout).toContain(">   └─ pulumi:pulumi:StackReference        acme/network/test");
  });

  test("says that encrypted configuration was not opened", () => {
    expect(ran.stdout).toContain('the program got "[secret]" for everything:password');
  });

  test("hands a component's providers to its children by package", () => {
    const frankfurt = named(ran.plan, "frankfurt").urn;
    expect(named(ran.plan, "store-subnets").provider).toBe(frankfurt);
    expect(named(ran.plan, "store-database").provider).toBe(frankfurt);
    expect(named(ran.plan, "connection").provider).toBe(named(ran.plan, "cluster").urn);
  });

  test("lets children inherit protection and the aliases of their parent", () => {
    const database = named(ran.plan, "store-database");
    expect(database.protect).toBe(true);
    expect(database.parent).toBe(named(ran.plan, "store").urn);
    expect(database.urn).toBe(
      "urn:pulumi:test::everything::acme:index:Store$aws:rds/instance:Instance::store-database",
    );
    expect(database.aliases).toEqual([
      "urn:pulumi:test::everything::acme:index:Store$aws:rds/instance:Instance::old-store-database",
    ]);
  });

  test("runs transforms of the component on its children and of the stack on everything", () => {
    expect(named(ran.plan, "store-subnets").inputs["description"]).toBe("from a transform");
    expect(named(ran.plan, "store-database").inputs["tags"]).toEqual({ owner: "platform" });
    // A transform must not lose where a value came from.
    expect(named(ran.plan, "store-subnets").propertyDependencies["subnetIds"]).toEqual([
      named(ran.plan, "acme/network/test").urn,
    ]);
  });

  test("keeps options and the dependencies of dependsOn", () => {
    const connection = named(ran.plan, "connection");
    expect(connection.ignoreChanges).toEqual(["metadata"]);
    expect(connection.customTimeouts).toEqual({ create: "2m" });
    expect(connection.dependencies).toEqual(
      expect.arrayContaining([named(ran.plan, "store-database").urn, named(ran.plan, "store-subnets").urn]),
    );
  });

  test("shows no secret anywhere, also one given on the command line", async () => {
    const text = "correct-horse-battery-staple";
    const secret = await preview("everything", "-c", `password=${text}`);
    expect(secret.code).toBe(0);
    expect(secret.stdout + secret.stderr + readFileSync(work.path("everything.json"), "utf8")).not.toContain(text);
    expect(named(secret.plan, "store-database").inputs["password"]).toBe("[secret]");
  });

  const reference = (outputs: object) => {
    writeFileSync(work.path("network.json"), JSON.stringify({ version: 1, resources: [], outputs }));
    return preview("everything", "--stack-reference", `acme/network/test=${work.path("network.json")}`);
  };

  test("reads the other stack's outputs from its plan: values, secrets, unknowns", async () => {
    const { plan, code } = await reference({ subnetIds: ["subnet-a", "subnet-b"], kubeconfig: "[secret]" });
    expect(code).toBe(0);
    expect(named(plan, "store-subnets").inputs["subnetIds"]).toEqual(["subnet-a", "subnet-b"]);
    expect(plan.outputs["plainSubnets"]).toEqual(["subnet-a", "subnet-b"]);
    expect(named(plan, "cluster").inputs["kubeconfig"]).toBe("[secret]");
    // The SDK holds all outputs of a stack as one: where one isn't known, none is.
    const unknown = await reference({ subnetIds: ["subnet-a", "subnet-b"], kubeconfig: "[unknown]" });
    expect(named(unknown.plan, "store-subnets").inputs["subnetIds"]).toBe("[unknown]");
  });

  test("fails in Pulumi's words when the other stack has no such output", async () => {
    const { stdout, code } = await reference({ kubeconfig: "x" });
    expect(stdout).toContain("Required output 'subnetIds' does not exist on stack 'acme/network/test'.");
    expect(code).toBe(1);
  });

  test("refuses a default provider that is disabled, by the resource's name", async () => {
    const { stdout, code } = await preview(
      "everything",
      "-c",
      'pulumi:disable-default-providers=["aws","kubernetes"]',
      "-c",
      "password=x",
    );
    expect(code).toBe(0); // everything names its provider
    const plain = await preview("plain-js", "-c", 'pulumi:disable-default-providers=["aws"]');
    expect(plain.stdout).toContain('the default provider of package "aws" is disabled');
    expect(plain.stdout).toMatch(/error: (aws:sqs\/queue:Queue "jobs"|invoke aws:index\/getRegion:getRegion): /);
    expect(plain.code).toBe(1);
    expect(stdout).not.toContain("is disabled");
  });
});

describe("remote components and reads", () => {
  test("outputs of a closed box are unknown, ids of what is read are known", async () => {
    const { plan } = await preview("boxes");
    expect(plan.closedBoxes).toEqual([named(plan, "box").urn]);
    expect(named(plan, "box").inputs).toEqual({ size: 3 });
    expect(named(plan, "beside").inputs).toEqual({ address: "[unknown]" });
    expect(plan.outputs).toEqual({ address: "[unknown]", readId: "i-123" });
    expect(named(plan, "existing").external).toBe(true);
  });
});

describe("a program that fails gets one clear message and exit 1", () => {
  test.each<[string, RegExp]>([
    ["top", /Error: the tide is out\n/],
    ["apply", /Error: the tide is out in an apply\n/],
    ["resource", /^acme:index:Thing "boat": this boat has no anchor$/],
    ["promise", /^the program ended while it still waited for acme:index:Custom "waits-for-ever", of which an input/],
    [
      "duplicate",
      /^acme:index:Custom "twin": another resource of this type and parent has this name already: give one of them another name/,
    ],
    ["invoke", /^invoke aws:ec2\/getAmi:getAmi: can't be answered offline.*--invoke aws:ec2\/getAmi:getAmi=FILE/],
    ["call", /^call acme:index:Custom\/sail: a provider plugin would run this method/],
    ["exit", /^the program ended with exit code 7 and said nothing$/],
  ])("%s", async (where, message) => {
    const { failure, diagnostics } = await record(work.program("throws"), { where }, 60);
    expect(failure).toMatch(message);
    expect(failure).not.toContain("\u001b[");
    expect(diagnostics.map((d) => d.message).join("\n")).not.toContain("promises were still active");
  });

  test("one that does nothing any more is stopped, with what it waits for", async () => {
    // Long enough that no machine is so busy that a program at work looks idle.
    const stopped = (where: string) => record(work.program("throws"), { where }, 10);
    const [timer, both] = await Promise.all([stopped("timer"), stopped("timerAndPromise")]);
    expect(timer.failure).toMatch(/did nothing for 10 s .* it waits for what keeps Node alive: Timeout/);
    expect(both.failure).toMatch(
      /did nothing for 10 s .* it waits for acme:index:Custom "waits-for-ever", of which an input/,
    );
  });

  test("the command prints it once", async () => {
    const args = ["check", "--project", work.program("throws"), "--policy-pack", work.pack("levels")];
    const { code, stdout } = await moorings([...args, "-c", "where=resource"]);
    expect(stdout).toMatch(/^Checking throws\/dev in .*\n\nerror: acme:index:Thing "boat": this boat has no anchor\n$/);
    expect(code).toBe(1);
  });

  test("an invoke that was answered by hand goes on", async () => {
    writeFileSync(work.path("ami.json"), JSON.stringify({ id: "ami-1" }));
    const { code } = await moorings([
      ...["check", "--project", work.program("throws"), "--policy-pack", work.pack("levels"), "-c", "where=invoke"],
      ...["--invoke", `aws:ec2/getAmi:getAmi=${work.path("ami.json")}`],
    ]);
    expect(code).toBe(0);
  });
});
