import { stackRule } from "../../lib/rule";
import { groupsOn } from "./groups-on-nodes";

/**
 * Issues 1897, 2367, 3731 and 1594 of the controller's repository. Security group rules for pods go to the one group of the network interface
 * that carries the cluster's tag; with two of them the controller doesn't choose, it fails (resolveEndpointSGForENI).
 */
export const oneClusterGroupPerNode = stackRule<object>({
  name: "one-cluster-group-per-node",
  displayName: "One cluster-tagged security group per node",
  description:
    "The nodes of a class or launch template must have one security group with the tag kubernetes.io/cluster/<name>: with two, the AWS Load Balancer Controller " +
    '("expected exactly one securityGroup tagged") can\'t tell where rules for pods belong, and opens nothing.',
  severity: "high",
  tags: ["security-groups", "karpenter", "availability"],
  remediationSteps: `EKS makes one such group itself, for each cluster. Name the groups by id, and give the tag to none of your own:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-node-class", {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "web" },
  spec: {
    securityGroupSelectorTerms: [{ id: cluster.vpcConfig.clusterSecurityGroupId }, { id: edge.id }], // edge has no cluster tag
    // ...
  },
});
\`\`\`

A term by tag selects every group of the VPC that has it, also those of tomorrow. The rule reports what the stack shows for certain: groups made in it, and the one
that EKS makes if a term asks for the cluster's tag or, once it is known, names its id.`,
  configSchema: { properties: {} },
  certainOnly: true,
  check: ({ resources }, report) => {
    for (const node of resources) {
      const byTag = new Map<string, string[]>();
      for (const { name, tags } of groupsOn(node, resources))
        for (const tag of tags) byTag.set(tag, [...(byTag.get(tag) ?? []), name]);
      for (const [tag, names] of byTag)
        if (names.length > 1)
          report(
            `"${node.name}" puts ${names.length} security groups with the tag ${tag} on its nodes: ${names.join(", ")}. Keep one of them, or take the tag off the others.`,
            node.urn,
          );
    }
  },
});
