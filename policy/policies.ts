import { noControllerManagedDescriptions } from "./rules/security-groups/no-controller-managed-descriptions";
import { noEqualSecurityGroupRules } from "./rules/security-groups/no-equal-security-group-rules";
import { noInlineRulesOnClusterSecurityGroups } from "./rules/security-groups/no-inline-rules-on-cluster-security-groups";
import { ipTargetGroupNeedsBinding } from "./rules/targets/ip-target-group-needs-binding";
import { noAttachmentsOnIpTargetGroups } from "./rules/targets/no-attachments-on-ip-target-groups";
import { noBindingToSelectorlessService } from "./rules/targets/no-binding-to-selectorless-service";
import { noHandRegisteredIpTargets } from "./rules/targets/no-hand-registered-ip-targets";
import type { Rule } from "./lib/rule";

/** Every rule of the pack. A pack of your own may take some of them: `policies.filter((p) => p.name !== "...")`. */
export const policies: Rule[] = [
  noHandRegisteredIpTargets,
  noAttachmentsOnIpTargetGroups,
  ipTargetGroupNeedsBinding,
  noBindingToSelectorlessService,
  noInlineRulesOnClusterSecurityGroups,
  noControllerManagedDescriptions,
  noEqualSecurityGroupRules,
];
