import { ipTargetGroupHasAlarms } from "./rules/alarms/ip-target-group-has-alarms";
import { outageAlarmsAreNeverMuted } from "./rules/alarms/outage-alarms-are-never-muted";
import { clusterAddonsArePinned } from "./rules/cluster/cluster-addons-are-pinned";
import { clusterAdmitsByAccessEntries } from "./rules/cluster/cluster-admits-by-access-entries";
import { clusterEndpointNamesItsCallers } from "./rules/cluster/cluster-endpoint-names-its-callers";
import { clusterStaysInStandardSupport } from "./rules/cluster/cluster-stays-in-standard-support";
import { carriersCanBeSeen } from "./rules/carriers/carriers-can-be-seen";
import { noIpTargetsInTemplates } from "./rules/carriers/no-ip-targets-in-templates";
import { noTargetRegistrationInScripts } from "./rules/carriers/no-target-registration-in-scripts";
import { controllerChartIsCurrent } from "./rules/controller/controller-chart-is-current";
import { controllerKeepsItsCertificate } from "./rules/controller/controller-keeps-its-certificate";
import { controllerKnowsWhereItIs } from "./rules/controller/controller-knows-where-it-is";
import { controllerSurvivesADrain } from "./rules/controller/controller-survives-a-drain";
import { controllerWebhooksBlockNothing } from "./rules/controller/controller-webhooks-block-nothing";
import { oneControllerPerCluster } from "./rules/controller/one-controller-per-cluster";
import { boundWorkloadDrains } from "./rules/draining/bound-workload-drains";
import { kafkaClientDropsDeadBrokers } from "./rules/kafka-clients/kafka-client-drops-dead-brokers";
import { kafkaClientKeepsItsMessages } from "./rules/kafka-clients/kafka-client-keeps-its-messages";
import { kafkaClientReportsStatistics } from "./rules/kafka-clients/kafka-client-reports-statistics";
import { kafkaClientSysctlsAreSafe } from "./rules/kafka-clients/kafka-client-sysctls-are-safe";
import { keepaliveIsNoTimeout } from "./rules/kafka-clients/keepalive-is-no-timeout";
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
import { nodeClassEncryptsVolumes } from "./rules/karpenter/node-class-encrypts-volumes";
import { nodeClassHidesItsRole } from "./rules/karpenter/node-class-hides-its-role";
import { nodeClassPinsAmi } from "./rules/karpenter/node-class-pins-ami";
import { nodePoolExpiryNeedsGrace } from "./rules/karpenter/node-pool-expiry-needs-grace";
import { nodePoolFieldsAreRead } from "./rules/karpenter/node-pool-fields-are-read";
import { nodePoolHasBudgets } from "./rules/karpenter/node-pool-has-budgets";
import { nodePoolHasLimits } from "./rules/karpenter/node-pool-has-limits";
import { nodePoolKeepsItsName } from "./rules/karpenter/node-pool-keeps-its-name";
import { nodePoolWaitsForItsNodes } from "./rules/karpenter/node-pool-waits-for-its-nodes";
import { statefulNodePoolNeverUnderutilized } from "./rules/karpenter/stateful-node-pool-never-underutilized";
import { noEqualListenerRulePriorities } from "./rules/listeners/no-equal-listener-rule-priorities";
import { noEqualPhysicalNames } from "./rules/names/no-equal-physical-names";
import { noClusterTagOnGroupsWithInlineRules } from "./rules/security-groups/no-cluster-tag-on-groups-with-inline-rules";
import { noControllerManagedDescriptions } from "./rules/security-groups/no-controller-managed-descriptions";
import { noEqualSecurityGroupRules } from "./rules/security-groups/no-equal-security-group-rules";
import { noInlineRulesOnClusterSecurityGroups } from "./rules/security-groups/no-inline-rules-on-cluster-security-groups";
import { noStaticCopiesOfManagedRules } from "./rules/security-groups/no-static-copies-of-managed-rules";
import { oneClusterGroupPerNode } from "./rules/security-groups/one-cluster-group-per-node";
import { bindingFieldsFitTogether } from "./rules/targets/binding-fields-fit-together";
import { bindingNameFitsItsGate } from "./rules/targets/binding-name-fits-its-gate";
import { ipTargetGroupNeedsBinding } from "./rules/targets/ip-target-group-needs-binding";
import { noAttachmentsOnIpTargetGroups } from "./rules/targets/no-attachments-on-ip-target-groups";
import { noBindingToSelectorlessService } from "./rules/targets/no-binding-to-selectorless-service";
import { noControllerMarksOnBindings } from "./rules/targets/no-controller-marks-on-bindings";
import { noHandRegisteredIpTargets } from "./rules/targets/no-hand-registered-ip-targets";
import { oneBindingPerTargetGroup } from "./rules/targets/one-binding-per-target-group";
import type { Rule } from "./lib/rule";

/** Every rule of the pack. A pack of your own may take some of them: `policies.filter((p) => p.name !== "...")`. */
export const policies: Rule[] = [
  noHandRegisteredIpTargets,
  noAttachmentsOnIpTargetGroups,
  noIpTargetsInTemplates,
  noTargetRegistrationInScripts,
  carriersCanBeSeen,
  ipTargetGroupNeedsBinding,
  oneBindingPerTargetGroup,
  noBindingToSelectorlessService,
  noControllerMarksOnBindings,
  bindingNameFitsItsGate,
  bindingFieldsFitTogether,
  boundWorkloadDrains,
  ipTargetGroupHasAlarms,
  outageAlarmsAreNeverMuted,
  noEqualPhysicalNames,
  noEqualListenerRulePriorities,
  controllerKnowsWhereItIs,
  controllerSurvivesADrain,
  controllerWebhooksBlockNothing,
  controllerKeepsItsCertificate,
  controllerChartIsCurrent,
  oneControllerPerCluster,
  clusterEndpointNamesItsCallers,
  clusterAdmitsByAccessEntries,
  clusterStaysInStandardSupport,
  clusterAddonsArePinned,
  noInlineRulesOnClusterSecurityGroups,
  noClusterTagOnGroupsWithInlineRules,
  noControllerManagedDescriptions,
  noEqualSecurityGroupRules,
  noStaticCopiesOfManagedRules,
  oneClusterGroupPerNode,
  nodePoolHasLimits,
  nodePoolHasBudgets,
  nodeClassPinsAmi,
  nodePoolExpiryNeedsGrace,
  nodePoolFieldsAreRead,
  nodePoolKeepsItsName,
  nodePoolWaitsForItsNodes,
  nodeClassHidesItsRole,
  nodeClassEncryptsVolumes,
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
  kafkaClientDropsDeadBrokers,
  kafkaClientKeepsItsMessages,
  kafkaClientReportsStatistics,
  kafkaClientSysctlsAreSafe,
  keepaliveIsNoTimeout,
];
