import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { sha256 } from "../internal/checksum";
import { confined } from "../internal/kubernetes";
import { certificateProbeScript } from "./certificate-probe-script";
import { ports, probeLabels } from "./names";
import { probePolicy } from "./network-policies";
import type { KafkaPlan, RolePlan } from "./plan";
import { nodesOf } from "./server-properties";
import type { Tolerations } from "./tolerations";

/** Where the probe shows what it read. */
export const probePort = 9404;

/** Certificates change once in months; each reading is a line about a failed login in a broker's log. */
const timing = { INTERVAL_SECONDS: "900", RETRY_SECONDS: "60", FORGET_SECONDS: "3600" };

const scriptFile = "probe.js";
const scriptFolder = "/opt/probe";

/** What the probe's objects are made of. */
export interface ProbeInputs {
  readonly plan: KafkaPlan;
  readonly namespace: pulumi.Output<string>;
  readonly image: pulumi.Input<string>;
  readonly monitors: pulumi.Input<string>[];
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  readonly tolerations: Tolerations | undefined;
}

/**
 * Makes the pod that reads the certificates that every listener serves. A file may have been renewed long ago, and its server still show the old
 * certificate: only who connects sees what others see. It has no certificate of its own, and no rights.
 */
export function certificateProbe(name: string, inputs: ProbeInputs, parent: pulumi.Resource) {
  const { plan, namespace } = inputs;
  const objectName = `${plan.kafkaName}-certificates`;
  const metadata = { name: objectName, namespace };
  const labels = probeLabels(plan.kafkaName);
  const script = new k8s.core.v1.ConfigMap(
    `${name}-certificates-script`,
    { metadata, data: { [scriptFile]: certificateProbeScript } },
    { parent },
  );
  const policy = new k8s.networking.v1.NetworkPolicy(
    `${name}-certificates-policy`,
    { metadata, spec: probePolicy(plan, labels, probePort, inputs.monitors) },
    { parent },
  );
  return new k8s.apps.v1.Deployment(
    `${name}-certificates`,
    {
      metadata: { ...metadata, labels },
      spec: {
        replicas: 1,
        // Two would only ask twice.
        strategy: { type: "Recreate" },
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels,
            annotations: { "moorings.dev/configuration-checksum": sha256(certificateProbeScript) },
          },
          spec: podSpec(inputs, objectName),
        },
      },
    },
    // It waits for no server: nobody should wait for it behind them.
    { parent, dependsOn: [script, policy] },
  );
}

function podSpec(inputs: ProbeInputs, configMapName: string): k8s.types.input.core.v1.PodSpec {
  const { plan, namespace } = inputs;
  const environment = {
    PORT: String(probePort),
    LISTENERS: namespace.apply((known) => JSON.stringify(listenersOf(plan, known))),
    ...timing,
  };
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    nodeSelector: inputs.nodeSelector,
    tolerations: inputs.tolerations,
    // The user `node` of the image.
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "probe",
        image: inputs.image,
        command: ["node", `${scriptFolder}/${scriptFile}`],
        env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
        ports: [{ name: "metrics", containerPort: probePort, protocol: "TCP" }],
        resources: { requests: { cpu: "10m", memory: "96Mi" }, limits: { memory: "96Mi" } },
        securityContext: confined,
        volumeMounts: [{ name: "script", mountPath: scriptFolder, readOnly: true }],
      },
    ],
    volumes: [{ name: "script", configMap: { name: configMapName } }],
  };
}

/** A listener of a server, as the probe's script takes it. */
export interface ProbedListener {
  readonly server: string;
  readonly listener: string;
  readonly host: string;
  readonly port: number;
}

/** Every listener of every server, by the server's own name. */
export function listenersOf(plan: KafkaPlan, namespace: string): ProbedListener[] {
  const of = (role: RolePlan, listeners: Readonly<Record<string, number>>) =>
    nodesOf(role, namespace).flatMap(({ pod, host }) =>
      Object.entries(listeners).map(([listener, port]) => ({ server: pod, listener, host, port })),
    );
  return [
    ...of(plan.brokers, { client: ports.client, replication: ports.replication }),
    ...of(plan.controllers, { controller: ports.controller }),
  ];
}
