import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { cameFrom } from "../../lib/references";
import { stackRule } from "../../lib/rule";
import { controllersIn, type Controller } from "./controllers";

/**
 * Issue 2185 of the controller's repository. They don't see each other: the leader's lease has the release's namespace, and the security
 * group rules of both carry one label.
 */
export const oneControllerPerCluster = stackRule<object>({
  name: "one-controller-per-cluster",
  displayName: "One controller per cluster",
  description:
    "A cluster must have one AWS Load Balancer Controller: two take each other's security group rules for left over and revoke them, register and deregister " +
    "the same targets, and their webhooks have one name.",
  severity: "critical",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Keep one, and let everything that needs it depend on it. To move it into another namespace or stack, delete the old one first; targets stay registered
meanwhile, only changes wait:

\`\`\`ts
const controller = new kubernetes.helm.v3.Release("aws-load-balancer-controller", {
  chart: "aws-load-balancer-controller",
  // ...
});
new kubernetes.apiextensions.CustomResource("web", bindingArgs, { dependsOn: [controller] });
\`\`\`

Clusters of one name in several regions are told apart by \`region\` and \`vpcId\` in the values.`,
  configSchema: { properties: {} },
  check: ({ resources }, report, _config, undecided) => {
    const controllers = controllersIn(resources);
    controllers.forEach((second, i) => {
      const others = controllers.slice(0, i).map((first) => ({ first, same: shareCluster(first, second) }));
      const beside = others.find(({ same }) => same === true);
      const perhaps = others.find(({ same }) => isUnknown(same));
      if (beside !== undefined)
        report(
          `"${second.resource.name}" is a second AWS Load Balancer Controller beside "${beside.first.resource.name}" in one cluster: they would revoke each other's rules and deregister each other's targets. Remove one of them.`,
          second.resource.urn,
        );
      else if (isUnknown(perhaps?.same))
        undecided.add(
          perhaps.same,
          second.resource,
          `"${second.resource.name}" and "${perhaps.first.resource.name}" may serve one cluster`,
        );
    });
  },
});

/** One provider is one cluster; else the names tell, unless region or VPC tell otherwise. */
function shareCluster(a: Controller, b: Controller): boolean | Unknown {
  const provider = a.resource.provider?.urn;
  if (provider !== undefined && provider === b.resource.provider?.urn) return true;
  const differs = (property: "cluster" | "region" | "vpc") =>
    typeof a[property] === "string" && typeof b[property] === "string" && a[property] !== b[property];
  if (differs("cluster") || differs("region") || differs("vpc")) return false;
  const unknownCluster = [a.cluster, b.cluster].find(isUnknown);
  if (unknownCluster !== undefined) return haveOrigin(a.resource, b.resource) ? unknownCluster : false;
  if (a.cluster === undefined || b.cluster === undefined) return false;
  return [a.region, b.region].find(isUnknown) ?? (a.region !== undefined && b.region !== undefined);
}

/** Whether the values of two charts came from one resource, such as the cluster. */
function haveOrigin(a: PolicyResource, b: PolicyResource): boolean {
  return (a.propertyDependencies["values"] ?? []).some((origin) => cameFrom(b, "values", origin));
}
