// The protocol's generated messages, under one roof and with short names. They are @pulumi/pulumi's own.
import * as grpc from "@grpc/grpc-js";
import * as analyzer from "@pulumi/pulumi/proto/analyzer_pb";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import * as callback from "@pulumi/pulumi/proto/callback_pb";
import { CallbacksClient } from "@pulumi/pulumi/proto/callback_grpc_pb";
import * as engine from "@pulumi/pulumi/proto/engine_pb";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import * as provider from "@pulumi/pulumi/proto/provider_pb";
import * as resource from "@pulumi/pulumi/proto/resource_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { JsonObject } from "./values";

export {
  grpc,
  analyzer,
  AnalyzerClient,
  callback,
  CallbacksClient,
  engine,
  EngineService,
  provider,
  resource,
  ResourceMonitorService,
  Empty,
  type Alias,
};

/** Big stacks send big messages; gRPC's default stops at 4 MB. The number is Pulumi's own (rpcutil, 400 MB). */
export const messageLimits = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
};

export function toStruct(value: JsonObject): Struct {
  return Struct.fromJavaScript(value as Record<string, JavaScriptValue>);
}

export function fromStruct(struct: Struct | undefined): JsonObject {
  return struct === undefined ? {} : struct.toJavaScript();
}

/** Promise form of a unary client call. */
export function ask<Request, Response>(
  call: (request: Request, done: (error: grpc.ServiceError | null, response: Response) => void) => unknown,
  request: Request,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call(request, (error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

/** Makes a handler of an async function. What it throws reaches the program as the error's details. */
export function handler<Request, Response>(
  serve: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return (call, done) => {
    Promise.resolve()
      .then(() => serve(call.request))
      .then(
        (response) => done(null, response),
        (error: unknown) =>
          done({ code: grpc.status.UNKNOWN, details: error instanceof Error ? error.message : String(error) }),
      );
  };
}
