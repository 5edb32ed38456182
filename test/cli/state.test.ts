import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Exported, Stored } from "../../cli/state/schema";
import { moorings, Workspace, type Result } from "../support/moorings";

const work = new Workspace();
afterAll(() => work.dispose());

/**
 * Not made by any CLI: in the shape of `pulumi stack export` of a stack that never heard of Moorings, with the mistakes of the three
 * outages, an interrupted update, and one resource that a newer one has replaced.
 */
const brownfield = resolve(__dirname, "../fixtures/states/brownfield.json");
const stored = () => JSON.parse(readFileSync(brownfield, "utf8")) as Exported;
const pack = () => ["--policy-pack", work.publishedPack()];

/** Writes what is no good state, or one that was changed, to a file. */
function file(content: unknown): string {
  const path = work.path("state.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function edited(edit: (resources: Stored[], exported: Exported) => void): Exported {
  const exported = stored();
  edit(exported.deployment.resources!, exported);
  return exported;
}
const named = (resources: Stored[], name: string) => resources.find((r) => r.urn.endsWith(`::${name}`))!;

describe("a stack that Moorings never saw, as it was exported", () => {
  const json = () => work.path("audit.json");
  let result: Result;
  beforeAll(async () => {
    result = await moorings(["check", "--state", brownfield, ...pack(), "--json", json()]);
  });

  test("has these mistakes and no other", () => {
    const found = work.plan("audit.json").policies.map((v) => `${v.policy}: ${v.urn.split("::")[3] ?? ""}`);
    // Names of broken rules and broken resources, by reading the file: a target group that two addresses were written into; two rules of
    // equal protocol, ports and source; a StatefulSet of Kafka with none of what brokers need.
    expect([...new Set(found)].sort()).toEqual([
      "ip-target-group-needs-binding: web",
      "kafka-has-a-disruption-budget: events",
      "kafka-has-its-own-cluster-id: events",
      "kafka-keeps-its-data: events",
      "kafka-pods-get-nothing-injected: events",
      "kafka-shuts-down-in-time: events",
      "kafka-spreads-over-zones: events",
      "kafka-starts-together: events",
      "kafka-survives-losing-a-broker: events",
      "no-attachments-on-ip-target-groups: web-10.20.33.17",
      "no-attachments-on-ip-target-groups: web-10.20.65.4",
      "no-equal-security-group-rules: pods-again",
      "no-hand-registered-ip-targets: web-10.20.33.17",
      "no-hand-registered-ip-targets: web-10.20.65.4",
    ]);
    expect(result.code).toBe(3);
  });

  test("says what the state can't show", () => {
    expect(result.stdout).toContain("Checking shop/prod");
    expect(result.stdout).toContain("13 resources"); // 14, and one that waits for its deletion
    expect(result.stdout).toContain("left out: 1 replaced by others");
    expect(result.stdout).not.toContain("10.20.97.211");
    expect(result.stdout).toContain('interrupted while creating aws:lb/listenerRule:ListenerRule "checkout"');
    expect(result.stdout).toContain("secrets in the state are encrypted");
  });

  test("gives no secret away: not an encrypted one, one in clear, nor an output that its program called secret", () => {
    const written = readFileSync(json(), "utf8") + result.stdout;
    for (const text of ["correct-horse-battery", "orders.internal.example.com", "AAABA"])
      expect(written).not.toContain(text);
    const database = work.plan("audit.json").resources.find((r) => r.name === "orders")!;
    expect(database.inputs).toEqual({ engine: "postgres", password: "[secret]" });
    expect(database.outputs).toMatchObject({ password: "[secret]", endpoint: "[secret]" });
  });
});

test("comes from standard input too, in version 4; policies see secrets that are in clear, and what they say of them is hidden", async () => {
  const exported = edited((resources, all) => {
    const [signature, mark] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];
    Object.assign(all, { version: 4, features: ["refreshBeforeUpdate", "taint"] });
    all.deployment = { resources: resources.filter((r) => !r.type.startsWith("kubernetes:")) };
    const secret = (text: string) => ({ [signature]: mark, plaintext: JSON.stringify(text) });
    const attachment = named(resources, "web-10.20.65.4");
    attachment.inputs!["targetId"] = secret("10.20.65.4");
    // What policies quote of these is only a part of the secret.
    const more = (name: string, type: string, inputs: Record<string, unknown>): Stored => ({
      ...attachment,
      urn: attachment.urn.replace(/::[^:]*:[^:]*:[^:]*::.*/, `::${type}::${name}`),
      type,
      inputs,
    });
    all.deployment.resources!.push(
      more("with-port", attachment.type, { targetId: secret("10.20.65.77:8080") }),
      more("signed", "aws:cloudformation/stack:Stack", { templateUrl: secret("https://hidden.example/t?sig=x") }),
    );
  });
  // As PowerShell writes it.
  const text = `\uFEFF${JSON.stringify(exported)}`;
  // In two parts, the first of which ends within a word.
  const input = [text.slice(0, 1001), text.slice(1001)];
  const { code, stdout } = await moorings(
    ["check", "--state", "-", ...pack(), "--against", work.path("audit.json"), "--json", work.path("second.json")],
    input,
  );
  expect(code).toBe(3);
  expect(stdout).toContain("Checking shop/prod, as standard input says that it is");
  expect(stdout).toContain("targetId registers the IP address 10.20.33.17 by hand");
  expect(stdout.match(/targetId registers the IP address \[secret\] by hand/g)).toHaveLength(2);
  expect(stdout).toContain("templateUrl names what isn't here: [secret]. Review it");
  for (const shown of [stdout, readFileSync(work.path("second.json"), "utf8")])
    expect(shown).not.toMatch(/10\.20\.65\.77|hidden\.example/);
  expect(stdout).toContain('- kubernetes:apps/v1:StatefulSet "events"');
  expect(stdout).not.toContain("kafka-");
});

const parentOf = (name: string, parent: string) => (resources: Stored[]) =>
  void (named(resources, name).parent = named(resources, parent).urn);

test.each<[string, () => unknown, RegExp]>([
  ["cut off", () => readFileSync(brownfield, "utf8").slice(0, 4000), /isn't JSON \(.+\): write one with: pulumi stack/],
  ["no JSON, with a secret where it breaks", () => '{"password": correct-horse}', /^(?!.*correct)[^]*isn't JSON/],
  ["a list", () => [], /must hold a JSON object/],
  ["a plan of ours", () => ({ version: 1, resources: [] }), /has deployment version 1, of CLIs before 2019/],
  ["version 2", () => ({ version: 2 }), /has deployment version 2.*pulumi refresh/],
  ["of a version to come", () => ({ version: 5, deployment: {} }), /version 5.*use a newer release of Moorings/],
  ["with a feature to come", () => ({ version: 4, features: ["branches"], deployment: {} }), /needs branches/],
  ["without a version", () => ({ deployment: {} }), /no version/],
  ["the backend's own file", () => ({ version: 3, checkpoint: {} }), /file of the backend itself/],
  ["without a deployment", () => ({ version: 3 }), /must have required property 'deployment'/],
  [
    "with a map of resources",
    () => ({ version: 3, deployment: { resources: {} } }),
    /deployment\.resources must be array/,
  ],
  ["with a wrong URN", () => edited((r) => (r[3]!.urn = "web")), /deployment\.resources\.3\.urn must match pattern/],
  [
    "with inputs that are none",
    () => edited((r) => Object.assign(r[3]!, { inputs: 7 })),
    /resources\.3\.inputs must be/,
  ],
  ["with one resource twice", () => edited((r) => r.push(r[3]!)), /TargetGroup "web" twice.*pulumi state repair/],
  [
    "whose parents go in a circle",
    () => edited((r) => [parentOf("web", "nodes")(r), parentOf("nodes", "web")(r)]),
    /own ancestor/,
  ],
  [
    "nested deeper than anything",
    () => edited((r) => (r[3]!.inputs = { a: JSON.parse("[".repeat(900) + "]".repeat(900)) as unknown })),
    /nests values more than 500 deep/,
  ],
])("a state %s is refused, with what to do", async (_, content, message) => {
  const { code, stdout, stderr } = await moorings(["check", "--state", file(content()), ...pack()]);
  expect(stderr).toMatch(message);
  expect(stdout).toBe("");
  expect(code).toBe(2);
});

test.each([
  [["--stack", "dev"], "--stack: the state says of which stack it is"],
  [["--project", "."], "--project: no program runs"],
  [["-c", "a=b"], "--config: no program runs that would read configuration"],
  [["--fail-on-closed-box"], "--fail-on-closed-box: a state holds what remote components made"],
  [["--stack-reference", "a=b"], "--stack-reference: the outputs of other stacks are in the state already"],
])("%j says nothing about a state", async (args, message) => {
  const { code, stderr } = await moorings(["check", "--state", brownfield, ...args]);
  expect(stderr).toContain(`with --state leave out ${message}`);
  expect(code).toBe(2);
});

test("a preview has no use for a state", async () => {
  const { code, stderr } = await moorings(["preview", "--state", brownfield]);
  expect(stderr).toContain("unknown option '--state'");
  expect(code).toBe(2);
});

test("a file that isn't there is wrong usage", async () => {
  const { code, stderr } = await moorings(["check", "--state", work.path("missing.json"), ...pack()]);
  expect(stderr).toContain("missing.json can't be read");
  expect(code).toBe(2);
});
