import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dev } from "./platforms";
import { root, Session, type Outcome } from "./session";

// Pulumi's own reader of policy configurations, on the first preview of a platform: there the Kubernetes provider knows no object yet.
describe("the policy pack's configuration in the real Pulumi CLI", () => {
  let session: Session;
  const { name, options } = dev.stacks[0]!;
  beforeAll(async () => {
    session = await Session.open();
    await session.succeed("stack", "init", name);
    session.useTestValues("dev");
  });
  afterAll(() => session.close());

  const preview = (file: string): Promise<Outcome> =>
    session.pulumi(
      ...["preview", "--stack", name, ...options],
      ...["--policy-pack", join(root, "policy"), "--policy-pack-config", file],
    );
  const configured = (exemptions: object[]): Promise<Outcome> => {
    const file = join(session.project, "policy-config.json");
    writeFileSync(file, JSON.stringify({ "node-pool-has-limits": { exemptions } }));
    return preview(file);
  };

  test("a wrong exemption is refused before anything runs", async () => {
    const { code, output } = await configured([
      { name: "a", tag: "b", reason: "r", expires: "2030-01-01" },
      { name: "a", reason: "r", expires: "next year" },
    ]);
    expect(code).not.toBe(0);
    expect(output).toContain("node-pool-has-limits: exemptions.0: Must have at most 3 properties");
    expect(output).toContain("node-pool-has-limits: exemptions.1.expires: Does not match pattern");
  });

  test("one that has ended and names nothing is a mandatory violation of the stack", async () => {
    const { code, output } = await configured([{ name: "nowhere", reason: "r", expires: "2020-01-01" }]);
    expect(code).not.toBe(0);
    expect(output).toMatch(/\[mandatory\].*node-pool-has-limits {2}\(pulumi:pulumi:Stack: moorings-dev\)/);
    expect(output).toContain('The exemption by name "nowhere" (reason: r) ended on 2020-01-01');
  });

  test("the profile prod, strict as it is, lets a first preview pass: what it can't know of Kubernetes is advisory", async () => {
    const { code, output } = await preview(join(root, "policy/profiles/prod.json"));
    expect([code, output.includes("[mandatory]")]).toEqual([0, false]);
    expect(output).toMatch(/\[advisory\].*kafka-has-a-disruption-budget/);
  });
});
