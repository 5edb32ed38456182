import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { confined } from "../internal/kubernetes";
import type { KafkaPlan } from "./plan";

/*
 * The zone of a broker's node where Kubernetes doesn't put it on the pod (below 1.35): an init container asks the API server for the node and
 * writes a file that the server's configuration refers to.
 */

const folder = "/mnt/kafka/rack";
const credentials = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Properties of a broker that takes its rack from the file: it is read when the server starts (KIP-297). */
export const rackProperties: Readonly<Record<string, string>> = {
  "config.providers": "file",
  "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
  "config.providers.file.param.allowed.paths": folder,
  "broker.rack": `\${file:${folder}/rack.properties:zone}`,
};

/**
 * The image has no curl, and its wget checks no certificates; openssl comes with its base (eclipse-temurin on Alpine). HTTP/1.0, so that the answer
 * comes in one piece.
 */
const script = `set -euo pipefail
token=$(<${credentials}/token)
answer=$(printf 'GET /api/v1/nodes/%s HTTP/1.0\\r\\nHost: kubernetes.default.svc\\r\\nAuthorization: Bearer %s\\r\\nAccept: application/json\\r\\n\\r\\n' "$NODE_NAME" "$token" |
  timeout 20 openssl s_client -quiet -verify_quiet -ign_eof -verify_return_error -verify_hostname kubernetes.default.svc -CAfile ${credentials}/ca.crt \\
    -connect "\${KUBERNETES_API:-kubernetes.default.svc:443}")
pattern='"topology.kubernetes.io/zone": *"([a-z0-9-]+)"'
if [[ $answer =~ $pattern ]]; then
  echo "zone=\${BASH_REMATCH[1]}" | tee ${folder}/rack.properties
else
  echo "The node $NODE_NAME has no label topology.kubernetes.io/zone, or may not be read: \${answer:0:300}" >&2
  exit 1
fi
`;

/** Writes the file before Kafka starts. Only this container gets a token. */
export function rackContainer(image: pulumi.Input<string>): k8s.types.input.core.v1.Container {
  return {
    name: "rack",
    image,
    command: ["/bin/bash", "-c", script],
    env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "64Mi" } },
    securityContext: confined,
    volumeMounts: [
      { name: "rack", mountPath: folder },
      { name: "rack-token", mountPath: credentials, readOnly: true },
    ],
  };
}

export const rackMount = { name: "rack", mountPath: folder, readOnly: true };

export const rackVolumes: k8s.types.input.core.v1.Volume[] = [
  { name: "rack", emptyDir: {} },
  {
    name: "rack-token",
    projected: {
      sources: [
        { serviceAccountToken: { path: "token", expirationSeconds: 3600 } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      ],
    },
  },
];

/**
 * Lets the brokers read nodes. RBAC can't say "its own node": a name in the rule would have to be known, and the kubelet's own way (the node
 * authorizer) is for kubelets. So it may read each node, by name; it may not list or watch them.
 */
export function allowReadingNodes(
  name: string,
  plan: KafkaPlan,
  namespace: pulumi.Input<string>,
  account: string,
  parent: pulumi.Resource,
): pulumi.Resource[] {
  const metadata = { name: `${plan.kafkaName}-rack` };
  const role = new k8s.rbac.v1.ClusterRole(
    `${name}-rack`,
    { metadata, rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }] },
    { parent },
  );
  const binding = new k8s.rbac.v1.ClusterRoleBinding(
    `${name}-rack`,
    {
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    },
    { parent },
  );
  return [role, binding];
}
