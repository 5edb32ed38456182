import { moorings, Workspace } from "../support/moorings";

const work = new Workspace();
afterAll(() => work.dispose());

const settings = ["--config-file", "Pulumi.dev.yaml"];

describe("--config-file", () => {
  test("a stack of one layer takes the settings of its environment, and the plan of the layer before", async () => {
    const plan = work.path("network.json");
    const network = await moorings(["check", "--stack", "dev-network", ...settings, "--json", plan]);
    expect(network.code).toBe(0);
    const types = work.plan("network.json").resources.map((r) => r.type);
    expect(types).toContain("awsx:ec2:Vpc");
    expect(types).not.toContain("eks:index:Cluster");
    // Outputs of layers that this stack doesn't have aren't missing.
    expect(work.plan("network.json").diagnostics.filter((d) => d.severity !== "info")).toEqual([]);

    const reference = `organization/moorings/dev-network=${plan}`;
    const cluster = await moorings([
      "preview",
      "--stack",
      "dev-cluster",
      ...settings,
      "--stack-reference",
      reference,
      "--json",
      work.path("cluster.json"),
    ]);
    expect(cluster.code).toBe(0);
    expect(cluster.stdout).not.toContain("isn't used");
    const made = work.plan("cluster.json").resources.map((r) => r.type);
    expect(made).toContain("eks:index:Cluster");
    expect(made).not.toContain("awsx:ec2:Vpc");
  });

  test("settings of another environment are refused by the program", async () => {
    const { code, stdout } = await moorings(["check", "--stack", "prod-edge", ...settings]);
    expect(stdout).toContain("moorings:environment: is dev, but the stack is called prod-edge");
    expect(code).toBe(1);
  });

  test("a file that isn't there is wrong usage", async () => {
    const { code, stderr } = await moorings(["check", "--stack", "dev-edge", "--config-file", "Pulumi.dve.yaml"]);
    expect(stderr).toMatch(/--config-file Pulumi\.dve\.yaml: there is no file .*Pulumi\.dve\.yaml/);
    expect(code).toBe(2);
  });

  test("a stack without a file says how to give one", async () => {
    const { code, stderr } = await moorings(["check", "--stack", "dev-edge"]);
    expect(stderr).toContain(`there is no stack "dev-edge"`);
    expect(stderr).toContain("--config-file Pulumi.dev.yaml takes another stack's settings");
    expect(code).toBe(2);
  });
});
