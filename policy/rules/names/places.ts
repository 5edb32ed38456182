import type { PolicyProviderResource, PolicyResource } from "@pulumi/policy";
import type { Unknown } from "../../lib/known";
import { stringAt } from "../../lib/paths";

/** Whether a provider is the engine's own, made because the program gave none: `default`, or `default_7_48_0` by the SDK's version. */
export function isDefaultProvider({ name }: PolicyProviderResource): boolean {
  return /^default(_\d+_\d+_\d+.*)?$/.test(name);
}

/** The region that a resource says it is in, else that of its provider; undefined where neither says one. */
export function regionOf({ props, provider }: PolicyResource): string | Unknown | undefined {
  return stringAt(props, ["region"]) ?? (provider && stringAt(provider.props, ["region"]));
}
