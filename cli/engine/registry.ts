import type { ResourceRecord } from "./records";
import { type Deployment, isProviderType, makeUrn, packageOf, providerTypePrefix, urnOfReference } from "./urn";
import { type JsonObject, unknown } from "./values";

/** Which provider packages may not be used without an explicit provider: `pulumi:disable-default-providers`. */
export type DisabledProviders = readonly string[];

/** The resources of one run, and the rules that the real engine has for providers and inheritance. */
export class Registry {
  private readonly byUrn = new Map<string, ResourceRecord>();
  /** Providers that a component hands down, by its URN and then by package. */
  private readonly componentProviders = new Map<string, Record<string, string>>();

  constructor(
    readonly deployment: Deployment,
    private readonly disabledProviders: DisabledProviders,
    private readonly providerConfig: (pkg: string) => JsonObject,
  ) {}

  all(): ResourceRecord[] {
    return [...this.byUrn.values()];
  }

  get(urn: string): ResourceRecord | undefined {
    return this.byUrn.get(urn);
  }

  /** Adds a resource. Two of one URN are refused: the second would silently take the first one's place. */
  add(record: ResourceRecord): void {
    if (this.byUrn.has(record.urn)) {
      throw new Error(
        `another resource of this type and parent has this name already: give one of them another name (URN ${record.urn})`,
      );
    }
    this.byUrn.set(record.urn, record);
  }

  /** Remembers which providers a component has for its children. */
  setComponentProviders(urn: string, parent: string, own: Record<string, string>): void {
    this.componentProviders.set(urn, { ...this.componentProviders.get(parent), ...own });
  }

  /**
   * Reference to the provider of a custom resource or a remote component, as the engine finds it: its own, its parent's when that is of
   * the same package, the one of its `providers`, its parent component's. Empty where only a default provider is left.
   */
  providerReference(request: {
    type: string;
    parent: string;
    provider: string;
    providers: Record<string, string>;
  }): string {
    const pkg = packageOf(request.type);
    const ofParent = this.byUrn.get(request.parent)?.provider ?? "";
    const inherited = this.byUrn.get(ofParent)?.type === `${providerTypePrefix}${pkg}` ? `${ofParent}::${unknown}` : "";
    return (
      request.provider ||
      inherited ||
      request.providers[pkg] ||
      this.componentProviders.get(request.parent)?.[pkg] ||
      ""
    );
  }

  /** The default provider of a package, made when it is first needed. */
  defaultProvider(pkg: string, version: string): string {
    if (this.disabledProviders.includes("*") || this.disabledProviders.includes(pkg)) {
      throw new Error(
        `the default provider of package "${pkg}" is disabled (pulumi:disable-default-providers) and there is no other: pass { provider } or, to the component around it, { providers }`,
      );
    }
    const name = version === "" ? "default" : `default_${version.replace(/[.+-]/g, "_")}`;
    const type = `${providerTypePrefix}${pkg}`;
    const urn = makeUrn(this.deployment, "", type, name);
    if (!this.byUrn.has(urn)) {
      const inputs = { ...this.providerConfig(pkg), ...(version === "" ? {} : { version }) };
      this.byUrn.set(urn, { ...blank, urn, type, name, custom: true, defaultProvider: true, inputs });
    }
    return urn;
  }

  /** Inputs of a provider by its URN or reference, for invokes that depend on the region or the account. */
  providerInputs(reference: string, pkg: string): JsonObject {
    const record = this.byUrn.get(reference) ?? this.byUrn.get(urnOfReference(reference));
    return record === undefined || !isProviderType(record.type) ? this.providerConfig(pkg) : record.inputs;
  }

  /** All URNs from this one's parent to the root. */
  *ancestors(parent: string): Generator<string> {
    for (let urn = parent; urn !== ""; urn = this.byUrn.get(urn)?.parent ?? "") yield urn;
  }
}

/** A record with nothing set but what every resource has. */
export const blank: Omit<ResourceRecord, "urn" | "type" | "name"> = {
  custom: false,
  remote: false,
  defaultProvider: false,
  external: false,
  parent: "",
  provider: "",
  inputs: {},
  dependencies: [],
  propertyDependencies: {},
  protect: false,
  retainOnDelete: false,
  aliases: [],
  ignoreChanges: [],
  replaceOnChanges: [],
  deleteBeforeReplace: undefined,
  deletedWith: "",
  additionalSecretOutputs: [],
  customTimeouts: {},
  outputs: {},
};
