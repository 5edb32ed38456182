import { nameOf } from "../../cli/engine/urn";
import { useProgram } from "./edits/project-code";
import { Session } from "./session";

/*
 * `eks.Cluster` is a component of another package: what is inside it exists only in the engine. There transforms must reach it, ours
 * (components/cluster/child-cluster.ts) and those of whoever uses EksCluster.
 */

let session: Session;
beforeAll(async () => {
  session = await Session.open();
  useProgram(session.project, "test-real/engine/programs/transformed-cluster.ts");
  await session.succeed("stack", "init", "clusters");
  await session.succeed("up", "--yes", "--skip-preview", "--stack", "clusters");
}, 120_000);
afterAll(() => session.close());

const cluster = (name: string) =>
  session.cloud.ofType("aws:eks/cluster:Cluster").find(({ urn }) => nameOf(urn) === `${name}-cluster-eksCluster`);
const inState = (name: string) =>
  session.state("clusters").resources.find(({ urn }) => nameOf(urn) === `${name}-cluster-eksCluster`);

test("ours sets what eks.Cluster has no argument for", () => {
  // Without it: `bootstrapClusterCreatorAdminPermissions` true (constructs/eks-cluster.ts), no zonal shift, times of the provider.
  const accessConfig = { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false };
  expect(cluster("plain")?.inputs).toMatchObject({ accessConfig, zonalShiftConfig: { enabled: true } });
  expect(cluster("shop")?.inputs).toMatchObject({ accessConfig });
  // 45, 90 and 30 minutes
  for (const name of ["plain", "shop"])
    expect(inState(name)).toMatchObject({ customTimeouts: { create: 2700, update: 5400, delete: 1800 } });
});

test("a user's reaches the cluster after ours, and wins", () => {
  expect(cluster("shop")?.inputs).toMatchObject({ deletionProtection: false, zonalShiftConfig: { enabled: false } });
  expect(inState("shop")).toMatchObject({ protect: true });
});

test.each([
  ["a user's", "shop", "boundary"],
  ["the argument's", "bounded", "given"],
])("%s boundary reaches every role, of the component and of eks.Cluster", (_, cluster, policy) => {
  const roles = session.cloud.ofType("aws:iam/role:Role");
  const arn = `arn:aws:iam::987654321098:policy/${policy}`;
  const bound = roles.filter(({ inputs }) => inputs["permissionsBoundary"] === arn).map(({ urn }) => nameOf(urn));
  const own = ["cluster-eksRole-role", "ebs-csi-driver", "node", "vpc-cni"].map((role) => `${cluster}-${role}`);
  expect(bound.sort()).toEqual(own);
});

test("nothing of it reaches another cluster", () => {
  expect(cluster("plain")?.inputs).toMatchObject({ deletionProtection: true });
  expect(inState("plain")?.protect ?? false).toBe(false);
});
