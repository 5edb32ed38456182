import type { PolicyResource } from "@pulumi/policy";
import { matchesAny } from "../../lib/glob";
import { isUnknown } from "../../lib/known";
import { stringAt, type Path } from "../../lib/paths";
import { stackRule } from "../../lib/rule";
import { Index, keysOfHolder } from "../../lib/stack-index";
import { tellsWhy } from "../../lib/tags";
import { typeOf } from "../../lib/tokens";
import { bindingExample } from "./binding-example";
import { targetFields } from "./target-fields";
import { keysOfTargetGroup, namesGroup, takesAddresses, targetGroupsIn } from "./target-groups";

interface Config {
  allowTargetGroupArns: string[];
  exemptTag: string;
}

/** Tag of a target group whose addresses are registered by hand on purpose. */
export const handRegisteredTag = "moorings-hand-registered-targets";

/**
 * The net for previews: there a pod's address is unknown, so the rule on addresses can't see it, but what kind of group it
 * would go into is known.
 */
export const noAttachmentsOnIpTargetGroups = stackRule<Config>({
  name: "no-attachments-on-ip-target-groups",
  displayName: "No attachments on ip target groups",
  description:
    "A target group of type ip must not get targets from attachments: its addresses belong to pods, and only the AWS Load " +
    "Balancer Controller sees them come and go. Attachments stay behind when the pods have moved.",
  severity: "critical",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Delete the attachment and let the AWS Load Balancer Controller register the pods:

${bindingExample}

If the addresses belong to nothing that a controller watches (servers on premises, say), tag the group and say who keeps
them right: \`tags: { "${handRegisteredTag}": "network team, on premises" }\`.`,
  configSchema: {
    properties: {
      allowTargetGroupArns: {
        type: "array",
        items: { type: "string" },
        default: [],
        description:
          "ARNs of target groups that may have attachments; `*` stands for any text. A group that is still to be created has no known ARN: use the tag for it.",
      },
      exemptTag: {
        type: "string",
        default: handRegisteredTag,
        description:
          "Tag of target groups that may have attachments. Its value is for people: who keeps them right; `false` and nothing don't count.",
      },
    },
  },
  check: ({ resources }, report, config, undecided) => {
    const groups = new Index(
      targetGroupsIn(resources).filter((group) => !isExempt(group, config)),
      keysOfTargetGroup,
    );
    for (const attachment of resources) {
      for (const path of groupPaths(attachment)) {
        const keys = keysOfHolder(attachment, [stringAt(attachment.props, path)], [path[0]!]);
        const named = groups.sharing(keys).filter((group) => namesGroup(attachment, path, group));
        for (const group of named) {
          const ip = takesAddresses(group);
          if (isUnknown(ip)) undecided.add(ip, attachment, group.name);
          else if (ip)
            report(
              `"${attachment.name}" registers a target by hand in the ip target group "${group.name}". Remove it and bind the group to the pods' Service with a TargetGroupBinding.`,
              attachment.urn,
            );
        }
      }
    }
  },
});

/** Where a resource names the target group that it registers something in. */
function groupPaths(resource: PolicyResource): Path[] {
  // Given a whole target group, the component knows its ARN.
  if (typeOf(resource.type) === "awsx:lb:TargetGroupAttachment") return [["targetGroupArn"], ["targetGroup", "arn"]];
  const group = targetFields(resource.type)?.group;
  return group === undefined ? [] : [group];
}

function isExempt(group: PolicyResource, config: Config): boolean {
  const arn = stringAt(group.props, ["arn"]);
  if (typeof arn === "string" && matchesAny(arn, config.allowTargetGroupArns)) return true;
  return tellsWhy(group.props, [config.exemptTag]);
}
