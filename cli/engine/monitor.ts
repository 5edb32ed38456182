import type { Policies } from "./policies";
import { answerInvoke } from "./invokes";
import { Empty, fromStruct, type grpc, handler, provider, resource, toStruct } from "./proto";
import { createdOutputs, withSecretOutputs } from "./outputs";
import type { ResourceRecord } from "./records";
import { evaluate } from "./register";
import { blank, type Registry } from "./registry";
import { stackReferenceState, stackReferenceType, type StackOutputs } from "./stack-reference";
import type { Transforms } from "./transforms";
import { describe, isProviderType, makeUrn, packageOf, urnOfReference } from "./urn";
import { type JsonObject, withoutOutputValues } from "./values";

/** What the monitor's handlers work on. */
export interface MonitorState {
  readonly registry: Registry;
  readonly transforms: Transforms;
  readonly policies: Policies;
  readonly stackOutputs: StackOutputs;
  /** Results of invokes that the user gave, by token. */
  readonly invokeResults: ReadonlyMap<string, JsonObject>;
  /** Called with what the program did, to show progress and to notice when nothing happens any more. */
  activity(what: string): void;
  /** Counts the calls that the program waits for: while there is one, it isn't idle, the engine is. */
  inFlight(change: 1 | -1): void;
  /** The run can't go on; the first reason is the one that counts. */
  fail(message: string, urn?: string): void;
  setOutputs(urn: string, outputs: JsonObject): void;
}

/** Features that this engine has; the SDK chooses its wire format by them (source_eval.go, supportsFeatureID). */
const features = new Set([
  "secrets",
  "resourceReferences",
  "outputValues",
  "aliasSpecs",
  "deletedWith",
  "replaceWith",
  "replacementTrigger",
  "transforms",
  "invokeTransforms",
  "parameterization",
  "resourceHooks",
  "errorHooks",
  "sendsOptionsToHooks",
]);

/** The ResourceMonitor service: what a Pulumi program talks to. It previews creation, as on an empty stack. */
export function resourceMonitor(state: MonitorState): grpc.UntypedServiceImplementation {
  const { registry, transforms, policies } = state;

  async function add(record: ResourceRecord): Promise<void> {
    addDefaultProviderFirst(record);
    registry.add(record);
    await policies.remediate(record);
    policies.analyze(record);
  }

  function addDefaultProviderFirst(record: ResourceRecord): void {
    const made = registry.get(record.provider);
    if (made?.defaultProvider === true && !policies.hasSeen(made.urn)) policies.analyze(made);
  }

  /** Runs a handler; whatever it throws ends the run with a message that names the resource. */
  function guarded<Request, Response>(
    subject: (request: Request) => string,
    serve: (request: Request) => Promise<Response> | Response,
  ): grpc.handleUnaryCall<Request, Response> {
    return handler(async (request) => {
      state.activity(subject(request));
      state.inFlight(1);
      try {
        return await serve(request);
      } catch (error) {
        state.fail(`${subject(request)}: ${error instanceof Error ? error.message : String(error)}`);
        throw error;
      } finally {
        state.inFlight(-1);
        state.activity(subject(request));
      }
    });
  }

  const named = (r: { getType(): string; getName(): string }) => `${r.getType()} "${r.getName()}"`;

  return {
    supportsFeature: handler((request: resource.SupportsFeatureRequest) => {
      const response = new resource.SupportsFeatureResponse();
      response.setHassupport(features.has(request.getId()));
      return response;
    }),

    registerResource: guarded(named, async (request: resource.RegisterResourceRequest) => {
      const record = await evaluate(request, registry, transforms);
      await add(record);
      const response = new resource.RegisterResourceResponse();
      response.setUrn(record.urn);
      // A remote component's properties are outputs of its constructor; left out, they are unknown. A created resource has its
      // inputs, and everything else is unknown.
      if (!record.remote && record.custom) response.setObject(toStruct(createdOutputs(record)));
      return response;
    }),

    registerResourceOutputs: handler((request: resource.RegisterResourceOutputsRequest) => {
      const outputs = withoutOutputValues(fromStruct(request.getOutputs())).value as JsonObject;
      state.setOutputs(request.getUrn(), outputs);
      state.activity(`outputs of ${describe(request.getUrn())}`);
      return new Empty();
    }),

    readResource: guarded(named, async (request: resource.ReadResourceRequest) => {
      const [type, name, parent] = [request.getType(), request.getName(), request.getParent()];
      const isReference = type === stackReferenceType;
      const inputs = isReference
        ? stackReferenceState(request.getId(), state.stackOutputs)
        : (withoutOutputValues(fromStruct(request.getProperties())).value as JsonObject);
      const given = request.getProvider();
      const source =
        isReference || isProviderType(type)
          ? ""
          : given === ""
            ? registry.defaultProvider(packageOf(type), request.getVersion())
            : urnOfReference(given);
      const urn = makeUrn(registry.deployment, parent, type, name);
      const dependencies = request.getDependenciesList();
      const read = {
        ...blank,
        urn,
        type,
        name,
        parent,
        custom: true,
        external: true,
        provider: source,
        inputs,
        dependencies,
        additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
      };
      registry.add(read);
      const response = new resource.ReadResourceResponse();
      response.setUrn(urn);
      response.setProperties(toStruct(withSecretOutputs(read, inputs)));
      return response;
    }),

    invoke: guarded(
      (request: resource.ResourceInvokeRequest) => `invoke ${request.getTok()}`,
      async (request) => {
        const token = request.getTok();
        const args = await transforms.applyToInvoke(token, fromStruct(request.getArgs()));
        const pkg = packageOf(token);
        const given = request.getProvider();
        // As in the real engine, an invoke without a provider uses, and needs, the default one.
        const source = given === "" && pkg !== "pulumi" ? registry.defaultProvider(pkg, request.getVersion()) : given;
        const result =
          state.invokeResults.get(token) ??
          answerInvoke(token, args, {
            provider: registry.providerInputs(source, pkg),
            find: (urn) => registry.get(urn),
          });
        const response = new provider.InvokeResponse();
        response.setReturn(toStruct(result));
        return response;
      },
    ),

    call: guarded(
      (request: resource.ResourceCallRequest) => `call ${request.getTok()}`,
      () => {
        throw new Error(
          "a provider plugin would run this method, and this check runs none: use an output property instead",
        );
      },
    ),

    registerPackage: handler((request: resource.RegisterPackageRequest) => {
      const response = new resource.RegisterPackageResponse();
      response.setRef(`${request.getName()}@${request.getVersion()}`);
      return response;
    }),

    registerStackTransform: handler((transform: Parameters<Transforms["addStackTransform"]>[0]) => {
      transforms.addStackTransform(transform);
      return new Empty();
    }),
    registerStackInvokeTransform: handler((transform: Parameters<Transforms["addInvokeTransform"]>[0]) => {
      transforms.addInvokeTransform(transform);
      return new Empty();
    }),

    // Hooks run around creation, and a preview creates nothing.
    registerResourceHook: handler(() => new Empty()),
    registerErrorHook: handler(() => new Empty()),

    signalAndWaitForShutdown: handler(() => {
      state.activity("the end of the program");
      return new Empty();
    }),
  };
}
