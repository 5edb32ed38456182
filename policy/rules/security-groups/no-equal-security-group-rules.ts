import type { PolicyResource } from "@pulumi/policy";
import { Undecided } from "../../lib/known";
import { stackRule } from "../../lib/rule";
import { tuplesOf } from "./rule-tuples";

interface Config {
  unknownGroups: "advisory" | "violation";
}

/** EC2 knows a permission by its protocol, ports and source only; to it, two equal rules are one. */
export const noEqualSecurityGroupRules = stackRule<Config>({
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
\`\`\``,
  configSchema: {
    properties: {
      unknownGroups: {
        type: "string",
        enum: ["advisory", "violation"],
        default: "advisory",
        description:
          "What two rules are that look equal but for values a preview doesn't know yet and that come from one resource with several values to give (a cluster has more than one security group). The id of a security group made in the same stack never is such a value.",
      },
    },
  },
  check: ({ resources }, report, config) => {
    const undecided = new Undecided();
    const firstByKey = new Map<string, PolicyResource>();
    for (const resource of resources) {
      for (const { key, doubt } of tuplesOf(resource)) {
        const first = firstByKey.get(key);
        if (first === undefined) firstByKey.set(key, resource);
        else if (first === resource) continue;
        else if (doubt !== undefined && config.unknownGroups === "advisory")
          undecided.add(doubt, `"${first.name}" and "${resource.name}" may be equal rules`);
        else
          report(
            `"${resource.name}" is the same rule as "${first.name}": same group, protocol, ports and source. Remove one of them.`,
            resource.urn,
          );
      }
    }
    undecided.throwIfAny();
  },
});
