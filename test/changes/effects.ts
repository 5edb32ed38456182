import { createHash } from "node:crypto";
import type { JsonObject } from "../../cli/engine/values";
import { difference } from "../../test-real/engine/cloud/difference";
import { REPLACEMENTS } from "../../test-real/engine/cloud/replacements";
import type { Registration, RunOptions } from "../support/harness";
import { providerState } from "../support/provider-state";
import { Nodes } from "./change";

/** What an update does to one resource. */
interface Effect {
  readonly kind: "create" | "update" | "replace" | "recreate" | "remove";
  readonly resource: Registration;
  /** Properties that change, as Pulumi writes them. */
  readonly paths: readonly string[];
}

export interface Outcome {
  readonly nodes: Nodes;
  /** Lines as in `Change.effects`. */
  readonly effects: readonly string[];
  /** Types that are replaced, either way round. */
  readonly replaced: readonly string[];
}

/** Arguments of other packages' components whose change replaces the resource inside (test-real/engine/cloud/replacements-services.ts). */
const replacesInside: Readonly<Record<string, readonly string[]>> = {
  "eks:index:Cluster": ["name", "encryptionConfigKeyArn", "ipFamily", "kubernetesServiceIpAddressRange"],
};

type Make = (state: RunOptions["state"]) => Promise<readonly Registration[]>;

/**
 * What comes of another set of arguments, by the tables of what providers replace. What is replaced has other ids and ARNs, which may replace
 * what is made from them: so it is made again with those, until nothing more follows.
 */
export async function outcome(makeBefore: Make, makeAfter: Make): Promise<Outcome> {
  const before = await makeBefore(stateWith(new Set()));
  let renewed = new Set<string>();
  for (;;) {
    const effects = compare(before, await makeAfter(stateWith(renewed)));
    const replaced = effects.filter(({ kind }) => kind === "replace" || kind === "recreate");
    const now = new Set(replaced.map(({ resource }) => key(resource)));
    if (now.size === renewed.size)
      return { nodes: nodesOf(effects), effects: lines(effects), replaced: replaced.map((e) => e.resource.type) };
    renewed = now;
  }
}

function compare(before: readonly Registration[], after: readonly Registration[]): Effect[] {
  const made = (all: readonly Registration[]) =>
    new Map(all.filter((r) => (r.custom || r.remote) && !r.type.startsWith("pulumi:")).map((r) => [r.urn, r]));
  const [old, fresh] = [made(before), made(after)];
  return [
    ...[...old.values()]
      .filter((r) => !fresh.has(r.urn))
      .map((r): Effect => ({ kind: "remove", resource: r, paths: [] })),
    ...[...fresh.values()].flatMap((resource): Effect[] => {
      const was = old.get(resource.urn);
      if (was === undefined) return [{ kind: "create", resource, paths: [] }];
      const { changes, deleteBeforeReplace } = difference(
        resource.type,
        wire(was),
        wire(resource),
        resource.ignoreChanges,
      );
      if (changes.length === 0) return [];
      // Of a type without a row everything would seem to change in place.
      if (!resource.remote && REPLACEMENTS[resource.type] === undefined)
        throw new Error(`${resource.type} has no row in test-real/engine/cloud/replacements*.ts`);
      const paths = changes.map(({ path }) => path);
      const fixed = [...resource.replaceOnChanges, ...(replacesInside[resource.type] ?? [])];
      const isReplaced =
        changes.some(({ replaces }) => replaces) ||
        paths.some((path) => fixed.some((property) => path === property || path.startsWith(`${property}.`)));
      if (!isReplaced) return [{ kind: "update", resource, paths }];
      // What is inside of other packages' components has a name of its own, which the new one can't have meanwhile.
      const first = deleteBeforeReplace || resource.deleteBeforeReplace || resource.remote;
      return [{ kind: first ? "recreate" : "replace", resource, paths }];
    }),
  ];
}

/** Without what is undefined, as it goes over the wire. */
function wire({ inputs }: Registration): JsonObject {
  return JSON.parse(JSON.stringify(inputs)) as JsonObject;
}

/** What of an EC2NodeClass Karpenter compares with what nodes are, and not with what they were made from (ec2nodeclass.go, `hash:"ignore"`). */
const selectors = /^spec\.(subnetSelectorTerms|capacityReservationSelectorTerms)\b/;

/**
 * Nodes of Karpenter drift when the hash of their pool's template or of their class changes (nodepool.go and ec2nodeclass.go, `Hash`). Left out
 * of it are requirements, subnets and reservations: a node drifts when it isn't among them any more; and images and security groups, of which
 * all nodes have others then. A managed group replaces its nodes for another version, of Kubernetes or of the launch template (EKS user
 * guide, "Update a managed node group"). The text of ec2nodeclass.go that was read doesn't have `connectionTracking` yet: it is taken for hashed, as
 * everything is that no `hash:"ignore"` leaves out.
 */
function nodesOf(effects: readonly Effect[]): Nodes {
  const found = effects.map(({ kind, resource: { type }, paths }): Nodes => {
    const isReplaced = kind === "replace" || kind === "recreate";
    const has = (pattern: RegExp) => paths.some((path) => pattern.test(path));
    switch (type) {
      case "aws:eks/nodeGroup:NodeGroup":
        if (isReplaced) return Nodes.Move;
        return has(/^(version|releaseVersion|launchTemplate\.version)$/) ? Nodes.Roll : Nodes.Stay;
      case "kubernetes:karpenter.sh/v1:NodePool":
        if (isReplaced || kind === "remove") return Nodes.Go;
        if (has(/^spec\.template\.(?!spec\.requirements\b)/)) return Nodes.Roll;
        return has(/^spec\.template\b/) ? Nodes.Misfits : Nodes.Stay;
      case "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass":
        if (isReplaced) return Nodes.Roll; // its pools name another class then
        if (paths.some((path) => path.startsWith("spec.") && !selectors.test(path))) return Nodes.Roll;
        return has(selectors) ? Nodes.Misfits : Nodes.Stay;
      default:
        return Nodes.Stay;
    }
  });
  const order = [Nodes.Go, Nodes.Move, Nodes.Roll, Nodes.Misfits];
  return order.find((nodes) => found.includes(nodes)) ?? Nodes.Stay;
}

function lines(effects: readonly Effect[]): string[] {
  const groups = new Map<string, string[]>();
  for (const { kind, resource } of effects) {
    const what = `${kind} ${String(resource.type.split(/[:/]/).pop())}`;
    groups.set(what, [...(groups.get(what) ?? []), resource.name.replace(/^one-/, "")]);
  }
  return [...groups]
    .flatMap(([what, names]) =>
      names.length > 3 ? [what.replace(" ", ` ${names.length} `)] : names.map((name) => `${what} ${name}`),
    )
    .sort();
}

const key = ({ type, name }: { readonly type: string; readonly name: string }) => `${type} ${name}`;

/** The providers' answers, with other ids and ARNs for what was replaced, and a version of launch templates that tells them apart. */
function stateWith(renewed: ReadonlySet<string>): RunOptions["state"] {
  return (resource) => {
    const state = providerState(resource);
    const { type, name } = resource;
    if (type === "aws:ec2/launchTemplate:LaunchTemplate")
      state["latestVersion"] = versionOf(resource.inputs as Record<string, unknown>);
    return renewed.has(key({ type, name })) ? { ...renew(state), id: `${name}-id-2` } : state;
  };
}

/** Tags of the template itself make no version of it (ec2_launch_template.go, `updateKeys`). */
function versionOf(inputs: Record<string, unknown>): number {
  const data = JSON.stringify({ ...inputs, tags: undefined });
  return createHash("sha256").update(data).digest().readUInt32BE();
}

function renew(state: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(state, (_, value: unknown) => (typeof value === "string" ? `${value}-2` : value)),
  ) as Record<string, unknown>;
}
