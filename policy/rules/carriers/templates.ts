import { addressIn } from "../../lib/addresses";
import { isUnknown, known, type Unknown } from "../../lib/known";
import { entriesOf, isProperties, type Properties } from "../../lib/kubernetes";
import { leavesAt } from "../../lib/paths";
import { registrationsOf, typeSaid } from "../targets/registrations";
import { isNamed } from "../targets/target-fields";
import type { Parameters, TemplateTarget } from "./template-target";
import { readYaml } from "./yaml-templates";

/** Types of CloudFormation and Cloud Control that have targets of their own. Their services compare names exactly; nothing else is so called. */
const groupTypes = /^AWS::(?:ElasticLoadBalancingV2|VpcLattice)::TargetGroup$/i;

/** Deeper than CloudFormation, Kubernetes or Cloud Control take. */
const deepest = 100;

/**
 * The addresses that a template registers, wherever it holds target groups with targets, Kubernetes' endpoints, or another template in a
 * text. Unknowns stand in the place of targets that a preview doesn't know, or of all of it.
 */
export function targetsIn(
  template: unknown,
  at: string,
  parameters: Parameters,
  depth = 0,
): (TemplateTarget | Unknown)[] {
  if (isUnknown(template)) return [template];
  if (depth > deepest) return [];
  if (typeof template === "string") {
    // Most texts in a template are no templates: one look is cheaper than two parsers.
    if (!/targetgroup|endpoint/i.test(template)) return [];
    const parsed = parseJson(template);
    return parsed === undefined
      ? readYaml(template, at, parameters)
      : targetsIn(parsed, at, withDefaults(parsed, parameters), depth + 1);
  }
  if (Array.isArray(template))
    return itemsOf(template).flatMap((item, i) =>
      isUnknown(item) ? [] : targetsIn(item, `${at}[${i}]`, parameters, depth + 1),
    );
  if (!isProperties(template)) return [];
  return [
    ...groupTargets(template, at, parameters),
    ...objectTargets(template, at),
    ...entriesOf(template).flatMap(([key, value]) =>
      isUnknown(value) ? [] : targetsIn(value, `${at}.${key}`, parameters, depth + 1),
    ),
  ];
}

/** The targets of a list, and those of both branches where a condition chooses (`Fn::If`), of the list or of one of its items. */
function chosen(targets: unknown, depth = 0): unknown[] {
  if (depth > deepest || isNothing(targets)) return [];
  if (Array.isArray(targets)) return itemsOf(targets).flatMap((item) => chosen(item, depth + 1));
  const branches = isProperties(targets) ? known(() => targets["Fn::If"]) : undefined;
  return Array.isArray(branches)
    ? itemsOf(branches)
        .slice(1)
        .flatMap((branch) => chosen(branch, depth + 1))
    : [targets];
}

/** What CloudFormation takes as if it weren't there. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || (isProperties(value) && known(() => value["Ref"]) === "AWS::NoValue");
}

function itemsOf(list: readonly unknown[]): unknown[] {
  return Array.from({ length: list.length }, (_, i) => known(() => list[i]));
}

/** Targets of a target group as CloudFormation (`Type`, `Properties`) and Cloud Control (as {@link asNode}) write it, in any case. */
function groupTargets(node: Properties, at: string, parameters: Parameters): (TemplateTarget | Unknown)[] {
  const type = property(node, "type");
  const properties = property(node, "properties");
  if (typeof type !== "string" || !groupTypes.test(type) || !isProperties(properties)) return [];
  const kind = property(properties, "targettype") ?? property(properties, "type");
  const ip = typeof kind === "string" && kind.toLowerCase() === "ip";
  const targets = property(properties, "targets");
  if (isUnknown(targets)) return [targets];
  return chosen(targets).flatMap((target, i): (TemplateTarget | Unknown)[] => {
    const path = `${at}.Targets[${i}].Id`;
    if (isUnknown(target)) return [target];
    const id = isProperties(target) ? resolved(property(target, "id"), parameters) : undefined;
    // A function (`Ref`, `Fn::FindInMap`) in the place of a target, or of all.
    const made = isProperties(target) && entriesOf(target).some(([key]) => /^(Ref|Fn::.+)$/.test(key));
    if (id === undefined || id === null) return ip && made ? [{ path, address: undefined }] : [];
    if (isUnknown(id)) return [id];
    if (typeof id !== "string") return ip ? [{ path, address: undefined }] : [];
    return isNamed(id) ? [] : [{ path, address: addressIn(id) }];
  });
}

/** Addresses of a Kubernetes object inside another: a manifest in a custom resource, an item of `objs`. */
function objectTargets(object: Properties, at: string): TemplateTarget[] {
  const type = typeSaid(object);
  if (type === undefined) return [];
  return registrationsOf(type, object, at).flatMap((registration) => {
    if (isUnknown(registration)) return [];
    return registration.fields.targets
      .flatMap((path) => leavesAt(registration.object, path, registration.prefix))
      .flatMap(({ path, value }) => {
        const address = typeof value === "string" ? addressIn(value) : undefined;
        return address === undefined ? [] : [{ path, address }];
      });
  });
}

/** A resource of Cloud Control in the form of CloudFormation. */
export function asNode(type: unknown, properties: unknown): Properties {
  const parsed = typeof properties === "string" ? parseJson(properties) : properties;
  return { Type: type, Properties: parsed };
}

/** What a value is where it is a parameter (`{ Ref: "PodIp" }`); else the value itself. */
function resolved(value: unknown, parameters: Parameters): unknown {
  const name = isProperties(value) ? property(value, "ref") : undefined;
  return typeof name === "string" ? (parameters.get(name) ?? value) : value;
}

/** The parameters, and for those that the stack doesn't give the template's defaults. */
function withDefaults(template: unknown, given: Parameters): Parameters {
  const declared = isProperties(template) ? entriesOf(property(template, "parameters")) : [];
  const defaults = declared.map(([name, of]): [string, unknown] => [
    name,
    isProperties(of) ? of["Default"] : undefined,
  ]);
  return new Map([...defaults.filter(([, value]) => value !== undefined), ...given]);
}

function property(object: Properties, name: string): unknown {
  return entriesOf(object).find(([key]) => key.toLowerCase() === name)?.[1];
}

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
