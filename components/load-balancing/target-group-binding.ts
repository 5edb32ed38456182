import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { portProblem, requireKubernetesProvider } from "../internal/kubernetes";
import { checkedLabels, labelKeyProblem } from "../internal/labels";
import { requireNameFits } from "../internal/names";
import { namespaceProblem, portNameProblem, serviceNameProblem } from "../internal/object-names";
import { Problems } from "../internal/validate";
import { targetGroupArnProblem, vpcIdProblem } from "./formats";

/** Kind of the addresses that are registered. */
export enum TargetAddressType {
  /** Pods' IPv4 addresses. */
  IPv4 = "ipv4",
  /** Pods' IPv6 addresses. */
  IPv6 = "ipv6",
}

/** Protocol of a target group. */
export enum TargetGroupProtocol {
  Http = "HTTP",
  Https = "HTTPS",
  Tcp = "TCP",
  Tls = "TLS",
  Udp = "UDP",
  TcpUdp = "TCP_UDP",
  Quic = "QUIC",
  TcpQuic = "TCP_QUIC",
}

/** Arguments of {@link TargetGroupBinding}. */
export interface TargetGroupBindingArgs {
  /** Namespace of the Service. Moving a binding to another namespace needs another target group too, see the class. */
  namespace: pulumi.Input<string>;
  /** Name of the Service whose ready pods are registered. */
  serviceName: pulumi.Input<string>;
  /** Port of the Service (not of the pods), by number. Either this or `servicePortName`. */
  servicePort?: pulumi.Input<number>;
  /** Port of the Service, by name. Either this or `servicePort`. */
  servicePortName?: pulumi.Input<string>;
  /**
   * ARN of the target group, of target type `ip`. It may exist already: whatever was registered in it by hand is taken out at
   * the first change of a pod, so have ready pods behind the Service before you bind it. The controller needs permission for it:
   * the tag `moorings-target-registration`, or `targetGroupArns` of `LoadBalancerController`.
   */
  targetGroupArn: pulumi.Input<string>;
  /** VPC of the target group. Defaults to that of the target group, looked up by the controller. */
  vpcId?: pulumi.Input<string>;
  /** Kind of addresses in the target group. Defaults to `TargetAddressType.IPv4`. */
  ipAddressType?: TargetAddressType;
  /** Protocol of the target group. Defaults to that of the target group, looked up by the controller. */
  targetGroupProtocol?: TargetGroupProtocol;
  /**
   * Whether other clusters register in the same target group. The controller then leaves targets alone that it didn't register
   * itself, hand-registered ones too. Don't change it later. Defaults to false.
   */
  multiCluster?: boolean;
  /** Labels of the object. Those by which the controller finds its own bindings are refused: it would delete this one. Defaults to none. */
  labels?: Record<string, pulumi.Input<string>>;
}

/** Labels that make the controller take a binding for one that it generated itself, and delete it as left over. */
const controllerLabel = /^(ingress|service|gateway)\.k8s\.aws(\.[a-z]+)?\//;

/** What is wrong with the key of a binding's label, or undefined. */
function bindingLabelProblem(key: string): string | undefined {
  return controllerLabel.test(key)
    ? "marks bindings that the controller generated; it would delete this one: choose another key"
    : labelKeyProblem(key);
}

/**
 * The admission webhook refuses to change these four fields: targetGroupARN, targetType, ipAddressType, vpcID. The last three
 * describe the target group, so they only really change together with its ARN. A change of them alone is left to the webhook: it
 * accepts writing down what it had filled in itself, and a replacement would fail, because the group still has its old binding.
 */
const replacedBy = ["spec.targetGroupARN"];

/**
 * Binds a Service to a target group: the controller registers the addresses of its ready pods and takes them out when they go.
 *
 * It never asks the controller for security group rules (`networking` is left out): `SafetyNetRules` opens the way, and a rule that
 * the controller doesn't manage can't be lost by it.
 *
 * That the object exists doesn't say that anything is registered. What says so is a workload whose pods carry `readinessGate`:
 * they become ready when the load balancer finds them healthy, and Pulumi waits for their rollout.
 *
 * A new target group makes a new binding beside the old one. A new namespace with the same target group can't: a group takes one
 * binding, so the admission webhook refuses the new one while the old one stands. Give the moved service a target group of its own.
 */
export class TargetGroupBinding extends pulumi.ComponentResource {
  /** Name of the object, which Pulumi generates. */
  public readonly bindingName: pulumi.Output<string>;
  /** Condition that the controller sets on pods when the load balancer finds them healthy; for `readinessGates` of a workload. */
  public readonly readinessGate: pulumi.Output<string>;

  constructor(name: string, args: TargetGroupBindingArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:TargetGroupBinding", name, args, opts);
    const problems = new Problems("TargetGroupBinding", name);
    requireKubernetesProvider(this, problems);
    // The name is the second part of the readiness gate's type, which Kubernetes limits to 63 characters: a longer one would make
    // every pod of the Service invalid.
    requireNameFits(problems, "Kubernetes object", `${name}-binding`);
    problems.unless(
      (args.servicePort === undefined) !== (args.servicePortName === undefined),
      "servicePort",
      args.servicePort === undefined
        ? "is missing: give the number of the Service's port, or its name as servicePortName"
        : "can't be given together with servicePortName: write one of the two",
    );
    const namespace = problems.input(args.namespace, "namespace", namespaceProblem);
    const labels = args.labels && checkedLabels(problems, "labels", args.labels, bindingLabelProblem);
    const service = problems.input(args.serviceName, "serviceName", serviceNameProblem);
    const port = problems.input(args.servicePort, "servicePort", portProblem);
    const portName = problems.input(args.servicePortName, "servicePortName", portNameProblem);
    const targetGroupArn = problems.input(args.targetGroupArn, "targetGroupArn", targetGroupArnProblem);
    const vpcId = problems.input(args.vpcId, "vpcId", vpcIdProblem);
    problems.throwIfAny();

    const binding = new k8s.apiextensions.CustomResource(
      `${name}-binding`,
      {
        apiVersion: "elbv2.k8s.aws/v1beta1",
        kind: "TargetGroupBinding",
        // No name: with a fixed one a replacement would have to delete first, and empty a target group that is in use.
        metadata: { namespace, labels },
        spec: {
          serviceRef: { name: service, port: port ?? portName },
          targetGroupARN: targetGroupArn,
          targetType: "ip",
          ipAddressType: args.ipAddressType ?? TargetAddressType.IPv4,
          vpcID: vpcId,
          targetGroupProtocol: args.targetGroupProtocol,
          multiClusterTargetGroup: args.multiCluster === true ? true : undefined,
        },
      },
      { parent: this, replaceOnChanges: replacedBy },
    );

    this.bindingName = binding.metadata.name;
    this.readinessGate = pulumi.interpolate`target-health.elbv2.k8s.aws/${this.bindingName}`;
    this.registerOutputs({ bindingName: this.bindingName, readinessGate: this.readinessGate });
  }
}
