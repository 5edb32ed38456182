import { isObject, type Json, type JsonObject } from "../../../cli/engine/values";
import type { Cloud } from "./cloud";
import { text } from "./plain";

interface Statement {
  readonly Effect: string;
  readonly Principal?: { readonly Service?: string };
  readonly Resource?: string | readonly string[];
}

/**
 * What AWS refuses of a load balancer: logs to a bucket that log delivery may not write to. When they are switched on it writes a test object
 * to `<prefix>/AWSLogs/<account>/` (ELB user guide, "Enable access logs" and "Enable connection logs", step 4).
 */
export function refusesLogs(cloud: Cloud, inputs: JsonObject): string | undefined {
  return ["accessLogs", "connectionLogs"]
    .map((kind) => refuses(cloud, inputs[kind]))
    .find((found) => found !== undefined);
}

function refuses(cloud: Cloud, logs: Json | undefined): string | undefined {
  if (!isObject(logs) || logs["enabled"] !== true) return undefined;
  const bucket = text(logs["bucket"]);
  // One of somebody else's making has a policy that isn't known here.
  if (cloud.find("aws:s3/bucket:Bucket", bucket) === undefined) return undefined;
  const prefix = text(logs["prefix"]);
  const folder = `arn:aws:s3:::${bucket}/${prefix === "" ? "" : `${prefix}/`}AWSLogs/`;
  const allowed = cloud
    .ofType("aws:s3/bucketPolicy:BucketPolicy")
    .filter((policy) => policy.inputs["bucket"] === bucket)
    .flatMap((policy) => (JSON.parse(text(policy.inputs["policy"])) as { Statement: readonly Statement[] }).Statement)
    .filter(
      ({ Effect, Principal }) =>
        Effect === "Allow" && Principal?.Service === "logdelivery.elasticloadbalancing.amazonaws.com",
    )
    .flatMap(({ Resource = [] }) => Resource)
    .some((resource) => resource.startsWith(folder));
  return allowed ? undefined : `InvalidConfigurationRequest: Access Denied for bucket: ${bucket}`;
}
