import { ask, callback, CallbacksClient, fromStruct, grpc, messageLimits, resource, toStruct } from "./proto";
import { type JsonObject, outputValue, signedKind, unknown } from "./values";

type Options = resource.TransformResourceOptions;

/** What a transform sees and may change. */
export interface Transformable {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly parent: string;
  properties: JsonObject;
  options: Options;
}

/** Runs the functions that a program registered: they live in the program's process, behind the Callbacks protocol. */
export class Transforms {
  private readonly clients = new Map<string, CallbacksClient>();
  private readonly ofResource = new Map<string, readonly callback.Callback[]>();
  private readonly ofStack: callback.Callback[] = [];
  private readonly ofInvokes: callback.Callback[] = [];

  addStackTransform(transform: callback.Callback): void {
    this.ofStack.push(transform);
  }

  addInvokeTransform(transform: callback.Callback): void {
    this.ofInvokes.push(transform);
  }

  setResourceTransforms(urn: string, transforms: readonly callback.Callback[]): void {
    this.ofResource.set(urn, transforms);
  }

  /**
   * Applies transforms in the engine's order: the resource's own, those of its parents from the nearest on, the stack's.
   * Returns whether there were any.
   */
  async apply(
    own: readonly callback.Callback[],
    ancestors: Iterable<string>,
    subject: Transformable,
  ): Promise<boolean> {
    const inherited = [...ancestors].flatMap((urn) => [...(this.ofResource.get(urn) ?? [])]);
    const all = [...own, ...inherited, ...this.ofStack];
    for (const transform of all) await this.run(transform, subject);
    return all.length > 0;
  }

  /** Applies the stack's invoke transforms to the arguments of an invoke. */
  async applyToInvoke(token: string, args: JsonObject): Promise<JsonObject> {
    let current = args;
    for (const transform of this.ofInvokes) {
      const request = new resource.TransformInvokeRequest();
      request.setToken(token);
      request.setArgs(toStruct(current));
      const answer = await this.invoke(transform, request.serializeBinary());
      const response = resource.TransformInvokeResponse.deserializeBinary(answer);
      if (response.hasArgs()) current = fromStruct(response.getArgs());
    }
    return current;
  }

  close(): void {
    for (const client of this.clients.values()) client.close();
  }

  private async run(transform: callback.Callback, subject: Transformable): Promise<void> {
    const request = new resource.TransformRequest();
    request.setType(subject.type);
    request.setName(subject.name);
    request.setCustom(subject.custom);
    request.setParent(subject.parent);
    request.setProperties(toStruct(subject.properties));
    request.setOptions(subject.options);
    const response = resource.TransformResponse.deserializeBinary(
      await this.invoke(transform, request.serializeBinary()),
    );
    if (response.hasProperties()) subject.properties = fromStruct(response.getProperties());
    subject.options = response.getOptions() ?? subject.options;
  }

  private async invoke(transform: callback.Callback, request: Uint8Array): Promise<Uint8Array> {
    const target = transform.getTarget();
    let client = this.clients.get(target);
    if (client === undefined) {
      client = new CallbacksClient(target, grpc.credentials.createInsecure(), messageLimits);
      this.clients.set(target, client);
    }
    const message = new callback.CallbackInvokeRequest();
    message.setToken(transform.getToken());
    message.setRequest(request);
    const response: callback.CallbackInvokeResponse = await ask(client.invoke.bind(client), message);
    return response.getResponse_asU8();
  }
}

/** Before transforms run, each property carries the resources that it came from, so that a transform can't lose them. */
export function withDependencies(
  properties: JsonObject,
  dependencies: Readonly<Record<string, readonly string[]>>,
): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => {
      const urns = dependencies[key] ?? [];
      const needsWrapping = urns.length > 0 || value === unknown || signedKind(value) === "secret";
      return [key, needsWrapping ? outputValue(value, urns) : value];
    }),
  );
}
