import type { PolicyConfigSchema, PolicyResource } from "@pulumi/policy";
import { anyOf, isUnknown, type Undecided } from "../../lib/known";
import { hasKey, isPatch } from "../../lib/kubernetes";
import { valueAt, type Path } from "../../lib/paths";
import { podTemplate } from "../../lib/pods";
import { typeOf } from "../../lib/tokens";

/** By what a workload says that it is a client of Kafka. */
export interface ClientConfig {
  clientLabels: string[];
}

/** Its part of the configuration schema: the same in all rules on clients. */
export const clientConfig: PolicyConfigSchema["properties"] = {
  clientLabels: {
    type: "array",
    items: { type: "string" },
    default: ["moorings.dev/kafka-client"],
    description:
      "Labels by which pods say that they are clients of Kafka: keys, or `key=value`. Other pods aren't judged.",
  },
};

/** Where each kind of workload has its pods. */
const templates: Readonly<Record<string, Path>> = {
  "kubernetes:apps:Deployment": podTemplate,
  "kubernetes:extensions:Deployment": podTemplate,
  "kubernetes:apps:StatefulSet": podTemplate,
  "kubernetes:apps:DaemonSet": podTemplate,
  "kubernetes:apps:ReplicaSet": podTemplate,
  "kubernetes:batch:Job": podTemplate,
  "kubernetes:batch:CronJob": ["spec", "jobTemplate", ...podTemplate],
  "kubernetes:core:Pod": [],
};

/** A workload whose pods are clients of Kafka. */
export interface Client {
  readonly workload: PolicyResource;
  /** The pods' `spec`. */
  readonly pod: unknown;
}

/** The clients of a stack. */
export function clientsIn(
  resources: readonly PolicyResource[],
  { clientLabels }: ClientConfig,
  undecided: Undecided,
): Client[] {
  return resources.flatMap((workload) => {
    const template = templates[typeOf(workload.type)];
    if (template === undefined || isPatch(workload)) return [];
    const labels = [...template, "metadata", "labels"];
    const isClient = anyOf(
      clientLabels.map((label) => {
        const [key = "", wanted] = label.split(/=(.*)/s);
        const found =
          wanted === undefined ? hasKey(workload.props, labels, key) : valueAt(workload.props, [...labels, key]);
        return isUnknown(found) || typeof found === "boolean" ? found : found !== undefined && found === wanted;
      }),
    );
    if (isUnknown(isClient)) undecided.add(isClient, workload);
    return isClient === true ? [{ workload, pod: valueAt(workload.props, [...template, "spec"]) }] : [];
  });
}
