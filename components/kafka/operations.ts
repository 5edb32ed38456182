import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { adminJob, type AdminJob } from "./admin-job";
import { drainArguments, drainScript, drainSeconds, unregisterScript } from "./drain";
import { metadataVersionScript } from "./metadata-version";
import type { KafkaPlan } from "./plan";
import { quotaLines, quotaScript } from "./quotas";

type Kafka = AdminJob["kafka"];

/**
 * What must be so before brokers change. Without a name of its own: the new job then runs before the old one goes, and what depends on it isn't
 * touched.
 */
export function drainJob(
  name: string,
  plan: KafkaPlan,
  kafka: Kafka,
  after: pulumi.Resource[],
  parent: pulumi.Resource,
): k8s.batch.v1.Job {
  return adminJob(
    `${name}-drain`,
    {
      kafka,
      script: drainScript,
      scriptArguments: drainArguments(plan),
      ...(plan.drained.length > 0 ? { deadlineSeconds: drainSeconds } : {}),
    },
    { parent, dependsOn: after },
  );
}

/** What follows once the brokers are as wanted. */
export function operationJobs(
  name: string,
  plan: KafkaPlan,
  kafka: Kafka,
  controllers: pulumi.Input<string>,
  metadataVersion: string | undefined,
  options: pulumi.CustomResourceOptions,
): void {
  if (plan.drained.length > 0)
    adminJob(
      `${name}-unregister`,
      { kafka, script: unregisterScript, scriptArguments: [...drainArguments(plan), controllers] },
      options,
    );
  if (plan.quotas !== undefined)
    adminJob(`${name}-quotas`, { kafka, script: quotaScript, scriptArguments: [quotaLines(plan.quotas)] }, options);
  if (metadataVersion !== undefined)
    adminJob(
      `${name}-metadata-version`,
      { kafka, script: metadataVersionScript, scriptArguments: [metadataVersion] },
      options,
    );
}
