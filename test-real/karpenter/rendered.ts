import * as k8s from "@pulumi/kubernetes";
import { DrainSafeDeployment } from "../../components/load-balancing";
import {
  KarpenterChartVersion,
  KarpenterNodePool,
  NodePoolProfile,
  type KarpenterNodePoolArgs,
  type NodeToleration,
} from "../../components/karpenter";
import { run } from "../../test/support/harness";
import { providerState } from "../../test/support/provider-state";
import { cluster } from "../../test/support/samples/sample";
import type { KubernetesObject } from "../apiserver/api-client";
import { kubernetesObjects } from "../apiserver/objects";
import { adapted } from "./adapted";

/** What a suite says about a pool; the rest is the same for all. */
export type PoolArgs = Partial<KarpenterNodePoolArgs>;

/** What our components make of a pool and of a workload that runs there, for simulated nodes. */
export interface Rendered {
  readonly nodePool: KubernetesObject;
  /** Requirements that the adaptation left out. */
  readonly dropped: readonly string[];
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly NodeToleration[];
  readonly deployment: KubernetesObject;
  readonly disruptionBudget: KubernetesObject;
}

/** Seconds that our pods get to end here: 5 to go on serving, 5 for the longest request, 10 to close. */
export const podGraceSeconds = 20;

/** Labels of our pods. */
export const podLabels = { app: "web" };

function program(name: string, args: PoolArgs, replicas: number) {
  const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
  const pool = new KarpenterNodePool(
    name,
    {
      cluster,
      nodeRoleName: "karpenter-node",
      subnetIds: ["subnet-a", "subnet-b", "subnet-c"],
      profile: NodePoolProfile.Stateless,
      amiAlias: "al2023@v20240703",
      chartVersion: KarpenterChartVersion.V1_14_1, // the one that runs
      limits: { cpu: "200", memory: "800Gi" },
      ...args,
    },
    { providers },
  );
  new DrainSafeDeployment(
    "web",
    {
      namespace: name,
      image: "ghcr.io/stefanprodan/podinfo:6.9.0",
      port: 9898,
      podLabels,
      replicas,
      probes: { readinessPath: "/readyz" },
      resources: { cpu: "1", memory: "256Mi" },
      readinessGates: ["target-health.elbv2.k8s.aws/web"],
      preStopSeconds: 5,
      longestRequestSeconds: 5,
    },
    { providers },
  );
  return { nodeSelector: pool.nodeSelector, tolerations: pool.tolerations };
}

/** Runs the components. Namespace and pool have the fleet's name. */
export async function rendered(name: string, args: PoolArgs, replicas: number): Promise<Rendered> {
  const { outputs, resources, errors } = await run(() => program(name, args, replicas), { state: providerState });
  if (errors[0] !== undefined) throw errors[0];
  const objects = kubernetesObjects(resources);
  const of = (kind: string) => {
    const found = objects.find((object) => object.kind === kind);
    if (found === undefined) throw new Error(`the components made no ${kind}`);
    return found;
  };
  return {
    ...adapted(of("NodePool")),
    nodeSelector: outputs!.nodeSelector,
    tolerations: outputs!.tolerations,
    deployment: of("Deployment"),
    disruptionBudget: of("PodDisruptionBudget"),
  };
}

/** What the constructor says to a pool's arguments: nothing where it takes them. */
export async function refusalOf(args: PoolArgs): Promise<string> {
  return rendered("refused", args, 2).then(
    () => "",
    (error: Error) => error.message,
  );
}
