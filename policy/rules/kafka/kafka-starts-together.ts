import type { PolicyResource } from "@pulumi/policy";
import { isUnknown } from "../../lib/known";
import { mayShareNamespace, nameOf } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";
import { kafkaStackRule, type KafkaSetInStack } from "./kafka-rule";

/**
 * A broker opens its port for clients, and so becomes ready, only when a majority of controllers has taken it in. Whoever waits for the
 * first pod before starting the second, or gives a pod no name before it is ready, waits for ever after a full stop.
 */
export const kafkaStartsTogether = kafkaStackRule<object>({
  name: "kafka-starts-together",
  displayName: "Kafka's pods start together and find each other before they are ready",
  description:
    "Kafka's StatefulSets need podManagementPolicy Parallel, and a headless Service that publishes pods which aren't ready: a node becomes " +
    "ready only through the others, so that one by one, or without names for each other, they wait for ever.",
  severity: "high",
  tags: ["kafka", "availability"],
  remediationSteps: `Start all pods at once, and let their names resolve from the start. Clients take another Service, with ready pods only:

\`\`\`ts
const peers = new kubernetes.core.v1.Service("brokers", {
  metadata: { namespace: "kafka", name: "brokers" },
  spec: { clusterIP: "None", publishNotReadyAddresses: true, selector: labels, ports },
});
new kubernetes.apps.v1.StatefulSet("brokers", {
  metadata: { namespace: "kafka" },
  spec: {
    serviceName: peers.metadata.name,
    podManagementPolicy: "Parallel",
    // ...
  },
});
\`\`\`

Kubernetes lets nobody change podManagementPolicy of a StatefulSet: delete it with \`kubectl delete statefulset --cascade=orphan\`, its pods run
on, and let Pulumi make it again. The Service is only looked at if it is in the same stack.`,
  configSchema: { properties: {} },
  check: ({ sets, resources, report, undecided }) => {
    const services = resources.filter((r) => typeOf(r.type) === "kubernetes:core:Service");
    for (const set of sets) {
      const { object } = set;
      const policy = valueAt(object.props, ["spec", "podManagementPolicy"]);
      if (isUnknown(policy)) undecided.add(policy, object);
      else if (policy !== "Parallel")
        report(
          `"${object.name}" starts its pods one after the other (podManagementPolicy ${typeof policy === "string" ? policy : "is missing, which means OrderedReady"}). Write podManagementPolicy: "Parallel".`,
          object.urn,
        );
      for (const service of services.filter((s) => governs(s, set))) {
        const published = valueAt(service.props, ["spec", "publishNotReadyAddresses"]);
        if (isUnknown(published)) undecided.add(published, object, service.name);
        else if (published !== true)
          report(
            `The pods of "${object.name}" find each other through the Service "${service.name}", which hides them until they are ready. Write publishNotReadyAddresses: true.`,
            object.urn,
          );
      }
    }
  },
});

/** Whether this Service names the set's pods: by its name, or while that isn't known, as a headless one that the set refers to. */
function governs(service: PolicyResource, { object }: KafkaSetInStack): boolean {
  const wanted = stringAt(object.props, ["spec", "serviceName"]);
  const name = nameOf(service);
  if (wanted === undefined || !mayShareNamespace(service, object)) return false;
  if (typeof wanted === "string" && typeof name === "string") return wanted === name;
  return valueAt(service.props, ["spec", "clusterIP"]) === "None" && cameFrom(object, "spec", service);
}
