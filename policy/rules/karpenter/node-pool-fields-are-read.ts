import { isUnknown } from "../../lib/known";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { typeOf } from "../../lib/tokens";
import { Findings } from "../../lib/unknown-values";
import { isNodeClassType, isNodePoolType } from "./node-pools";

const pool = "spec.template.spec of the NodePool";
const disruption = "spec.disruption of the NodePool";
const nodeClass = "spec of the EC2NodeClass";

/**
 * Fields that stand, or stood before v1, in another place: path, and where it is read. (`expireAfter` and `terminationGracePeriod` are
 * node-pool-expiry-needs-grace's.) Taken from karpenter.sh_nodepools.yaml and karpenter.k8s.aws_ec2nodeclasses.yaml of 1.15.2, and from the
 * v1 migration guide.
 */
const misplacedInPool: readonly (readonly [string, string])[] = [
  ...["budgets", "consolidationPolicy", "consolidateAfter"].flatMap((field): [string, string][] => [
    [`spec.${field}`, disruption],
    [`spec.template.spec.${field}`, disruption],
  ]),
  ["spec.template.spec.disruption", "spec of the NodePool"],
  ["spec.template.disruption", "spec of the NodePool"],
  ...["limits", "weight", "replicas"].map((field): [string, string] => [
    `spec.template.spec.${field}`,
    "spec of the NodePool",
  ]),
  ...["nodeClassRef", "requirements", "startupTaints", "taints"].map((field): [string, string] => [
    `spec.${field}`,
    pool,
  ]),
  ["spec.labels", "spec.template.metadata of the NodePool"],
  ["spec.template.spec.labels", "spec.template.metadata of the NodePool"],
  ["spec.kubelet", nodeClass],
  ["spec.template.spec.kubelet", nodeClass],
  ["spec.kubeletConfiguration", nodeClass],
  ["spec.ttlSecondsAfterEmpty", `${disruption}, as consolidateAfter`],
  ["spec.ttlSecondsUntilExpired", `${pool}, as expireAfter`],
  ["spec.consolidation", `${disruption}, as consolidationPolicy`],
  ["spec.provider", `${pool}, as nodeClassRef`],
  ["spec.providerRef", `${pool}, as nodeClassRef`],
];
const misplacedInClass: readonly (readonly [string, string])[] = [
  ["spec.subnetSelector", `${nodeClass}, as subnetSelectorTerms`],
  ["spec.securityGroupSelector", `${nodeClass}, as securityGroupSelectorTerms`],
  ["spec.amiSelector", `${nodeClass}, as amiSelectorTerms`],
  ["spec.launchTemplate", "nothing any more: v1 makes its own launch templates"],
  ...["requirements", "taints", "startupTaints", "expireAfter", "terminationGracePeriod"].map(
    (field): [string, string] => [`spec.${field}`, pool],
  ),
];

/** What came before NodePool and EC2NodeClass. */
const predecessors: ReadonlyMap<string, string> = new Map([
  ["kubernetes:karpenter.sh:Provisioner", "a NodePool (karpenter.sh/v1)"],
  ["kubernetes:karpenter.k8s.aws:AWSNodeTemplate", "an EC2NodeClass (karpenter.k8s.aws/v1)"],
]);

/** The API server drops fields that it doesn't know without a word, and serves only v1: what looks careful has no effect. */
export const nodePoolFieldsAreRead = resourceRule<object>({
  name: "node-pool-fields-are-read",
  displayName: "Node pools are written as the API reads them",
  description:
    "NodePools and EC2NodeClasses must be of the API version v1, with each field where v1 reads it, and with a consolidation policy of v1: " +
    "budgets, limits or kubelet settings in another place are dropped by the API server without an error, and defaults hold.",
  severity: "high",
  tags: ["karpenter", "availability"],
  remediationSteps: `Write what v1 reads, where it reads it:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    limits: { cpu: "200", memory: "800Gi" },
    disruption: { consolidationPolicy: "WhenEmptyOrUnderutilized", consolidateAfter: "5m", budgets: [{ nodes: "10%" }] },
    template: {
      metadata: { labels: { team: "web" } },
      spec: { nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "web" }, requirements: [/* ... */], expireAfter: "720h", terminationGracePeriod: "1h" },
    },
  },
});
\`\`\`

\`WhenUnderutilized\` of v1beta1 is \`WhenEmptyOrUnderutilized\` in v1, and \`kubelet\` moved to the EC2NodeClass. Types that crd2pulumi made of
the definitions, or \`kubectl apply --validate=strict --dry-run=server\`, find any other misspelt field, too.`,
  configSchema: { properties: {} },
  appliesTo: (type) => isNodePoolType(type) || isNodeClassType(type) || predecessors.has(typeOf(type)),
  check: (object, report, config) => {
    const findings = new Findings(report, config);
    const successor = predecessors.get(typeOf(object.type));
    if (successor !== undefined) {
      report(`No Karpenter since 1.0 knows this kind. Write ${successor} in its place.`);
      return;
    }
    const version = /^kubernetes:[^/:]+\/([^/:]+):/.exec(object.type)?.[1];
    if (version !== undefined && version !== "v1")
      report(`Its API version is ${version}, which Karpenter no longer serves (from 1.1 on). Write v1.`);
    for (const [path, place] of isNodePoolType(object.type) ? misplacedInPool : misplacedInClass) {
      const value = valueAt(object.props, path.split("."));
      // Below something that isn't known nobody knows what stands.
      if (value !== undefined && !isUnknown(value))
        report(`${path} has no effect, the API server drops it. It is read in ${place}.`);
    }
    const policy = valueAt(object.props, ["spec", "disruption", "consolidationPolicy"]);
    if (isNodePoolType(object.type) && isUnknown(policy)) findings.unknown(policy, "may be one that v1 doesn't have");
    else if (policy === "WhenUnderutilized")
      report(
        "spec.disruption.consolidationPolicy is WhenUnderutilized, which v1beta1 had. Write WhenEmptyOrUnderutilized, WhenEmpty or Balanced.",
      );
    findings.end();
  },
});
