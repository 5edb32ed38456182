import type { PolicyResource } from "@pulumi/policy";
import { matchesAny } from "../../lib/glob";
import { isUnknown } from "../../lib/known";
import { entriesOf, isProperties, itemsAt, type Properties } from "../../lib/kubernetes";
import { each, stringAt, valueAt, valuesAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";
import { isClusterTag } from "./groups";
import {
  clusterTagOfId,
  groupsMadeByEks,
  hasGroupMadeByEks,
  madeByEks,
  taggedGroups,
  type TaggedGroup,
} from "./tagged-groups";

/** A security group with cluster tags that is on the nodes for certain. */
export interface NodeGroup {
  /** How messages call it. */
  readonly name: string;
  readonly tags: readonly string[];
}

const terms: Path = ["spec", "securityGroupSelectorTerms"];

/** Where else ids of groups stand that end up together on one network interface. */
const idLists: Readonly<Record<string, readonly Path[]>> = {
  "aws:ec2/launchTemplate:LaunchTemplate": [["vpcSecurityGroupIds"], ["networkInterfaces", "0", "securityGroups"]],
  "kubernetes:crd.k8s.amazonaws.com:ENIConfig": [["spec", "securityGroups"]],
  "kubernetes:vpcresources.k8s.aws:SecurityGroupPolicy": [["spec", "securityGroups", "groupIds"]],
};

/** Which cluster-tagged groups a node class, a launch template or the like puts on its nodes. */
export class GroupsOnNodes {
  private readonly clusters: readonly PolicyResource[];
  private readonly groups: readonly TaggedGroup[];
  private readonly madeByEks: readonly TaggedGroup[];

  constructor(resources: readonly PolicyResource[]) {
    this.clusters = resources.filter(hasGroupMadeByEks);
    this.groups = taggedGroups(resources);
    this.madeByEks = groupsMadeByEks(resources);
  }

  /** Those that are there for certain; none for other resources. */
  on(node: PolicyResource): NodeGroup[] {
    const lists = idListsOf(node);
    if (lists.length === 0) return [];
    const asked = isNodeClass(node) ? itemsAt(node.props, terms).filter(isProperties) : [];
    const selected = (group: TaggedGroup) => asked.some((term) => isSelected(group, term));
    const found = new Set([
      ...lists.flatMap(({ list, ids }) => listed(node, list, ids, this.groups)),
      ...this.groups.filter(selected),
    ]);
    const made = this.groups
      .filter((group) => found.has(group))
      .map((group) => ({ name: group.name, tags: clusterTagsOf(group) }));
    const ids = lists.flatMap((l) => valuesAt(node.props, l.ids)).map(({ value }) => value);
    const own = new Set([
      ...asked.flatMap(clusterTagAskedBy),
      ...this.madeByEks.filter(selected).flatMap(clusterTagsOf),
      ...this.clusters.flatMap((r) => clusterTagOfId(r, ids)),
    ]);
    // EKS makes one group for each cluster, with its tag. A stack may have adopted it.
    const adopted = [...found].filter(({ resource }) => isMadeByEks(resource));
    for (const tag of adopted.flatMap(clusterTagsOf)) own.delete(tag);
    return [...made, ...[...own].map((tag) => ({ name: madeByEks, tags: [tag] }))];
  }
}

function isMadeByEks(group: PolicyResource | undefined): boolean {
  return group !== undefined && String(stringAt(group.props, ["name"])).startsWith("eks-cluster-sg-");
}

function isNodeClass(node: PolicyResource): boolean {
  return typeOf(node.type) === "kubernetes:karpenter.k8s.aws:EC2NodeClass";
}

function idListsOf(node: PolicyResource): { list: Path; ids: Path }[] {
  if (isNodeClass(node)) return [{ list: terms, ids: [...terms, each, "id"] }];
  return (idLists[typeOf(node.type)] ?? []).map((list) => ({ list, ids: [...list, each] }));
}

function clusterTagsOf({ tags }: TaggedGroup): string[] {
  return [...tags.keys()].filter(isClusterTag);
}

/** Whether a term selects a group by tags or by name, all of which must hold (Karpenter's documentation of the node class). */
function isSelected({ tags: own, resource }: TaggedGroup, term: Properties): boolean {
  const tags = entriesOf(valueAt(term, ["tags"]));
  const name = stringAt(term, ["name"]);
  const hasTag = ([key, wanted]: [string, unknown]) => {
    const value = own.get(key);
    return wanted === "*" ? own.has(key) : typeof value === "string" && value === wanted;
  };
  const groupName = stringAt(resource?.props, ["name"]) ?? stringAt(resource?.props, ["groupName"]);
  const named = typeof name === "string" && typeof groupName === "string" && matchesAny(groupName, [name]);
  return (tags.length > 0 || named) && tags.every(hasTag) && (name === undefined || named);
}

/** The groups whose ids stand in a list. Ids that aren't known yet are those of the groups that the list came from. */
function listed(node: PolicyResource, list: Path, ids: Path, groups: readonly TaggedGroup[]): TaggedGroup[] {
  const found = valuesAt(node.props, ids).map(({ value }) => value);
  const known = groups.filter(({ resource }) =>
    ["id", "groupId"].some((id) => found.includes(stringAt(resource?.props, [id]))),
  );
  const origins = groups.filter(
    (group) => !known.includes(group) && group.resource !== undefined && cameFrom(node, list[0]!, group.resource),
  );
  const unknown = found.filter(isUnknown).length;
  const whole = isUnknown(valueAt(node.props, list));
  // Fewer unknown ids than groups that the resource depends on: which of them they are, nobody knows.
  return [...known, ...(whole || unknown >= origins.length ? origins : [])];
}

/** The tag by which a term also selects the group that EKS makes, whose tag is kubernetes.io/cluster/<name> = owned. */
function clusterTagAskedBy(term: Properties): string[] {
  const [[key, value] = ["", ""], ...others] = entriesOf(valueAt(term, ["tags"]));
  const asks = isClusterTag(key) && (value === "owned" || value === "*") && others.length === 0;
  return asks && stringAt(term, ["name"]) === undefined ? [key] : [];
}
