import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as clusterFamily from "../../components/cluster";
import * as karpenterFamily from "../../components/karpenter";
import schema from "../snapshots/schema.json";
import { samples } from "../support/components";
import { type Registration, run, type RunOptions } from "../support/harness";
import { providerState } from "../support/provider-state";
import { type Change, Nodes } from "./change";
import { type Outcome, outcome } from "./effects";
import { eksCluster } from "./eks-cluster";
import { karpenter } from "./karpenter";
import { nodeClass } from "./node-class";
import { nodePool } from "./node-pool";
import { page } from "./page";
import { privateEndpoints } from "./private-endpoints";
import { storageClass } from "./storage-class";

const tables: Readonly<Record<string, readonly Change[]>> = {
  EksCluster: eksCluster,
  Karpenter: karpenter,
  KarpenterNodePool: nodePool,
  KarpenterNodeClass: nodeClass,
  DefaultStorageClass: storageClass,
  PrivateClusterEndpoints: privateEndpoints,
};

interface Property {
  readonly description?: string;
  readonly $ref?: string;
}
const resources: Record<string, { inputProperties: Record<string, Property> }> = schema.resources;
const types: Record<string, { type: string; properties?: Record<string, Property> }> = schema.types;

test("every component of the two families has a table", () => {
  const components = Object.entries({ ...clusterFamily, ...karpenterFamily }).flatMap(([name, exported]) =>
    typeof exported === "function" && exported.prototype instanceof pulumi.ComponentResource ? [name] : [],
  );
  expect(Object.keys(tables).sort()).toEqual(components.sort());
});

const ofNodes = ["kubernetes:karpenter.sh/v1:NodePool", "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"];

/** Arguments whose parts do different things. */
const nested = new Set(["systemNodes", "workloadNodes", "limits"]);

describe.each(Object.entries(tables))("%s", (component, changes) => {
  const make =
    (args: object, provider: aws.ProviderArgs = { region: "eu-west-1" }) =>
    async (state: RunOptions["state"]): Promise<readonly Registration[]> => {
      const made = await run(
        () => {
          const providers = [
            new aws.Provider("given-aws", provider),
            new k8s.Provider("given-kubernetes", { kubeconfig: "{}" }),
          ];
          samples[component]!.make("one", args, { providers });
        },
        { state },
      );
      expect(made.errors).toEqual([]);
      return made.resources;
    };

  const outcomes: [Change, Outcome][] = [];
  test.each(
    changes.map((change) => [`${change.argument}${change.what === undefined ? "" : `: ${change.what}`}`, change]),
  )("%s", async (_, change) => {
    const { minimal, full } = samples[component]!;
    const { argument, before = {}, after = { [argument]: (full as Record<string, unknown>)[argument] } } = change;
    const given = { ...minimal, ...before };
    const found = await outcome(make(given), make({ ...given, ...after }));
    outcomes.push([change, found]);
    expect({ nodes: found.nodes, effects: found.effects }).toEqual({
      nodes: change.nodes,
      effects: [...change.effects].sort(),
    });
  });

  test("every argument is changed once, and every part of those whose parts differ", () => {
    const changed = new Set(changes.flatMap(({ argument }) => [argument, argument.split(".")[0]!]));
    const takes = Object.entries(resources[`moorings:index:${component}`]!.inputProperties).flatMap(
      ([name, { $ref }]) => {
        const parts = nested.has(name) ? Object.keys(types[$ref!.replace("#/types/", "")]!.properties ?? {}) : [];
        return [name, ...parts.map((part) => `${name}.${part}`)];
      },
    );
    expect(takes.filter((argument) => !changed.has(argument))).toEqual([]);
    expect([...changed].filter((argument) => !takes.includes(argument.replace(/^cluster\..*/, "cluster")))).toEqual([]);
  });

  // Another version of the API is another type, and so another pool: whoever changes it has to give the old one as an alias.
  test("pools and classes are of the types that they have always had", async () => {
    const made = await make(samples[component]!.full)(providerState);
    const ofKarpenter = made.filter(({ type }) => /:(NodePool|EC2NodeClass)$/.test(type)).map(({ type }) => type);
    expect(ofKarpenter.filter((type) => !ofNodes.includes(type))).toEqual([]);
  });

  // Replaced, its nodes would all be drained at once.
  test("no pool and no class is replaced but by another name of its own", () => {
    expect(outcomes).toHaveLength(changes.length);
    const guilty = outcomes.filter(([, { replaced }]) => replaced.some((type) => ofNodes.includes(type)));
    expect(
      guilty.flatMap(([{ argument }]) => (["poolName", "className"].includes(argument) ? [] : [argument])),
    ).toEqual([]);
  });

  test("no tag replaces anything, wherever it is given", async () => {
    for (const [{ argument }, { replaced }] of outcomes)
      if (/^(tags|nodeTags)$/.test(argument)) expect([argument, replaced]).toEqual([argument, []]);
    const { minimal } = samples[component]!;
    const tagged = { region: "eu-west-1", defaultTags: { tags: { commit: "de3f699" } } };
    const { nodes, effects } = await outcome(make(minimal), make(minimal, tagged));
    expect({ nodes, effects }).toEqual({ nodes: Nodes.Stay, effects: [] });
  });
});

test("docs/changes-of-nodes.md says so", () => {
  const file = resolve(__dirname, "../../docs/changes-of-nodes.md");
  if (process.env["UPDATE_DOCS"] === "1") writeFileSync(file, page(tables));
  expect(readFileSync(file, "utf8")).toBe(page(tables));
});
