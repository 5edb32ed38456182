import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
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
import { extraProperties } from "./extra-config";
import type { KafkaClusterArgs } from "./kafka-cluster-args";
import type { KafkaRef } from "./kafka-ref";
import { adminName, bootstrapName, clientLabel, KafkaRole, ports, serviceHost } from "./names";
import { adminPolicy } from "./network-policies";
import { defaultImage, planKafka } from "./plan";
import { principalOf } from "./principals";
import { roleObjects, servicePorts, type RoleInputs } from "./role-objects";
import { certificateRotation } from "./rotation";
import { defaultSchedule } from "./rotation-checks";
import { scramClients } from "./scram-clients";
import { adminServers } from "./server-properties";
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

  constructor(name: string, args: KafkaClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KafkaCluster", name, args, opts);
    const problems = new Problems("KafkaCluster", name);
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
    if (!plan.rack)
      void pulumi.log.warn(
        `pods can't read their zone in Kubernetes ${args.kubernetesVersion}: brokers get no broker.rack, and replicas of a partition may share a zone. Upgrade to 1.35 or later.`,
        this,
      );

    const { kafkaName } = plan;
    const tls =
      args.certManager === undefined
        ? tlsSecrets(name, plan, namespace, args.certificates, clients, this)
        : certManagerSecrets(name, plan, namespace, args.certManager, clients, this);
    const inputs: RoleInputs = {
      plan,
      namespace,
      shared: sharedObjects(name, plan, namespace, args, this),
      tls,
      extra: extraProperties(args.extraConfig ?? {}),
      clientNamespaces: clients.map((client) => client.namespace),
      ...pods,
    };
    const controllers = roleObjects(name, KafkaRole.Controller, inputs, [], this);
    // Deleted in reverse: a broker that finds no controller goes on serving until one returns.
    const brokers = roleObjects(name, KafkaRole.Broker, inputs, [controllers], this);
    new k8s.core.v1.Service(
      `${name}-bootstrap`,
      {
        metadata: { name: bootstrapName(kafkaName), namespace },
        spec: { selector: plan.brokers.labels, ports: servicePorts(KafkaRole.Broker).slice(0, 1) },
      },
      // Pulumi waits until a Service has a pod that is ready.
      { parent: this, dependsOn: [brokers] },
    );

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
    const ready = [brokers, reach, ...tls.resources];
    adminJob(
      `${name}-access`,
      {
        kafka,
        jobName: `${kafkaName}-access`,
        script: accessScript,
        scriptArguments: [principalOf(kafkaName, ""), accessRules(kafkaName, args.clients ?? {}).join("\n")],
      },
      { parent: this, dependsOn: ready },
    );
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
          schedule: args.certificateRotation?.schedule ?? defaultSchedule,
          ready,
        },
        this,
      );
    const credentials =
      plan.clientAuthentication === KafkaClientAuthentication.Scram
        ? scramClients(name, { kafka, clients, args: args.clients ?? {}, clusterCa: tls.clusterCa, ready }, this)
        : tls.clients;

    this.ref = { ...ref, tolerations: args.tolerations };
    this.bootstrapServers = namespace.apply((ns) => `${serviceHost(bootstrapName(kafkaName), ns)}:${ports.client}`);
    this.clientSecretNames = pulumi.output(credentials.secretNames);
    this.clientChecksums = pulumi.output(
      Object.fromEntries(Object.entries(credentials.texts).map(([key, text]) => [key, sha256(text)])),
    );
    this.clientPodLabels = { [clientLabel]: kafkaName };
    this.registerOutputs({
      bootstrapServers: this.bootstrapServers,
      clientSecretNames: this.clientSecretNames,
      clientChecksums: this.clientChecksums,
      clientPodLabels: this.clientPodLabels,
      ref: this.ref,
    });
  }
}
