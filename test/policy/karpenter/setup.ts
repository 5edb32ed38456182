import type { Rule } from "../../../policy/lib/rule";
import { checkResource } from "../../support/policy";

export const poolType = "kubernetes:karpenter.sh/v1:NodePool";
export const classType = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass";

// Both profiles of eks-karpenter.md 9.2, and what the CRDs of Karpenter 1.14 take.
export const stateless = {
  limits: { cpu: "200", memory: "800Gi" },
  disruption: {
    consolidationPolicy: "WhenEmptyOrUnderutilized",
    consolidateAfter: "5m",
    budgets: [{ nodes: "10%" }, { nodes: "0", schedule: "0 7 * * mon-fri", duration: "10h" }],
  },
  template: { spec: { expireAfter: "720h", terminationGracePeriod: "1h" } },
};
export const stateful = {
  limits: { nodes: "9" },
  disruption: {
    consolidationPolicy: "WhenEmpty",
    consolidateAfter: "15m",
    budgets: [
      { nodes: "0", reasons: ["Underutilized"] },
      { nodes: "1", reasons: ["Empty", "Drifted"] },
    ],
  },
  template: { spec: { expireAfter: "Never" } },
};

export const onPool =
  (rule: Rule) =>
  (spec: unknown, config?: object, type: string = poolType) =>
    checkResource(rule, { type, name: "pool", props: { metadata: { name: "web" }, spec } }, config);
