import type { PolicyResource } from "@pulumi/policy";
import { matchesAny } from "../../lib/glob";
import { isUnknown } from "../../lib/known";
import { entriesOf, isProperties, itemsAt, type Properties } from "../../lib/kubernetes";
import { each, stringAt, valueAt, valuesAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { tagsOf } from "../../lib/tags";
import { typeOf } from "../../lib/tokens";
import { isClusterTag } from "./groups";

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

/** The cluster-tagged groups that a node class, a launch template or the like puts on its nodes for certain; none for other resources. */
export function groupsOn(node: PolicyResource, groups: readonly PolicyResource[]): NodeGroup[] {
  const type = typeOf(node.type);
  const tagged = groups.filter((group) => clusterTagsOf(group).length > 0);
  const found =
    type === "kubernetes:karpenter.k8s.aws:EC2NodeClass"
      ? selectedByTerms(node, tagged)
      : (idLists[type] ?? []).flatMap((path) => listed(node, path, [...path, each], tagged));
  const made = tagged
    .filter((group) => found.includes(group))
    .map((group) => ({ name: group.name, tags: clusterTagsOf(group) }));
  const own = itemsAt(node.props, terms)
    .filter(isProperties)
    .flatMap((term) => ofEks(term, found));
  return [...made, ...own.slice(0, 1)];
}

function clusterTagsOf({ props }: PolicyResource): string[] {
  return [...tagsOf(props).values.keys()].filter(isClusterTag);
}

function selectedByTerms(node: PolicyResource, groups: readonly PolicyResource[]): PolicyResource[] {
  const byTerm = itemsAt(node.props, terms)
    .filter(isProperties)
    .flatMap((term) => groups.filter((group) => isSelected(group, term)));
  return [...byTerm, ...listed(node, terms, [...terms, each, "id"], groups)];
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

/** The group that EKS makes for each cluster, with the tag kubernetes.io/cluster/<name> = owned. A stack may have adopted it. */
function ofEks(term: Properties, found: readonly PolicyResource[]): NodeGroup[] {
  const [[key, value] = ["", ""], ...others] = entriesOf(valueAt(term, ["tags"]));
  const asks = isClusterTag(key) && (value === "owned" || value === "*") && others.length === 0;
  const adopted = found.some((group) => String(stringAt(group.props, ["name"])).startsWith("eks-cluster-sg-"));
  return asks && stringAt(term, ["name"]) === undefined && !adopted
    ? [{ name: "the one that EKS makes", tags: [key] }]
    : [];
}
