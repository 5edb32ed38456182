import type { PolicyResource } from "@pulumi/policy";
import { stackRule } from "../../lib/rule";
import { tuplesOf } from "./rule-tuples";

/** EC2 knows a permission by its protocol, ports and source only; to it, two equal rules are one. */
export const noEqualSecurityGroupRules = stackRule<object>({
  name: "no-equal-security-group-rules",
  displayName: "No two equal security group rules",
  description:
    "Two rules of one security group must differ in direction, protocol, ports or source: EC2 refuses the second in the middle of " +
    "an update (InvalidPermission.Duplicate), and with the older rule resource deleting one deletes the other.",
  severity: "high",
  tags: ["security-groups", "availability"],
  remediationSteps: `Keep one of the two, and let whoever needs it refer to it. What several services share belongs to none of them:

\`\`\`ts
// Once per pair of load balancer and pods, for all services behind it.
new aws.vpc.SecurityGroupIngressRule("pods-from-load-balancer", {
  securityGroupId: pods.id,
  referencedSecurityGroupId: loadBalancer.id,
  ipProtocol: "tcp",
  fromPort: 1024,
  toPort: 65535,
});
\`\`\`

A preview can't tell two rules apart that are equal but for values it doesn't know yet, if those come from one resource with several values to give (a
cluster has more than one security group). The id of a security group made in the same stack never is such a value.`,
  configSchema: { properties: {} },
  check: ({ resources }, report, _config, undecided) => {
    const firstByKey = new Map<string, PolicyResource>();
    for (const resource of resources) {
      for (const { key, doubt } of tuplesOf(resource)) {
        const first = firstByKey.get(key);
        if (first === undefined) firstByKey.set(key, resource);
        else if (first === resource) continue;
        else if (doubt !== undefined)
          undecided.add(doubt, resource, `"${first.name}" and "${resource.name}" may be equal rules`);
        else
          report(
            `"${resource.name}" is the same rule as "${first.name}": same group, protocol, ports and source. Remove one of them.`,
            resource.urn,
          );
      }
    }
  },
});
