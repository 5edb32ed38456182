import type { PolicyPack } from "./policy-pack";
import { severityName } from "./policy-pack";
import { enforcementName } from "./policy-config";
import { analyzer, fromStruct, toStruct } from "./proto";
import type { Remediation, ResourceRecord, Violation } from "./records";
import type { Registry } from "./registry";
import { forPolicies } from "./values";

/**
 * Sends each registration to the packs as the real engine does (step_generator.go): first every pack's remediations, one after the
 * other, then every pack's checks, on the inputs; at the end the whole stack.
 */
export class Policies {
  readonly violations: Violation[] = [];
  readonly remediations: Remediation[] = [];
  private readonly pending: Promise<void>[] = [];
  private readonly seen = new Set<string>();
  /** Milliseconds that checks went on after the program had ended. */
  waitedMs = 0;

  /**
   * @param packs resolves when all packs have started: they start while the program does.
   * @param seenByStackPolicies `outputs` where everything exists; in a preview `inputs` stand for those that a provider would make of them.
   */
  constructor(
    private readonly packs: Promise<readonly PolicyPack[]>,
    private readonly registry: Registry,
    private readonly seenByStackPolicies: "inputs" | "outputs" = "inputs",
  ) {}

  hasSeen(urn: string): boolean {
    return this.seen.has(urn);
  }

  /** Lets policies of level `remediate` change the inputs; the registration goes on with what they return. */
  async remediate(record: ResourceRecord): Promise<void> {
    for (const pack of await this.packs) {
      const response = await pack.remediate(this.requestFor(record));
      for (const result of response?.getRemediationsList() ?? []) {
        const [policy, diagnostic] = [result.getPolicyname(), result.getDiagnostic()];
        if (diagnostic !== "") {
          const text = pack.policies.get(policy) ?? noText;
          this.violations.push({
            ...text,
            pack: pack.name,
            policy,
            urn: record.urn,
            enforcement: "advisory",
            message: diagnostic,
          });
        } else if (result.hasProperties()) {
          record.inputs = fromStruct(result.getProperties());
          this.remediations.push({ pack: pack.name, policy, urn: record.urn });
        }
      }
    }
  }

  /** Checks one resource. The result is awaited by {@link finish}: the program needn't wait for it. */
  analyze(record: ResourceRecord): void {
    this.seen.add(record.urn);
    const request = this.requestFor(record);
    this.pending.push(
      this.packs.then(async (packs) => {
        for (const pack of packs) {
          const response = await pack.analyze(request);
          for (const d of response.getDiagnosticsList()) this.report(pack, d, record.urn);
        }
      }),
    );
    this.pending[this.pending.length - 1]?.catch(() => undefined); // finish() reports it
  }

  /** Waits for all checks, then checks the stack as a whole. */
  async finish(analyzeStack: boolean): Promise<void> {
    const started = Date.now();
    await Promise.all(this.pending);
    if (analyzeStack) {
      const request = new analyzer.AnalyzeStackRequest();
      request.setResourcesList(this.registry.all().map((record) => this.stackResource(record)));
      for (const pack of await this.packs) {
        const response = await pack.analyzeStack(request);
        for (const d of response?.getDiagnosticsList() ?? []) this.report(pack, d, this.rootUrn());
      }
    }
    this.waitedMs = Date.now() - started;
  }

  private report(pack: PolicyPack, diagnostic: analyzer.AnalyzeDiagnostic, urn: string): void {
    const level = enforcementName(diagnostic.getEnforcementlevel());
    const named = diagnostic.getUrn();
    const text = pack.policies.get(diagnostic.getPolicyname()) ?? noText;
    this.violations.push({
      pack: pack.name,
      policy: diagnostic.getPolicyname(),
      urn: this.registry.get(named) === undefined ? urn : named,
      // A remediation that ran and still leaves a violation counts as mandatory.
      enforcement: level === "remediate" ? "mandatory" : level,
      severity: severityName(diagnostic.getSeverity()) || text.severity,
      message: diagnostic.getMessage(),
      remediation: text.remediation,
      url: text.url,
    });
  }

  private rootUrn(): string {
    return this.registry.all().find((r) => r.type === "pulumi:pulumi:Stack")?.urn ?? "";
  }

  private requestFor(record: ResourceRecord): analyzer.AnalyzeRequest {
    const request = new analyzer.AnalyzeRequest();
    request.setUrn(record.urn);
    request.setType(record.type);
    request.setName(record.name);
    request.setProperties(toStruct(forPolicies(record.inputs)));
    request.setOptions(optionsOf(record));
    request.setProvider(this.providerOf(record));
    return request;
  }

  private stackResource(record: ResourceRecord): analyzer.AnalyzerResource {
    const resource = new analyzer.AnalyzerResource();
    resource.setUrn(record.urn);
    resource.setType(record.type);
    resource.setName(record.name);
    // The real engine sends outputs: those that a component registered, and those that a provider made of the inputs. What it would
    // compute can't be known here, nor can the outputs of a closed box.
    const made = this.seenByStackPolicies === "inputs" && (record.custom || record.remote);
    const properties = made ? record.inputs : record.outputs;
    resource.setProperties(toStruct(forPolicies(properties)));
    resource.setOptions(optionsOf(record));
    resource.setProvider(this.providerOf(record));
    resource.setParent(record.parent);
    resource.setDependenciesList([...record.dependencies]);
    for (const [key, urns] of Object.entries(record.propertyDependencies)) {
      if (urns.length === 0) continue;
      const dependencies = new analyzer.AnalyzerPropertyDependencies();
      dependencies.setUrnsList([...urns]);
      resource.getPropertydependenciesMap().set(key, dependencies);
    }
    return resource;
  }

  private providerOf(record: ResourceRecord): analyzer.AnalyzerProviderResource | undefined {
    const found = this.registry.get(record.provider);
    if (found === undefined) return undefined;
    const provider = new analyzer.AnalyzerProviderResource();
    provider.setUrn(found.urn);
    provider.setType(found.type);
    provider.setName(found.name);
    provider.setProperties(toStruct(forPolicies(found.inputs)));
    return provider;
  }
}

const noText = { severity: "", remediation: "", url: "" };

function optionsOf(record: ResourceRecord): analyzer.AnalyzerResourceOptions {
  const options = new analyzer.AnalyzerResourceOptions();
  options.setProtect(record.protect);
  options.setIgnorechangesList([...record.ignoreChanges]);
  options.setDeletebeforereplace(record.deleteBeforeReplace ?? false);
  options.setDeletebeforereplacedefined(record.deleteBeforeReplace !== undefined);
  options.setAdditionalsecretoutputsList([...record.additionalSecretOutputs]);
  options.setAliasesList([...record.aliases]);
  options.setParent(record.parent);
  const timeouts = new analyzer.AnalyzerResourceOptions.CustomTimeouts();
  timeouts.setCreate(seconds(record.customTimeouts["create"]));
  timeouts.setUpdate(seconds(record.customTimeouts["update"]));
  timeouts.setDelete(seconds(record.customTimeouts["delete"]));
  options.setCustomtimeouts(timeouts);
  return options;
}

/** Seconds of a Go duration such as `1h30m`; the protocol counts in seconds. */
export function seconds(duration: string | undefined): number {
  const units: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };
  let total = 0;
  for (const [, amount, unit] of (duration ?? "").matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    total += Number(amount) * (units[unit ?? "s"] ?? 0);
  }
  return total;
}
