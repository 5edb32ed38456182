import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { nodePolicies, nodeTrust } from "../internal/iam";
import { systemNodeLabels, systemNodeTaint } from "../internal/system-nodes";
import { tagsFor, type Tags } from "../internal/tags";
import { roleWith, type RoleSettings } from "./irsa";
import type { NodesPlan } from "./node-args";

/** What the node group needs to know of its surroundings. */
export interface NodeSettings {
  readonly clusterName: string;
  readonly kubernetesVersion: string;
  readonly subnetIds: pulumi.Input<string[]>;
  readonly system: NodesPlan;
  readonly workload: NodesPlan | undefined;
  readonly dnsSuffix: pulumi.Output<string>;
  readonly roles: RoleSettings;
}

/** Makes the tainted system node group and, where asked for, one for workloads. Both share one role. */
export function makeNodes(
  parent: pulumi.ComponentResource,
  name: string,
  settings: NodeSettings,
  dependsOn: pulumi.Resource[],
): { system: aws.eks.NodeGroup; roleArn: pulumi.Output<string> } {
  const role = roleWith(parent, `${name}-node`, nodeTrust(settings.dnsSuffix), nodePolicies, settings.roles);
  const make = (kind: string, plan: NodesPlan, placement: Pick<aws.eks.NodeGroupArgs, "labels" | "taints">) =>
    nodeGroup(
      parent,
      `${name}-${kind}`,
      settings,
      plan,
      {
        ...placement,
        nodeRoleArn: role.arn,
        tags: tagsFor(settings.roles.tags, `${settings.clusterName}-${kind}`),
      },
      [...dependsOn, ...role.ready],
    );

  const system = make("system", settings.system, { labels: systemNodeLabels, taints: [systemNodeTaint] });
  if (settings.workload !== undefined) make("workload", settings.workload, {});
  return { system, roleArn: role.arn };
}

function nodeGroup(
  parent: pulumi.ComponentResource,
  name: string,
  settings: NodeSettings,
  plan: NodesPlan,
  args: Pick<aws.eks.NodeGroupArgs, "labels" | "taints" | "nodeRoleArn" | "tags">,
  dependsOn: pulumi.Resource[],
): aws.eks.NodeGroup {
  const template = launchTemplate(parent, name, plan, settings.roles.tags);
  return new aws.eks.NodeGroup(
    name,
    {
      ...args,
      clusterName: settings.clusterName,
      version: settings.kubernetesVersion,
      subnetIds: settings.subnetIds,
      amiType: plan.amiType,
      capacityType: "ON_DEMAND",
      instanceTypes: plan.instanceTypes,
      scalingConfig: { minSize: plan.minSize, desiredSize: plan.minSize, maxSize: plan.maxSize },
      // One at a time: DNS and controllers have two replicas each.
      updateConfig: { maxUnavailable: 1 },
      launchTemplate: { id: template.id, version: template.latestVersion.apply(String) },
    },
    {
      parent,
      dependsOn,
      // An update replaces every node, one after the other, and waits for pods that may not be disrupted.
      customTimeouts: { create: "30m", update: "90m", delete: "30m" },
    },
  );
}

/** No security group here: EKS then attaches its own, and a node with two cluster-tagged groups breaks load balancers. */
function launchTemplate(
  parent: pulumi.ComponentResource,
  name: string,
  plan: NodesPlan,
  tags: pulumi.Input<Tags> | undefined,
): aws.ec2.LaunchTemplate {
  return new aws.ec2.LaunchTemplate(
    name,
    {
      // A pod is one hop further away than the node: with one hop it can't take the node's role.
      metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
      blockDeviceMappings: [
        {
          deviceName: "/dev/xvda",
          ebs: { volumeType: "gp3", volumeSize: plan.diskSizeInGiB, encrypted: "true", deleteOnTermination: "true" },
        },
      ],
      tagSpecifications: ["instance", "volume", "network-interface"].map((resourceType) => ({
        resourceType,
        tags: tagsFor(tags, name),
      })),
      updateDefaultVersion: true,
      tags: tagsFor(tags, name),
    },
    { parent },
  );
}
