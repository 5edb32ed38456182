import { matchesAny } from "../../lib/glob";
import { each, valueAt, valuesAt } from "../../lib/paths";
import { stackRule } from "../../lib/rule";
import { clientConfig, clientsIn, type ClientConfig } from "./clients";

interface Config extends ClientConfig {
  allowedSysctls: string[];
}

/**
 * What every kubelet of the Kubernetes versions in support takes (pkg/kubelet/sysctl/safe_sysctls.go; the newest of them, tcp_rmem and tcp_wmem,
 * came with 1.32, the keepalive ones with 1.29).
 */
const safe = new Set([
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_wmem",
]);

/** The API server takes such a pod, the kubelet doesn't: it fails on every node (SysctlForbidden), and its Deployment makes the next one. */
export const kafkaClientSysctlsAreSafe = stackRule<Config>({
  name: "kafka-client-sysctls-are-safe",
  displayName: "Kafka clients set no sysctl that the kubelet refuses",
  description:
    "The pods of a Kafka client may set Kubernetes' safe sysctls only, and none of the network's with hostNetwork: the kubelet refuses such a pod on every node, and the rollout that was to make " +
    "the client sturdier leaves none.",
  severity: "high",
  tags: ["kafka", "availability"],
  remediationSteps: `The three that a client needs are safe ones, of the pod, not of a container:

\`\`\`ts
const securityContext = {
  sysctls: [
    { name: "net.ipv4.tcp_keepalive_time", value: "30" },
    { name: "net.ipv4.tcp_keepalive_intvl", value: "10" },
    { name: "net.ipv4.tcp_keepalive_probes", value: "3" },
  ],
};
\`\`\`

Leave \`hostNetwork\` out. Which are safe: ${[...safe].map((name) => `\`${name}\``).join(", ")}. If your nodes allow more (\`allowedUnsafeSysctls\` of the
kubelet), say so in \`allowedSysctls\`.`,
  configSchema: {
    properties: {
      allowedSysctls: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Other sysctls that the nodes of these pods allow; `*` stands for any text.",
      },
      ...clientConfig,
    },
  },
  check: ({ resources }, report, config, undecided) => {
    for (const { workload, pod } of clientsIn(resources, config, undecided)) {
      const found = refusals(pod, config);
      if (found.length > 0) report(`"${workload.name}" is a client of Kafka. ${found.join(". ")}.`, workload.urn);
    }
  },
});

function refusals(pod: unknown, { allowedSysctls }: Config): string[] {
  const names = valuesAt(pod, ["securityContext", "sysctls", each, "name"]).map(({ value }) => value);
  // A slash is as good as a dot to the kubelet.
  const set = names.filter((name) => typeof name === "string").map((name) => name.replace(/\//g, "."));
  const shared = valueAt(pod, ["hostNetwork"]) === true ? set.filter((name) => name.startsWith("net.")) : [];
  return [
    ...set
      .filter((name) => !safe.has(name) && !matchesAny(name, allowedSysctls))
      .map((name) => `The sysctl ${name} isn't a safe one, and the kubelet refuses the pod. Leave it out`),
    ...shared.map(
      (name) =>
        `The sysctl ${name} would be the node's (hostNetwork), and the kubelet refuses the pod. Leave one of them out`,
    ),
  ];
}
