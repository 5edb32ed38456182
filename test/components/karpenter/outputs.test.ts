import * as k8s from "@pulumi/kubernetes";
import { Karpenter, KarpenterNodePool, NodePoolProfile, type KarpenterArgs } from "../../../components/karpenter";
import { find, reaches } from "../../support/graph";
import { run } from "../../support/harness";
import { args, make, release, state, types, valuesOf } from "./setup";

describe("Karpenter: what others take from it", () => {
  test.each<[string, Partial<KarpenterArgs>]>([
    ["nodeRoleName", {}],
    ["instanceProfileName", { isolatedVpc: true }],
  ])("a pool with its %s waits for the controller, and goes before it, without dependsOn", async (argument, change) => {
    const program = () => {
      const provider = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const karpenter = new Karpenter("k", { ...args, ...change }, { providers: [provider] });
      const given = { nodeRoleName: karpenter.nodeRoleName, instanceProfileName: karpenter.instanceProfileName };
      new KarpenterNodePool(
        "web",
        {
          cluster: args.cluster,
          [argument]: given[argument as keyof typeof given],
          subnetIds: ["subnet-a"],
          profile: NodePoolProfile.Stateless,
          amiAlias: "al2023@v20260903",
          limits: { cpu: "10", memory: "40Gi" },
        },
        { providers: [provider] },
      );
    };
    const { resources, errors } = await run(program, { state });
    expect(errors).toEqual([]);
    for (const type of ["kubernetes:karpenter.sh/v1:NodePool", "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"])
      expect(reaches(resources, find(resources, type), release(resources))).toBe(true);
  });
});

// Upstream, pkg/operator/operator.go: with the setting on and a cluster that isn't in zonal shift, or no way to ask, it panics when it starts.
test.each<[Partial<KarpenterArgs>, boolean]>([
  [{}, false],
  [{ cluster: { ...args.cluster, zonalShift: true } }, true],
  [{ cluster: { ...args.cluster, zonalShift: true }, zonalShift: false }, false],
  [{ zonalShift: true }, true],
])("zonal shift is what the cluster has, unless somebody says it: %#", async (change, expected) => {
  expect(valuesOf((await make(change)).resources)["settings"]).toMatchObject({ enableZonalShift: expected });
});

test("an issuer with its scheme, as AWS shows it, makes the same trust policy", async () => {
  const trust = async (change: Partial<KarpenterArgs>) =>
    find((await make(change)).resources, types.role, "k-controller").inputs["assumeRolePolicy"] as string;
  const { oidcIssuer } = args.cluster;
  const shown = await trust({ cluster: { ...args.cluster, oidcIssuer: `https://${oidcIssuer as string}` } });
  expect(shown).toBe(await trust({}));
  expect(shown).toContain(`"${oidcIssuer as string}:sub"`);
});
