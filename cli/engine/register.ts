import { type Alias, fromStruct, resource } from "./proto";
import type { ResourceRecord } from "./records";
import { type Registry } from "./registry";
import { type Transformable, type Transforms, withDependencies } from "./transforms";
import { type AliasSpec, aliasUrn, isProviderType, makeUrn, nameOf, packageOf, typeOf, urnOfReference } from "./urn";
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

  const requested = dependenciesByProperty(request);
  const subject: Transformable = {
    type,
    name,
    custom,
    parent,
    properties: withDependencies(fromStruct(request.getObject()), requested),
    options: optionsOf(request, registry),
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

  // A provider of the program's own runs the plugin version that its SDK asks for.
  if (isProviderType(type) && options.getVersion() !== "") inputs["version"] = options.getVersion();

  const urn = makeUrn(registry.deployment, parent, type, name);
  if (!custom) {
    registry.setComponentProviders(urn, parent, Object.fromEntries(options.getProvidersMap().toArray()));
  }
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
    provider: providerOf(request, options, registry),
    inputs,
    dependencies: [...dependencies].sort(),
    propertyDependencies,
    protect: options.getProtect() ?? false,
    retainOnDelete: options.getRetainOnDelete() ?? false,
    aliases: aliasesOf(options.getAliasesList(), { type, name, parent }, registry).filter((alias) => alias !== urn),
    ignoreChanges: options.getIgnoreChangesList(),
    replaceOnChanges: options.getReplaceOnChangesList(),
    deleteBeforeReplace: options.hasDeleteBeforeReplace() ? options.getDeleteBeforeReplace() : undefined,
    deletedWith: options.getDeletedWith(),
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

/** URN of the provider; empty for what needs none. */
function providerOf(request: Request, options: resource.TransformResourceOptions, registry: Registry): string {
  const type = request.getType();
  if (!needsProvider(request)) return "";
  const reference = options.getProvider();
  return reference === "" ? registry.defaultProvider(packageOf(type), options.getVersion()) : urnOfReference(reference);
}

/** Providers need none, and a local component only hands down what it has. */
function needsProvider(request: Request): boolean {
  return (request.getCustom() && !isProviderType(request.getType())) || request.getRemote();
}

/** The options of a request, with those that the parent hands down, in the form that transforms are given and give back. */
function optionsOf(request: Request, registry: Registry): resource.TransformResourceOptions {
  const parent = registry.get(request.getParent());
  const options = new resource.TransformResourceOptions();
  options.setDependsOnList(request.getDependenciesList());
  // The getters answer false for what was never set, whatever their types say.
  if (request.hasProtect()) options.setProtect(request.getProtect() ?? false);
  else if (parent?.protect === true) options.setProtect(true);
  if (request.hasRetainondelete()) options.setRetainOnDelete(request.getRetainondelete() ?? false);
  else if (parent?.retainOnDelete === true) options.setRetainOnDelete(true);
  options.setIgnoreChangesList(request.getIgnorechangesList());
  options.setReplaceOnChangesList(request.getReplaceonchangesList());
  options.setVersion(request.getVersion());
  options.setAliasesList(request.getAliasesList());
  options.setProvider(
    needsProvider(request)
      ? registry.providerReference({
          type: request.getType(),
          parent: request.getParent(),
          provider: request.getProvider(),
          providers: Object.fromEntries(request.getProvidersMap().toArray()),
        })
      : request.getProvider(),
  );
  options.setCustomTimeouts(request.getCustomtimeouts());
  options.setPluginDownloadUrl(request.getPlugindownloadurl());
  options.setDeletedWith(request.getDeletedwith() || (parent?.deletedWith ?? ""));
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
    read: timeouts?.getRead() ?? "",
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}

/** All former URNs: the resource's own aliases, and its place, under each of its names, below each alias of its parent. */
function aliasesOf(
  aliases: readonly Alias[],
  own: { type: string; name: string; parent: string },
  registry: Registry,
): string[] {
  const where = registry.deployment;
  const named = aliases.flatMap((alias) => {
    if (alias.hasUrn()) return [alias.getUrn()];
    const spec = specOf(alias);
    // Another parent may have had another name, too.
    const parents = [spec.parent, ...(registry.get(spec.parent ?? "")?.aliases ?? [])];
    return parents.map((parent) => aliasUrn(where, own, { ...spec, parent }));
  });
  const parent = registry.get(own.parent);
  const names = [own, ...named.map((urn) => ({ type: typeOf(urn), name: nameOf(urn) }))];
  const inherited = (parent?.aliases ?? []).flatMap((parentUrn) =>
    names.map(({ type, name }) => {
      // A child that is named after its parent was named after the parent's old name (inheritedChildAlias).
      const isNamedAfter = parent !== undefined && name.startsWith(parent.name);
      return makeUrn(where, parentUrn, type, isNamedAfter ? nameOf(parentUrn) + name.slice(parent.name.length) : name);
    }),
  );
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
