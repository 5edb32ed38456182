import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { DrainSafeDeployment, LoadBalancedService } from "../../index";
import { alarmRoutes, cluster, loadBalancer, safetyNet } from "./platform";

/*
 * A service moves from one target group to another without losing a request. docs/replace-target-group.md says why in these steps; each
 * is one update:
 *
 *     pulumi config set step beside && pulumi up
 */

const steps = ["start", "beside", "share", "move", "remove", "done"];
const config = new pulumi.Config();
const step = steps.indexOf(config.get("step") ?? "start");
if (step < 0) throw new pulumi.RunError(`step must be one of ${steps.join(", ")}`);
const from = (name: string) => step >= steps.indexOf(name);
/** Percent of the requests that the new group gets in step `share`. */
const share = config.getNumber("share") ?? 10;

const hosts = ["cart.example.com"];
const podLabels = { app: "cart" };
const port = 8080;
const provider = new k8s.Provider("shop", { context: cluster.name });
const namespace = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } }, { provider });

/** The service, with a target group, a rule, a Service, a binding and alarms of its own. */
const service = (name: string, priority: number, protectTargetGroup: boolean) =>
  new LoadBalancedService(
    name,
    {
      cluster,
      loadBalancer,
      safetyNet,
      namespace: namespace.metadata.name,
      selector: podLabels,
      port,
      hosts,
      priority,
      healthCheckPath: "/healthz",
      minReplicas: 3,
      alarmRoutes,
      protectTargetGroup,
    },
    { providers: [provider] },
  );

// Both select the same pods. The new one's rule comes after the old one's: it takes no request, but makes the load balancer check the
// new group's targets.
const old = from("remove") ? undefined : service("cart", 100, !from("move"));
const fresh = from("beside") ? service("basket", 110, true) : undefined;
const services = [old, fresh].filter((present) => present !== undefined);

// A new pod is ready when it is healthy in both groups.
new DrainSafeDeployment(
  "cart-app",
  {
    namespace: namespace.metadata.name,
    image: "ghcr.io/stefanprodan/podinfo:6.9.0",
    port,
    podLabels,
    replicas: 3,
    probes: { readinessPath: "/healthz" },
    resources: { cpu: "100m", memory: "64Mi" },
    readinessGates: services.map(({ readinessGate }) => readinessGate),
  },
  { providers: [provider] },
);

// Before both rules, and so instead of them.
if (fresh !== undefined && from("share") && !from("done"))
  new aws.lb.ListenerRule("cart-move", {
    listenerArn: loadBalancer.listenerArn,
    priority: 90,
    conditions: [{ hostHeader: { values: hosts } }],
    actions: [
      old === undefined || from("move")
        ? { type: "forward", targetGroupArn: fresh.targetGroupArn }
        : {
            type: "forward",
            forward: {
              targetGroups: [
                { arn: old.targetGroupArn, weight: 100 - share },
                { arn: fresh.targetGroupArn, weight: share },
              ],
            },
          },
    ],
  });
