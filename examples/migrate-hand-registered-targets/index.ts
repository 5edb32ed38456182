import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { LoadBalancedService, LoadBalancerType, registrationTag, TargetGroupProtocol } from "../../index";
import { alarmRoutes, cluster, dnsZoneId, loadBalancer, old, safetyNet } from "./platform";

/*
 * Visitors -> NLB -> addresses of nginx pods that somebody registered -> pods of the shop becomes visitors -> ALB -> pods of the shop, and
 * nobody registers anything. docs/migrate-hand-registered-targets.md says what to do beside these steps, and how to go back from each:
 *
 *     pulumi config set step import && pulumi up
 */

const steps = ["start", "import", "bind", "forget", "beside", "share", "retire"];
const config = new pulumi.Config();
const step = steps.indexOf(config.get("step") ?? "start");
if (step < 0) throw new pulumi.RunError(`step must be one of ${steps.join(", ")}`);
const from = (name: string) => step >= steps.indexOf(name);
const until = (name: string) => !from(name);
/** Percent of the visitors that are sent to the new load balancer in step `share`. */
const share = config.getNumber("share") ?? 10;

const namespace = "shop";
const host = "shop.example.com";
const provider = new k8s.Provider("shop", { context: cluster.name });

// What the outage was made of. In step `forget` these leave the program, and before that the state.
if (until("forget"))
  for (const [key, address] of Object.entries(old.targets))
    new aws.lb.TargetGroupAttachment(`nginx-${key}`, {
      targetGroupArn: old.targetGroupArn,
      targetId: address,
      port: 8080,
    });

// As `pulumi import` printed it, and one tag: the controller may register with groups that carry its cluster's name.
const nginx =
  from("import") && until("retire")
    ? new aws.lb.TargetGroup(
        "nginx",
        {
          name: "nginx",
          port: 8080,
          protocol: "TCP",
          targetType: "ip",
          vpcId: cluster.vpcId,
          tags: { [registrationTag]: cluster.name },
        },
        { protect: true },
      )
    : undefined;

if (from("bind") && nginx !== undefined)
  new LoadBalancedService(
    "nginx",
    {
      cluster,
      loadBalancer: {
        type: LoadBalancerType.Network,
        crossZone: true, // not AWS's default: switched on before, with the tag
        arnSuffix: old.loadBalancerArnSuffix,
      },
      targetGroup: nginx,
      targetGroupProtocol: TargetGroupProtocol.Tcp,
      safetyNet: old.openPorts,
      namespace,
      service: "nginx",
      servicePort: 80,
      port: 8080,
      minReplicas: 3,
      alarmRoutes,
    },
    { providers: [provider] },
  );

// The pods themselves, without proxies between.
if (from("beside"))
  new LoadBalancedService(
    "shop",
    {
      cluster,
      loadBalancer,
      safetyNet,
      namespace,
      selector: { app: "shop" },
      port: 8080,
      hosts: [host],
      healthCheckPath: "/healthz",
      minReplicas: 3,
      alarmRoutes,
    },
    { providers: [provider] },
  );

/** An answer to the visitors' name, with its part of a hundred once there are two. */
const answer = (name: string, target: { dnsName: string; zoneId: string }, weight: number, opts = {}) =>
  new aws.route53.Record(
    `visitors-${name}`,
    {
      zoneId: dnsZoneId,
      name: host,
      type: "A",
      aliases: [{ name: target.dnsName, zoneId: target.zoneId, evaluateTargetHealth: true }],
      ...(from("beside") && { setIdentifier: name, weightedRoutingPolicies: [{ weight }] }),
    },
    opts,
  );
const oldAnswer = until("retire") ? answer("old", old, from("share") ? 100 - share : 100) : undefined;
if (from("beside"))
  answer("new", loadBalancer, from("retire") ? 100 : from("share") ? share : 0, {
    // A name has weighted records or a plain one, so the old one must have its weight first.
    dependsOn: oldAnswer,
  });
