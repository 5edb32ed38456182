import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { policyDocument, type Location } from "../internal/iam";
import { tagsFor, type Tags } from "../internal/tags";
import { interruptionRules, messageRetentionSeconds, queueStatements } from "./interruption";

/** A queue, and what must exist before anything arrives in it. */
export interface InterruptionQueue {
  readonly queue: aws.sqs.Queue;
  readonly ready: pulumi.Resource[];
}

/** Makes the queue, its policy, and the rules that fill it. */
export function makeInterruptionQueue(
  parent: pulumi.ComponentResource,
  name: string,
  location: Location,
  tags: pulumi.Input<Tags> | undefined,
): InterruptionQueue {
  // Pulumi names it: names of clusters may be longer than those of queues, and the chart is told the real one.
  const queue = new aws.sqs.Queue(
    `${name}-interruptions`,
    { messageRetentionSeconds, sqsManagedSseEnabled: true, tags: tagsFor(tags, `${name}-interruptions`) },
    { parent },
  );
  const rules = Object.entries(interruptionRules).map(([key, { source, detailType, description }]) => ({
    key,
    rule: new aws.cloudwatch.EventRule(
      `${name}-${key}`,
      {
        description: `Karpenter: ${description}`,
        eventPattern: JSON.stringify({ source: [source], "detail-type": [detailType] }),
        tags: tagsFor(tags, `${name}-${key}`),
      },
      { parent },
    ),
  }));
  const policy = new aws.sqs.QueuePolicy(
    `${name}-interruptions-policy`,
    {
      queueUrl: queue.url,
      policy: policyDocument(
        queueStatements(
          queue.arn,
          rules.map(({ rule }) => rule.arn),
          location.accountId,
        ),
      ),
    },
    { parent },
  );
  const targets = rules.map(
    ({ key, rule }) =>
      new aws.cloudwatch.EventTarget(
        `${name}-${key}`,
        { rule: rule.name, targetId: "KarpenterInterruptionQueueTarget", arn: queue.arn },
        { parent, dependsOn: [policy] },
      ),
  );
  return { queue, ready: [policy, ...targets] };
}
