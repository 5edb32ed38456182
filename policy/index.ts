import "./lib/lazy-arborist.cjs"; // before anything that loads the SDK
import { PolicyPack } from "@pulumi/policy";
import { readOnce } from "./lib/read-once";
import { refuseStaleCode } from "./lib/stale-code";
import { policies } from "./policies";

refuseStaleCode(__filename, Object.keys(require.cache));
readOnce();

// Constructing a pack starts a server: everything else lives in policies.ts, which tests and other packs can import.
new PolicyPack("moorings", {
  policies,
  enforcementLevel: "mandatory",
  displayName: "Moorings",
  description:
    "Keeps load balancer targets with their alarms and their controller, security group rules, Karpenter's nodes and Kafka's brokers in the hands that look after them.",
  provider: "AWS",
  tags: ["aws", "eks", "load-balancing", "alarms", "security-groups", "karpenter", "kafka"],
  repository: "https://github.com/moorings/moorings",
});
