import { boundWorkloadDrains } from "../../../policy/rules/draining/bound-workload-drains";
import { edited, type Path } from "../../support/edited";
import { checkStack, type Given } from "../../support/policy";
import { refused } from "../../support/verdicts";

export const labels = { app: "web" };
export const gate = "target-health.elbv2.k8s.aws/web";

// lbc.md 5, draining: sleep of 15 s or more, grace above it, gates, one pod at a time.
export const deployment: Given = {
  type: "kubernetes:apps/v1:Deployment",
  name: "app",
  props: {
    metadata: { namespace: "shop", name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 0, maxSurge: "25%" } },
      template: {
        metadata: { labels: { ...labels, tier: "front" } },
        spec: {
          terminationGracePeriodSeconds: 60,
          readinessGates: [{ conditionType: gate }],
          topologySpreadConstraints: [
            { topologyKey: "topology.kubernetes.io/zone", maxSkew: 1, labelSelector: { matchLabels: labels } },
          ],
          containers: [
            {
              name: "web",
              ports: [{ name: "http", containerPort: 8080 }],
              readinessProbe: { httpGet: { path: "/readyz", port: 8080 } },
              lifecycle: { preStop: { sleep: { seconds: 20 } } },
            },
          ],
        },
      },
    },
  },
};
/** The same Deployment with nothing but its image. */
export const bare = edited(deployment, ["props", "spec"], {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
});
export const service: Given = {
  type: "kubernetes:core/v1:Service",
  name: "service",
  props: {
    metadata: { namespace: "shop", name: "web" },
    spec: { selector: labels, ports: [{ name: "web", port: 80, targetPort: "http" }] },
  },
};
export const binding: Given = {
  type: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
  name: "binding",
  props: {
    metadata: { namespace: "shop", name: "web" },
    spec: { targetGroupARN: "arn", targetType: "ip", serviceRef: { name: "web", port: 80 } },
  },
};
export const budget: Given = {
  type: "kubernetes:policy/v1:PodDisruptionBudget",
  name: "budget",
  props: { metadata: { namespace: "shop" }, spec: { maxUnavailable: 1, selector: { matchLabels: labels } } },
};
export const stack = [deployment, service, binding, budget];

export const template: Path = ["props", "spec", "template"];
export const pod: Path = [...template, "spec"];
export const container: Path = [...pod, "containers", 0];

export const check = (given: Given[], config?: object) => checkStack(boundWorkloadDrains, given, config);
/** The verdict on the stack with another Deployment. */
export const checkApp = (app: Given, others: Given[] = [], config?: object) =>
  check([app, service, binding, budget, ...others], config);
/** The verdict with another value somewhere in the Deployment. */
export const withApp = (path: Path, value: unknown, config?: object) =>
  checkApp(edited(deployment, path, value), [], config);
/** One message, on the Deployment, of which this is the whole list of what is missing. */
export const missing = (text: string) =>
  refused(
    new RegExp(`^"app" is behind "binding", but its pods can't be moved without losing requests\\. ${text}\\.$`),
    "app",
  );
