import { isUnknown } from "../../lib/known";
import { stackRule } from "../../lib/rule";
import { boundWorkloads, serversOf } from "./bound-workloads";
import { graceMissing, preStopMissing, probeMissing, spreadMissing, type Missing } from "./pod-requirements";
import { isIdle, replicasMissing } from "./replicas";
import { budgetMissing, gateMissing, rolloutMissing } from "./workload-requirements";

/** What a workload behind a load balancer needs, by the name that the configuration has for it. */
enum Requirement {
  PreStop = "preStop",
  Grace = "grace",
  ReadinessProbe = "readinessProbe",
  ReadinessGate = "readinessGate",
  Budget = "budget",
  Rollout = "rollout",
  Replicas = "replicas",
  Spread = "spread",
}

interface Config {
  waived: string[];
  minimumPreStopSeconds: number;
  waitingCommands: string[];
  minimumReplicas: number;
  gatedNamespaces: string[];
}

/**
 * Mandatory: each of these is a lost request at every rollout, or an outage at the next drain, and none shows until then. The seconds are
 * those at which reports of lost requests end (issues 1064, 1719 and 2366 of the controller's repository).
 */
export const boundWorkloadDrains = stackRule<Config>({
  name: "bound-workload-drains",
  displayName: "Workloads behind a binding can be moved without losing a request",
  description:
    "The pods behind a TargetGroupBinding must go on serving until the load balancer has taken notice (preStop), leave one at a time (PodDisruptionBudget, rollout, " +
    "replicas, spread) and count as ready only when the load balancer finds them healthy (readiness gate): else rollouts and drains lose requests, or all targets.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Moorings' \`DrainSafeDeployment\` has all of it. In a Deployment of your own:

\`\`\`ts
const labels = { app: "web" };
new kubernetes.apps.v1.Deployment("web", {
  metadata: { namespace: "shop" },
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: "25%" } },
    template: {
      metadata: { labels },
      spec: {
        terminationGracePeriodSeconds: 60, // preStop, the longest request, and 10 to close
        readinessGates: [{ conditionType: pulumi.interpolate\`target-health.elbv2.k8s.aws/\${binding.metadata.name}\` }],
        topologySpreadConstraints: [
          {
            topologyKey: "topology.kubernetes.io/zone",
            maxSkew: 1,
            whenUnsatisfiable: "DoNotSchedule",
            labelSelector: { matchLabels: labels },
          },
        ],
        containers: [
          {
            name: "web",
            image: "ghcr.io/acme/web:1.4.2",
            ports: [{ containerPort: 8080 }],
            readinessProbe: { httpGet: { path: "/readyz", port: 8080 } },
            lifecycle: { preStop: { sleep: { seconds: 20 } } },
          },
        ],
      },
    },
  },
});
new kubernetes.policy.v1.PodDisruptionBudget("web", {
  metadata: { namespace: "shop" },
  spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
});
\`\`\`

Instead of \`readinessGates\` the namespace may have the label \`elbv2.k8s.aws/pod-readiness-gate-inject: enabled\` (in EKS Auto Mode both have \`eks.amazonaws.com\`), and instead of \`replicas\` an autoscaler decide. What
another stack makes isn't seen: say so in the configuration.`,
  configSchema: {
    properties: {
      waived: {
        type: "array",
        items: { type: "string", enum: Object.values(Requirement) },
        default: [],
        description: `Requirements that don't hold here: ${Object.values(Requirement).join(", ")}.`,
      },
      minimumPreStopSeconds: {
        type: "number",
        default: 15,
        description: "Seconds that a leaving pod must go on serving at least. Network load balancers may need 120.",
      },
      waitingCommands: {
        type: "array",
        items: { type: "string" },
        default: [],
        description:
          "Commands of preStop hooks that wait long enough without a visible sleep, such as `/wait-shutdown`; `*` stands for any text, `GET /path` for a hook by HTTP.",
      },
      minimumReplicas: { type: "number", default: 2, description: "The least number of pods." },
      gatedNamespaces: {
        type: "array",
        items: { type: "string" },
        default: [],
        description:
          "Namespaces made elsewhere that have the label elbv2.k8s.aws/pod-readiness-gate-inject=enabled (in EKS Auto Mode eks.amazonaws.com/...).",
      },
    },
  },
  check: ({ resources }, report, config, undecided) => {
    const all = boundWorkloads(resources, undecided);
    for (const bound of all.filter((bound) => !isIdle(bound, all, resources))) {
      const { workload, by } = bound;
      const servers = serversOf(bound);
      const missing: Record<Requirement, Missing> = {
        [Requirement.PreStop]: preStopMissing(servers, config.minimumPreStopSeconds, config.waitingCommands),
        [Requirement.Grace]: graceMissing(workload, servers),
        [Requirement.ReadinessProbe]: probeMissing(servers),
        [Requirement.ReadinessGate]: gateMissing(bound, resources, config.gatedNamespaces),
        [Requirement.Budget]: budgetMissing(workload, resources),
        [Requirement.Rollout]: rolloutMissing(workload, resources),
        [Requirement.Replicas]: replicasMissing(bound, all, resources, config.minimumReplicas),
        [Requirement.Spread]: spreadMissing(workload),
      };
      const faults = Object.entries(missing).filter(([requirement]) => !config.waived.includes(requirement));
      const found = faults.flatMap(([requirement, fault]) =>
        typeof fault === "string" ? [`${requirement}: ${fault}`] : [],
      );
      for (const [, fault] of faults) if (isUnknown(fault)) undecided.add(fault, workload);
      if (found.length > 0)
        report(
          `"${workload.name}" is behind ${by.map(({ binding }) => `"${binding.name}"`).join(" and ")}, but its pods can't be moved without losing requests. ${found.join("; ")}.`,
          workload.urn,
        );
    }
  },
});
