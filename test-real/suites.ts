import type { ToolName } from "./servers/tools";

/** Tests that need built servers. A suite's folder beside this file has its name. */
export interface Suite {
  readonly description: string;
  readonly tools: readonly ToolName[];
  /** What it needs besides, which must be there already. Defaults to nothing. */
  readonly also?: string;
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
  "event-ruler": {
    description: "event patterns in the matcher that AWS publishes; not in the gate",
    tools: [],
    also: "Java and Maven",
  },
};
