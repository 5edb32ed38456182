import { isIP } from "node:net";
import { isUnknown } from "../../lib/known";
import { commandsOf, scriptIn, wordsAt } from "../../lib/scripts";
import type { Environment } from "./environment";
import { kafkaStackRule } from "./kafka-rule";
import { configuredNodes, rolesOf } from "./node-config";

const podAddress = /^status\.podIPs?$/;

/**
 * Clients connect to what brokers advertise, and keep it. A name leads to the broker wherever its pod is; an address leads to
 * nowhere, or to another pod, from the next restart until the client's metadata is renewed.
 */
export const kafkaAdvertisesNames = kafkaStackRule<object>({
  name: "kafka-advertises-names",
  displayName: "Brokers advertise names, not pod addresses",
  description:
    "advertised.listeners must name the broker's pod in DNS and hold no address: after a restart clients go on talking to the old address, which is dead " +
    "or belongs to another pod, and can't ask for the new one.",
  severity: "high",
  tags: ["kafka", "availability"],
  remediationSteps: `Advertise the pod's name under its headless Service:

\`\`\`ts
const env = [
  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  { name: "KAFKA_ADVERTISED_LISTENERS", value: "CLIENT://$(POD_NAME).brokers.kafka.svc.cluster.local:9092" },
];
\`\`\`

The rule looks at variables, at \`server.properties\` in ConfigMaps of the same stack, and at lines of a start script that set advertised listeners.`,
  configSchema: { properties: {} },
  check: (stack) => {
    for (const node of configuredNodes(stack)) {
      const { object } = node.set;
      if (!rolesOf(node).broker) continue;
      // What isn't advertised on purpose is advertised as it is listened on.
      const advertised = node.config.get("advertised.listeners") ?? node.config.get("listeners");
      if (advertised?.unknown !== undefined) stack.undecided.add(advertised.unknown, object);
      const field = podAddress.test(advertised?.field ?? "") ? advertised?.field : undefined;
      const words = wordsAt(node.container, ["command"], ["args"]);
      const script = isUnknown(words) ? undefined : scriptIn(words);
      const lines = commandsOf(script ?? "").filter((line) => /advertised[._]listeners/i.test(line));
      const found =
        field ?? [advertised?.text ?? "", ...lines].map((t) => addressIn(t, node.environment)).find(Boolean);
      if (found !== undefined)
        stack.report(
          `"${object.name}" advertises ${found}: a pod's address is another one after a restart. Advertise its name, $(POD_NAME).<headless Service>.<namespace>.svc.cluster.local.`,
          object.urn,
        );
    }
  },
});

/** An address that a text holds, literally or through a variable with the pod's; undefined if none. */
function addressIn(text: string, environment: Environment): string | undefined {
  const names = [...text.matchAll(/\$[({]?(\w+)/g)].map(([, name]) => name!);
  const variable = names.find((name) => podAddress.test(environment.get(name)?.field ?? ""));
  if (variable !== undefined) return `the pod's address ($${variable})`;
  const hosts = [...text.matchAll(/:\/\/(\[[^[\]]*\]|[^:,/\s]*)/g)].map(([, host]) => host!.replace(/^\[|\]$/g, ""));
  const address = hosts.find((host) => isIP(host) !== 0 && !["0.0.0.0", "::"].includes(host));
  return address === undefined ? undefined : `the address ${address}`;
}
