import type { PolicyResource } from "@pulumi/policy";
import { matchesAny } from "../../lib/glob";
import { isUnknown } from "../../lib/known";
import { entriesOf, isProperties, itemsAt, type Properties } from "../../lib/kubernetes";
import { each, stringAt, valueAt, valuesAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { tagsOf } from "../../lib/tags";
import { typeOf } from "../../lib/tokens";
import { clusterTagPrefix, isClusterTag, isSecurityGroup } from "./groups";

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

/** Where a cluster has the id of the group that EKS makes for it. */
const clusterGroupIds: Readonly<Record<string, Path>> = {
  "aws:eks/cluster:Cluster": ["vpcConfig", "clusterSecurityGroupId"],
  "aws-native:eks:Cluster": ["clusterSecurityGroupId"],
};

/** The cluster-tagged groups that a node class, a launch template or the like puts on its nodes for certain; none for other resources. */
export function groupsOn(node: PolicyResource, resources: readonly PolicyResource[]): NodeGroup[] {
  const groups = resources.filter((r) => isSecurityGroup(r.type));
  const lists = idListsOf(node);
  const asked = itemsAt(node.props, terms).filter(isProperties);
  const found = new Set([
    ...lists.flatMap(({ list, ids }) => listed(node, list, ids, groups)),
    ...(isNodeClass(node) ? groups.filter((group) => asked.some((term) => isSelected(group, term))) : []),
  ]);
  const made = groups
    .filter((group) => found.has(group))
    .map((group) => ({
      name: group.name,
      tags: clusterTagsOf(group),
    }));
  // EKS makes one group for each cluster, with its tag. A stack may have adopted it.
  const adopted = [...found].filter((group) => String(stringAt(group.props, ["name"])).startsWith("eks-cluster-sg-"));
  const ids = lists.flatMap((l) => valuesAt(node.props, l.ids)).map(({ value }) => value);
  const own = new Set([
    ...(isNodeClass(node) ? asked.flatMap(clusterTagAskedBy) : []),
    ...resources.flatMap((r) => clusterTagOfId(r, ids)),
  ]);
  for (const tag of adopted.flatMap(clusterTagsOf)) own.delete(tag);
  return [...made, ...[...own].map((tag) => ({ name: "the one that EKS makes", tags: [tag] }))];
}

function isNodeClass(node: PolicyResource): boolean {
  return typeOf(node.type) === "kubernetes:karpenter.k8s.aws:EC2NodeClass";
}

function idListsOf(node: PolicyResource): { list: Path; ids: Path }[] {
  if (isNodeClass(node)) return [{ list: terms, ids: [...terms, each, "id"] }];
  return (idLists[typeOf(node.type)] ?? []).map((list) => ({ list, ids: [...list, each] }));
}

function clusterTagsOf({ props }: PolicyResource): string[] {
  return [...tagsOf(props).values.keys()].filter(isClusterTag);
}

/** Whether a term selects a group by tags or by name, all of which must hold (Karpenter's documentation of the node class). */
function isSelected(group: PolicyResource, term: Properties): boolean {
  const tags = entriesOf(valueAt(term, ["tags"]));
  const name = stringAt(term, ["name"]);
  const own = tagsOf(group.props).values;
  const hasTag = ([key, wanted]: [string, unknown]) => {
    const value = own.get(key);
    return wanted === "*" ? own.has(key) : typeof value === "string" && value === wanted;
  };
  const groupName = stringAt(group.props, ["name"]) ?? stringAt(group.props, ["groupName"]);
  const named = typeof name === "string" && typeof groupName === "string" && matchesAny(groupName, [name]);
  return (tags.length > 0 || named) && tags.every(hasTag) && (name === undefined || named);
}

/** The groups whose ids stand in a list. Ids that aren't known yet are those of the groups that the list came from. */
function listed(node: PolicyResource, list: Path, ids: Path, groups: readonly PolicyResource[]): PolicyResource[] {
  const found = valuesAt(node.props, ids).map(({ value }) => value);
  const known = groups.filter((group) => ["id", "groupId"].some((id) => found.includes(stringAt(group.props, [id]))));
  const origins = groups.filter((group) => !known.includes(group) && cameFrom(node, list[0]!, group));
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

/** The tag of the group that EKS made for a cluster, if its id is among these. */
function clusterTagOfId(cluster: PolicyResource, ids: readonly unknown[]): string[] {
  const path = clusterGroupIds[cluster.type];
  const name = stringAt(cluster.props, ["name"]);
  const id = path && stringAt(cluster.props, path);
  return typeof id === "string" && typeof name === "string" && ids.includes(id) ? [`${clusterTagPrefix}${name}`] : [];
}
