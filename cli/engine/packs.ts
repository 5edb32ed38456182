import { engineService } from "./engine-service";
import { type PackSource, PolicyPack, type PackStack } from "./policy-pack";
import { EngineService, grpc, messageLimits } from "./proto";
import type { Diagnostic } from "./records";

/** Starts all packs at once; if one doesn't start, the others are stopped. */
export async function startAll(packs: readonly PackSource[], stack: PackStack): Promise<PolicyPack[]> {
  const results = await Promise.allSettled(packs.map((source) => PolicyPack.start(source, stack)));
  const running = results.flatMap((r) => (r.status === "fulfilled" ? [r.value] : []));
  const failed = results.find((r) => r.status === "rejected");
  if (failed === undefined) return running;
  running.forEach((pack) => pack.stop());
  throw failed.reason as Error;
}

/** A server with the Engine service: programs and packs send there what they have to say. */
export function engineServer(onLog: (diagnostic: Diagnostic, ephemeral: boolean) => void): grpc.Server {
  const server = new grpc.Server(messageLimits);
  server.addService(EngineService, engineService(onLog));
  return server;
}

/** Lets a server listen, and gives its address. */
export function listen(server: grpc.Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
      if (error === null) resolve(`127.0.0.1:${port}`);
      else reject(error);
    });
  });
}
