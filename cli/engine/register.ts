import { type Alias, fromStruct, resource } from "./proto";
import type { ResourceRecord } from "./records";
import { type Registry } from "./registry";
import { type Transformable, type Transforms, withDependencies } from "./transforms";
import { type AliasSpec, aliasUrn, isProviderType, makeUrn, nameOf, urnOfReference } from "./urn";
import { type JsonObject, withoutOutputValues } from "./values";

type Request = resource.RegisterResourceRequest;

/**
 * What the engine makes of a registration before policies see it: options inherited from the parent, transforms applied, the
 * provider found, dependencies completed, the URN built. The order is that of the real engine (source_eval.go, RegisterResource).
 */
export async function evaluate(request: Request, registry: Registry, transforms: Transforms): Promise<ResourceRecord> {
  const type = request.getType();
  const name = request.getName();
  const parent = request.getParent();
  const custom = request.getCustom();
  const remote = request.getRemote();
  const parentRecord = registry.get(parent);

  const requested = dependenciesByProperty(request);
  const subject: Transformable = {
    type,
    name,
    custom,
    parent,
    properties: withDependencies(fromStruct(request.getObject()), requested),
    options: optionsOf(request),
  };
  const ancestors = [...registry.ancestors(parent)];
  await transforms.apply(request.getTransformsList(), ancestors, subject);
  const { options } = subject;

  const inputs: JsonObject = {};
  const propertyDependencies: Record<string, string[]> = {};
  const dependencies = new Set(options.getDependsOnList());
  for (const [key, value] of Object.entries(subject.properties)) {
    const stripped = withoutOutputValues(value);
    inputs[key] = stripped.value;
    const own = new Set([...(requested[key] ?? []), ...stripped.dependencies]);
    propertyDependencies[key] = [...own].sort();
    for (const urn of own) dependencies.add(urn);
  }

  const providers = Object.fromEntries(options.getProvidersMap().toArray());
  const needsProvider = (custom && !isProviderType(type)) || remote;
  const provider = needsProvider
    ? registry.providerOf({ type, version: options.getVersion(), parent, provider: options.getProvider(), providers })
    : urnOfReference(options.getProvider());

  const urn = makeUrn(registry.deployment, parent, type, name);
  if (!custom) registry.setComponentProviders(urn, parent, providers);
  transforms.setResourceTransforms(urn, request.getTransformsList());

  return {
    urn,
    type,
    name,
    custom,
    remote,
    defaultProvider: false,
    external: false,
    parent,
    provider: provider === "" && !custom ? (parentRecord?.provider ?? "") : provider,
    inputs,
    dependencies: [...dependencies].sort(),
    propertyDependencies,
    protect: (options.hasProtect() ? options.getProtect() : parentRecord?.protect) ?? false,
    retainOnDelete: (options.hasRetainOnDelete() ? options.getRetainOnDelete() : parentRecord?.retainOnDelete) ?? false,
    aliases: aliasesOf(options.getAliasesList(), { type, name, parent }, registry, parentRecord),
    ignoreChanges: options.getIgnoreChangesList(),
    replaceOnChanges: options.getReplaceOnChangesList(),
    deleteBeforeReplace: options.hasDeleteBeforeReplace() ? options.getDeleteBeforeReplace() : undefined,
    deletedWith: options.getDeletedWith() || (parentRecord?.deletedWith ?? ""),
    additionalSecretOutputs: options.getAdditionalSecretOutputsList(),
    customTimeouts: timeoutsOf(options),
    outputs: {},
  };
}

function dependenciesByProperty(request: Request): Record<string, readonly string[]> {
  const map = request.getPropertydependenciesMap();
  const listed = map.toArray().map(([key]) => [key, map.get(key)?.getUrnsList() ?? []] as const);
  if (listed.length > 0 || request.getRemote()) return Object.fromEntries(listed);
  // Old SDKs name no property: then each property depends on everything.
  const keys = Object.keys(fromStruct(request.getObject()));
  return Object.fromEntries(keys.map((key) => [key, request.getDependenciesList()]));
}

/** The options of a request in the form that transforms are given and give back. */
function optionsOf(request: Request): resource.TransformResourceOptions {
  const options = new resource.TransformResourceOptions();
  options.setDependsOnList(request.getDependenciesList());
  const protect = request.getProtect();
  if (protect !== undefined) options.setProtect(protect);
  const retain = request.getRetainondelete();
  if (retain !== undefined) options.setRetainOnDelete(retain);
  options.setIgnoreChangesList(request.getIgnorechangesList());
  options.setReplaceOnChangesList(request.getReplaceonchangesList());
  options.setVersion(request.getVersion());
  options.setAliasesList(request.getAliasesList());
  options.setProvider(request.getProvider());
  options.setCustomTimeouts(request.getCustomtimeouts());
  options.setPluginDownloadUrl(request.getPlugindownloadurl());
  options.setDeletedWith(request.getDeletedwith());
  if (request.getDeletebeforereplacedefined() || request.getDeletebeforereplace()) {
    options.setDeleteBeforeReplace(request.getDeletebeforereplace());
  }
  options.setAdditionalSecretOutputsList(request.getAdditionalsecretoutputsList());
  for (const [pkg, reference] of request.getProvidersMap().toArray()) options.getProvidersMap().set(pkg, reference);
  options.setImport(request.getImportid());
  return options;
}

function timeoutsOf(options: resource.TransformResourceOptions): Record<string, string> {
  const timeouts = options.getCustomTimeouts();
  const all = {
    create: timeouts?.getCreate() ?? "",
    update: timeouts?.getUpdate() ?? "",
    delete: timeouts?.getDelete() ?? "",
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** All former URNs: the resource's own aliases, and its place under each alias of its parent. */
function aliasesOf(
  aliases: readonly Alias[],
  own: { type: string; name: string; parent: string },
  registry: Registry,
  parent: ResourceRecord | undefined,
): string[] {
  const where = registry.deployment;
  const named = aliases.map((alias) => (alias.hasUrn() ? alias.getUrn() : aliasUrn(where, own, specOf(alias))));
  const inherited = (parent?.aliases ?? []).map((parentUrn) => {
    // A child that is named after its parent was named after the parent's old name (inheritedChildAlias).
    const oldName =
      parent !== undefined && own.name.startsWith(parent.name)
        ? nameOf(parentUrn) + own.name.slice(parent.name.length)
        : own.name;
    return makeUrn(where, parentUrn, own.type, oldName);
  });
  return [...new Set([...named, ...inherited])];
}

function specOf(alias: Alias): AliasSpec {
  const spec = alias.getSpec();
  const parent = spec?.getParenturn() ?? "";
  return {
    name: spec?.getName() ?? "",
    type: spec?.getType() ?? "",
    stack: spec?.getStack() ?? "",
    project: spec?.getProject() ?? "",
    parent: spec?.getNoparent() === true ? "" : parent === "" ? undefined : parent,
  };
}
