import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { MetricsTarget } from "../alarms";
import { corrected } from "../internal/arguments";
import { sha256 } from "../internal/checksum";
import { imageProblem, requireKubernetesProvider } from "../internal/kubernetes";
import { checkedLabelsInput } from "../internal/labels";
import { namespaceProblem } from "../internal/object-names";
import { Problems } from "../internal/validate";
import { accessRules, accessScript } from "./access";
import { adminJob } from "./admin-job";
import { KafkaClientAuthentication } from "./authentication";
import { certManagerSecrets } from "./cert-manager";
import { sharedObjects } from "./cluster-objects";
import { clusterArguments } from "./cluster-shapes";
import { extraProperties } from "./extra-config";
import type { KafkaWatched } from "./alarms-args";
import { certificateProbe } from "./certificate-probe";
import type { KafkaClusterArgs } from "./kafka-cluster-args";
import type { KafkaRef } from "./kafka-ref";
import { adminName, bootstrapName, clientLabel, KafkaRole, ports, serviceHost } from "./names";
import { kafkaMetricsTargets } from "./metrics-targets";
import { adminPolicy } from "./network-policies";
import { drainJob, operationJobs } from "./operations";
import { defaultImage, planKafka, watchedOf } from "./plan";
import { principalOf } from "./principals";
import { allowReadingNodes } from "./rack";
import { roleObjects, servicePorts, type RoleInputs } from "./role-objects";
import { certificateRotation } from "./rotation";
import { defaultSchedule } from "./rotation-checks";
import { scramClients } from "./scram-clients";
import { adminServers, controllerServers } from "./server-properties";
import { tlsSecrets } from "./tls-secrets";
import { tolerationsOf } from "./tolerations";

/**
 * A Kafka cluster (KRaft) that loses no acknowledged message when a broker or a zone vanishes: three copies of each partition over
 * the zones, two of them needed for an acknowledgment, controllers of their own, and pods that leave one at a time and in a
 * controlled way. Every connection is encrypted, and both sides show certificates, or clients a password.
 *
 *     const kafka = new KafkaCluster("kafka", { namespace: "kafka", clusterId: "...", clients: { shop: { namespace: "shop", topics: { orders: [KafkaTopicAccess.Produce] } } } },
 *       { providers: [provider] });
 *
 * Pods of a client carry `clientPodLabels`, mount the Secret `clientSecretNames.shop`, connect to `bootstrapServers` and take their
 * settings from `kafkaClientProfile()`; an annotation with `clientChecksums.shop` restarts them when their certificate is renewed. Clients outside the Kubernetes cluster aren't served.
 *
 * Network policies keep everybody else away, where the network enforces them (on EKS: vpc-cni with `enableNetworkPolicy`); certificates do
 * everywhere.
 *
 * Let clients depend on this component (`dependsOn: [kafka]`). Brokers are always deleted before controllers: without
 * controllers they would not stop. The nodes should be ones that nothing consolidates, without a time limit for their termination or
 * with one far above six minutes per pod, and no spot instances, whose notice is too short for a controlled shutdown.
 */
export class KafkaCluster extends pulumi.ComponentResource {
  /** Address that clients begin with, host and port: the Service in front of the brokers that are ready. */
  public readonly bootstrapServers: pulumi.Output<string>;
  /**
   * Names of the clients' Secrets, by the keys of `clients`, with the key `ca.crt` (the authority of the brokers), and with `tls-combined.pem`
   * (PKCS#8 key and certificate) or, for `KafkaClientAuthentication.Scram`, with `username`, `password` and `sasl.jaas.config`. Empty with
   * `certificates`, but for passwords.
   */
  public readonly clientSecretNames: pulumi.Output<Record<string, string>>;
  /**
   * Checksums (SHA-256) of what the clients' Secrets show in public, certificate and authority (or the number of the password, which tells
   * nothing of it), by the keys of `clients`. Put a client's into an annotation of its pods: they then restart when their certificate or
   * password is another, which most clients wouldn't notice. With `dependsOn: [kafka]` the Secret is new before they do. Empty with
   * `certificates` and `certManager`, but for passwords.
   */
  public readonly clientChecksums: pulumi.Output<Record<string, string>>;
  /** What other components need to administer the cluster. */
  public readonly ref: KafkaRef;
  /** Labels that a client's pods need to reach the brokers. */
  public readonly clientPodLabels: Record<string, string>;
  /**
   * What of the pods' metrics alarms and dashboards need, for `ClusterMetrics.targets`. Plain, and so only there where `namespace` is given as text;
   * empty without `metrics`. Where `ClusterMetrics` is made before Kafka, `kafkaMetricsTargets()` makes the same.
   */
  public readonly metricsTargets: Record<string, MetricsTarget>;

  /** What `KafkaAlarms` needs to know. Plain. */
  public readonly watched: KafkaWatched;

  constructor(name: string, args: KafkaClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KafkaCluster", name, args, opts);
    const problems = new Problems("KafkaCluster", name);
    const given = corrected(problems, args, clusterArguments);
    requireKubernetesProvider(this, problems);
    const plan = planKafka(name, given, problems);
    const namespace = pulumi.output(problems.input(given.namespace, "namespace", namespaceProblem));
    const clients = Object.entries(given.clients ?? {}).map(([key, client]) => ({
      key,
      namespace: pulumi.output(problems.input(client.namespace, `clients["${key}"].namespace`, namespaceProblem)),
    }));
    const pods = {
      image: problems.input(given.image ?? defaultImage, "image", imageProblem),
      nodeSelector: given.nodeSelector && checkedLabelsInput(problems, "nodeSelector", given.nodeSelector),
      tolerations: tolerationsOf(problems, given.tolerations),
    };
    problems.throwIfAny();
    const { kafkaName } = plan;
    const tls =
      given.certManager === undefined
        ? tlsSecrets(name, plan, namespace, given.certificates, clients, this)
        : certManagerSecrets(name, plan, namespace, given.certManager, clients, this);
    const shared = sharedObjects(name, plan, namespace, given, this);
    const mayAskForZone = plan.zoneOnPods
      ? []
      : allowReadingNodes(name, plan, namespace, shared.serviceAccountName, this);
    const inputs: RoleInputs = {
      plan,
      namespace,
      shared,
      tls,
      extra: extraProperties(given.extraConfig ?? {}),
      clientNamespaces: clients.map((client) => client.namespace),
      ...pods,
    };
    const controllers = plan.combined ? [] : [roleObjects(name, KafkaRole.Controller, inputs, [], this)];
    const reach = new k8s.networking.v1.NetworkPolicy(
      `${name}-admin-policy`,
      { metadata: { name: adminName(kafkaName), namespace }, spec: adminPolicy(plan) },
      { parent: this },
    );
    const ref = {
      kafkaName,
      namespace,
      image: pods.image,
      adminServers: namespace.apply((ns) => adminServers(plan, ns)),
      adminSecretName: tls.names.adminSecretName,
      nodeSelector: pods.nodeSelector,
    };
    const kafka = { ...ref, tolerations: pods.tolerations };
    const drain = drainJob(name, plan, kafka, [reach, ...tls.resources], this);
    // Deleted in reverse: a broker that finds no controller goes on serving until one returns.
    const brokers = roleObjects(name, KafkaRole.Broker, inputs, [...controllers, drain, ...mayAskForZone], this);
    new k8s.core.v1.Service(
      `${name}-bootstrap`,
      {
        metadata: { name: bootstrapName(kafkaName), namespace },
        spec: { selector: plan.brokers.labels, ports: servicePorts(KafkaRole.Broker, plan).slice(0, 1) },
      },
      // Pulumi waits until a Service has a pod that is ready.
      { parent: this, dependsOn: [brokers] },
    );

    const ready = [brokers, reach, ...tls.resources];
    adminJob(
      `${name}-access`,
      {
        kafka,
        jobName: `${kafkaName}-access`,
        script: accessScript,
        scriptArguments: [principalOf(kafkaName, ""), accessRules(kafkaName, given.clients ?? {}).join("\n")],
      },
      { parent: this, dependsOn: ready },
    );
    const controllerAddresses = namespace.apply((ns) => controllerServers(plan, ns));
    operationJobs(name, plan, kafka, controllerAddresses, given.metadataVersion, { parent: this, dependsOn: ready });
    if (plan.rotates)
      certificateRotation(
        name,
        {
          plan,
          kafka,
          namespace,
          secretNames: {
            [KafkaRole.Controller]: tls.names.controllerSecretName,
            [KafkaRole.Broker]: tls.names.brokerSecretName,
          },
          schedule: given.certificateRotation?.schedule ?? defaultSchedule,
          ready,
        },
        this,
      );
    const credentials =
      plan.clientAuthentication === KafkaClientAuthentication.Scram
        ? scramClients(name, { kafka, clients, args: given.clients ?? {}, clusterCa: tls.clusterCa, ready }, this)
        : tls.clients;

    if (plan.metrics !== undefined)
      certificateProbe(
        name,
        {
          plan,
          namespace,
          image: plan.metrics.probeImage,
          monitors: plan.metrics.namespaces,
          nodeSelector: pods.nodeSelector,
          tolerations: pods.tolerations,
        },
        this,
      );

    this.watched = watchedOf(plan);
    this.ref = { ...ref, tolerations: given.tolerations };
    this.bootstrapServers = namespace.apply((ns) => `${serviceHost(bootstrapName(kafkaName), ns)}:${ports.client}`);
    this.clientSecretNames = pulumi.output(credentials.secretNames);
    this.clientChecksums = pulumi.output(
      Object.fromEntries(Object.entries(credentials.texts).map(([key, text]) => [key, sha256(text)])),
    );
    this.clientPodLabels = { [clientLabel]: kafkaName };
    this.metricsTargets =
      typeof given.namespace === "string" && plan.metrics !== undefined
        ? kafkaMetricsTargets({
            kafkaName,
            namespace: given.namespace,
            brokers: plan.brokers.replicas,
            combined: plan.combined,
          })
        : {};
    this.registerOutputs({
      bootstrapServers: this.bootstrapServers,
      clientSecretNames: this.clientSecretNames,
      clientChecksums: this.clientChecksums,
      clientPodLabels: this.clientPodLabels,
      metricsTargets: this.metricsTargets,
      watched: this.watched,
      ref: this.ref,
    });
  }
}
