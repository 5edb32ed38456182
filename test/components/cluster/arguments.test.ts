import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { EksCluster } from "../../../components/cluster";
import { knownVersions, pinnedAddons, supportWarning, versionProblem } from "../../../components/cluster/versions";
import { samples } from "../../support/components";
import { find } from "../../support/graph";
import { run } from "../../support/harness";
import { addon, make, minimal, state, thrown, types } from "./setup";

describe("EksCluster", () => {
  test("reports all mistakes at once", async () => {
    const message = await thrown({
      clusterName: "-shop",
      kubernetesVersion: "1.33",
      privateSubnetIds: ["subnet-a"],
      publicAccessCidrs: ["0.0.0.0/0"],
      accessEntries: {},
      systemNodes: { minSize: 1, maxSize: 0 },
    });
    for (const part of [
      "clusterName: must be 1 to 100 letters",
      "kubernetesVersion: 1.33 is out of AWS's standard support: use one of 1.36, 1.35, 1.34",
      "privateSubnetIds: must name subnets in at least two zones",
      "publicAccessCidrs[0]: ",
      "accessEntries: ",
      "systemNodes.minSize: must be a whole number of at least 2, not 1",
      "systemNodes.maxSize: must be a whole number of at least minSize (1), not 0",
    ])
      expect(message).toContain(part);
  });

  test("one subnet twice isn't two zones, also when the ids are only known later", async () => {
    const later = pulumi.output(["subnet-a", "subnet-a"]);
    expect(await thrown({ privateSubnetIds: later })).toContain("privateSubnetIds must name subnets in at least two");
  });

  test("what a program without types leaves out or misspells is named", async () => {
    const given = { ...minimal, systemNodes: { architecture: "riscv" }, workloadNodes: { diskSizeInGiB: 8 } };
    const { accessEntries, privateSubnetIds, vpcId, ...rest } = given;
    expect([accessEntries, privateSubnetIds, vpcId]).not.toContain(undefined);
    const sample = samples["EksCluster"]!;
    const { errors } = await run(() => void sample.make("shop", { ...rest, vpcId: "shop" }, {}), { state });
    expect(errors.map(({ message }) => message.split("\n"))).toEqual([
      [
        'EksCluster "shop" can\'t be made from these arguments:',
        "  - privateSubnetIds: is missing: give the ids of private subnets in at least two zones",
        '  - vpcId: must be the id of a VPC (vpc-...), not "shop"',
        expect.stringMatching(/^ {2}- accessEntries: is empty/),
        '  - systemNodes.architecture: must be one of x86_64, arm64, not "riscv"',
        "  - workloadNodes.diskSizeInGiB: must be a whole number of GiB between 20 and 16384, not 8",
      ],
    ]);
  });

  test("a name too long for the roles is refused before anything is made", async () => {
    const long = (length: number) =>
      run(() => void new EksCluster("c".repeat(length), { ...minimal, clusterName: "shop" }), { state });
    // IAM's 64 characters, less Pulumi's 8, less "-cluster-eksRole-role" (21) of the role inside eks.Cluster: 35.
    expect((await long(36)).errors[0]?.message).toContain("choose a shorter name");
    expect((await long(35)).errors).toEqual([]);
  });

  test("a name with letters that roles can't have is refused, too", async () => {
    const { errors } = await run(() => void new EksCluster("my shop", { ...minimal, clusterName: "shop" }), { state });
    expect(errors[0]?.message).toContain(
      'name: makes the IAM role "my shop-cluster-eksRole-role"; AWS takes letters, digits and + = , . @ _ - in such a name',
    );
  });

  test("tags reach what takes them, and versions of single add-ons can be chosen", async () => {
    const { resources } = await make({
      tags: { team: "shop" },
      addonVersions: { coredns: "v9.9.9-eksbuild.9", vpcCni: undefined },
    });
    expect(addon(resources, "shop-coredns").addonVersion).toBe("v9.9.9-eksbuild.9");
    expect(addon(resources, "shop-vpc-cni").addonVersion).toBe("v1.22.4-eksbuild.3");
    for (const type of [
      types.cluster,
      types.addon,
      types.nodes,
      types.role,
      types.oidc,
      types.logs,
      types.key,
      types.template,
    ])
      for (const r of resources.filter((x) => x.type === type)) expect(r.inputs.tags).toMatchObject({ team: "shop" });
    expect(find(resources, types.template).inputs.tagSpecifications).toMatchObject([
      { resourceType: "instance", tags: { team: "shop" } },
      { resourceType: "volume", tags: { team: "shop" } },
      { resourceType: "network-interface", tags: { team: "shop" } },
    ]);
  });
});

describe("Kubernetes versions", () => {
  test("stand in the documentation with the end of their support", () => {
    const rows =
      readFileSync(join(__dirname, "../../../docs/eks-cluster.md"), "utf8").match(/^\| 1\.\d+ \| \d+ [A-Z].*$/gm) ?? [];
    expect(rows.map((row) => row.split(" | ")[0])).toEqual(knownVersions.map((version) => `| ${version}`));
    for (const [index, version] of knownVersions.entries()) {
      const [, day, month, year] = / (\d+) (\w+) (\d{4}) /.exec(rows[index]!) ?? [];
      const ends = new Date(`${month!} ${day!}, ${year!} 12:00 UTC`);
      expect(supportWarning(version, ends)).toContain(`ends on ${ends.toISOString().slice(0, 10)}`);
    }
  });

  test("each has a kube-proxy of its own minor version", () => {
    expect(knownVersions).toEqual(["1.36", "1.35", "1.34"]);
    for (const version of knownVersions) {
      expect(pinnedAddons(version).kubeProxy).toMatch(new RegExp(`^v${version}\\.\\d+-eksbuild\\.\\d+$`));
      for (const build of Object.values(pinnedAddons(version))) expect(build).toMatch(/^v\d+\.\d+\.\d+-eksbuild\.\d+$/);
    }
  });

  test.each([
    ["1.36", undefined],
    ["1.34", undefined],
    ["1.33", "1.33 is out of AWS's standard support: use one of 1.36, 1.35, 1.34"],
    ["1.9", "1.9 is out of AWS's standard support: use one of 1.36, 1.35, 1.34"],
    [
      "1.37",
      "1.37 is newer than 1.36, the newest that this release has add-on builds for: use one of 1.36, 1.35, 1.34",
    ],
    ["1.36.2", 'must be a minor version such as "1.36", not "1.36.2": use one of 1.36, 1.35, 1.34'],
    ["constructor", 'must be a minor version such as "1.36", not "constructor": use one of 1.36, 1.35, 1.34'],
  ])("%s", (version, problem) => {
    expect(versionProblem(version)).toBe(problem);
  });

  // Ends of standard support: 1.34 on 2 December 2026, 1.35 on 27 March 2027, 1.36 on 2 August 2027 (AWS user guide).
  test.each([
    ["1.34", "2026-09-02", undefined], // 91 days: 28 in September, 31, 30 and 2
    ["1.34", "2026-09-03", "ends on 2026-12-02: upgrade to 1.35 before AWS does it"],
    ["1.34", "2026-12-01", "ends on 2026-12-02"],
    ["1.34", "2026-12-04", "ended on 2026-12-02; AWS upgrades the cluster on a day of its own: upgrade to 1.35"],
    ["1.35", "2026-11-30", undefined],
    ["1.35", "2026-12-26", undefined], // 91 days: 5 in December, 31, 28 and 27
    ["1.35", "2026-12-27", "ends on 2027-03-27: upgrade to 1.36 before AWS does it"],
    ["1.36", "2026-11-30", undefined],
    ["1.36", "2027-07-01", "upgrade to the next version"],
  ])("%s on %s", (version, today, warning) => {
    const text = supportWarning(version, new Date(`${today}T12:00:00Z`));
    if (warning === undefined) expect(text).toBeUndefined();
    else expect(text).toContain(warning);
  });

  test("a cluster whose version ends soon is made, with a warning", async () => {
    const now = jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-30T12:00:00Z"));
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const { errors } = await make({ kubernetesVersion: "1.34" });
    const warnings = warn.mock.calls.map(([message]) => message);
    warn.mockRestore();
    now.mockRestore();
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      "AWS's standard support of Kubernetes 1.34 ends on 2026-12-02: upgrade to 1.35 before AWS does it on a day of its own",
    ]);
  });
});
