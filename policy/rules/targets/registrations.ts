import { isUnknown, type Unknown } from "../../lib/known";
import { isProperties, type Properties } from "../../lib/kubernetes";
import { each, stringAt, valuesAt } from "../../lib/paths";
import { targetFields, type TargetFields } from "./target-fields";

/** An object in a resource that registers targets: the resource itself, or an item of a list. */
export interface Registration {
  readonly fields: TargetFields;
  readonly object: Properties;
  /** Where the object is in the resource's properties; empty for the resource itself. */
  readonly prefix: string;
}

/**
 * The objects of a resource that register targets, and unknowns in the place of such that may. Of a Kubernetes object the provider takes
 * what the object says of itself (`apiVersion` and `kind`), whatever type it is registered under; a list holds objects of its own.
 */
export function registrationsOf(type: string, object: Properties, prefix = ""): (Registration | Unknown)[] {
  const fields = targetFields(type);
  const found: (Registration | Unknown)[] = fields === undefined ? [] : [{ fields, object, prefix }];
  if (!type.startsWith("kubernetes:")) return found;
  const said = typeSaid(object) ?? type;
  const saidFields = targetFields(said);
  if (saidFields !== undefined && saidFields !== fields) found.push({ fields: saidFields, object, prefix });
  for (const list of new Set([type, said])) {
    if (!list.endsWith("List")) continue;
    const element = list.replace(/List$/, "");
    const mayRegister = element.endsWith(":") || targetFields(element) !== undefined;
    for (const { path, value } of valuesAt(object, ["items", each], prefix)) {
      if (isProperties(value)) found.push(...registrationsOf(typeSaid(value) ?? element, value, path));
      else if (isUnknown(value) && mayRegister) found.push(value);
    }
    break;
  }
  return found;
}

/** The type token of what a Kubernetes object says that it is; undefined where it says nothing, or a preview doesn't know it. */
export function typeSaid(object: Properties): string | undefined {
  const [apiVersion, kind] = [stringAt(object, ["apiVersion"]), stringAt(object, ["kind"])];
  return typeof apiVersion === "string" && typeof kind === "string" ? `kubernetes:${apiVersion}:${kind}` : undefined;
}
