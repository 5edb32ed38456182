import type { ResourceRecord } from "./records";
import { isObject, type JsonObject, secret, signedKind, unknown } from "./values";

/**
 * Properties that a provider computes inside an object whose other members are inputs. A computed property of its own is simply left
 * out of a preview's answer, and the SDK takes it for unknown; inside a given object it would read as absent.
 * Source: the output types of @pulumi/aws 7.48.
 */
const computedInside: Readonly<Record<string, readonly (readonly [property: string, member: string])[]>> = {
  "aws:eks/cluster:Cluster": [
    ["vpcConfig", "clusterSecurityGroupId"],
    ["vpcConfig", "vpcId"],
    ["accessConfig", "authenticationMode"],
    ["kubernetesNetworkConfig", "serviceIpv4Cidr"],
  ],
};

/** What a preview answers for a resource that would be created: its inputs, and unknown for what its provider would fill in. */
export function createdOutputs(record: ResourceRecord): JsonObject {
  const outputs = withGeneratedName(record);
  for (const [property, member] of computedInside[record.type] ?? []) {
    const object = outputs[property];
    if (isObject(object) && !(member in object)) outputs[property] = { ...object, [member]: unknown };
  }
  return withSecretOutputs(record, outputs);
}

/** `additionalSecretOutputs`: from here on the program, and so the plan, holds these as secrets. */
export function withSecretOutputs(
  record: Pick<ResourceRecord, "additionalSecretOutputs">,
  outputs: JsonObject,
): JsonObject {
  const marked = { ...outputs };
  for (const key of record.additionalSecretOutputs) {
    const value = outputs[key];
    if (value !== undefined && signedKind(value) !== "secret") marked[key] = secret(value);
  }
  return marked;
}

/** The Kubernetes provider names objects that have no name; before it has seen the object, nobody knows which. */
function withGeneratedName(record: ResourceRecord): JsonObject {
  const { inputs, type } = record;
  if (!type.startsWith("kubernetes:") || type.startsWith("kubernetes:helm.sh/")) return { ...inputs };
  const metadata = inputs["metadata"] ?? {};
  if (!isObject(metadata) || "name" in metadata || "generateName" in metadata) return { ...inputs };
  return { ...inputs, metadata: { ...metadata, name: unknown } };
}
