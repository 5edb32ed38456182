import { createRequire } from "node:module";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { ask, fromStruct, grpc, messageLimits, provider, resource, toStruct } from "../../../../cli/engine/proto";
import { ownConnections } from "../../program/connections";
import { packageOf } from "../../../../cli/engine/urn";
import { isObject, type Json, type JsonObject, unknown } from "../../../../cli/engine/values";

/** A child that was registered: what its parent's other children and outputs are made of. */
export interface Child {
  readonly urn: string;
  /** {@link unknown} in a preview before it exists. */
  readonly id: string;
  readonly outputs: JsonObject;
}

export interface ChildOptions {
  readonly custom?: boolean;
  /** Children and inputs of the component that must be there first. */
  readonly after?: readonly (Child | string)[];
  readonly parent?: string;
}

const load = createRequire(__filename);

const resourceReference = { "4dabf18193072939515e22adb298388d": "5cf8f73096256a8f31e491e813e4eb8e" };

/** Registers the children of a remote component with the engine, as the SDK of a component provider does. */
export class Registrar {
  readonly name: string;
  readonly inputs: JsonObject;
  private readonly monitor: ResourceMonitorClient;
  private urn = "";

  constructor(private readonly request: provider.ConstructRequest) {
    this.name = request.getName();
    this.inputs = fromStruct(request.getInputs());
    this.monitor = new ResourceMonitorClient(request.getMonitorendpoint(), grpc.credentials.createInsecure(), {
      ...messageLimits,
      ...ownConnections,
    });
  }

  /** The component itself. */
  async open(): Promise<void> {
    const message = this.message(this.request.getType(), this.name, this.request.getParent(), {});
    message.setAliasesList(this.request.getAliasesList());
    this.urn = (await this.register(message)).getUrn();
  }

  /** A child below the component. `inputs` in `after` name the component's inputs that the child is made from. */
  async child(type: string, name: string, inputs: JsonObject, options: ChildOptions = {}): Promise<Child> {
    const message = this.message(type, name, options.parent ?? this.urn, inputs);
    message.setCustom(options.custom ?? true);
    const after = (options.after ?? []).flatMap((before) =>
      typeof before === "string" ? this.dependenciesOf(before) : [before.urn],
    );
    message.setDependenciesList([...new Set(after)]);
    const response = await this.register(message);
    // Of a child that failed the SDK knows its inputs, and nothing else (runtime/resource.js, resolveOutputs).
    const given = response.getResult() === resource.Result.SUCCESS ? {} : inputs;
    const outputs = { ...given, ...fromStruct(response.getObject()) };
    return { urn: response.getUrn(), id: response.getId() || unknown, outputs };
  }

  /** Ends the component: its outputs, each with the children that it comes from. */
  async close(outputs: Record<string, { value: Json; from: readonly Child[] }>): Promise<provider.ConstructResponse> {
    const values = toStruct(Object.fromEntries(Object.entries(outputs).map(([key, { value }]) => [key, value])));
    const registered = new resource.RegisterResourceOutputsRequest();
    registered.setUrn(this.urn);
    registered.setOutputs(values);
    await ask(this.monitor.registerResourceOutputs.bind(this.monitor), registered);
    this.monitor.close();

    const response = new provider.ConstructResponse();
    response.setUrn(this.urn);
    response.setState(values);
    for (const [key, { from }] of Object.entries(outputs)) {
      const dependencies = new provider.ConstructResponse.PropertyDependencies();
      dependencies.setUrnsList(from.map((child) => child.urn));
      response.getStatedependenciesMap().set(key, dependencies);
    }
    return response;
  }

  private dependenciesOf(input: string): readonly string[] {
    return this.request.getInputdependenciesMap().get(input)?.getUrnsList() ?? [];
  }

  private message(type: string, name: string, parent: string, inputs: JsonObject): resource.RegisterResourceRequest {
    const message = new resource.RegisterResourceRequest();
    message.setType(type);
    message.setName(name);
    message.setParent(parent);
    message.setObject(toStruct(inputs));
    message.setAcceptsecrets(true);
    message.setAcceptresources(true);
    message.setSupportspartialvalues(true);
    message.setAliasspecs(true);
    message.setVersion(versionOf(type));
    // As the SDK: a child that fails has unknown outputs, and the component goes on with its other children (--continue-on-error).
    message.setSupportsresultreporting(true);
    message.setDependenciesList(this.request.getDependenciesList());
    this.request.getProvidersMap().forEach((reference, pkg) => message.getProvidersMap().set(pkg, reference));
    return message;
  }

  private register(message: resource.RegisterResourceRequest): Promise<resource.RegisterResourceResponse> {
    return ask<resource.RegisterResourceRequest, resource.RegisterResourceResponse>(
      this.monitor.registerResource.bind(this.monitor),
      message,
    );
  }
}

/** Children carry the version of the SDK that they were made with; without one they would move to another provider in the second update. */
function versionOf(type: string): string {
  const { version } = load(`@pulumi/${packageOf(type)}/package.json`) as { version: string };
  return version;
}

/** A reference to a child, which the program's SDK turns into an object of the child's class. */
export function reference(child: Child): JsonObject {
  return { ...resourceReference, urn: child.urn, id: child.id, packageVersion: "" };
}

/** An output of a child; unknown in a preview of one that doesn't exist. */
export function outputOf(child: Child, ...path: readonly (string | number)[]): Json {
  let value: Json | undefined = child.outputs;
  for (const step of path) {
    if (value === unknown) return unknown;
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? value[String(step)] : undefined;
  }
  return value ?? unknown;
}
