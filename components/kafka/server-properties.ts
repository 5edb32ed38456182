import { KafkaClientAuthentication } from "./authentication";
import { KafkaRole, ports, secretKeys, serviceHost } from "./names";
import { mappingRules, superUsers } from "./principals";
import { replication, type KafkaPlan, type RolePlan } from "./plan";
import { rackProperties } from "./rack";
import { mechanism, serverJaasConfig } from "./scram";

/** Where the pods find what is mounted into them. */
export const paths = {
  /** Volume of the node. The data is in a directory below: the volume's own root has a lost+found, which Kafka takes for a partition. */
  data: "/var/lib/kafka/data",
  /** Key and certificates of the node, and the authority of brokers and controllers. */
  tls: "/mnt/kafka/tls",
  /** The authority of clients. */
  clientCa: "/mnt/kafka/client-ca",
};

/** A listener: what it is called, where it listens, and whose certificates it accepts. */
interface Listener {
  readonly name: string;
  readonly port: number;
  readonly trusts: string;
}

const clusterCa = `${paths.tls}/${secretKeys.ca}`;

/**
 * No name may end in "SSL": the image's start script matches `SSL://` in the advertised listeners and then demands key stores of its
 * own (apache/kafka docker/resources/common-scripts/configure).
 */
const listeners: Record<"client" | "controller" | "replication", Listener> = {
  client: { name: "CLIENT", port: ports.client, trusts: `${paths.clientCa}/${secretKeys.ca}` },
  controller: { name: "CONTROLLER", port: ports.controller, trusts: clusterCa },
  replication: { name: "REPLICATION", port: ports.replication, trusts: clusterCa },
};

/** What one role's configuration is made of. */
export interface ServerModel {
  readonly plan: KafkaPlan;
  readonly role: KafkaRole;
  readonly namespace: string;
  readonly extra: Record<string, string>;
}

/** The configuration of all nodes of one role; what differs from pod to pod comes by its environment (pod-template.ts). */
export function serverProperties({ plan, role, namespace, extra }: ServerModel): Record<string, string> {
  const isBroker = role === KafkaRole.Broker;
  const served = servedBy(plan, role);
  const known = served.includes(listeners.controller) ? served : [...served, listeners.controller];
  const { factor, minInSync } = replication;
  return {
    "process.roles": plan.combined ? `${KafkaRole.Broker},${KafkaRole.Controller}` : role,
    "controller.quorum.voters": voters(plan, namespace),
    "controller.listener.names": listeners.controller.name,
    listeners: listenersOf(plan, role),
    "listener.security.protocol.map": known
      .map((one) => `${one.name}:${asksPassword(plan, one) ? "SASL_SSL" : "SSL"}`)
      .join(","),
    ...(isBroker ? { "inter.broker.listener.name": listeners.replication.name } : {}),
    // Also who it connects to must prove its name: after a while another pod may own a broker's address.
    "ssl.endpoint.identification.algorithm": "https",
    ...Object.assign({}, ...known.map((one) => (asksPassword(plan, one) ? passwordOf(one) : tlsOf(one)))),
    ...Object.fromEntries(
      // Who has a password is called by the name that it is for.
      served
        .filter((listener) => !asksPassword(plan, listener))
        .map((listener) => [
          `${prefixOf(listener)}.ssl.principal.mapping.rules`,
          mappingRules(plan.kafkaName, listener === listeners.client),
        ]),
    ),
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": superUsers(plan.kafkaName),
    "allow.everyone.if.no.acl.found": "false",
    "log.dirs": `${paths.data}/kafka`,
    // On controllers too, before they format: set on brokers only, the effective min.insync.replicas is 1 (eligible leader replicas,
    // on from 4.0), and from 5.0 on the brokers' values of the first three don't count at all.
    "min.insync.replicas": `${minInSync}`,
    "default.replication.factor": `${factor}`,
    "num.partitions": "3",
    "offsets.topic.replication.factor": `${factor}`,
    "transaction.state.log.replication.factor": `${factor}`,
    "transaction.state.log.min.isr": `${minInSync}`,
    "share.coordinator.state.topic.replication.factor": `${factor}`,
    "share.coordinator.state.topic.min.isr": `${minInSync}`,
    // A replica that lacks acknowledged messages never leads.
    "unclean.leader.election.enable": "false",
    "auto.create.topics.enable": "false",
    "num.recovery.threads.per.data.dir": "4",
    ...(isBroker ? { "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector" } : {}),
    ...(isBroker && !plan.zoneOnPods ? rackProperties : {}),
    ...plan.configuration,
    ...extra,
  };
}

function servedBy(plan: KafkaPlan, role: KafkaRole): Listener[] {
  const ofController = role === KafkaRole.Controller || plan.combined ? [listeners.controller] : [];
  return role === KafkaRole.Broker ? [listeners.client, listeners.replication, ...ofController] : ofController;
}

/** The value of `listeners`. */
export function listenersOf(plan: KafkaPlan, role: KafkaRole): string {
  return servedBy(plan, role)
    .map(({ name, port }) => `${name}://0.0.0.0:${port}`)
    .join(",");
}

/** Address that clients and other brokers are told: a name, never the pod's IP address, which the next pod doesn't keep. */
export function advertisedListeners(plan: KafkaPlan, namespace: string, podName: string): string {
  const host = `${podName}.${serviceHost(plan.brokers.headlessName, namespace)}`;
  return [listeners.client, listeners.replication].map(({ name, port }) => `${name}://${host}:${port}`).join(",");
}

/**
 * Where an administrator begins: brokers by their own names, on the listener that trusts the cluster's own authority alone. The first three: with
 * all, each new broker would make every job anew.
 */
export function adminServers(plan: KafkaPlan, namespace: string): string {
  return nodesOf(plan.brokers, namespace)
    .slice(0, replication.factor)
    .map(({ host }) => `${host}:${ports.replication}`)
    .join(",");
}

/** The pods of a role, with their names in DNS. */
export function nodesOf({ name, replicas, firstId, headlessName }: RolePlan, namespace: string) {
  return Array.from({ length: replicas }, (_, index) => {
    const id = firstId + index;
    return { id, pod: `${name}-${id}`, host: `${name}-${id}.${serviceHost(headlessName, namespace)}` };
  });
}

/** Each pod, and where it shows its certificate to other nodes. Controllers first: brokers need them when they start. */
export function nodeAddresses(plan: KafkaPlan, namespace: string): { role: KafkaRole; pod: string; address: string }[] {
  const nodes = (of: RolePlan, port: number) =>
    nodesOf(of, namespace).map(({ pod, host }) => ({ role: of.role, pod, address: `${host}:${port}` }));
  return [...nodes(plan.controllers, ports.controller), ...nodes(plan.brokers, ports.replication)];
}

/** The static quorum: the image's start script formats volumes without naming controllers, which only a static list allows. */
function voters({ controllers }: KafkaPlan, namespace: string): string {
  return nodesOf(controllers, namespace)
    .map(({ id, host }) => `${id}@${host}:${ports.controller}`)
    .join(",");
}

const asksPassword = ({ clientAuthentication }: KafkaPlan, listener: Listener) =>
  listener === listeners.client && clientAuthentication === KafkaClientAuthentication.Scram;

/** Brokers show certificates, and clients know a password. No other listener takes passwords. */
function passwordOf(listener: Listener): Record<string, string> {
  const prefix = prefixOf(listener);
  return {
    [`${prefix}.ssl.client.auth`]: "none",
    ...keyStore(`${paths.tls}/${secretKeys.combined}`, `${prefix}.ssl`),
    [`${prefix}.sasl.enabled.mechanisms`]: mechanism,
    [`${prefix}.${mechanism.toLowerCase()}.sasl.jaas.config`]: serverJaasConfig,
  };
}

/** Where an administrator reaches the controllers. */
export const controllerServers = (plan: KafkaPlan, namespace: string) => voters(plan, namespace).replace(/\d+@/g, "");

/** Both sides show certificates. Written for each listener, so that none gets another's trust by default. */
function tlsOf(listener: Listener): Record<string, string> {
  const prefix = `${prefixOf(listener)}.ssl`;
  return {
    [`${prefix}.client.auth`]: "required",
    ...peerCertificate(`${paths.tls}/${secretKeys.combined}`, listener.trusts, prefix),
  };
}

/** Which certificate one side shows, and whose it accepts: files in PEM. */
export function peerCertificate(combined: string, authority: string, prefix = "ssl"): Record<string, string> {
  return {
    ...keyStore(combined, prefix),
    [`${prefix}.truststore.type`]: "PEM",
    [`${prefix}.truststore.location`]: authority,
  };
}

const keyStore = (combined: string, prefix: string) => ({
  [`${prefix}.keystore.type`]: "PEM",
  [`${prefix}.keystore.location`]: combined,
});

const prefixOf = ({ name }: Listener) => `listener.name.${name.toLowerCase()}`;
