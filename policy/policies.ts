import { kafkaAdvertisesNames } from "./rules/kafka/kafka-advertises-names";
import { kafkaHasADisruptionBudget } from "./rules/kafka/kafka-has-a-disruption-budget";
import { kafkaHasItsOwnClusterId } from "./rules/kafka/kafka-has-its-own-cluster-id";
import { kafkaKeepsItsData } from "./rules/kafka/kafka-keeps-its-data";
import { kafkaNodesOutliveTheShutdown } from "./rules/kafka/kafka-nodes-outlive-the-shutdown";
import { kafkaPodsGetNothingInjected } from "./rules/kafka/kafka-pods-get-nothing-injected";
import { kafkaShutsDownInTime } from "./rules/kafka/kafka-shuts-down-in-time";
import { kafkaSpreadsOverZones } from "./rules/kafka/kafka-spreads-over-zones";
import { kafkaStartsTogether } from "./rules/kafka/kafka-starts-together";
import { kafkaSurvivesLosingABroker } from "./rules/kafka/kafka-survives-losing-a-broker";
import { kafkaVolumesWaitForTheirPod } from "./rules/kafka/kafka-volumes-wait-for-their-pod";
import { noKafkaServerStopHook } from "./rules/kafka/no-kafka-server-stop-hook";
import { nodeClassPinsAmi } from "./rules/karpenter/node-class-pins-ami";
import { nodePoolExpiryNeedsGrace } from "./rules/karpenter/node-pool-expiry-needs-grace";
import { nodePoolHasBudgets } from "./rules/karpenter/node-pool-has-budgets";
import { nodePoolHasLimits } from "./rules/karpenter/node-pool-has-limits";
import { statefulNodePoolNeverUnderutilized } from "./rules/karpenter/stateful-node-pool-never-underutilized";
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
  nodePoolHasLimits,
  nodePoolHasBudgets,
  nodeClassPinsAmi,
  nodePoolExpiryNeedsGrace,
  statefulNodePoolNeverUnderutilized,
  kafkaStartsTogether,
  kafkaShutsDownInTime,
  noKafkaServerStopHook,
  kafkaNodesOutliveTheShutdown,
  kafkaHasADisruptionBudget,
  kafkaSpreadsOverZones,
  kafkaVolumesWaitForTheirPod,
  kafkaKeepsItsData,
  kafkaSurvivesLosingABroker,
  kafkaHasItsOwnClusterId,
  kafkaAdvertisesNames,
  kafkaPodsGetNothingInjected,
];
