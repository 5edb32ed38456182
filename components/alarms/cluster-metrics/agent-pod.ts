import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { confined } from "../../internal/kubernetes";
import { systemToleration } from "../../internal/system-nodes";
import { agentConfigFile, agentConfigFolder, prometheusConfigFile, prometheusConfigFolder } from "./agent-config";

/** What the pod depends on. */
export interface AgentPod {
  readonly serviceAccountName: pulumi.Input<string>;
  readonly image: pulumi.Input<string>;
  readonly memoryMiB: number;
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>>;
  readonly agentConfigName: pulumi.Input<string>;
  readonly prometheusConfigName: pulumi.Input<string>;
}

/** Folders that the agent writes to: its translated configuration, and its process id (cmd/start-amazon-cloudwatch-agent). */
const written = {
  etc: "/opt/aws/amazon-cloudwatch-agent/etc",
  var: "/opt/aws/amazon-cloudwatch-agent/var",
  tmp: "/tmp",
};

/**
 * A pod that passes the "restricted" Pod Security Standard. That the agent runs as another user than root and on a read-only file system is
 * confirmed in its issue 276. It has no port and no probe: the agent serves nothing, and the alarm on its silence is what watches it.
 */
export function agentPodSpec(pod: AgentPod): k8s.types.input.core.v1.PodSpec {
  const writable = Object.entries(written);
  const memory = `${pod.memoryMiB}Mi`;
  return {
    serviceAccountName: pod.serviceAccountName,
    automountServiceAccountToken: true, // it asks the API server where the pods are
    enableServiceLinks: false,
    nodeSelector: pod.nodeSelector,
    tolerations: [systemToleration],
    // 65532 is "nonroot" of images without a distribution; this one has no users. The group lets it read its token for AWS.
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      fsGroup: 65532,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "cloudwatch-agent",
        image: pod.image,
        // Without it the agent looks for the instance metadata service, finds none, takes itself for a machine outside AWS and asks for a
        // profile that isn't there (translator/util/sdkutil.go, `DetectAgentMode` and `GetCredentials`).
        env: [{ name: "RUN_WITH_IRSA", value: "True" }],
        resources: { requests: { cpu: "50m", memory }, limits: { memory } },
        securityContext: confined,
        volumeMounts: [
          { name: "agent-config", mountPath: agentConfigFolder, readOnly: true },
          { name: "prometheus-config", mountPath: prometheusConfigFolder, readOnly: true },
          ...writable.map(([name, mountPath]) => ({ name, mountPath })),
        ],
      },
    ],
    volumes: [
      configVolume("agent-config", pod.agentConfigName, agentConfigFile),
      configVolume("prometheus-config", pod.prometheusConfigName, prometheusConfigFile),
      ...writable.map(([name]) => ({ name, emptyDir: { sizeLimit: "64Mi" } })),
    ],
  };
}

function configVolume(name: string, configMapName: pulumi.Input<string>, file: string) {
  return { name, configMap: { name: configMapName, items: [{ key: file, path: file }] } };
}
