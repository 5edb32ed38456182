import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, notKnown, standsAt, type Unknown } from "../../lib/known";
import { isPatch, isProperties, itemsAt, type KubernetesObject } from "../../lib/kubernetes";
import { withParents } from "../../lib/parents";
import { stringAt, valueAt, type Path } from "../../lib/paths";
import { podSpec } from "../../lib/pods";
import { typeOf } from "../../lib/tokens";

/** The chart by its name, with or without a repository's in front, as a folder, as an OCI reference (with a tag or digest) or as an archive. */
const chartName = /(^|\/)aws-load-balancer-controller((-v?\d[\w.+-]*\.tgz)?\/?|(:[^/]*)?(@.*)?)$/;

/** The controller's image, in any registry and below any prefix (a mirror's, say). */
const imageName = /(^|\/)aws-load-balancer-controller(:[^/]*)?(@.*)?$/;

/**
 * Whether this installs a chart: a Release, or a Chart of any version of the SDK. A Chart is only rendered: nothing in it can look at what
 * the cluster has.
 */
export function isChartType(type: string): boolean {
  return ["kubernetes:helm.sh:Release", "kubernetes:helm.sh:Chart"].includes(typeOf(type));
}

export function isRendered(type: string): boolean {
  return typeOf(type) === "kubernetes:helm.sh:Chart";
}

/** Whether a chart is that of the AWS Load Balancer Controller; false also while its name isn't known. */
export function isController({ type, props }: KubernetesObject): boolean {
  const names = [["chart"], ["path"]].map((path) => stringAt(props, path));
  return isChartType(type) && names.some((name) => typeof name === "string" && chartName.test(name));
}

/** The chart's version: what is written as such, else the tag of its reference. */
export function versionOf({ props }: KubernetesObject): string | Unknown | undefined {
  const version = stringAt(props, ["version"]);
  if (version !== undefined && version !== "") return version;
  const chart = stringAt(props, ["chart"]);
  return typeof chart === "string" ? /^oci:.*\/[^/:@]+:([^/@]+)(@.*)?$/.exec(chart)?.[1] : undefined;
}

/** The first number of the chart's version; undefined where none is written, or known. */
export function majorVersion(chart: KubernetesObject): number | undefined {
  const version = versionOf(chart);
  const [, major] = /^v?(\d+)\./.exec(typeof version === "string" ? version : "") ?? [];
  return major === undefined ? undefined : Number(major);
}

/** Whether the chart is a folder or an archive, or a reference with a tag or digest: then it brings its version along. */
export function isSelfContained({ props }: KubernetesObject): boolean {
  const chart = stringAt(props, ["chart"]);
  return typeof chart !== "string" || /^[./]|\.tgz$|^oci:.*[:@][^/]+$/.test(chart);
}

/**
 * A value that the chart is given; undefined where it is certain that the chart's default holds. Values win over `valueYamlFiles`, whose
 * contents a policy can't read: what only they may say is unknown.
 */
export function chartValue({ props }: KubernetesObject, path: Path): unknown {
  const value = valueAt(props, ["values", ...path]);
  if (value !== undefined) return value;
  const files = valueAt(props, ["valueYamlFiles"]);
  if (isUnknown(files)) return files;
  return Array.isArray(files) && files.length > 0 ? notKnown("valueYamlFiles") : undefined;
}

/**
 * Whether the chart is given something at this path, known or not; an unknown while that can't be told, because more than the value itself
 * isn't known.
 */
export function chartSays(chart: KubernetesObject, path: Path): boolean | Unknown {
  const value = chartValue(chart, path);
  if (isUnknown(value)) return standsAt(value, ["values", ...path]) ? true : value;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== "" && value !== false;
}

/** A controller in a stack, and the cluster that it serves as far as that is said. */
export interface Controller {
  readonly resource: PolicyResource;
  readonly cluster: string | Unknown | undefined;
  readonly region: string | Unknown | undefined;
  readonly vpc: string | Unknown | undefined;
}

/** Every controller of a stack: by its chart, or by the Deployment that runs it, but not by both. */
export function controllersIn(resources: readonly PolicyResource[]): Controller[] {
  const deployments = resources.filter(runsController);
  const rendered = new Set(deployments.flatMap(ancestorsOf));
  const charts = resources.filter((r) => isController(r) && !rendered.has(r.urn));
  return [
    ...charts.map((resource) => ({
      resource,
      cluster: text(chartValue(resource, ["clusterName"])),
      region: text(chartValue(resource, ["region"])),
      vpc: text(chartValue(resource, ["vpcId"])),
    })),
    ...deployments.map((resource) => ({
      resource,
      cluster: flag(resource, "cluster-name"),
      region: flag(resource, "aws-region"),
      vpc: flag(resource, "aws-vpc-id"),
    })),
  ];
}

function runsController(resource: PolicyResource): boolean {
  const whole = typeOf(resource.type) === "kubernetes:apps:Deployment" && !isPatch(resource);
  return whole && containersOf(resource).length > 0;
}

/** The containers of a Deployment that run the controller. */
function containersOf(deployment: PolicyResource) {
  return itemsAt(deployment.props, [...podSpec, "containers"])
    .filter(isProperties)
    .filter((container) => {
      const image = stringAt(container, ["image"]);
      return typeof image === "string" && imageName.test(image);
    });
}

/** The value of a flag in the arguments of the controller. */
function flag(deployment: PolicyResource, name: string): string | Unknown | undefined {
  for (const container of containersOf(deployment)) {
    const args = valueAt(container, ["args"]);
    if (isUnknown(args)) return args;
    if (!Array.isArray(args)) continue;
    const words = Array.from({ length: args.length }, (_, i) => valueAt(args, [String(i)]));
    const found = words.find((word) => typeof word === "string" && word.startsWith(`--${name}=`));
    if (typeof found === "string") return found.slice(name.length + 3);
    const unknown = words.find(isUnknown);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

function text(value: unknown): string | Unknown | undefined {
  return typeof value === "string" || isUnknown(value) ? value : undefined;
}

function ancestorsOf(resource: PolicyResource): string[] {
  return withParents(resource)
    .slice(1)
    .map(({ urn }) => urn);
}
