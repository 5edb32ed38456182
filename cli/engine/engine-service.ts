import { Empty, engine, type grpc, handler } from "./proto";
import type { Diagnostic, DiagnosticSeverity } from "./records";

/** The Engine service: where a program and policy packs send what they have to say. */
export function engineService(
  onLog: (diagnostic: Diagnostic, ephemeral: boolean) => void,
): grpc.UntypedServiceImplementation {
  let root = "";
  return {
    log: handler((request: engine.LogRequest) => {
      const diagnostic = {
        severity: severityOf(request.getSeverity()),
        urn: request.getUrn(),
        message: request.getMessage(),
      };
      onLog(diagnostic, request.getEphemeral());
      return new Empty();
    }),
    getRootResource: handler(() => {
      const response = new engine.GetRootResourceResponse();
      response.setUrn(root);
      return response;
    }),
    setRootResource: handler((request: engine.SetRootResourceRequest) => {
      root = request.getUrn();
      return new engine.SetRootResourceResponse();
    }),
    // The offline check stands in for the CLI of whatever version the program asks for.
    requirePulumiVersion: handler(() => new engine.RequirePulumiVersionResponse()),
  };
}

function severityOf(severity: engine.LogSeverity): DiagnosticSeverity {
  switch (severity) {
    case engine.LogSeverity.DEBUG:
      return "debug";
    case engine.LogSeverity.INFO:
      return "info";
    case engine.LogSeverity.WARNING:
      return "warning";
    case engine.LogSeverity.ERROR:
      return "error";
  }
}
