import type { ReservedValues } from "../internal/chart-values";
import { ControllerPermissions } from "./controller-versions";

/*
 * Values of the controller's chart that nobody but the component sets, and why. Numbers are issues of the controller's repository.
 */

const always: ReservedValues = {
  clusterName: "is cluster.name",
  region: "is the argument region",
  vpcId: "is cluster.vpcId",
  "image.tag": "is the argument chartVersion: permissions and definitions are those of one version",
  "serviceAccount.create": "would take the role away: its trust policy names the account that is made here",
  "serviceAccount.name": "would take the role away: its trust policy names one account",
  "serviceAccount.automountServiceAccountToken": "would take the role and the Kubernetes API away",
  "rbac.create": "would take the Kubernetes API away",
  env: "can take the role away (AWS_ACCESS_KEY_ID, AWS_ROLE_ARN win over it): what the controller needs has values of its own",
  envFrom:
    "can take the role away (AWS_ACCESS_KEY_ID, AWS_ROLE_ARN win over it): what the controller needs has values of its own",
  envSecretName: "brings an access key, which wins over the role",
  "serviceAccount.annotations.eks.amazonaws.com/role-arn": "is the role that is made here",

  // One pod works and another takes over.
  replicaCount: "is the argument replicas",
  autoscaling: "begins with one pod, whose move stops registration: write replicas",
  podDisruptionBudget: "keeps the pods from being taken away together",
  updateStrategy: "keeps a pod at work during an upgrade",
  topologySpreadConstraints: "keeps the pods on different nodes",
  nodeSelector: "is the argument nodeSelector",
  "podAnnotations.karpenter.sh/do-not-disrupt": "keeps Karpenter from moving the pods, which stops registration",
  "podAnnotations.moorings.dev/role-arn": "starts the pods anew for another role",

  // What sees other people's objects, and fails closed.
  enableServiceMutatorWebhook: "sees every Service of the cluster and blocks it while the controller is away (#4140)",
  webhookNamespaceSelectors:
    "also selects for a webhook that fails closed, so that pods can't be made while the controller is away: label namespaces with elbv2.k8s.aws/pod-readiness-gate-inject instead",
  nameOverride: "renames the Service of the webhooks, which their certificate names",
  webhookTLS: "is the argument webhookCertificate",
  keepTLSSecret: "keeps the certificate when somebody upgrades the release by hand (#4572)",
  enableCertManager: "is the argument webhookCertificate",
  "certManager.issuerRef": "is the argument certManagerIssuer",

  watchNamespace: "leaves the bindings of every other namespace without a controller: nobody registers their pods",
  "controllerConfig.featureGates.ALBGatewayAPI": "needs definitions that aren't installed here (#4684, #4712)",
  "controllerConfig.featureGates.NLBGatewayAPI": "needs definitions that aren't installed here (#4684, #4712)",
  "controllerConfig.featureGates.GatewayListenerSet": "needs definitions that aren't installed here (#4684, #4712)",
  disableRestrictedSecurityGroupRules: "brings back the shared range of ports that loses rules (#4889)",
  backendSecurityGroup: "is the argument backendSecurityGroupId",
  enableBackendSecurityGroup:
    "leaves groups behind when it is switched off (#4207): give backendSecurityGroupId instead",
};

/** Without the permissions these can only fail, and block others. */
const bindingOnly: ReservedValues = Object.fromEntries(
  [
    "controllerConfig.featureGates.EnableServiceController",
    "createIngressClassResource",
    "ingressClassParams.create",
    "webhookConfig.disableIngressValidation",
  ].map((path) => [path, "needs ControllerPermissions.Full"]),
);

/** The values that may not be added. */
export function reservedValues(permissions: ControllerPermissions): ReservedValues {
  return permissions === ControllerPermissions.Full ? always : { ...always, ...bindingOnly };
}
