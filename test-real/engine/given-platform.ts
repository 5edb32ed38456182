import { type Cloud, Living } from "./cloud/cloud";

/** A cluster with the controller in it, as somebody else made it. */
export function givenPlatform(cloud: Cloud): void {
  const there: readonly (readonly [string, Living["sent"]])[] = [
    ["aws:eks/cluster:Cluster", { name: "shop" }],
    ["aws:eks/nodeGroup:NodeGroup", { clusterName: "shop" }],
    ["kubernetes:helm.sh/v3:Release", { name: "lbc", chart: "aws-load-balancer-controller" }],
    [
      "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition",
      { metadata: { name: "targetgroupbindings.elbv2.k8s.aws" } },
    ],
  ];
  for (const [type, inputs] of there)
    cloud.add(new Living(`urn:pulumi:platform::platform::${type}::given`, type, type, inputs, inputs));
}
