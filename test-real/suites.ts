import type { GoModule } from "./servers/go";
import { karpenter, type ToolName } from "./servers/tools";

/** Tests that need built servers. A suite's folder beside this file has its name. */
export interface Suite {
  readonly description: string;
  readonly tools: readonly ToolName[];
  /** What it needs besides, which must be there already. Defaults to nothing. */
  readonly also?: string;
  /** Modules whose sources it reads, of the Go module that pins them. Defaults to none. */
  readonly sources?: readonly (readonly [module: GoModule, required: string])[];
  /**
   * Whether it runs in a network of its own, without a way out: for servers that listen on all interfaces. Such a suite runs by itself, its
   * files all at a time, because they mostly wait. Defaults to no.
   */
  readonly ownNetwork?: boolean;
  /** What its tests can't show, whatever they say. Printed before they run. */
  readonly blindTo?: string;
}

export const suites: Readonly<Record<string, Suite>> = {
  engine: {
    description: "the real Pulumi engine on simulated providers",
    tools: ["pulumi"],
  },
  apiserver: {
    description:
      "every Kubernetes object of ours in a real Kubernetes API server, and its pods by the real controllers",
    tools: ["etcd", "kube-apiserver", "kube-controller-manager"],
  },
  "kubernetes-provider": {
    description: "the real Kubernetes provider in the real Pulumi engine against a real API server; not in the gate",
    tools: ["pulumi", "pulumi-resource-kubernetes", "etcd", "kube-apiserver", "kube-controller-manager"],
  },
  karpenter: {
    description: "the real Karpenter on simulated nodes: consolidation, freezes, drift, expiry; not in the gate",
    tools: ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "karpenter-kwok"],
    also: "root on Linux, with unshare and ip (util-linux, iproute2), for a network of its own",
    sources: [[karpenter, "sigs.k8s.io/karpenter"]],
    ownNetwork: true,
    blindTo:
      "launches in EC2, drift of images and EC2NodeClasses, spot interruptions, volumes, and whether a load balancer finds a pod healthy (played: 20 s)",
  },
  "kafka-client": {
    description: "the Python client of examples/kafka-client against librdkafka's mock cluster; not in the gate",
    tools: [],
    also: "Python 3.9 or later with venv, and PyPI",
  },
  "event-ruler": {
    description: "event patterns in the matcher that AWS publishes; not in the gate",
    tools: [],
    also: "Java and Maven",
  },
};
