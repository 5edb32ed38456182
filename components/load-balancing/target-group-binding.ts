import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { portProblem, requireKubernetesProvider } from "../internal/kubernetes";
import { checkedLabels, labelKeyProblem } from "../internal/labels";
import { requireNameFits } from "../internal/names";
import { namespaceProblem, portNameProblem, serviceNameProblem } from "../internal/object-names";
import { Problems } from "../internal/validate";
import { TargetAddressType, type TargetGroupBindingArgs } from "./binding-args";
import { bindingNetworking } from "./binding-networking";
import { roleArnProblem, targetGroupArnProblem, vpcIdProblem } from "../internal/formats";

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
 * It doesn't ask the controller for security group rules, unless you want it (`managedIngress`): `SafetyNetRules` opens the way, and a
 * rule that the controller doesn't manage can't be lost by it.
 *
 * The target group is named by its ARN only: a changed name the controller ignores (its issue 4071). Its targets are addresses of pods;
 * a group of instances, with its selector of nodes, isn't for this component, because registered nodes know nothing of ready pods.
 *
 * That the object exists doesn't say that anything is registered. What says so is a workload whose pods carry `readinessGate`:
 * they become ready when the load balancer finds them healthy, and Pulumi waits for their rollout.
 *
 * A new target group makes a new binding beside the old one. A new namespace with the same target group can't: a group takes one
 * binding, so the admission webhook refuses the new one while the old one stands. Give the moved service a target group of its own, or
 * accept an empty group for the time of the move (`deleteBeforeReplace`).
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
    const assumeRoleArn = problems.input(args.assumeRoleArn, "assumeRoleArn", roleArnProblem);
    problems.unless(
      args.assumeRoleExternalId === undefined || args.assumeRoleArn !== undefined,
      "assumeRoleExternalId",
      "has no effect without assumeRoleArn: write that, too, or leave it out",
    );
    const networking = bindingNetworking(problems, args.managedIngress);
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
          networking,
          iamRoleArnToAssume: assumeRoleArn,
          assumeRoleExternalId: args.assumeRoleExternalId,
          multiClusterTargetGroup: args.multiCluster === true ? true : undefined,
        },
      },
      { parent: this, replaceOnChanges: replacedBy, deleteBeforeReplace: args.deleteBeforeReplace },
    );

    this.bindingName = binding.metadata.name;
    this.readinessGate = pulumi.interpolate`target-health.elbv2.k8s.aws/${this.bindingName}`;
    this.registerOutputs({ bindingName: this.bindingName, readinessGate: this.readinessGate });
  }
}
