import * as language from "@pulumi/pulumi/proto/language_pb";
import { LanguageRuntimeService } from "@pulumi/pulumi/proto/language_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty, type grpc, handler } from "../../../cli/engine/proto";

/** Runs a program for the engine. */
export type RunProgram = (request: language.RunRequest, engineAddress: string) => Promise<language.RunResponse>;

/** Serves as `pulumi-language-nodejs`: the engine finds it by PULUMI_DEBUG_LANGUAGES. Policy packs are programs of their own, see `bin`. */
export function addLanguageHost(server: grpc.Server, runProgram: RunProgram): void {
  let engineAddress = "";
  server.addService(LanguageRuntimeService, {
    handshake: handler((request: language.LanguageHandshakeRequest) => {
      engineAddress = request.getEngineAddress();
      return new language.LanguageHandshakeResponse();
    }),
    getPluginInfo: handler(() => {
      const info = new PluginInfo();
      info.setVersion("3.248.0");
      return info;
    }),
    getRequiredPackages: handler(() => new language.GetRequiredPackagesResponse()),
    cancel: handler(() => new Empty()),
    run: handler((request: language.RunRequest) => runProgram(request, engineAddress)),
  });
}
