import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { sha256 } from "../internal/checksum";
import type { SharedObjects } from "./cluster-objects";
import { log4j2 } from "./logging";
import { KafkaRole, ports } from "./names";
import { networkPolicy } from "./network-policies";
import { metricsRules } from "./metrics-rules";
import type { KafkaPlan } from "./plan";
import { podTemplate } from "./pod-template";
import { propertiesFile } from "./properties-file";
import { serverFiles } from "./server-files";
import { serverProperties } from "./server-properties";
import { statefulSetSpec, timeouts } from "./stateful-set";
import type { TlsSecrets } from "./tls-secrets";
import type { Tolerations } from "./tolerations";

/** What the objects of both roles are made of. */
export interface RoleInputs {
  readonly plan: KafkaPlan;
  readonly namespace: pulumi.Output<string>;
  readonly image: pulumi.Input<string>;
  readonly shared: SharedObjects;
  readonly tls: TlsSecrets;
  readonly extra: pulumi.Output<Record<string, string>>;
  readonly clientNamespaces: pulumi.Output<string>[];
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  readonly tolerations: Tolerations | undefined;
}

/** Ports of a role's Services; the first of the brokers' is the clients'. */
export function servicePorts(role: KafkaRole, plan: KafkaPlan) {
  const port = (name: string, number: number) => ({ name, port: number, targetPort: number, protocol: "TCP" });
  const ofController = role === KafkaRole.Controller || plan.combined ? [port("controller", ports.controller)] : [];
  return role === KafkaRole.Broker
    ? [port("client", ports.client), port("replication", ports.replication), ...ofController]
    : ofController;
}

/**
 * Makes the StatefulSet of one role and everything that it needs.
 *
 * The objects know each other by name and by `dependsOn`, never by an output: Kubernetes objects with fixed names are deleted before they
 * are replaced (ConfigMaps and Secrets with every change), and Pulumi would then replace whatever takes an output of them, StatefulSets too.
 */
export function roleObjects(
  name: string,
  role: KafkaRole,
  inputs: RoleInputs,
  after: pulumi.Resource[],
  parent: pulumi.Resource,
): k8s.apps.v1.StatefulSet {
  const { plan, namespace, shared, tls } = inputs;
  const isBroker = role === KafkaRole.Broker;
  const rolePlan = isBroker ? plan.brokers : plan.controllers;
  const metadata = { name: rolePlan.name, namespace };
  const selector = { matchLabels: rolePlan.labels };

  const serverFile = pulumi
    .all([namespace, inputs.extra])
    .apply(([ns, extra]) => propertiesFile(serverProperties({ plan, role, namespace: ns, extra })));
  const config = new k8s.core.v1.ConfigMap(
    `${name}-${role}-config`,
    {
      metadata,
      data: {
        [serverFiles.properties]: serverFile,
        [serverFiles.logging]: log4j2,
        ...(plan.metrics === undefined ? {} : { [serverFiles.metrics]: metricsRules }),
      },
    },
    { parent },
  );
  const headless = new k8s.core.v1.Service(
    `${name}-${role}-headless`,
    {
      metadata: { name: rolePlan.headlessName, namespace },
      spec: {
        clusterIP: "None",
        selector: rolePlan.labels,
        // They must find each other before they are ready, or none ever would be.
        publishNotReadyAddresses: true,
        ports: servicePorts(role, plan),
      },
    },
    { parent },
  );
  const policy = new k8s.networking.v1.NetworkPolicy(
    `${name}-${role}-policy`,
    { metadata, spec: networkPolicy(role, plan, inputs.clientNamespaces) },
    { parent },
  );
  const budget = new k8s.policy.v1.PodDisruptionBudget(
    `${name}-${role}-budget`,
    {
      metadata,
      // A drain doesn't take a node that is still catching up, as "AlwaysAllow" would.
      spec: { maxUnavailable: 1, selector, unhealthyPodEvictionPolicy: "IfHealthyBudget" },
    },
    { parent },
  );
  const template = podTemplate({
    plan,
    rolePlan,
    namespace,
    image: inputs.image,
    serviceAccountName: shared.serviceAccountName,
    priorityClassName: shared.priorityClassName,
    tlsSecretName: isBroker ? tls.names.brokerSecretName : tls.names.controllerSecretName,
    clientCaSecretName: tls.names.clientCaSecretName,
    nodeSelector: inputs.nodeSelector,
    tolerations: inputs.tolerations,
    annotations: {
      "moorings.dev/configuration-checksum": sha256(
        pulumi.interpolate`${serverFile}${log4j2}${plan.metrics === undefined ? "" : metricsRules}`,
      ),
      "moorings.dev/certificate-checksum": sha256(tls.texts[role]),
    },
  });
  return new k8s.apps.v1.StatefulSet(
    `${name}-${role}`,
    {
      metadata: plan.retainVolumes
        ? metadata
        : { ...metadata, annotations: { "moorings.dev/disposable-data": "true" } },
      spec: statefulSetSpec({
        rolePlan,
        storageClassName: shared.storageClassName,
        retainVolumes: plan.retainVolumes,
        template,
      }),
    },
    {
      parent,
      dependsOn: [...shared.resources, ...tls.resources, config, headless, policy, budget, ...after],
      customTimeouts: timeouts(rolePlan),
      // Kubernetes refuses another template, so Pulumi would replace the StatefulSet. Where volumes outlive it, the plan says so, and
      // protection stops it; where they go with it, raising a number would delete everything.
      ignoreChanges: plan.retainVolumes ? [] : ["spec.volumeClaimTemplates"],
    },
  );
}
