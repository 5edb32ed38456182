import { isDeepStrictEqual } from "node:util";
import { type JsonObject, unknown } from "../../../cli/engine/values";
import { text } from "./plain";

interface Kubeconfig {
  readonly clusters?: readonly { readonly name: string; readonly cluster: JsonObject }[];
  readonly contexts?: readonly { readonly name: string; readonly context: { readonly cluster: string } }[];
  readonly "current-context"?: string;
}

/** What chooses the cluster. */
const choices = ["kubeconfig", "context", "cluster"];

/**
 * Whether another configuration replaces the provider, and with it everything that it made: when it may lead to another cluster.
 *
 * Source: pulumi/pulumi-kubernetes 9497796, provider/pkg/provider/provider.go, `DiffConfig`, and util.go, `getActiveClusterFromConfig`.
 * Another user, or a context that isn't in the kubeconfig, replaces nothing; a kubeconfig that a preview doesn't know does. With a
 * `clusterIdentifier` before and after nothing else counts.
 */
export function leadsElsewhere(before: JsonObject, after: JsonObject): boolean {
  const identifiers = [before["clusterIdentifier"], after["clusterIdentifier"]];
  if (!identifiers.includes(undefined)) return identifiers[0] !== identifiers[1];
  if (choices.some((key) => after[key] === unknown)) return true;
  const [old, fresh] = [activeCluster(before), activeCluster(after)];
  return old !== undefined && fresh !== undefined && !isDeepStrictEqual(old, fresh);
}

function activeCluster(config: JsonObject): JsonObject | undefined {
  const {
    clusters,
    contexts,
    "current-context": current,
  } = JSON.parse(text(config["kubeconfig"] ?? "{}")) as Kubeconfig;
  const active = contexts?.find(({ name }) => name === (config["context"] ?? current));
  if (active === undefined) return undefined;
  return clusters?.find(({ name }) => name === (config["cluster"] ?? active.context.cluster))?.cluster;
}
