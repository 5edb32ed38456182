import type * as pulumi from "@pulumi/pulumi";
import type { KafkaClientAuthentication } from "./authentication";
import type { KafkaCertManager } from "./cert-manager-args";
import type { KafkaCertificateRotation } from "./rotation-args";

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
 * renewed certificate is used from the next restart on, for which `certificateRotation` sees.
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
   * administrator. Errors: left out while clients show certificates. Defaults to none, for clients with passwords.
   */
  clientCaSecretName?: string;
  /**
   * Secret of the administrator, with the keys of the brokers' and from their authority: for the jobs that keep access rules. Usage client auth.
   */
  adminSecretName: string;
  /**
   * Authority of brokers, PEM, for the Secrets of clients with passwords: their key `ca.crt`. Defaults to none: those Secrets have no such key, and
   * clients find the authority elsewhere.
   */
  certificateAuthority?: pulumi.Input<string>;
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
  /**
   * Number of the client's password, from 1, for `KafkaClientAuthentication.Scram` only. Another number makes another password: brokers take the
   * new one at once, and the old one no more; pods with the annotation of `clientChecksums` restart with it. Defaults to 1.
   */
  passwordVersion?: number;
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
   * Number of brokers, at least 3. More can be added at any time. With fewer, replicas on the brokers that leave are lost: move them
   * away first (`kafka-reassign-partitions.sh`). With more brokers than `zones`, some zones have two: while another zone has no node at
   * all, a broker that restarts in one of them stays Pending, because the scheduler takes the missing zone for an empty one. It comes
   * back with the zone. Defaults to 3.
   */
  brokers?: number;
  /**
   * Number of controllers, 3 or 5: they survive the loss of one or two. Their list is static, so it can't be changed later. Defaults to 3.
   */
  controllers?: number;
  /**
   * Number of zones that brokers and controllers must be spread over, at least 2; fewer available zones leave pods Pending. With 2, one
   * zone holds most of the controllers: losing it stops the cluster until the zone returns. Fixed when the cluster is made: raised later, a
   * pod that restarts in a zone with another one stays Pending for ever. Its volume holds it there, and while there are fewer zones than
   * this number, the scheduler takes one for empty (`minDomains`) and puts no second pod into any. Defaults to 3.
   */
  zones?: number;
  /** What each broker asks for. Defaults to 500m CPU and 4096 MiB. */
  brokerResources?: KafkaResources;
  /** What each controller asks for. Defaults to 250m CPU and 1024 MiB. */
  controllerResources?: KafkaResources;
  /**
   * Size of each broker's volume in GiB, at most 65536 (64 TiB, the largest gp3 volume). It counts when the StatefulSet is made, because
   * Kubernetes doesn't let the claims' template change. Raised alone it replaces the StatefulSet, which `protect` refuses in the preview;
   * with `retainVolumes: false`, where the volumes would go with it, a later change is ignored. To grow: enlarge each claim (`kubectl patch
   * pvc data-<kafkaName>-broker-100 -p '{"spec":{"resources":{"requests":{"storage":"200Gi"}}}}'`), which EBS does online; remove the
   * StatefulSet alone (`kubectl delete statefulset <kafkaName>-broker --cascade=orphan`); raise it here, and `pulumi up --refresh`: the
   * new StatefulSet adopts the running pods. Volumes never shrink. Defaults to 100.
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
   * With `certificates` or `certManager`, a job restarts the pods one by one, controllers first, once their certificates were renewed: Kafka reads them
   * only when it starts. It waits until nothing is behind before each, and keeps to the disruption budgets. The image must have openssl, as
   * `apache/kafka` has. Certificates of this component's own restart the pods themselves. Defaults to a job that looks every hour.
   */
  certificateRotation?: KafkaCertificateRotation;
  /** Certificates by cert-manager, for clients too. Errors: together with `certificates`. Defaults to none: see there. */
  certManager?: KafkaCertManager;
  /**
   * Who may connect, by a name of your choice (lower-case letters, digits and hyphens): pods of that namespace with the labels
   * `clientPodLabels`. Each gets a Secret of its own, `<kafkaName>-client-<name>`, with a certificate for the subject of the same name, or with a
   * user of that name and a password; with `certificates` and without passwords the way through the network is opened, and the rules are for
   * the common name `<kafkaName>-client-<name>`. Who is taken out loses all rules and the password. Defaults to nobody.
   */
  clients?: Record<string, KafkaClientArgs>;
  /**
   * How clients show who they are. A later change restarts the brokers one by one, and makes other Secrets for clients: those that haven't been
   * restarted can't connect to brokers that have. Defaults to `KafkaClientAuthentication.Tls`.
   */
  clientAuthentication?: KafkaClientAuthentication;
  /**
   * Further server properties, for brokers and controllers alike, such as `{ "log.retention.hours": "72" }`. What this component sets
   * itself is refused. They stand in a ConfigMap: no passwords. Defaults to none.
   */
  extraConfig?: Record<string, pulumi.Input<string>>;
  /**
   * Kubernetes version of the cluster, such as `1.36`. Below 1.35 pods can't read their zone, so brokers get no `broker.rack`: replicas of a
   * partition may then share a zone, and there is a warning. Defaults to 1.35 or later.
   */
  kubernetesVersion?: string;
}
