import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known } from "../../lib/known";
import { stackRule } from "../../lib/rule";
import { tagsOf } from "../../lib/tags";
import { isClusterTag } from "./groups";
import { ManagedRules } from "./managed-rules";
import { permissionsOf, type Permission } from "./rule-tuples";
import { taggedGroups } from "./tagged-groups";

/**
 * Issue 4889 of the controller's repository, seen from the other side: EC2 revokes by protocol, ports and source, whatever a rule's
 * description says, so a controller that takes away "its" rule takes away the static one that looks the same.
 */
export const noStaticCopiesOfManagedRules = stackRule<object>({
  name: "no-static-copies-of-managed-rules",
  displayName: "No static rule that equals one of the controller's",
  description:
    "A security group rule must not equal one that the AWS Load Balancer Controller makes for a binding's networking, or for Ingresses from its backend group: EC2 refuses whichever comes " +
    "second (InvalidPermission.Duplicate), and when the controller revokes its own it revokes the static one, which was to be the safety net.",
  severity: "high",
  tags: ["security-groups", "load-balancing", "availability"],
  remediationSteps: `Leave \`networking\` out of the binding, and the controller makes no rule for it. That is what \`LoadBalancedService\` of Moorings does: the static rule is
the way in, and nobody else touches it.

If the controller is to make its own as well, give the static rule a shape that it never makes: another source (a group of the load balancer's that no binding
names), all protocols, or all ports but 0:

\`\`\`ts
new aws.vpc.SecurityGroupIngressRule("pods-from-load-balancer", {
  securityGroupId: nodes.id,
  referencedSecurityGroupId: loadBalancer.id,
  ipProtocol: "tcp",
  fromPort: 1,
  toPort: 65535,
});
\`\`\`

Rules of a group that is made in the stack and has no tag \`kubernetes.io/cluster/...\` aren't judged: the controller looks for the one that has it. The ports of Ingresses
aren't in the stack, so that from the backend group any other shape of tcp and udp may be one of the controller's.`,
  configSchema: { properties: {} },
  check: ({ resources }, report, _, undecided) => {
    const managed = new ManagedRules(resources);
    const bare = new Set(
      taggedGroups(resources)
        .filter(({ tags }) => ![...tags.keys()].some(isClusterTag))
        .flatMap(({ resource }) => (resource === undefined || tagsOf(resource.props).unknown ? [] : keysOf(resource))),
    );
    for (const rule of resources) {
      for (const permission of permissionsOf(rule)) {
        const maker = bare.has(permission.group.key) ? undefined : managed.makerOf(permission);
        if (maker === undefined) continue;
        if (isUnknown(maker)) undecided.add(maker, rule);
        else
          report(
            `"${rule.name}" lets in ${permission.protocol.key} ${rangeOf(permission)} from where the controller does it for "${maker.name}", too: taking its rule away, it takes this one. Leave networking out of the binding, or write ipProtocol "-1", or tcp from 1 to 65535.`,
            rule.urn,
          );
      }
    }
  },
});

/** What stands for a group in a permission: its id, or where that came from. */
function keysOf(group: PolicyResource): string[] {
  const ids = ["id", "groupId"].map((property) => known(() => group.props[property] as unknown));
  return [`from ${group.urn}`, ...ids.filter((id) => typeof id === "string")];
}

function rangeOf({ ports }: Permission): string {
  return [...new Set(ports.map(({ key }) => key))].join("-");
}
