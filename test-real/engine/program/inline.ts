import type { AsyncLocalStorage } from "node:async_hooks";
import { realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve, sep } from "node:path";
import * as language from "@pulumi/pulumi/proto/language_pb";
import { grpc } from "../../../cli/engine/proto";
import { ownConnections } from "./connections";
import { addLanguageHost, type RunProgram } from "./language-host";

/*
 * A language host in a process of its own that runs the program within itself, as the Automation API does: what the program imports is
 * loaded once and not for every operation, which is most of an operation's time. It can't be Jest's process: there an exception inside
 * `apply` would get lost in the sandbox's own `process`.
 *
 * Prints its port, and ends when its standard input does.
 */

const load = createRequire(__filename);

type Done = (error: unknown, response: language.RunResponse | undefined) => void;

// The Automation API's own; marked internal, so its types aren't published.
const { LanguageServer } = load("@pulumi/pulumi/automation/server") as {
  LanguageServer: new (program: () => Promise<Record<string, unknown>>) => {
    run(call: { readonly request: language.RunRequest }, done: Done): Promise<void>;
  };
};

// Programs that an engine gave up leave connections behind. A later engine that gets the same port must not share theirs: it would be
// "unavailable", which the server takes for the engine's own end, and so an unfinished program for a finished one.
const { grpcClientOptions } = load("@pulumi/pulumi/runtime/settings") as { grpcClientOptions: object };
Object.assign(grpcClientOptions, ownConnections);

// What the end of an engine leaves behind in a program that it stopped often shows when the next run is under way, and is none of its errors.
const { isGrpcError } = load("@pulumi/pulumi/errors") as { isGrpcError: (error: Error) => boolean };
const emit = process.emit.bind(process) as (event: string, ...args: unknown[]) => boolean;
process.emit = ((event: string, ...args: unknown[]) =>
  (event === "unhandledRejection" && args[0] instanceof Error && isGrpcError(args[0])) ||
  emit(event, ...args)) as typeof process.emit;

/*
 * The SDK keeps the state of a run (whether it is a preview, say) by asynchronous context, which its server of transforms loses: then unknown
 * arguments get lost in a preview. In a program's own process the state is global. Here one run follows the other: the latest one's is meant.
 */
const storage = (globalThis as unknown as { asyncLocalStorage: AsyncLocalStorage<unknown> }).asyncLocalStorage;
const storeOfContext = storage.getStore.bind(storage);
let latestStore: unknown;
storage.getStore = () => storeOfContext() ?? latestStore;

const runInline: RunProgram = (request, engineAddress) => {
  const project = realpathSync(request.getInfo()?.getRootDirectory() ?? ".");
  const directory = realpathSync(request.getInfo()?.getProgramDirectory() ?? ".");
  const entry = resolve(directory, request.getInfo()?.getEntryPoint() ?? ".");
  // The server takes the engine's address for its first argument.
  request.setArgsList([engineAddress]);
  // Told of one operation at a time, the SDK chains the operations of all runs that the process ever makes, also behind one that never ended.
  request.setParallel(0);
  let isStarted = false;
  const server = new LanguageServer(() => {
    isStarted = true;
    latestStore = storeOfContext();
    return Promise.resolve(fresh(project, entry));
  });
  return new Promise((done) => {
    const end: Done = (error, response) => {
      process.off("unhandledRejection", onRejection);
      const answer = response ?? new language.RunResponse();
      // Without a text the engine would take the program for complete, and delete what it hasn't registered.
      if (error !== null && error !== undefined) answer.setError(textOf(error));
      else if (!isStarted) answer.setError("the program never started");
      done(answer);
    };
    // An exception inside `apply` leaves outputs that never get a value, and the program waiting for them: `pulumi up` would exit here.
    // The server has told the engine of it by then.
    const onRejection = (error: unknown) => setTimeout(() => end(error ?? "rejected", undefined), 200);
    process.on("unhandledRejection", onRejection);
    void server.run({ request }, end);
  });
};

function textOf(error: unknown): string {
  return (error instanceof Error && error.message) || "the program failed";
}

let loadedAt = 0;

/**
 * The program's exports, by a new run of its entry point: the only file of the stacks with side effects. The others are loaded anew, all of
 * them, when somebody has changed one.
 */
function fresh(project: string, entry: string): Record<string, unknown> {
  const own = Object.keys(load.cache).filter((file) => file.startsWith(project + sep));
  const isChanged = own.some((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > loadedAt);
  if (isChanged) loadedAt = Date.now();
  for (const file of isChanged ? own : [entry]) delete load.cache[file];
  return load(entry) as Record<string, unknown>;
}

const server = new grpc.Server();
addLanguageHost(server, runInline);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  console.log(port);
});
process.stdin.resume().on("end", () => process.exit());
