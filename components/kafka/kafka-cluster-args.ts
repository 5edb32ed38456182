import type * as pulumi from "@pulumi/pulumi";
import type { KafkaConfiguration } from "./configuration-args";
import type { KafkaMetricsArgs } from "./metrics-args";
import type { KafkaControllerMode, KafkaQuotas, KafkaSize } from "./operation-args";

/** What each pod of one role asks for. */
export interface KafkaResources {
  /** CPU to reserve, such as `500m` or `2`. There is no limit: it would only throttle. */
  cpu: string;
  /**
   * Memory in MiB, reserved and limited to the same: at least 768 for brokers and 512 for controllers. Half of it, but at most 5 GiB,
   * becomes the Java heap; the rest is the page cache that Kafka reads and writes through.
   */
  memoryMiB: number;
}

/** A toleration of the pods, as Kubernetes spells it. */
export interface KafkaToleration {
  /** Key of the taint. Defaults to every key, which needs the operator `Exists`. Errors: neither of them. */
  key?: pulumi.Input<string>;
  /** `Exists` or `Equal`. Defaults to `Equal`, as in Kubernetes. */
  operator?: pulumi.Input<string>;
  /** Value of the taint, for the operator `Equal` only. Defaults to the empty one. */
  value?: pulumi.Input<string>;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`. Defaults to every effect. */
  effect?: pulumi.Input<string>;
  /** Seconds that a pod may stay once its node has the taint, with the effect `NoExecute` only. Defaults to no end. */
  tolerationSeconds?: pulumi.Input<number>;
}

/**
 * Secrets with certificates made elsewhere, in the cluster's namespace. They have the form of cert-manager's: a Certificate with
 * `privateKey.encoding: PKCS8` and `additionalOutputFormats: [{ type: CombinedPEM }]`. The pods start once the Secrets exist; a
 * renewed certificate is used from the next restart on (`kubectl rollout restart statefulset ...`, controllers first).
 *
 * Common names, by which Kafka knows who may do everything: `<kafkaName>-broker`, `<kafkaName>-controller` and `<kafkaName>-admin`; clients have
 * `<kafkaName>-client-<key>`. Other names in the certificates: brokers need `*.<kafkaName>-brokers.<namespace>.svc.cluster.local` and
 * `<kafkaName>-bootstrap.<namespace>.svc.cluster.local`, controllers `*.<kafkaName>-controllers.<namespace>.svc.cluster.local`. Both need
 * the usages server auth and client auth, and the same authority (`ca.crt`).
 */
export interface KafkaCertificates {
  /** Secret of the brokers, with the keys `tls-combined.pem` (PKCS#8 key, then certificates) and `ca.crt`. */
  brokerSecretName: string;
  /** Secret of the controllers, with the same keys. */
  controllerSecretName: string;
  /**
   * Secret whose key `ca.crt` holds the authority of clients. Whatever it signs, nobody who connects as a client becomes a broker or an
   * administrator.
   */
  clientCaSecretName: string;
  /**
   * Secret of the administrator, with the keys of the brokers' and from their authority: for the jobs that keep access rules. Usage client auth.
   */
  adminSecretName: string;
}

/** What a client may do with a topic. */
export enum KafkaTopicAccess {
  /** Send messages, also with `enable.idempotence`. */
  Produce = "produce",
  /** Read messages. */
  Consume = "consume",
}

/** Pods that may connect as clients, and what they may do. */
export interface KafkaClientArgs {
  /** Namespace of the pods. Their Secret is made in it. */
  namespace: pulumi.Input<string>;
  /**
   * What it may do, by the topic's name: letters, digits, `.`, `_` and `-`. `orders.*` stands for every topic that begins with `orders.`, `*`
   * for all. Topics needn't exist yet. Defaults to nothing.
   */
  topics?: Record<string, KafkaTopicAccess[]>;
  /**
   * Consumer groups that it may join, by name or by beginning and asterisk (`shop-*`). `[]` for a consumer that keeps its offsets itself.
   * Errors: left out while a topic is consumed. Defaults to none.
   */
  consumerGroups?: string[];
  /** Transactional ids that its producers may use, by name or by beginning and asterisk. Defaults to none. */
  transactionalIds?: string[];
}

/** Arguments of {@link KafkaCluster}. */
export interface KafkaClusterArgs {
  /** Namespace of everything but the clients' Secrets. It may enforce the Pod Security Standard `restricted`. */
  namespace: pulumi.Input<string>;
  /**
   * Name of the Kafka cluster, and the beginning of every object's name: a letter, then lower-case letters, digits and hyphens, at most
   * 41 characters. Unique in the Kubernetes cluster, because storage classes and priority classes belong to no namespace. Plain, and
   * part of the brokers' addresses: a change makes an empty cluster. Defaults to the component's name.
   */
  kafkaName?: string;
  /**
   * Identity of the cluster, written into every volume: 22 characters, made once with `kafka-storage.sh random-uuid` (or
   * `openssl rand 16 | basenc --base64url | tr -d =`) and never changed: brokers refuse volumes of another one. The image's public
   * default is refused.
   */
  clusterId: string;
  /**
   * Image of controllers and brokers; it must be built like `apache/kafka` (entry point, user 1000). Defaults to `apache/kafka:4.4.0`, the
   * version whose behavior this component was measured with.
   */
  image?: pulumi.Input<string>;
  /**
   * Number of brokers, at least 3. More can be added at any time. Fewer are refused by a job, before Kubernetes takes any, while a partition has a
   * copy on one that would go: name those in `drained`. With more brokers than `zones`, some zones have two: while another zone has no node at
   * all, a broker that restarts in one of them stays Pending, because the scheduler takes the missing zone for an empty one. It comes
   * back with the zone. Defaults to 3.
   */
  brokers?: number;
  /**
   * Number of controllers, 3 or 5: they survive the loss of one or two. Their list is static, so it can't be changed later. Defaults to 3.
   */
  controllers?: number;
  /** Where controllers run. Fixed when the cluster is made. Defaults to `KafkaControllerMode.Dedicated`. */
  controllerMode?: KafkaControllerMode;
  /**
   * Ids of brokers that go with a lower number of `brokers`: 103 is the fourth. A job moves their copies to the others first, which may take
   * hours and up to half a day (`pulumi up` waits), and another one makes the cluster forget them. Write them and the lower number in one go;
   * take them out before that id comes back. Defaults to none.
   */
  drained?: number[];
  /**
   * Number of zones that brokers and controllers must be spread over, at least 2; fewer available zones leave pods Pending. With 2, one
   * zone holds most of the controllers: losing it stops the cluster until the zone returns. Fixed when the cluster is made: raised later, a
   * pod that restarts in a zone with another one stays Pending for ever. Its volume holds it there, and while there are fewer zones than
   * this number, the scheduler takes one for empty (`minDomains`) and puts no second pod into any. Defaults to 3.
   */
  zones?: number;
  /**
   * What the cluster is for; the brokers' memory, volumes, retention and clients' quotas follow from it where they aren't given. It counts for
   * volumes when they are made: write `brokerStorageGiB` before you change it, or `brokers`. Defaults to fixed sizes.
   */
  size?: KafkaSize;
  /** What a client may move. Defaults to what `size` says, or to leaving limits as they are. */
  quotas?: KafkaQuotas;
  /** What each broker asks for. Defaults to 500m CPU and 4096 MiB. */
  brokerResources?: KafkaResources;
  /** What each controller asks for. Defaults to 250m CPU and 1024 MiB. */
  controllerResources?: KafkaResources;
  /**
   * Size of each broker's volume in GiB, at most 65536 (64 TiB, the largest gp3 volume). It counts when the StatefulSet is made, because
   * Kubernetes doesn't let the claims' template change. Raised alone it replaces the StatefulSet, which `protect` refuses in the preview;
   * with `retainVolumes: false`, where the volumes would go with it, a later change is ignored. docs/kafka.md says how volumes grow; they never
   * shrink. Defaults to what `size` needs, or to 100.
   */
  brokerStorageGiB?: number;
  /** Size of each controller's volume in GiB, at most 65536; it holds metadata only. It grows like the brokers'. Defaults to 10. */
  controllerStorageGiB?: number;
  /**
   * Storage class of the volumes. It must wait for the first consumer (`volumeBindingMode: WaitForFirstConsumer`), or volumes end up in
   * zones without their pod. Defaults to one that this component makes: encrypted gp3 volumes of the EBS CSI driver.
   */
  storageClassName?: string;
  /**
   * Whether volumes outlive the cluster. False is for throw-away environments: a destroy then deletes all messages. Removing brokers
   * one by one keeps their volumes either way. A later change replaces the storage class, but counts for new volumes only: those that
   * exist keep their own policy until you change each (`kubectl patch pv <name> -p
   * '{"spec":{"persistentVolumeReclaimPolicy":"Retain"}}'`). Defaults to true.
   */
  retainVolumes?: boolean;
  /** Labels of the nodes that the pods run on. Choose nodes that nothing consolidates. Defaults to any node. */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** Taints that the pods tolerate. Defaults to none. */
  tolerations?: KafkaToleration[];
  /**
   * Priority class of the pods. Defaults to one that this component makes, above everything without a class and below
   * Kubernetes' own.
   */
  priorityClassName?: string;
  /**
   * Certificates made elsewhere, for example by cert-manager. Then this component makes none, neither for clients. Defaults to two
   * authorities of its own, one for brokers and controllers and one for clients, kept in Pulumi's state as secrets. Certificates are valid
   * for two years; every update in the last of them renews them and restarts the pods one by one.
   */
  certificates?: KafkaCertificates;
  /**
   * Who may connect, by a name of your choice (lower-case letters, digits and hyphens): pods of that namespace with the labels
   * `clientPodLabels`. Each gets a Secret of its own, `<kafkaName>-client-<name>`, with a certificate for the subject of the same name; with
   * `certificates` the way through the network is opened, and the rules are for the common name `<kafkaName>-client-<name>`. Who is taken out
   * loses all rules. Defaults to nobody.
   */
  clients?: Record<string, KafkaClientArgs>;
  /**
   * Whether a broker that is asked to stop waits, at most a minute, while a partition needs it to be writable: as after the loss of another one. It
   * stops when it can't find out. It takes a tool's Java for some seconds, of some 150 MiB, in the pod's memory beside the heap. Defaults to false.
   */
  shutdownGate?: boolean;
  /** How metrics are shown. Defaults to showing them, by an agent that is copied from Strimzi's image. */
  metrics?: KafkaMetricsArgs;
  /**
   * Release of Kafka whose metadata and features are used, such as `4.4`: written once all pods run that image, and nothing has gone wrong for some
   * days, because there is no way back. A new cluster has its image's. Defaults to leaving it as it is.
   */
  metadataVersion?: string;
  /** Settings of the brokers that people change. Defaults to Kafka's. */
  configuration?: KafkaConfiguration;
  /**
   * Further server properties by Kafka's own names, for brokers and controllers alike, such as `{ "socket.receive.buffer.bytes": "1048576" }`.
   * What this component sets itself, and what is a field of `configuration`, is refused. They stand in a ConfigMap: no passwords. Defaults to
   * none.
   */
  extraConfig?: Record<string, pulumi.Input<string>>;
  /**
   * Kubernetes version of the cluster, such as `1.36`. Below 1.35 pods aren't told their zone, so that brokers ask the API server for their node when
   * they start: they may then read every node, and connect to port 443 anywhere. Defaults to 1.35 or later.
   */
  kubernetesVersion?: string;
}
