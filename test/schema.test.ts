import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as grpc from "@grpc/grpc-js";
import { GetSchemaRequest, type GetSchemaResponse } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import diff from "microdiff";
import * as library from "../components";

const root = resolve(__dirname, "..");
const snapshot = resolve(__dirname, "snapshots/schema.json");

interface Schema {
  resources: Record<string, { inputProperties?: object; properties?: object; isComponent: boolean }>;
  types: Record<string, object>;
}

/** Serves the library as `pulumi package add` would, and asks for its schema. */
async function served(): Promise<Schema> {
  const child = spawn(process.execPath, [require.resolve("@pulumi/pulumi/cmd/run-plugin"), root, "127.0.0.1:1"], {
    cwd: root,
    env: { ...process.env, PULUMI_NODEJS_TYPESCRIPT: "true" },
  });
  try {
    const port = await new Promise<string>((done, failed) => {
      let out = "";
      let err = "";
      child.stdout.on("data", (data) => {
        out += String(data);
        const found = /^(\d+)\n/m.exec(out)?.[1];
        if (found !== undefined) done(found);
      });
      child.stderr.on("data", (data) => (err += String(data)));
      child.on("exit", (code) => failed(new Error(`run-plugin ended with ${code}: ${err}`)));
    });
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
    const response = await new Promise<GetSchemaResponse>((done, failed) =>
      client.getSchema(new GetSchemaRequest(), (error, answer) => (error === null ? done(answer) : failed(error))),
    );
    client.close();
    return JSON.parse(response.getSchema()) as Schema;
  } finally {
    child.kill();
  }
}

/** Same content, same text: keys sorted at every level. */
function stable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, stable(v)]),
  );
}

const components = Object.entries(library).filter(
  ([, exported]) => typeof exported === "function" && /^class /.test(Function.prototype.toString.call(exported)),
);

let schema: Schema;
beforeAll(async () => {
  schema = await served();
});

test("every exported class is a component that other languages can use", () => {
  expect(components.length).toBeGreaterThan(8);
  expect(Object.keys(schema.resources).sort()).toEqual(components.map(([name]) => `moorings:index:${name}`).sort());
});

/** Where in a value something holds, as paths. */
function places(value: unknown, holds: (part: unknown) => boolean, path = ""): string[] {
  if (holds(value)) return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => places(part, holds, path === "" ? key : `${path}.${key}`));
}

const addons = ["coredns", "ebsCsiDriver", "kubeProxy", "metricsServer"];
const moreAddons = ["nodeMonitoringAgent", "podIdentityAgent", "snapshotController", "vpcCni"];
/** Values of charts and add-ons, and settings of a kubelet, are what their authors make of them; those that matter are refused by name. */
const anything = [
  "resources.moorings:index:Karpenter.inputProperties.extraValues.additionalProperties",
  "resources.moorings:index:LoadBalancerController.inputProperties.extraValues.additionalProperties",
  ...[...addons, ...moreAddons].map(
    (addon) => `types.moorings:index:AddonValues.properties.${addon}.additionalProperties`,
  ),
  "types.moorings:index:NodeKubelet.properties.further.additionalProperties",
];

test("nothing of the API is of unknown type, but for values of charts and add-ons and settings of a kubelet", () => {
  const any = (part: unknown) => (part as { $ref?: string } | null)?.$ref === "pulumi.json#/Any";
  expect(places(schema, any).sort()).toEqual(anything);
});

test("the public API is the committed one", () => {
  const text = `${JSON.stringify(stable(schema), null, 2)}\n`;
  if (process.env["UPDATE_SCHEMA"] === "1") writeFileSync(snapshot, text);
  const committed = JSON.parse(readFileSync(snapshot, "utf8")) as object;
  const marks = { CREATE: "added", REMOVE: "removed", CHANGE: "changed" };
  const changes = diff(committed, JSON.parse(text) as object).map((c) => `  ${marks[c.type]} ${c.path.join(".")}`);
  if (changes.length > 0)
    throw new Error(
      `The public API has changed:\n${changes.join("\n")}\nIf you meant it, run UPDATE_SCHEMA=1 npx jest test/schema.test.ts, ` +
        "commit test/snapshots/schema.json, and tell users in CHANGELOG.md (from 0.1.0 on, a renamed component needs aliases).",
    );
});
