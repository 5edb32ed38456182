import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { LoadBalancerType, TargetHealthAlarms } from "../alarms";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { requireNameFits } from "../internal/names";
import { tagsFor } from "../internal/tags";
import { Problems } from "../internal/validate";
import { registrationTag, type TargetGroupRef } from "./refs";
import { routingProblems, ruleConditions } from "./routing";
import type { LoadBalancedServiceArgs } from "./service-args";
import { checkedService, serviceProblems } from "./service-checks";
import { TargetAddressType, TargetGroupBinding, TargetGroupProtocol } from "./target-group-binding";

/**
 * What an application team needs to be reached through a load balancer, and to hear of it when it isn't: a target group, a listener
 * rule, a binding through which the controller registers the pods, and alarms on their health.
 *
 * Order: target group, listener rule, binding, workload. A target of a group without a rule is never checked, so a pod could not
 * become ready before the rule exists. Hand `readinessGate` to the workload (`DrainSafeDeployment.readinessGates`): that makes it
 * wait for the binding, and a rollout only takes an old pod away when the load balancer finds the new one healthy.
 */
export class LoadBalancedService extends pulumi.ComponentResource {
  /** ARN of the target group. */
  public readonly targetGroupArn: pulumi.Output<string>;
  /** Last part of that ARN (`targetgroup/name/id`), as CloudWatch metrics name it. */
  public readonly targetGroupArnSuffix: pulumi.Output<string>;
  /** The target group, as other components take it. */
  public readonly targetGroup: TargetGroupRef;
  /** ARN of the listener rule. */
  public readonly listenerRuleArn: pulumi.Output<string>;
  /** Name of the Kubernetes Service. */
  public readonly serviceName: pulumi.Output<string>;
  /** Name of the target group binding. */
  public readonly bindingName: pulumi.Output<string>;
  /** Condition that pods wait for: give it to the workload as one of its `readinessGates`. */
  public readonly readinessGate: pulumi.Output<string>;
  /** The floor that was declared: give it to the workload as `replicas`, or as `min` of its `autoscale`. */
  public readonly minReplicas: number;

  constructor(name: string, args: LoadBalancedServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:LoadBalancedService", name, args, opts);
    const routing = { hosts: args.hosts ?? [], paths: args.paths ?? [], priority: args.priority };
    const problems = new Problems("LoadBalancedService", name);
    requireKubernetesProvider(this, problems);
    requireNameFits(problems, "target group", `${name}-tg`);
    requireNameFits(problems, "Kubernetes object", `${name}-pods-binding`);
    serviceProblems(problems, args);
    routingProblems(problems, routing);
    const inputs = checkedService(problems, args);
    problems.throwIfAny();

    const child = { parent: this };
    const targetGroup = new aws.lb.TargetGroup(
      `${name}-tg`,
      {
        vpcId: inputs.vpcId,
        targetType: "ip",
        ipAddressType: "ipv4",
        protocol: "HTTP",
        protocolVersion: "HTTP1",
        // Each pod is registered with its own port, so this one has no effect. The pods' port here would only make its change
        // replace the group, and the rule would point at an empty one until the pods are healthy again.
        port: 80,
        deregistrationDelay: args.deregistrationDelaySeconds ?? 30,
        // Every value is written: AWS's defaults take 150 s to find a new pod healthy, and each rollout waits for it pod by pod.
        healthCheck: {
          enabled: true,
          protocol: "HTTP",
          port: "traffic-port",
          path: inputs.healthCheckPath,
          matcher: "200",
          interval: args.healthCheckIntervalSeconds ?? 10,
          timeout: 4,
          healthyThreshold: 2,
          unhealthyThreshold: 2,
        },
        tags: tagsFor(args.tags, `${name}-tg`, { [registrationTag]: args.cluster.name }),
      },
      { parent: this, protect: args.protectTargetGroup },
    );
    const rule = new aws.lb.ListenerRule(
      `${name}-rule`,
      {
        listenerArn: args.loadBalancer.listenerArn,
        priority: args.priority,
        conditions: ruleConditions(routing),
        actions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
        tags: tagsFor(args.tags, `${name}-rule`),
      },
      // A target group belongs to one load balancer: on another one, the new rule can't be made while the old one names it.
      { parent: this, deleteBeforeReplace: true },
    );

    const serviceName =
      inputs.service === undefined
        ? new k8s.core.v1.Service(
            `${name}-service`,
            {
              // Pulumi would wait for endpoints, but the pods come later: they wait for the binding.
              metadata: { namespace: inputs.namespace, annotations: { "pulumi.com/skipAwait": "true" } },
              spec: {
                type: "ClusterIP",
                selector: inputs.selector,
                ports: [{ name: "http", protocol: "TCP", port: args.port, targetPort: args.port }],
              },
            },
            child,
          ).metadata.name
        : pulumi.output(inputs.service);
    const binding = new TargetGroupBinding(
      `${name}-pods`,
      {
        namespace: inputs.namespace,
        serviceName,
        servicePort: inputs.servicePort ?? args.port,
        targetGroupArn: targetGroup.arn,
        vpcId: inputs.vpcId,
        ipAddressType: TargetAddressType.IPv4,
        targetGroupProtocol: TargetGroupProtocol.Http,
      },
      { parent: this, dependsOn: [rule] },
    );
    new TargetHealthAlarms(
      `${name}-health`,
      {
        routes: args.alarmRoutes,
        loadBalancerArnSuffix: args.loadBalancer.arnSuffix,
        targetGroupArnSuffix: targetGroup.arnSuffix,
        loadBalancerType: LoadBalancerType.Application,
        minReplicas: args.minReplicas,
        overrides: args.alarms,
        namePrefix: args.alarmNamePrefix,
        runbookUrl: args.runbookUrl,
        tags: args.tags,
      },
      child,
    );

    this.targetGroupArn = targetGroup.arn;
    this.targetGroupArnSuffix = targetGroup.arnSuffix;
    this.targetGroup = { arn: targetGroup.arn, arnSuffix: targetGroup.arnSuffix };
    this.listenerRuleArn = rule.arn;
    this.serviceName = serviceName;
    this.bindingName = binding.bindingName;
    this.readinessGate = binding.readinessGate;
    this.minReplicas = args.minReplicas;
    this.registerOutputs({
      targetGroupArn: this.targetGroupArn,
      targetGroupArnSuffix: this.targetGroupArnSuffix,
      targetGroup: this.targetGroup,
      listenerRuleArn: this.listenerRuleArn,
      serviceName: this.serviceName,
      bindingName: this.bindingName,
      readinessGate: this.readinessGate,
      minReplicas: this.minReplicas,
    });
  }
}
