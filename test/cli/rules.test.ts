import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { resolve } from "node:path";
import { AnalyzeResponse, AnalyzeStackRequest } from "@pulumi/pulumi/proto/analyzer_pb";
import { Policies } from "../../cli/engine/policies";
import type { PolicyPack } from "../../cli/engine/policy-pack";
import type { Recording } from "../../cli/engine/records";
import { blank, Registry } from "../../cli/engine/registry";
import { unusedReferences } from "../../cli/engine/stack-reference";
import { secret, unknown } from "../../cli/engine/values";
import type { Plan, PlanResource } from "../../cli/plan";
import { withoutSecrets } from "../../cli/redact";
import { moorings, type Result, Workspace } from "../support/moorings";
import { record } from "../support/recordings";

const work = new Workspace();
afterAll(() => work.dispose());

// Expected values are those of the real engine's source, 3.248.0: pkg/resource/deploy/source_eval.go and step_generator.go.
describe("options and inheritance", () => {
  let ran: Result;
  let plan: Plan;
  beforeAll(async () => {
    const json = work.path("rules.json");
    const pack = work.pack("levels");
    ran = await moorings(["preview", "--project", work.program("rules"), "--policy-pack", pack, "--json", json]);
    if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
    plan = work.plan("rules.json");
  });
  const named = (name: string): PlanResource => plan.resources.find((r) => r.name === name)!;
  const urn = (types: string, name: string) => `urn:pulumi:dev::rules::${types}::${name}`;

  test("children inherit protect and retainOnDelete, also through a custom resource, unless they say otherwise", () => {
    const flags = (name: string) => [named(name).protect, named(name).retainOnDelete];
    expect(flags("group-child")).toEqual([true, true]);
    expect(flags("under-child")).toEqual([true, true]);
    expect(flags("loose")).toEqual([false, false]);
    expect(flags("moved")).toEqual([false, false]);
  });

  test("a transform sees what was inherited", () => {
    expect(plan.outputs["shown"]).toEqual({
      group: [true, true, false],
      "group-child": [true, true, true],
      "under-child": [true, true, true],
      loose: [false, false, true],
    });
  });

  test("a component's provider is its children's, and not its own", () => {
    expect(named("group").provider).toBe("");
    for (const name of ["group-child", "under-child", "loose"]) expect(named(name).provider).toBe(named("own").urn);
    expect(named("moved").provider).toBe(urn("pulumi:providers:acme", "default"));
  });

  test("a provider of the program's own carries its plugin version", () => {
    expect(named("own").inputs).toEqual({ version: "1.2.3" });
  });

  test("a child's aliases are multiplied with those of its parent", () => {
    const types = "acme:index:Group$acme:index:Thing";
    expect(named("group-child").aliases.sort()).toEqual(
      [urn(types, "group-kid"), urn(types, "old-group-child"), urn(types, "old-group-kid")].sort(),
    );
    expect(named("moved").aliases).toEqual([urn(types, "moved"), urn("acme:index:Thing", "stray")]);
  });

  test("all timeouts are kept", () => expect(named("loose").customTimeouts).toEqual({ read: "3m" }));

  test("additional secret outputs are secrets for the program, too", () => {
    expect(plan.outputs["password"]).toBe("[secret]");
  });

  test("a secret of the configuration is hidden even where the program took it for plain text", () => {
    expect(named("hooked").inputs).toEqual({ token: "Bearer [secret]" });
    expect(ran.stdout).toContain("the token is [secret]");
    expect(ran.stdout + JSON.stringify(plan)).not.toContain("hush-hush-9");
  });
});

describe("secrets of the configuration", () => {
  const recording = (value: string): Recording => ({
    project: "p",
    stack: "dev",
    resources: [{ ...blank, urn: "urn:pulumi:dev::p::t::dev", type: "t", name: "dev", inputs: { value, unknown } }],
    violations: [],
    remediations: [],
    packs: [],
    diagnostics: [{ severity: "info", urn: "", message: value }],
    outputs: { value, marked: secret(value) },
    failure: `failed with ${value}`,
    timing: { programMs: 0, policyMs: 0 },
  });
  const hide = (configured: string, value = configured) => {
    const config = { values: { "p:k": configured }, secretKeys: ["p:k"], notes: [] };
    return withoutSecrets(recording(value), config);
  };

  test("are taken out of inputs, outputs, diagnostics and failures; URNs and unknown values stay whole", () => {
    const { resources, outputs, diagnostics, failure } = hide("dev");
    expect(resources[0]).toMatchObject({ urn: "urn:pulumi:dev::p::t::dev", inputs: { value: "[secret]", unknown } });
    expect(outputs).toEqual({ value: "[secret]", marked: secret("dev") });
    expect(diagnostics[0]?.message).toBe("[secret]");
    expect(failure).toBe("failed with [secret]");
    expect(hide(unknown.slice(0, 4)).resources[0]?.inputs["unknown"]).toBe(unknown);
  });

  test("are found by their parts, escaped, and whatever letters they are made of", () => {
    expect(hide('{"user":"admin","keys":["k-123"]}', "admin k-123").failure).toBe("failed with [secret] [secret]");
    expect(hide('a"b\nc', 'in JSON: a\\"b\\nc').failure).toBe("failed with in JSON: [secret]");
    expect(hide("a.c+(", "abc a.c+(").failure).toBe("failed with abc [secret]");
  });

  test.each(["ab", "true", "False", "[secret]"])("%j is too common to be taken out", (value) => {
    expect(hide(value).failure).toBe(`failed with ${value}`);
  });
});

test("a stack policy sees of a component what it registered as outputs, of other resources their inputs", async () => {
  const registry = new Registry({ project: "p", stack: "dev" }, [], () => ({}));
  const common = { ...blank, type: "acme:index:Thing", inputs: { a: 1 } };
  registry.add({ ...common, urn: "urn:component", name: "component", outputs: { b: 2 } });
  registry.add({ ...common, urn: "urn:remote", name: "remote", remote: true });
  registry.add({ ...common, urn: "urn:custom", name: "custom", custom: true });
  let sent = new AnalyzeStackRequest();
  const pack = {
    name: "spy",
    policies: new Map(),
    analyzeStack: (request: AnalyzeStackRequest) => {
      sent = request;
      return Promise.resolve(new AnalyzeResponse());
    },
  } as unknown as PolicyPack;
  await new Policies(Promise.resolve([pack]), registry).finish(true);
  expect(sent.getResourcesList().map((r) => [r.getName(), r.getProperties()?.toJavaScript()])).toEqual([
    ["component", { b: 2 }],
    ["remote", { a: 1 }],
    ["custom", { a: 1 }],
  ]);
});

test("a --stack-reference that the program doesn't make is named: a misspelt one would silently stay unknown", () => {
  const reference = { type: "pulumi:pulumi:StackReference", inputs: { name: "acme/network/dev" } };
  expect(unusedReferences(["acme/network/dev"], [reference])).toEqual([]);
  expect(unusedReferences(["acme/netwrok/dev"], [reference])).toEqual([
    '--stack-reference acme/netwrok/dev isn\'t used, the program has no such StackReference: did you mean "acme/network/dev"?',
  ]);
});

describe("nothing outlives the command", () => {
  let server: Server;
  let port: number;
  let ended: Promise<unknown>[];
  let both: Promise<void>;

  beforeEach(async () => {
    ended = [];
    server = createServer();
    both = new Promise((done) => {
      server.on("connection", (socket: Socket) => {
        socket.on("error", () => undefined); // a killed process resets its connection
        ended.push(new Promise((closed) => socket.on("close", closed).resume()));
        if (ended.length === 2) done();
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    port = (server.address() as AddressInfo).port;
  });
  afterEach(() => server.close());

  test("a program that was stopped takes along what it had started", async () => {
    const { failure } = await record(work.program("leaves"), { port: String(port), fail: "true" }, 60);
    expect(failure).toContain('acme:index:Thing "twin"');
    expect(ended).toHaveLength(2);
    await Promise.all(ended);
  });

  test("a cancelled command takes along its program", async () => {
    const main = resolve(__dirname, "../../cli/main.ts");
    const project = ["--project", work.program("leaves"), "--policy-pack", work.pack("levels"), "-c", `port=${port}`];
    const command = spawn(process.execPath, ["--import", "tsx", main, "check", ...project], {
      cwd: resolve(__dirname, "../.."),
      stdio: "ignore",
    });
    await both;
    command.kill("SIGTERM");
    expect(await once(command, "exit")).toEqual([143, null]);
    await Promise.all(ended);
  });
});
