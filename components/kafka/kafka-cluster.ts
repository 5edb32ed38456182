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
import { adminServers, controllerServers } from "./server-properties";
import { tlsSecrets } from "./tls-secrets";
import { tolerationsOf } from "./tolerations";

/**
 * A Kafka cluster (KRaft) that loses no acknowledged message when a broker or a zone vanishes: three copies of each partition over
 * the zones, two of them needed for an acknowledgment, controllers of their own, and pods that leave one at a time and in a
 * controlled way. Every connection is encrypted, and both sides show certificates.
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
   * Names of the clients' Secrets, by the keys of `clients`, with the keys `tls-combined.pem` (PKCS#8 key and certificate) and `ca.crt` (the
   * authority of the brokers). Empty with `certificates`.
   */
  public readonly clientSecretNames: pulumi.Output<Record<string, string>>;
  /**
   * Checksums (SHA-256) of what the clients' Secrets show in public, certificate and authority, by the keys of `clients`. Put a client's
   * into an annotation of its pods: they then restart when their certificate is renewed, which most clients wouldn't notice. With
   * `dependsOn: [kafka]` the Secret is new before they do. Empty with `certificates`.
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

  constructor(name: string, given: KafkaClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KafkaCluster", name, given, opts);
    const problems = new Problems("KafkaCluster", name);
    const args = corrected(problems, given, clusterArguments);
    requireKubernetesProvider(this, problems);
    const plan = planKafka(name, args, problems);
    const namespace = pulumi.output(problems.input(args.namespace, "namespace", namespaceProblem));
    const clients = Object.entries(args.clients ?? {}).map(([key, client]) => ({
      key,
      namespace: pulumi.output(problems.input(client.namespace, `clients["${key}"].namespace`, namespaceProblem)),
    }));
    const pods = {
      image: problems.input(args.image ?? defaultImage, "image", imageProblem),
      nodeSelector: args.nodeSelector && checkedLabelsInput(problems, "nodeSelector", args.nodeSelector),
      tolerations: tolerationsOf(problems, args.tolerations),
    };
    problems.throwIfAny();
    const { kafkaName } = plan;
    const tls = tlsSecrets(name, plan, namespace, args.certificates, clients, this);
    const shared = sharedObjects(name, plan, namespace, args, this);
    const mayAskForZone = plan.zoneOnPods
      ? []
      : allowReadingNodes(name, plan, namespace, shared.serviceAccountName, this);
    const inputs: RoleInputs = {
      plan,
      namespace,
      shared,
      tls,
      extra: extraProperties(args.extraConfig ?? {}),
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
    const asAdmin = { ...ref, tolerations: pods.tolerations };
    const drain = drainJob(name, plan, asAdmin, [reach, ...tls.resources], this);
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

    const ready = { parent: this, dependsOn: [brokers, reach, ...tls.resources] };
    adminJob(
      `${name}-access`,
      {
        kafka: asAdmin,
        jobName: `${kafkaName}-access`,
        script: accessScript,
        scriptArguments: [principalOf(kafkaName, ""), accessRules(kafkaName, args.clients ?? {}).join("\n")],
      },
      ready,
    );
    const controllerAddresses = namespace.apply((ns) => controllerServers(plan, ns));
    operationJobs(name, plan, asAdmin, controllerAddresses, args.metadataVersion, ready);

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
        [brokers],
        this,
      );

    this.watched = watchedOf(plan);
    this.ref = { ...ref, tolerations: args.tolerations };
    this.bootstrapServers = namespace.apply((ns) => `${serviceHost(bootstrapName(kafkaName), ns)}:${ports.client}`);
    this.clientSecretNames = pulumi.output(tls.clientSecretNames);
    this.clientChecksums = pulumi.output(
      Object.fromEntries(Object.entries(tls.clientTexts).map(([key, text]) => [key, sha256(text)])),
    );
    this.clientPodLabels = { [clientLabel]: kafkaName };
    this.metricsTargets =
      typeof args.namespace === "string" && plan.metrics !== undefined
        ? kafkaMetricsTargets({
            kafkaName,
            namespace: args.namespace,
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
