import type { PolicyResource } from "@pulumi/policy";
import { isUnknown } from "../../lib/known";
import { withParents } from "../../lib/parents";
import { stringAt, type Path } from "../../lib/paths";
import { tagsOf } from "../../lib/tags";
import { clusterTagPrefix, isSecurityGroup } from "./groups";

/** A security group with its own tags and those that resources of their own give it. */
export interface TaggedGroup {
  /** How messages call it. */
  readonly name: string;
  readonly tags: ReadonlyMap<string, unknown>;
  /** The resource; undefined for the group that EKS makes for a cluster. */
  readonly resource: PolicyResource | undefined;
}

/** Where a cluster has the id of the group that EKS makes for it. */
const clusterGroupIds: Readonly<Record<string, Path>> = {
  "aws:eks/cluster:Cluster": ["vpcConfig", "clusterSecurityGroupId"],
  "aws-native:eks:Cluster": ["clusterSecurityGroupId"],
  "eks:index:Cluster": ["clusterSecurityGroupId"],
};

/** Tags one resource of EC2, made wherever. */
const tagType = "aws:ec2/tag:Tag";

/** What messages call a group that no resource of the stack is. */
export const madeByEks = "the one that EKS makes";

/** Whether this is a cluster, for which EKS makes a group. */
export function hasGroupMadeByEks({ type }: PolicyResource): boolean {
  return type in clusterGroupIds;
}

/** The security groups that are in the stack, of these types. */
export function taggedGroups(
  resources: readonly PolicyResource[],
  isGroup: (type: string) => boolean = isSecurityGroup,
): TaggedGroup[] {
  return withTags(
    resources,
    resources
      .filter((r) => isGroup(r.type))
      .map((resource) => ({
        holder: resource,
        ids: [["id"], ["groupId"]],
        group: { name: resource.name, tags: new Map(tagsOf(resource.props).values), resource },
      })),
  );
}

/** The groups that EKS makes for the clusters of the stack: one for each cluster whose name is known, tagged with it. */
export function groupsMadeByEks(resources: readonly PolicyResource[]): TaggedGroup[] {
  const clusters = resources.filter(hasGroupMadeByEks);
  const byTag = new Map<string, TaggedGroup & { tags: Map<string, unknown> }>();
  const holders = clusters.flatMap((holder) => {
    const name = stringAt(holder.props, ["name"]);
    if (typeof name !== "string") return [];
    // A component and the cluster inside it are one.
    const key = `${clusterTagPrefix}${name}`;
    const group = byTag.get(key) ?? { name: madeByEks, tags: new Map([[key, "owned"]]), resource: undefined };
    byTag.set(key, group);
    return [{ holder, ids: [clusterGroupIds[holder.type]!], group }];
  });
  withTags(resources, holders);
  return [...byTag.values()];
}

/** The tag of the group that EKS made for a cluster, if its id is among these. */
export function clusterTagOfId(cluster: PolicyResource, ids: readonly unknown[]): string[] {
  const path = clusterGroupIds[cluster.type];
  const name = stringAt(cluster.props, ["name"]);
  const id = path && stringAt(cluster.props, path);
  return typeof id === "string" && typeof name === "string" && ids.includes(id) ? [`${clusterTagPrefix}${name}`] : [];
}

/** A resource that has the id of a group. */
interface Holder {
  readonly holder: PolicyResource;
  readonly ids: readonly Path[];
  readonly group: TaggedGroup & { tags: Map<string, unknown> };
}

/** Adds what tag resources say about the groups: by id, or, while that isn't known, because it came from one group's holder alone. */
function withTags(resources: readonly PolicyResource[], holders: readonly Holder[]): TaggedGroup[] {
  const byId = new Map<string, Holder["group"]>();
  const byOrigin = new Map<string, Set<Holder["group"]>>();
  for (const { holder, ids, group } of holders) {
    for (const id of ids.map((path) => stringAt(holder.props, path))) if (typeof id === "string") byId.set(id, group);
    // A value out of a component may name the component.
    for (const { urn } of withParents(holder)) byOrigin.set(urn, (byOrigin.get(urn) ?? new Set()).add(group));
  }
  for (const tag of resources.filter((r) => r.type === tagType)) {
    const [id, key, value] = ["resourceId", "key", "value"].map((property) => stringAt(tag.props, [property]));
    if (typeof key !== "string") continue;
    const origins = new Set(
      (tag.propertyDependencies["resourceId"] ?? []).flatMap((r) => [...(byOrigin.get(r.urn) ?? [])]),
    );
    const [origin] = origins;
    const group = isUnknown(id) ? (origins.size === 1 ? origin : undefined) : byId.get(id ?? "");
    group?.tags.set(key, value);
  }
  return holders.map(({ group }) => group);
}
