import { startControlPlane, type ControlPlane } from "../apiserver/control-plane";
import { Session } from "../engine/session";
import { toolPath } from "../servers/tools";
import { FakeKubelet } from "./kubelet";

/** A real API server with its controllers, a played kubelet, and an engine whose Kubernetes provider is the real one. */
export interface RealKubernetes {
  readonly plane: ControlPlane;
  readonly kubelet: FakeKubelet;
  readonly session: Session;
  stop(): Promise<void>;
}

export async function startRealKubernetes(): Promise<RealKubernetes> {
  const plane = await startControlPlane();
  await plane.startControllers();
  const kubelet = new FakeKubelet(plane.client);
  const session = await Session.open({
    kubernetes: { plugin: toolPath("pulumi-resource-kubernetes"), kubeconfig: plane.kubeconfig },
  });
  const stop = async () => {
    await kubelet.stop();
    await session.close();
    await plane.stop();
  };
  return { plane, kubelet, session, stop };
}
