import { spawn, type ChildProcess } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import {
  unknownCheckingProxy,
  UnknownValueError,
  type PolicyResource,
  type ResourceValidationArgs,
} from "@pulumi/policy";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/analyzer_pb";
import type { Rule } from "../../policy/lib/rule";

/** What stands on the wire for a string that a preview doesn't know (pulumi/pulumi sdk/nodejs/runtime/rpc.ts). */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A resource as a rule sees it; dependencies and the parent are named by the other resources' names. */
export interface Given {
  type: string;
  name: string;
  props: Record<string, unknown>;
  parent?: string;
  /** Name of its provider. */
  provider?: string;
  providerProps?: Record<string, unknown>;
  propertyDependencies?: Record<string, string[]>;
  /** How long its deletion is waited for. Defaults to what the provider does. */
  deleteSeconds?: number;
}

/** What a rule said. */
export interface Verdict {
  violations: { name: string; message: string }[];
  /** Message of the unknown that the rule gave up on: Pulumi shows it as advisory, in previews only. */
  undecided: string | undefined;
  notApplicable: boolean;
}

/** An exemption that holds, by name or by URN. */
export const exempt = (text: string) => ({
  [text.startsWith("urn:") ? "urn" : "name"]: text,
  reason: "a test",
  expires: "9999-12-31",
});

export function urnOf(resource: Pick<Given, "type" | "name">): string {
  return `urn:pulumi:dev::moorings::${resource.type}::${resource.name}`;
}

class NotApplicable extends Error {}

function ask(violations: Verdict["violations"], question: () => unknown): Verdict {
  try {
    if (question() instanceof Promise) throw new Error("rules are synchronous");
    return { violations, undecided: undefined, notApplicable: false };
  } catch (error) {
    if (error instanceof NotApplicable) return { violations, undecided: undefined, notApplicable: true };
    // The compiled package hides the class's members from its types.
    if (error instanceof UnknownValueError)
      return { violations, undecided: (error as Error).message, notApplicable: false };
    throw error;
  }
}

const plain = {
  protect: false,
  ignoreChanges: [],
  aliases: [],
  additionalSecretOutputs: [],
  customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
};

function common(config: object) {
  return {
    stackTags: new Map<string, string>(),
    getConfig: <T extends object>() => config as T,
    notApplicable: (reason?: string): never => {
      throw new NotApplicable(reason);
    },
  };
}

/** Calls a resource rule as the policy server does: the properties throw where they are unknown. */
export function checkResource(rule: Rule, given: Given, config: object = {}): Verdict {
  if (!("validateResource" in rule) || typeof rule.validateResource !== "function")
    throw new Error(`${rule.name} has no validateResource`);
  const validate = rule.validateResource;
  const violations: Verdict["violations"] = [];
  const args = resourceArgs(given, unknownCheckingProxy(given.props) as Record<string, unknown>, config);
  return ask(violations, () => validate(args, (message) => violations.push({ name: given.name, message })));
}

/** Lets a resource rule repair, as the policy server does; undefined if it changes nothing, or doesn't apply. */
export function repairResource(rule: Rule, given: Given, config: object = {}): Given["props"] | undefined {
  if (!("remediateResource" in rule) || rule.remediateResource === undefined)
    throw new Error(`${rule.name} has no remediateResource`);
  const repair = rule.remediateResource;
  // What the server hands out is its own, and throws where it is unknown.
  const props = JSON.parse(JSON.stringify(given.props)) as Given["props"];
  const args = resourceArgs(given, unknownCheckingProxy(props) as Given["props"], config);
  let repaired: unknown;
  ask([], () => (repaired = repair(args)));
  return repaired === undefined ? undefined : props;
}

function resourceArgs(given: Given, props: Record<string, unknown>, config: object): ResourceValidationArgs {
  return {
    ...common(config),
    type: given.type,
    name: given.name,
    urn: urnOf(given),
    props,
    opts: { ...plain, customTimeouts: { ...plain.customTimeouts, deleteSeconds: given.deleteSeconds ?? 0 } },
    isType: () => false,
    asType: () => undefined,
  };
}

/** Resources as the policy server gives them to stack rules. */
export function givenResources(given: readonly Given[]): PolicyResource[] {
  const resources = given.map((g): PolicyResource => ({
    type: g.type,
    name: g.name,
    urn: urnOf(g),
    props: unknownCheckingProxy(g.props) as Record<string, unknown>,
    opts: plain,
    dependencies: [],
    propertyDependencies: {},
    isType: () => false,
    asType: () => undefined,
  }));
  const named = new Map(resources.map((r) => [r.name, r]));
  const byName = (name: string) => {
    const found = named.get(name);
    if (found === undefined) throw new Error(`no resource ${name} in this stack`);
    return found;
  };
  given.forEach((g, i) => {
    const resource = resources[i]!;
    if (g.parent !== undefined) resource.parent = byName(g.parent);
    if (g.provider !== undefined) {
      const type = `pulumi:providers:${g.type.split(":")[0]}`;
      resource.provider = {
        type,
        name: g.provider,
        urn: urnOf({ type, name: g.provider }),
        props: g.providerProps ?? {},
      };
    }
    for (const [property, names] of Object.entries(g.propertyDependencies ?? {}))
      resource.propertyDependencies[property] = names.map(byName);
  });
  return resources;
}

/** Calls a stack rule as the policy server does. */
export function checkStack(rule: Rule, given: Given[], config: object = {}): Verdict {
  if (!("validateStack" in rule)) throw new Error(`${rule.name} has no validateStack`);
  const violations: Verdict["violations"] = [];
  const resources = givenResources(given);
  const report = (message: string, urn?: string) =>
    violations.push({ name: resources.find((r) => r.urn === urn)?.name ?? "(no resource)", message });
  return ask(violations, () => rule.validateStack({ ...common(config), resources }, report));
}

/** A finding as the Pulumi engine receives it. */
export interface Diagnostic {
  policy: string;
  level: "advisory" | "mandatory";
  message: string;
  urn: string;
}

/** What Pulumi's engine lets through (rpcutil, 400 MB). */
const limits = { "grpc.max_receive_message_length": 400 << 20, "grpc.max_send_message_length": 400 << 20 };

/** A running policy pack, asked over the protocol that the Pulumi engine speaks. */
export class Pack {
  private constructor(
    private readonly process: ChildProcess,
    private readonly client: AnalyzerClient,
  ) {}

  /** Starts the pack in this folder the way the Pulumi CLI does. */
  static async start(folder: string): Promise<Pack> {
    const cwd = resolve(folder);
    const runner = join(dirname(require.resolve("@pulumi/pulumi/package.json")), "cmd", "run-policy-pack");
    const child = spawn(process.execPath, [runner, "127.0.0.1:1", cwd], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const port = await new Promise<string>((done, failed) => {
      let out = "";
      let err = "";
      child.stderr.on("data", (data) => (err += String(data)));
      child.stdout.on("data", (data) => {
        out += String(data);
        const match = /^(\d+)\n/m.exec(out);
        if (match !== null) done(match[1]!);
      });
      child.on("exit", (code) => failed(new Error(`the pack in ${folder} ended with ${code}: ${err}`)));
    });
    return new Pack(child, new AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), limits));
  }

  get pid(): number {
    return this.process.pid!;
  }

  info(): Promise<proto.AnalyzerInfo> {
    return this.call((done) => this.client.getAnalyzerInfo(new Empty(), done));
  }

  /** Sets level and configuration of rules; what isn't named returns to its defaults. */
  async configure(
    rules: Record<string, { level?: keyof typeof proto.EnforcementLevel; config?: object }>,
  ): Promise<void> {
    const request = new proto.ConfigureAnalyzerRequest();
    for (const [name, { level, config }] of Object.entries(rules)) {
      const rule = new proto.PolicyConfig();
      rule.setEnforcementlevel(proto.EnforcementLevel[level ?? "MANDATORY"]);
      rule.setProperties(struct(config ?? {}));
      request.getPolicyconfigMap().set(name, rule);
    }
    await this.call((done) => this.client.configure(request, done));
  }

  async analyze(given: Given): Promise<Diagnostic[]> {
    return diagnostics(await this.call((done) => this.client.analyze(analyzeRequest(given), done)));
  }

  async remediate(given: Given): Promise<string[]> {
    const answer = await this.call<proto.RemediateResponse>((done) =>
      this.client.remediate(analyzeRequest(given), done),
    );
    return answer.getRemediationsList().map((r) => r.getPolicyname());
  }

  async analyzeStack(given: Given[]): Promise<Diagnostic[]> {
    const urns = new Map(given.map((g) => [g.name, urnOf(g)]));
    const urn = (name: string) => urns.get(name)!;
    const request = new proto.AnalyzeStackRequest();
    for (const g of given) {
      const resource = new proto.AnalyzerResource();
      resource.setType(g.type);
      resource.setName(g.name);
      resource.setUrn(urnOf(g));
      resource.setProperties(struct(g.props));
      resource.setOptions(new proto.AnalyzerResourceOptions());
      if (g.parent !== undefined) resource.setParent(urn(g.parent));
      for (const [property, names] of Object.entries(g.propertyDependencies ?? {}))
        resource
          .getPropertydependenciesMap()
          .set(property, new proto.AnalyzerPropertyDependencies().setUrnsList(names.map(urn)));
      request.addResources(resource);
    }
    return diagnostics(await this.call((done) => this.client.analyzeStack(request, done)));
  }

  async stop(): Promise<void> {
    this.client.close();
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill();
    await ended;
  }

  private call<T>(method: (done: (error: grpc.ServiceError | null, answer: T) => void) => unknown): Promise<T> {
    return new Promise((done, failed) => {
      method((error, answer) => (error === null ? done(answer) : failed(error)));
    });
  }
}

function struct(value: object): Struct {
  return Struct.fromJavaScript(value as Record<string, JavaScriptValue>);
}

function analyzeRequest(given: Given): proto.AnalyzeRequest {
  const request = new proto.AnalyzeRequest();
  request.setType(given.type);
  request.setName(given.name);
  request.setUrn(urnOf(given));
  request.setProperties(struct(given.props));
  const timeouts = new proto.AnalyzerResourceOptions.CustomTimeouts();
  timeouts.setDelete(given.deleteSeconds ?? 0);
  request.setOptions(new proto.AnalyzerResourceOptions().setCustomtimeouts(timeouts));
  return request;
}

function diagnostics(response: proto.AnalyzeResponse): Diagnostic[] {
  return response.getDiagnosticsList().map((d) => ({
    policy: d.getPolicyname(),
    level: d.getEnforcementlevel() === proto.EnforcementLevel.MANDATORY ? "mandatory" : "advisory",
    message: d.getMessage(),
    urn: d.getUrn(),
  }));
}
