import type { ControlPlane } from "../apiserver/control-plane";
import { eventually } from "../apiserver/eventually";
import { useProgram } from "../engine/edits/project-code";
import type { Session } from "../engine/session";
import { startRealKubernetes, type RealKubernetes } from "./real-kubernetes";

/*
 * Who owns the number of pods: the real provider's server-side apply, and the real autoscaler. Without metrics the autoscaler leaves a number alone
 * that is within its bounds, and moves one that isn't to the nearer bound.
 */

let real: RealKubernetes;
let plane: ControlPlane;
let session: Session;

beforeAll(async () => {
  real = await startRealKubernetes();
  ({ plane, session } = real);
  useProgram(session.project, "test-real/kubernetes-provider/programs/scaled.ts");
  await session.succeed("stack", "init", "web");
});
afterAll(() => real.stop());

const stack = ["--stack", "web"];
function settings(values: Record<string, unknown>): void {
  session.change(
    "web",
    new Map(
      Object.entries({ kubeconfig: plane.kubeconfig, replicas: undefined, autoscale: undefined, ...values }).map(
        ([key, value]) => [[`moorings:${key}`], value],
      ),
    ),
  );
}
async function up(values: Record<string, unknown>): Promise<void> {
  settings(values);
  await session.succeed("up", "--yes", "--skip-preview", ...stack);
}
const replicas = async () => {
  const [deployment] = await plane.client.list("apps/v1", "Deployment");
  return (deployment?.["spec"] as { readonly replicas: number } | undefined)?.replicas;
};
/** Once the autoscaler has looked. */
const settled = async (wanted: number) => {
  await eventually(
    async () => (await plane.client.list("autoscaling/v2", "HorizontalPodAutoscaler"))[0],
    (autoscaler) => {
      const { conditions } = (autoscaler?.["status"] ?? {}) as { readonly conditions?: readonly unknown[] };
      return (conditions ?? []).length > 0;
    },
  );
  return eventually(replicas, (found) => found === wanted);
};

test("from a fixed number to an autoscaler: what runs goes on", async () => {
  await up({ replicas: 3 });
  expect(await replicas()).toBe(3);
  // Left out of the Deployment, the number would fall to 1, and the autoscaler would raise that to 2.
  await up({ autoscale: { min: 2, max: 5 } });
  expect(await settled(3)).toBe(3);
});

test("the autoscaler's number outlives updates, previews and refreshes", async () => {
  await up({ autoscale: { min: 4, max: 5 } });
  expect(await settled(4)).toBe(4);
  await up({ autoscale: { min: 4, max: 5 }, level: "debug" });
  expect(await replicas()).toBe(4);
  await session.succeed("preview", "--expect-no-changes", ...stack);
  await session.succeed("refresh", "--yes", "--skip-preview", ...stack);
  await up({ autoscale: { min: 4, max: 5 }, level: "info" });
  expect(await replicas()).toBe(4);
});

test("back to a fixed number, as documented", async () => {
  await up({ autoscale: { min: 5, max: 5 } });
  expect(await settled(5)).toBe(5);
  await up({ replicas: 5 });
  expect(await plane.client.list("autoscaling/v2", "HorizontalPodAutoscaler")).toEqual([]);
  settings({ replicas: 3 });
  const refused = await session.pulumi("up", "--yes", "--skip-preview", ...stack);
  expect(refused.code).not.toBe(0);
  expect(refused.output).toMatch(/conflict.*kube-controller-manager.*\.spec\.replicas/s);
  session.setEnvironment("PULUMI_K8S_ENABLE_PATCH_FORCE", "true");
  await up({ replicas: 3 });
  session.setEnvironment("PULUMI_K8S_ENABLE_PATCH_FORCE", undefined);
  await up({ replicas: 4 });
  expect(await replicas()).toBe(4);
  expect(real.kubelet.problems).toEqual([]);
});
