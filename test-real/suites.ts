import { buildKafka } from "./kafka/image";
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
  /** Fetches what isn't built from Go, before the suite loses its way out. Defaults to nothing. */
  readonly prepare?: (print: (line: string) => void) => void;
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
  kafka: {
    description: "real Kafka brokers and clients with what the component renders, under faults; not in the gate",
    tools: [],
    also: "root on Linux, with unshare, nsenter and ip (util-linux, iproute2); Java 17, Maven, Python 3, openssl",
    prepare: buildKafka,
    ownNetwork: true,
    blindTo:
      "a kubelet, its probes and limits of memory, the user of the image and its own scripts, volumes of EBS and how long they take to move, DNS and its caches, network policies, more than one copy of a Service's addresses, and latency between zones: everything runs on one machine, with small heaps and a serial collector",
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
