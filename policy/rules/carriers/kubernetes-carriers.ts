import { each, type Path } from "../../lib/paths";
import type { Carrier } from "./carrier";

const run = ["command", "args", "lifecycle"];

/** What the containers of a pod run. */
function pods(...spec: Path): Carrier {
  const containers = ["containers", "initContainers", "ephemeralContainers"].map((list) => [...spec, list, each]);
  return {
    scripts: containers.flatMap((container) => run.map((name) => [...container, name])),
    texts: containers.map((container) => [...container, "env"]),
  };
}

const template = pods("spec", "template", "spec");

const carriers: ReadonlyMap<string, Carrier> = new Map<string, Carrier>([
  ["kubernetes:core:Pod", pods("spec")],
  ["kubernetes:core:PodTemplate", pods("template", "spec")],
  ["kubernetes:core:ReplicationController", template],
  ["kubernetes:apps:Deployment", template],
  ["kubernetes:apps:StatefulSet", template],
  ["kubernetes:apps:DaemonSet", template],
  ["kubernetes:apps:ReplicaSet", template],
  ["kubernetes:extensions:Deployment", template],
  ["kubernetes:extensions:DaemonSet", template],
  ["kubernetes:extensions:ReplicaSet", template],
  ["kubernetes:batch:Job", template],
  ["kubernetes:batch:CronJob", pods("spec", "jobTemplate", "spec", "template", "spec")],
  ["kubernetes:core:ConfigMap", { texts: [["data"], ["binaryData"]] }],
  ["kubernetes:core:Secret", { texts: [["data"], ["stringData"]] }],
  [
    "kubernetes:helm.sh:Release",
    { texts: [["values"], ["postrender"]], manifests: [["values"]], elsewhere: [["chart"]] },
  ],
  ["kubernetes:helm.sh:Chart", { texts: [["values"]], manifests: [["values"]] }],
  // Their children are seen in an engine; `moorings check` sees the arguments, and lists the component as closed.
  ["kubernetes:yaml:ConfigGroup", { texts: [["yaml"]], manifests: [["yaml"], ["objs"]] }],
]);

/** Objects of an operator or a controller of somebody's own: they may hold other objects, Terraform, or scripts (Argo, Tekton, Crossplane). */
const custom: Carrier = { texts: [["spec"], ["data"]], manifests: [["spec"], ["data"], ["manifest"]] };

/** What Kubernetes objects of this type, in the form of {@link typeOf}, carry. */
export function kubernetesCarrier(type: string): Carrier | undefined {
  const group = /^kubernetes:([^:]+):/.exec(type)?.[1];
  if (group === undefined) return undefined;
  const listed = carriers.get(type);
  return listed ?? (group.includes(".") && !/(^|\.)k8s\.io$|^helm\.sh$/.test(group) ? custom : undefined);
}
