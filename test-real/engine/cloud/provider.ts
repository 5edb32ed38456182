import { isDeepStrictEqual } from "node:util";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { Empty, fromStruct, grpc, handler, provider, toStruct } from "../../../cli/engine/proto";
import { nameOf, typeOf } from "../../../cli/engine/urn";
import { type JsonObject, unknown } from "../../../cli/engine/values";
import { type Cloud, Living, type OperationKind } from "./cloud";
import { type Location, make, withClusterGroup } from "./computed";
import { construct } from "./constructs";
import { difference } from "./difference";
import { answer } from "./invokes";
import { completed } from "./naming";
import { plain, text } from "./plain";
import { refusesToCreate, refusesToDelete, refusesToUpdate } from "./refusals";
import { shapeOf } from "./shapes";

/** Newer than any SDK, or the engine looks for another plugin. */
const version = "999.0.0";

/** One provider that serves every package. Each connection of the engine is one configured provider resource. */
export function addProvider(server: grpc.Server, cloud: Cloud, location: Location): void {
  const defaultTags = new Map<string, JsonObject>();
  let serial = 0;

  const run = async (kind: OperationKind, urn: string, refusal: string | undefined) => {
    await cloud.hold(kind, urn);
    const problem = cloud.fault(kind, urn) ?? refusal;
    if (problem !== undefined) throw new Error(problem);
  };
  const livingOf = (urn: string, id: string): Living => {
    const thing = cloud.find(typeOf(urn), id);
    if (thing === undefined) throw new Error(`${typeOf(urn)} ${id} does not exist`);
    return thing;
  };

  server.addService(ResourceProviderService, {
    // Only providers that accept secrets may construct components.
    handshake: handler(() => {
      const response = new provider.ProviderHandshakeResponse();
      response.setAcceptSecrets(true);
      return response;
    }),
    attach: handler(() => new Empty()),
    cancel: handler(() => new Empty()),
    getPluginInfo: handler(() => {
      const info = new PluginInfo();
      info.setVersion(version);
      return info;
    }),
    checkConfig: handler((request: provider.CheckRequest) => {
      const response = new provider.CheckResponse();
      response.setInputs(request.getNews());
      return response;
    }),
    diffConfig: handler((request: provider.DiffRequest) => diff(request, [])),
    configure: ((call, done) => {
      const { defaultTags: given } = plain(fromStruct(call.request.getArgs()));
      const tags = JSON.parse(text(given ?? "{}")) as { tags?: JsonObject };
      defaultTags.set(call.getPeer(), tags.tags ?? {});
      const response = new provider.ConfigureResponse();
      response.setSupportspreview(true);
      response.setAcceptsecrets(true);
      done(null, response);
    }) satisfies grpc.handleUnaryCall<provider.ConfigureRequest, provider.ConfigureResponse>,
    check: ((call, done) => {
      const { request } = call;
      const response = new provider.CheckResponse();
      const given = fromStruct(request.getNews());
      const before = fromStruct(request.getOlds());
      const tags = defaultTags.get(call.getPeer()) ?? {};
      const type = typeOf(request.getUrn());
      // The SDK's own check takes an output for an argument, whatever value it will have.
      for (const argument of shapeOf(type).required) {
        if (given[argument] !== undefined) continue;
        const failure = new provider.CheckFailure();
        failure.setReason(`Missing required argument: "${argument}" of ${nameOf(request.getUrn())}`);
        response.addFailures(failure);
      }
      response.setInputs(
        toStruct(completed(type, nameOf(request.getUrn()), given, before, request.getRandomseed_asU8(), tags)),
      );
      done(null, response);
    }) satisfies grpc.handleUnaryCall<provider.CheckRequest, provider.CheckResponse>,
    diff: handler((request: provider.DiffRequest) => diff(request, request.getIgnorechangesList())),
    create: handler(async (request: provider.CreateRequest) => {
      const urn = request.getUrn();
      const type = typeOf(urn);
      const inputs = fromStruct(request.getProperties());
      const response = new provider.CreateResponse();
      if (request.getPreview()) {
        response.setProperties(toStruct(previewed(type, inputs)));
        return response;
      }
      await run("create", urn, refusesToCreate(cloud, type, plain(inputs)));
      const { id, outputs } = make(type, nameOf(urn), ++serial, plain(inputs), location);
      const state = { ...inputs, ...outputs };
      cloud.add(new Living(urn, type, id, inputs, state));
      response.setId(id);
      response.setProperties(toStruct(state));
      return response;
    }),
    update: handler(async (request: provider.UpdateRequest) => {
      const urn = request.getUrn();
      const inputs = fromStruct(request.getNews());
      const before = fromStruct(request.getOlds());
      const oldInputs = fromStruct(request.getOldInputs());
      const response = new provider.UpdateResponse();
      const outputs = updated(typeOf(urn), before, oldInputs, inputs, request.getPreview());
      response.setProperties(toStruct(outputs));
      if (request.getPreview()) return response;
      await run("update", urn, refusesToUpdate(typeOf(urn), plain(oldInputs), plain(inputs)));
      cloud.change(livingOf(urn, request.getId()), urn, inputs, outputs);
      return response;
    }),
    delete: handler(async (request: provider.DeleteRequest) => {
      const thing = cloud.find(typeOf(request.getUrn()), request.getId());
      if (thing === undefined) return new Empty(); // providers take "not found" for done
      await run("delete", request.getUrn(), refusesToDelete(cloud, thing));
      cloud.remove(thing);
      return new Empty();
    }),
    read: handler((request: provider.ReadRequest) => {
      const response = new provider.ReadResponse();
      const thing = cloud.find(typeOf(request.getUrn()), request.getId());
      if (thing === undefined) return response; // without an id: it is gone
      response.setId(thing.id);
      response.setInputs(toStruct(thing.sent));
      response.setProperties(toStruct(thing.state));
      return response;
    }),
    invoke: handler((request: provider.InvokeRequest) => {
      cloud.invokes.push(request.getTok());
      const response = new provider.InvokeResponse();
      response.setReturn(toStruct(answer(request.getTok(), location)));
      return response;
    }),
    construct: handler((request: provider.ConstructRequest) => construct(request, cloud)),
  });
}

function diff(request: provider.DiffRequest, ignored: readonly string[]): provider.DiffResponse {
  const { changes, deleteBeforeReplace } = difference(
    typeOf(request.getUrn()),
    plain(fromStruct(request.getOldInputs())),
    plain(fromStruct(request.getNews())),
    ignored,
  );
  const { DiffChanges } = provider.DiffResponse;
  const { Kind } = provider.PropertyDiff;
  const kinds = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  };
  const response = new provider.DiffResponse();
  response.setChanges(changes.length > 0 ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE);
  response.setDiffsList([...new Set(changes.map(({ path }) => topLevel(path)))]);
  response.setReplacesList([...new Set(changes.flatMap(({ path, replaces }) => (replaces ? [topLevel(path)] : [])))]);
  response.setDeletebeforereplace(deleteBeforeReplace);
  response.setHasdetaileddiff(true);
  for (const { path, kind, replaces } of changes) {
    const detail = new provider.PropertyDiff();
    detail.setKind(kinds[kind][replaces ? 1 : 0]!);
    detail.setInputdiff(true);
    response.getDetaileddiffMap().set(path, detail);
  }
  return response;
}

function topLevel(path: string): string {
  return path.split(/[.[]/)[0] ?? path;
}

/** What a preview knows of a resource that doesn't exist yet: what only the cloud can say is unknown. */
function previewed(type: string, inputs: JsonObject): JsonObject {
  const outputs = { ...inputs };
  for (const key of shapeOf(type).computed.keys()) outputs[key] ??= unknown;
  if (type === "aws:eks/cluster:Cluster") outputs["vpcConfig"] = withClusterGroup(inputs, unknown);
  return outputs;
}

/** Outputs after an update: those that nobody gave stay. */
function updated(
  type: string,
  before: JsonObject,
  oldInputs: JsonObject,
  inputs: JsonObject,
  isPreview: boolean,
): JsonObject {
  const kept = Object.fromEntries(Object.entries(before).filter(([key]) => isComputed(type, key, before)));
  return { ...kept, ...inputs, ...onUpdate(type, before, oldInputs, inputs, isPreview) };
}

function isComputed(type: string, key: string, before: JsonObject): boolean {
  if (type.startsWith("kubernetes:")) return key === "status";
  return before[key] !== undefined && key !== "tagsAll" && shapeOf(type).computed.has(key);
}

function onUpdate(
  type: string,
  before: JsonObject,
  oldInputs: JsonObject,
  inputs: JsonObject,
  isPreview: boolean,
): JsonObject {
  switch (type) {
    case "aws:eks/cluster:Cluster":
      return {
        vpcConfig: withClusterGroup(inputs, (before["vpcConfig"] as JsonObject)["clusterSecurityGroupId"] ?? unknown),
      };
    // Each change makes a preview forget the version; a real one makes a new version, but not for tags of the template itself
    // (terraform-provider-aws ec2_launch_template.go: CustomizeDiff, `updateKeys`).
    case "aws:ec2/launchTemplate:LaunchTemplate": {
      const current = Number(before["latestVersion"]);
      const isNew = Object.keys({ ...oldInputs, ...inputs }).some(
        (key) => !["tags", "tagsAll"].includes(key) && !isDeepStrictEqual(oldInputs[key], inputs[key]),
      );
      return { latestVersion: isPreview ? unknown : isNew ? current + 1 : current };
    }
    default:
      return {};
  }
}
