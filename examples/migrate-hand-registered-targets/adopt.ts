import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { LoadBalancedService } from "../../index";
import { alarmRoutes, cluster, loadBalancer, safetyNet } from "./platform";

/*
 * Behind an Application Load Balancer the old target group can stay and belong to the service from now on: no visitor moves. The group was
 * imported under the name "old-shop" (`pulumi import aws:lb/targetGroup:TargetGroup old-shop <ARN>`), and is imported already when step
 * `adopt` hands it to the component. docs/migrate-hand-registered-targets.md, "When the old load balancer is an ALB".
 */

const adopt = new pulumi.Config().get("step") === "adopt";
const provider = new k8s.Provider("shop", { context: cluster.name });
/** What can't change without a new group, as the old one has it. */
const ofGroup = { name: "shop-old", port: 3000 };

/** Where the group is while the service has it: what brings it back without a new one. */
const inService = `urn:pulumi:${pulumi.getStack()}::${pulumi.getProject()}::moorings:index:LoadBalancedService$aws:lb/targetGroup:TargetGroup::shop-tg`;

if (!adopt)
  new aws.lb.TargetGroup(
    "old-shop",
    {
      ...ofGroup,
      protocol: "HTTP",
      protocolVersion: "HTTP1",
      targetType: "ip",
      ipAddressType: "ipv4",
      vpcId: cluster.vpcId,
      deregistrationDelay: 300,
      healthCheck: { enabled: true, path: "/healthz", interval: 30, healthyThreshold: 5 },
    },
    { aliases: [inService] },
  );
else
  new LoadBalancedService(
    "shop",
    {
      cluster,
      loadBalancer,
      safetyNet,
      namespace: "shop",
      selector: { app: "shop" },
      port: 3000,
      hosts: ["shop.example.com"],
      healthCheckPath: "/healthz",
      minReplicas: 3,
      alarmRoutes,
      protectTargetGroup: true,
    },
    {
      providers: [provider],
      transforms: [
        ({ type, props, opts }) =>
          type === "aws:lb/targetGroup:TargetGroup"
            ? {
                // The old name tells Pulumi which group this is.
                props: { ...props, ...ofGroup },
                opts: pulumi.mergeOptions(opts, {
                  aliases: [{ name: "old-shop", parent: pulumi.rootStackResource }],
                }),
              }
            : undefined,
      ],
    },
  );
