import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { requireNameFits } from "../internal/names";
import { tagsFor } from "../internal/tags";
import { Problems } from "../internal/validate";
import { TargetAddressType, TargetGroupProtocol } from "./binding-args";
import { groupProblems } from "./given-group-checks";
import type { TargetGroupRef } from "./refs";
import { routingProblems, ruleConditions } from "./routing";
import { alarmProblems, serviceAlarms } from "./service-alarms";
import type { LoadBalancedServiceArgs } from "./service-args";
import { checkedService, serviceProblems } from "./service-checks";
import { podTargetGroup, targetGroupDefaults } from "./target-group";
import { targetGroupProblems } from "./target-group-checks";
import { TargetGroupBinding } from "./target-group-binding";

/**
 * What an application team needs to be reached through a load balancer, and to hear of it when it isn't: a target group, a listener
 * rule, a binding through which the controller registers the pods, and alarms on their health.
 *
 * Order: target group, listener rule, binding, workload. A target of a group without a rule is never checked, so a pod could not
 * become ready before the rule exists. Hand `readinessGate` to the workload (`DrainSafeDeployment.readinessGates`): that makes it
 * wait for the binding, and a rollout only takes an old pod away when the load balancer finds the new one healthy.
 *
 * With `targetGroup` the pods go into a group that exists already, behind an Application or a Network Load Balancer, and only the binding and
 * the alarms are made; a rule too, if `hosts` or `paths` are given:
 *
 *     new LoadBalancedService("web", {
 *       loadBalancer: { type: LoadBalancerType.Network, crossZone: true, arnSuffix: "net/shop/50dc6c495c0c9188" },
 *       targetGroup: { arn: "arn:aws:elasticloadbalancing:...:targetgroup/web/73e2d6bc24d8a067", arnSuffix: "targetgroup/web/73e2d6bc24d8a067" },
 *       targetGroupProtocol: TargetGroupProtocol.Tcp,
 *       safetyNet: { fromPort: 8080, toPort: 8080 }, // what the nodes' own rules open
 *       cluster, namespace: "web", service: "web", port: 8080, minReplicas: 3, alarmRoutes,
 *     }, { providers: [kubernetes] });
 */
export class LoadBalancedService extends pulumi.ComponentResource {
  /** ARN of the target group. */
  public readonly targetGroupArn: pulumi.Output<string>;
  /** Last part of that ARN (`targetgroup/name/id`), as CloudWatch metrics name it. */
  public readonly targetGroupArnSuffix: pulumi.Output<string>;
  /** The target group, as other components take it. */
  public readonly targetGroup: TargetGroupRef;
  /** ARN of the listener rule. None where a given target group needs none. */
  public readonly listenerRuleArn?: pulumi.Output<string>;
  /** Name of the Kubernetes Service. */
  public readonly serviceName: pulumi.Output<string>;
  /** Name of the target group binding. */
  public readonly bindingName: pulumi.Output<string>;
  /** Condition that pods wait for: give it to the workload as one of its `readinessGates`. */
  public readonly readinessGate: pulumi.Output<string>;
  /** The floor that was declared: give it to the workload as `replicas`, or as `min` of its `autoscale`. */
  public readonly minReplicas: number;
  /** ARNs of the alarms by alarm, as `TargetHealthAlarms` has them. Empty with `alarmsElsewhere`. */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names of the alarms by alarm. Empty with `alarmsElsewhere`. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;
  /** Seconds that a leaving pod may finish its requests: give it to the workload. None where the target group is given. */
  public readonly deregistrationDelaySeconds?: number;

  constructor(name: string, args: LoadBalancedServiceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:LoadBalancedService", name, args, opts);
    const routing = { hosts: args.hosts ?? [], paths: args.paths ?? [], priority: args.priority };
    const problems = new Problems("LoadBalancedService", name);
    requireKubernetesProvider(this, problems);
    if (args.targetGroup === undefined) requireNameFits(problems, "target group", `${name}-tg`);
    requireNameFits(problems, "Kubernetes object", `${name}-pods-binding`);
    const routed = routing.hosts.length + routing.paths.length > 0;
    serviceProblems(problems, args);
    groupProblems(problems, args, routed);
    alarmProblems(problems, name, args);
    if (args.targetGroup === undefined) targetGroupProblems(problems, args);
    if (args.targetGroup === undefined || routed) routingProblems(problems, routing);
    const inputs = checkedService(problems, args);
    problems.throwIfAny();

    const child = { parent: this };
    const targetGroup = inputs.targetGroup ?? podTargetGroup(name, args, inputs, this);
    const { listenerArn } = args.loadBalancer;
    const rule =
      routed && listenerArn !== undefined
        ? new aws.lb.ListenerRule(
            `${name}-rule`,
            {
              listenerArn,
              priority: args.priority,
              conditions: ruleConditions(routing),
              actions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
              tags: tagsFor(args.tags, `${name}-rule`),
            },
            // A target group belongs to one load balancer: on another one, the new rule can't be made while the old one names it.
            { parent: this, deleteBeforeReplace: true },
          )
        : undefined;

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
        targetGroupProtocol: inputs.targetGroup === undefined ? TargetGroupProtocol.Http : args.targetGroupProtocol,
        multiCluster: args.multiCluster,
      },
      { parent: this, dependsOn: rule === undefined ? [] : [rule] },
    );
    const alarms = serviceAlarms(
      name,
      args,
      { loadBalancerArnSuffix: inputs.loadBalancerArnSuffix, targetGroupArnSuffix: targetGroup.arnSuffix },
      this,
    );

    this.targetGroupArn = pulumi.output(targetGroup.arn);
    this.targetGroupArnSuffix = pulumi.output(targetGroup.arnSuffix);
    const crossZone = args.targetGroup?.crossZone ?? args.crossZone;
    this.targetGroup = {
      arn: this.targetGroupArn,
      arnSuffix: this.targetGroupArnSuffix,
      ...(crossZone === undefined ? {} : { crossZone }),
    };
    this.listenerRuleArn = rule?.arn;
    this.serviceName = serviceName;
    this.bindingName = binding.bindingName;
    this.readinessGate = binding.readinessGate;
    this.minReplicas = args.minReplicas;
    this.alarmArns = alarms?.alarmArns ?? pulumi.output<Record<string, string>>({});
    this.alarmNames = alarms?.alarmNames ?? pulumi.output<Record<string, string>>({});
    if (args.targetGroup === undefined)
      this.deregistrationDelaySeconds = args.deregistrationDelaySeconds ?? targetGroupDefaults.deregistrationDelay;
    this.registerOutputs({
      targetGroupArn: this.targetGroupArn,
      targetGroupArnSuffix: this.targetGroupArnSuffix,
      targetGroup: this.targetGroup,
      listenerRuleArn: this.listenerRuleArn,
      serviceName: this.serviceName,
      bindingName: this.bindingName,
      readinessGate: this.readinessGate,
      minReplicas: this.minReplicas,
      alarmArns: this.alarmArns,
      alarmNames: this.alarmNames,
      deregistrationDelaySeconds: this.deregistrationDelaySeconds,
    });
  }
}
