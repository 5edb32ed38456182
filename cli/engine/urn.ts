/** The part of a URN that says where: `urn:pulumi:<stack>::<project>`. */
export interface Deployment {
  readonly project: string;
  readonly stack: string;
}

const stackType = "pulumi:pulumi:Stack";

/**
 * Builds a URN. The qualified type holds the types of all enclosing components; the root stack isn't one of them
 * (pulumi/pulumi sdk/go/common/resource/urn, New).
 */
export function makeUrn(where: Deployment, parent: string, type: string, name: string): string {
  const parentType = parent === "" ? "" : qualifiedType(parent);
  const qualified = parentType === "" || parentType === stackType ? type : `${parentType}$${type}`;
  return `urn:pulumi:${where.stack}::${where.project}::${qualified}::${name}`;
}

/** All types of a URN, outermost first, joined by `$`. */
export function qualifiedType(urn: string): string {
  return urn.split("::")[2] ?? "";
}

/** The resource's own type. */
export function typeOf(urn: string): string {
  return qualifiedType(urn).split("$").pop() ?? "";
}

/** Last part of a URN. A name may itself contain `::`. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** `type "name"`: how messages speak of a resource. */
export function describe(urn: string): string {
  return `${typeOf(urn)} "${nameOf(urn)}"`;
}

/** The package of a type token: `aws` of `aws:lb/listener:Listener`. */
export function packageOf(type: string): string {
  return type.split(":")[0] ?? type;
}

export const providerTypePrefix = "pulumi:providers:";

export function isProviderType(type: string): boolean {
  return type.startsWith(providerTypePrefix);
}

/** URN of a provider reference `<urn>::<id>`. */
export function urnOfReference(reference: string): string {
  const end = reference.lastIndexOf("::");
  return end === -1 ? reference : reference.slice(0, end);
}

/** What an alias may leave out of a resource's identity. */
export interface AliasSpec {
  readonly name: string;
  readonly type: string;
  readonly stack: string;
  readonly project: string;
  /** URN of another parent; undefined keeps the parent, empty means none. */
  readonly parent: string | undefined;
}

/** The URN that an alias stands for, given the resource that carries it. */
export function aliasUrn(
  where: Deployment,
  own: { type: string; name: string; parent: string },
  alias: AliasSpec,
): string {
  return makeUrn(
    { stack: alias.stack || where.stack, project: alias.project || where.project },
    alias.parent ?? own.parent,
    alias.type || own.type,
    alias.name || own.name,
  );
}
