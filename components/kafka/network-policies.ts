import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { metricsPort } from "./metrics-agent";
import { adminLabels, clientLabel, KafkaRole, ports, probeLabels, rotationLabels } from "./names";
import type { KafkaPlan, RolePlan } from "./plan";

type PolicySpec = k8s.types.input.networking.v1.NetworkPolicySpec;
type Peer = k8s.types.input.networking.v1.NetworkPolicyPeer;
type IngressRule = k8s.types.input.networking.v1.NetworkPolicyIngressRule;

const tcp = (port: number) => ({ protocol: "TCP", port });

/** CoreDNS on EKS, and the address of a node-local cache in front of it. */
const dns = {
  to: [
    {
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
      podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
    },
    { ipBlock: { cidr: "169.254.20.10/32" } },
  ],
  ports: [
    { protocol: "UDP", port: 53 },
    { protocol: "TCP", port: 53 },
  ],
};

/** Administrators reach brokers and controllers, and nobody reaches them. */
export function adminPolicy(plan: KafkaPlan): PolicySpec {
  return {
    podSelector: { matchLabels: adminLabels(plan.kafkaName) },
    policyTypes: ["Ingress", "Egress"], // no rule for the first: nobody
    egress: [dns, ...toNodes(plan, ports.replication)],
  };
}

/** The way to all nodes, to brokers by some of their ports. */
function toNodes({ brokers, controllers }: KafkaPlan, ...brokerPorts: number[]) {
  const to = ({ labels }: RolePlan, some: number[]) => ({
    to: [{ podSelector: { matchLabels: labels } }],
    ports: some.map(tcp),
  });
  return [to(brokers, brokerPorts), to(controllers, [ports.controller])];
}

/** What restarts nodes reaches them all, and the API server, whose addresses nobody knows before. */
export function rotationPolicy(plan: KafkaPlan): PolicySpec {
  return {
    podSelector: { matchLabels: rotationLabels(plan.kafkaName) },
    policyTypes: ["Ingress", "Egress"],
    egress: [dns, ...toNodes(plan, ports.replication), { ports: [tcp(443)] }],
  };
}

/** The probe of certificates knocks at every listener, and only monitors reach it. */
export function probePolicy(
  plan: KafkaPlan,
  probe: Record<string, string>,
  port: number,
  monitors: pulumi.Input<string>[],
): PolicySpec {
  return {
    podSelector: { matchLabels: probe },
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ from: monitors.map(ofNamespace), ports: [tcp(port)] }],
    egress: [dns, ...toNodes(plan, ports.client, ports.replication)],
  };
}

const ofNamespace = (namespace: pulumi.Input<string>): Peer => ({
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
});

/**
 * Who may talk to the pods of a role, and whom they may call: clients reach the client port only, brokers each other and the controllers,
 * controllers each other.
 */
export function networkPolicy(role: KafkaRole, plan: KafkaPlan, clients: pulumi.Input<string>[]): PolicySpec {
  const brokers: Peer = { podSelector: { matchLabels: plan.brokers.labels } };
  const admin: Peer = { podSelector: { matchLabels: adminLabels(plan.kafkaName) } };
  const controllers: Peer = { podSelector: { matchLabels: plan.controllers.labels } };
  const rotation: Peer[] = plan.rotates ? [{ podSelector: { matchLabels: rotationLabels(plan.kafkaName) } }] : [];
  const policyTypes = ["Ingress", "Egress"];
  const toControllers = { to: [controllers], ports: [tcp(ports.controller)] };
  const monitors = (plan.metrics?.namespaces ?? []).map(ofNamespace);
  const probes: Peer[] =
    plan.metrics === undefined ? [] : [{ podSelector: { matchLabels: probeLabels(plan.kafkaName) } }];
  const others = [admin, ...rotation, ...probes];
  const monitorRule: IngressRule[] = monitors.length === 0 ? [] : [{ from: monitors, ports: [tcp(metricsPort)] }];
  if (role === KafkaRole.Controller)
    return {
      podSelector: { matchLabels: plan.controllers.labels },
      policyTypes,
      ingress: [{ from: [controllers, brokers, ...others], ports: [tcp(ports.controller)] }, ...monitorRule],
      egress: [dns, toControllers],
    };
  const fromClients = clients.map((namespace) => ({
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    podSelector: { matchLabels: { [clientLabel]: plan.kafkaName } },
  }));
  // A rule without peers would let everybody in.
  const toClientPort = [...fromClients, ...probes];
  const clientRule: IngressRule[] =
    toClientPort.length === 0 ? [] : [{ from: toClientPort, ports: [tcp(ports.client)] }];
  return {
    podSelector: { matchLabels: plan.brokers.labels },
    policyTypes,
    ingress: [
      ...clientRule,
      { from: [brokers, ...others], ports: [tcp(ports.replication)] },
      ...(plan.combined ? [{ from: [brokers, ...others], ports: [tcp(ports.controller)] }] : []),
      ...monitorRule,
    ],
    egress: [
      dns,
      toControllers,
      { to: [brokers], ports: [tcp(ports.replication)] },
      // The API server, whose addresses aren't known.
      ...(plan.zoneOnPods ? [] : [{ ports: [tcp(443)] }]),
    ],
  };
}
