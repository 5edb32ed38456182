import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { KafkaStallOptions } from "./client-profile-args";

/** Arguments of {@link kafkaStallDetector}. */
export interface KafkaStallDetectorArgs {
  /** `kafkaClientProfile(...).stallDetector` of the clients in the pod. */
  options: KafkaStallOptions;
  /**
   * User id of the container that writes the statistics, 1 to 65535: the detector runs as the same, because it empties that container's files. Defaults to
   * 1000.
   */
  userId?: number;
  /**
   * Image with Node.js 20 or later. Pin it by digest if your policy wants that. Defaults to `node:24.11.1-alpine3.22`, a version with long-term
   * support until April 2028.
   */
  image?: pulumi.Input<string>;
  /** Port of the metrics, 1024 to 65535. Defaults to 9405. */
  port?: number;
  /** Folder in both containers, into which the application writes. Defaults to `/var/run/kafka-stall`. */
  directory?: string;
  /** MiB of the folder at most, 16 to 1024; the kubelet evicts a pod that writes more. Defaults to 64. */
  directorySizeMiB?: number;
}

/** What a pod with a detector is made of. */
export interface KafkaStallDetector {
  /** `data` of the ConfigMap with the program. */
  files: Record<string, string>;
  /**
   * Container for `initContainers` of the pod: a native sidecar (Kubernetes 1.29 and later), which starts before the application and ends after it, and
   * doesn't keep a Job from ending.
   */
  container: k8s.types.input.core.v1.Container;
  /** Volumes of the pod. */
  volumes: k8s.types.input.core.v1.Volume[];
  /** Mounts for the application's container. */
  volumeMounts: k8s.types.input.core.v1.VolumeMount[];
  /** Variables for the application's container: `KAFKA_STALL_DIRECTORY`, in which each process appends to a file of its own, `<name>.jsonl`. */
  env: k8s.types.input.core.v1.EnvVar[];
  /** Label of the pod, by which a collector finds it. */
  podLabels: Record<string, string>;
  /** Port of the metrics, under `/metrics`; the container calls it `kafka-stall`. */
  port: number;
}
