import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { adminPod, certificatesFolder, type AdminJob } from "./admin-job";
import { KafkaRole, rotationLabels, rotationName, secretKeys } from "./names";
import { rotationPolicy } from "./network-policies";
import type { KafkaPlan } from "./plan";
import { rotationScript } from "./rotation-script";
import { nodeAddresses } from "./server-properties";

/** What restarts pods is made of. */
export interface RotationInputs {
  readonly plan: KafkaPlan;
  readonly kafka: AdminJob["kafka"];
  readonly namespace: pulumi.Output<string>;
  /** Secrets of the roles. */
  readonly secretNames: Readonly<Record<KafkaRole, string>>;
  readonly schedule: string;
  /** What must be there first. */
  readonly ready: pulumi.Resource[];
}

/** Longest that a run may take: nobody waits for it, and the next one goes on. A pod takes some minutes, eleven at most. */
const longestRunSeconds = 6 * 3600;

/**
 * Makes the job that restarts pods whose certificate somebody else has renewed, and what it needs: a role that can do nothing but evict these
 * very pods, and a way to all nodes and to the API server.
 */
export function certificateRotation(name: string, inputs: RotationInputs, parent: pulumi.Resource): void {
  const { plan, kafka, namespace, secretNames } = inputs;
  const metadata = { name: rotationName(plan.kafkaName), namespace };
  const account = new k8s.core.v1.ServiceAccount(
    `${name}-rotation-account`,
    { metadata, automountServiceAccountToken: false }, // only the job's own pods get a token
    { parent },
  );
  const nodes = namespace.apply((ns) => nodeAddresses(plan, ns));
  const role = new k8s.rbac.v1.Role(
    `${name}-rotation-role`,
    {
      metadata,
      rules: [
        {
          apiGroups: [""],
          resources: ["pods/eviction"],
          resourceNames: nodes.apply((all) => all.map(({ pod }) => pod)),
          verbs: ["create"],
        },
      ],
    },
    { parent },
  );
  const binding = new k8s.rbac.v1.RoleBinding(
    `${name}-rotation-binding`,
    {
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: metadata.name },
      subjects: [{ kind: "ServiceAccount", name: metadata.name, namespace }],
    },
    { parent, dependsOn: [account, role] },
  );
  const policy = new k8s.networking.v1.NetworkPolicy(
    `${name}-rotation-policy`,
    { metadata, spec: rotationPolicy(plan) },
    { parent },
  );
  const pod = adminPod(metadata.name, {
    kafka,
    script: rotationScript,
    scriptArguments: [
      nodes.apply((all) => all.map((node) => `${node.role} ${node.pod} ${node.address}`).join("\n")),
      namespace,
    ],
    environment: { CERTIFICATES: certificatesFolder },
    volumes: Object.entries(secretNames).map(([of, secretName]) => ({
      name: of,
      mountPath: `${certificatesFolder}/${of}`,
      secretName,
      keys: [secretKeys.combined, secretKeys.ca],
    })),
  });
  new k8s.batch.v1.CronJob(
    `${name}-rotation`,
    {
      metadata,
      spec: {
        schedule: inputs.schedule,
        timeZone: "Etc/UTC",
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: 600,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        jobTemplate: {
          spec: {
            backoffLimit: 0, // the next run goes on
            activeDeadlineSeconds: longestRunSeconds,
            template: {
              metadata: { labels: rotationLabels(plan.kafkaName) },
              spec: { ...pod, serviceAccountName: metadata.name, automountServiceAccountToken: true },
            },
          },
        },
      },
    },
    { parent, dependsOn: [binding, policy, ...inputs.ready] },
  );
}
