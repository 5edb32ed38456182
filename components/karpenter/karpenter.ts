import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { mergedValues } from "../internal/chart-values";
import { locationOf, policyDocument } from "../internal/iam";
import { withResource } from "../internal/known";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { tagsFor } from "../internal/tags";
import { Problems } from "../internal/validate";
import { controllerPolicies } from "./controller-policies";
import { controllerValues } from "./controller-values";
import { clusterOf, controllerTrust, makeIdentity } from "./identity";
import { makeInterruptionQueue } from "./interruption-queue";
import { KarpenterIdentity, type KarpenterArgs } from "./karpenter-args";
import { karpenterProblems } from "./karpenter-checks";
import { karpenterArguments } from "./karpenter-shapes";
import { controllerName, controllerNamespace, defaultChartVersion, publicRepository } from "./karpenter-versions";
import { makeNodeRole } from "./node-role";

/**
 * Karpenter: it makes nodes for pods that find no place, and takes away those that are no longer needed. What kind of nodes, and how
 * carefully it takes them away, `KarpenterNodePool` says.
 *
 * It comes with what it needs in AWS: a role for its service account alone, scoped to what carries the cluster's tags; a role for the
 * nodes, which may join the cluster; and a queue in which EC2 announces that it takes an instance away. `KarpenterAlarms` watches it.
 *
 * Let node pools depend on this component (`dependsOn: [karpenter]`): only a running Karpenter can take their nodes away, so on destroy
 * it must go after them. Deleting its custom resource definitions would delete every node, so they go last; give the component
 * `protect` where that must not happen by mistake. Spot instances need the service-linked role AWSServiceRoleForEC2Spot in the account.
 */
export class Karpenter extends pulumi.ComponentResource {
  /** ARN of the controller's role. */
  public readonly controllerRoleArn: pulumi.Output<string>;
  /** Name of the nodes' role, for `KarpenterNodePool.nodeRoleName`. */
  public readonly nodeRoleName: pulumi.Output<string>;
  /** ARN of the nodes' role. */
  public readonly nodeRoleArn: pulumi.Output<string>;
  /** Name of the nodes' instance profile, for `KarpenterNodePool.instanceProfileName`. Only with `isolatedVpc`. */
  public readonly instanceProfileName?: pulumi.Output<string>;
  /** Name of the queue that announces interruptions, for `KarpenterAlarms.queueName`. */
  public readonly queueName: pulumi.Output<string>;
  /** Version of the chart and the controller that is installed. */
  public readonly chartVersion: pulumi.Output<string>;

  constructor(name: string, args: KarpenterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:Karpenter", name, args, opts);
    const problems = new Problems("Karpenter", name);
    const given = corrected(problems, args, karpenterArguments);
    const version = given.chartVersion ?? defaultChartVersion;
    const replicas = given.replicas ?? 2;
    requireKubernetesProvider(this, problems);
    const inputs = karpenterProblems(problems, name, given, version, replicas);
    problems.throwIfAny();

    const location = locationOf(this);
    const interruptions = makeInterruptionQueue(this, name, location, given.tags);

    const role = new aws.iam.Role(
      `${name}-controller`,
      {
        description: `Makes nodes for ${given.cluster.name} (Karpenter)`,
        assumeRolePolicy: controllerTrust(given, location),
        permissionsBoundary: inputs.permissionsBoundaryArn,
        tags: tagsFor(given.tags, `${name}-controller`),
      },
      { parent: this, dependsOn: clusterOf(given) },
    );
    const identity = makeIdentity(this, name, given, role);
    // The cluster's name is a plain text, so it makes nothing wait; the role is there after the cluster.
    const nodes = makeNodeRole(this, name, { ...given, ...inputs }, location, [role]);
    const policies = controllerPolicies({
      location,
      clusterName: given.cluster.name,
      nodeRoleArn: nodes.role.arn,
      queueArn: interruptions.queue.arn,
      reboot: given.featureGates?.rebootForRepair === true,
    });
    const attachments = Object.entries(policies).map(([key, statements]) => {
      const policy = new aws.iam.Policy(
        `${name}-${key}`,
        {
          description: `Karpenter of ${given.cluster.name}: ${key}`,
          policy: policyDocument(statements),
          tags: tagsFor(given.tags, `${name}-${key}`),
        },
        { parent: this },
      );
      return new aws.iam.RolePolicyAttachment(
        `${name}-${key}`,
        { role: role.name, policyArn: policy.arn },
        { parent: this },
      );
    });

    // Helm installs definitions in a chart's `crds` once and never upgrades them: hence the second chart, of the same version, first.
    // No `deleteBeforeReplace` on either: a replacement then fails, as the name is taken, rather than deleting every node pool, or
    // leaving nodes without the controller that takes them away.
    const crds = new k8s.helm.v3.Release(
      `${name}-crds`,
      {
        ...chartOf(`${controllerName}-crd`, given),
        version,
        namespace: controllerNamespace,
        atomic: true,
        timeout: 300,
      },
      { parent: this, customTimeouts: { create: "10m", update: "10m", delete: "10m" } },
    );
    const release = new k8s.helm.v3.Release(
      `${name}-release`,
      {
        ...chartOf(controllerName, given),
        version,
        namespace: controllerNamespace,
        skipCrds: true,
        atomic: true, // a failed upgrade goes back to the controller that worked
        timeout: 600,
        values: mergedValues(
          controllerValues({
            clusterName: given.cluster.name,
            clusterEndpoint: given.cluster.endpoint,
            queueName: interruptions.queue.name,
            identity: given.identity ?? KarpenterIdentity.Irsa,
            roleArn: role.arn,
            replicas,
            isolatedVpc: given.isolatedVpc ?? false,
            zonalShift: given.zonalShift ?? given.cluster.zonalShift ?? false,
            featureGates: given.featureGates ?? {},
            nodeSelector: inputs.nodeSelector,
          }),
          given.extraValues ?? {},
        ),
      },
      {
        parent: this,
        // The values name the roles and the queue only. What makes them work must be there before the first pod, and must outlive it:
        // on destroy, whatever goes before Karpenter leaves nodes that nobody can take away.
        dependsOn: [crds, ...attachments, ...identity, ...interruptions.ready, ...nodes.ready],
        customTimeouts: { create: "15m", update: "15m", delete: "10m" },
      },
    );

    this.controllerRoleArn = role.arn;
    // Pools that forget `dependsOn` would otherwise leave their nodes behind.
    this.nodeRoleName = withResource(nodes.role.name, release);
    this.nodeRoleArn = nodes.role.arn;
    this.instanceProfileName = nodes.profile && withResource(nodes.profile.name, release);
    this.queueName = interruptions.queue.name;
    this.chartVersion = release.version;
    this.registerOutputs({
      controllerRoleArn: this.controllerRoleArn,
      nodeRoleName: this.nodeRoleName,
      nodeRoleArn: this.nodeRoleArn,
      instanceProfileName: this.instanceProfileName,
      queueName: this.queueName,
      chartVersion: this.chartVersion,
    });
  }
}

/** A release of this name, and where its chart is: OCI and directories are part of the chart's address, https repositories aren't. */
function chartOf(name: string, given: KarpenterArgs) {
  const repository = given.chartRepository ?? publicRepository;
  return repository.startsWith("https://")
    ? { name, chart: name, repositoryOpts: { repo: repository } }
    : { name, chart: `${repository}/${name}` };
}
