import * as pulumi from "@pulumi/pulumi";
import type * as grpc from "@grpc/grpc-js";
import type * as proto from "@pulumi/pulumi/proto/resource_pb";

/** What one resource looked like on the wire when the program registered it. */
export interface Registration {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  readonly remote: boolean;
  readonly parent: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  readonly provider: string;
  readonly providers: Readonly<Record<string, string>>;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly customTimeouts: { readonly create: string; readonly update: string; readonly delete: string };
}

/** What a program did: its outputs, every registration, and every error it left behind. */
export interface Run<T> {
  /** Resolved outputs. Undefined when any of them is unknown (preview): read `registeredOutputs` then. */
  readonly outputs: pulumi.Unwrap<T> | undefined;
  readonly resources: readonly Registration[];
  readonly registeredOutputs: Readonly<Record<string, Record<string, unknown>>>;
  readonly calls: readonly pulumi.runtime.MockCallArgs[];
  readonly errors: readonly Error[];
}

export interface RunOptions {
  readonly preview?: boolean;
  readonly project?: string;
  readonly stack?: string;
  readonly config?: Record<string, string>;
  readonly secretKeys?: string[];
  /** Outputs that a provider would compute, merged over the inputs, and an `id` where the made-up one won't do. */
  readonly state?: (args: pulumi.runtime.MockResourceArgs) => Record<string, unknown>;
  /** Answers of invokes. Defaults to {@link answers}. */
  readonly call?: (args: pulumi.runtime.MockCallArgs) => Record<string, unknown>;
}

/** A region, and the partition that it is in. */
export interface Place {
  readonly partition: string;
  readonly region: string;
}

/** The invokes that components make, answered for one account in a place. */
export function answersIn({ partition, region }: Place): NonNullable<RunOptions["call"]> {
  const china = partition === "aws-cn";
  return ({ token }) => {
    switch (token) {
      case "aws:index/getPartition:getPartition":
        return {
          partition,
          dnsSuffix: china ? "amazonaws.com.cn" : "amazonaws.com",
          id: partition,
          reverseDnsPrefix: china ? "cn.com.amazonaws" : "com.amazonaws",
        };
      case "aws:index/getCallerIdentity:getCallerIdentity":
        return {
          accountId: "123456789012",
          arn: `arn:${partition}:iam::123456789012:user/test`,
          id: "123456789012",
          userId: "U",
        };
      case "aws:index/getRegion:getRegion":
        return { region, id: region, name: region };
      default:
        throw new Error(`no answer for invoke ${token}: add it to test/support/harness.ts`);
    }
  };
}

/** The same for one place. */
export const answers = answersIn({ partition: "aws", region: "eu-west-1" });

/** Marks a secret on the wire (pulumi/pulumi sdk/nodejs/runtime/rpc.ts, specialSigKey and specialSecretSig). */
export const secretSignature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

type Respond<T> = (error: grpc.ServiceError | null, response: T) => void;
interface MockMonitor {
  registerResource(request: proto.RegisterResourceRequest, done: Respond<proto.RegisterResourceResponse>): void;
  registerResourceOutputs(request: proto.RegisterResourceOutputsRequest, done: Respond<unknown>): void;
}

/** Runs a Pulumi program in this process against a recording monitor, and waits until nothing is pending. */
export async function run<T>(program: () => T | Promise<T>, options: RunOptions = {}): Promise<Run<T>> {
  const resources: Registration[] = [];
  const registeredOutputs: Record<string, Record<string, unknown>> = {};
  const calls: pulumi.runtime.MockCallArgs[] = [];
  const errors = new Set<Error>();

  await pulumi.runtime.setMocks(
    {
      newResource: (args) => {
        const { id = `${args.name}-id`, ...state } = options.state?.(args) ?? {};
        return {
          id: args.custom === true && options.preview !== true ? String(id) : undefined,
          state: { ...(args.inputs as object), ...state },
        };
      },
      call: (args) => {
        calls.push(args);
        return (options.call ?? answers)(args);
      },
    },
    options.project ?? "project",
    options.stack ?? "test",
    options.preview ?? false,
    "organization",
  );
  pulumi.runtime.setAllConfig(options.config ?? {}, options.secretKeys);

  // Mocks hide parents, dependencies, providers and options: read them off the request. `getMonitor` is exported, marked internal.
  const monitor = (pulumi.runtime as unknown as { getMonitor(): MockMonitor }).getMonitor();
  const register = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) =>
    register(request, (error, response) => {
      if (error === null) resources.push(record(request, response.getUrn()));
      done(error, response);
    });
  const registerOutputs = monitor.registerResourceOutputs.bind(monitor);
  monitor.registerResourceOutputs = (request, done) => {
    registeredOutputs[request.getUrn()] = (request.getOutputs()?.toJavaScript() ?? {}) as Record<string, unknown>;
    registerOutputs(request, done);
  };

  // A failing program rejects promises that nobody holds; Jest would fail the test on them. Collect them instead.
  const host = (globalThis as { hostProcess?: NodeJS.Process }).hostProcess ?? process; // replays run it without Jest, too
  const listeners = host.listeners("unhandledRejection");
  host.removeAllListeners("unhandledRejection");
  let stop: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => (stop = resolve));
  const onRejection = (error: unknown) => {
    errors.add(error as Error);
    setTimeout(stop, 20); // let the other rejections of the same failure arrive
  };
  host.on("unhandledRejection", onRejection);

  // The runtime captures a stack per promise; mapping them through source maps would be most of a run's time.
  const stackTraceLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;

  let outputs: pulumi.Unwrap<T> | undefined;
  try {
    const finished = (async () => {
      outputs = (await pulumi.runtime.runInPulumiStack(async () => (await program()) as object)) as typeof outputs;
      await pulumi.runtime.disconnect(); // resolves once no call is in flight
    })().catch((error: unknown) => void errors.add(error as Error));
    await Promise.race([finished, failed]);
    await new Promise((resolve) => setTimeout(resolve, 0));
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    host.off("unhandledRejection", onRejection);
    for (const listener of listeners) host.on("unhandledRejection", listener as NodeJS.UnhandledRejectionListener);
  }
  return { outputs, resources, registeredOutputs, calls, errors: [...errors] };
}

function record(request: proto.RegisterResourceRequest, urn: string): Registration {
  const timeouts = request.getCustomtimeouts();
  return {
    urn,
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    remote: request.getRemote(),
    parent: request.getParent(),
    inputs: (request.getObject()?.toJavaScript() ?? {}) as Record<string, unknown>,
    dependencies: [...request.getDependenciesList()].sort(),
    propertyDependencies: Object.fromEntries(
      request
        .getPropertydependenciesMap()
        .toArray()
        .map(([key]) => [key, request.getPropertydependenciesMap().get(key)?.getUrnsList() ?? []]),
    ),
    provider: request.getProvider(),
    providers: Object.fromEntries(request.getProvidersMap().toArray()),
    protect: request.getProtect() ?? false,
    retainOnDelete: request.getRetainondelete() ?? false,
    deleteBeforeReplace: request.getDeletebeforereplace(),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    customTimeouts: {
      create: timeouts?.getCreate() ?? "",
      update: timeouts?.getUpdate() ?? "",
      delete: timeouts?.getDelete() ?? "",
    },
  };
}
