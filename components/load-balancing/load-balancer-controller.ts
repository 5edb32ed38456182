import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../cluster";
import { locationOf, policyDocument, serviceAccountTrust } from "../internal/iam";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { isClusterName, requireNameFits } from "../internal/names";
import { systemNodeLabels } from "../internal/system-nodes";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import { bindingOnlyStatements, fullStatements, longestManagedPolicy } from "./controller-policies";
import { controllerValues } from "./controller-values";
import {
  chart,
  controllerName,
  controllerNamespace,
  ControllerPermissions,
  crdManifestOf,
  defaultChartVersion,
  type ControllerChartVersion,
} from "./controller-versions";
import { registrarRolePath } from "./refs";
import { targetGroupArnProblem } from "./formats";
import { webhookCertificate } from "./webhook-certificate";

/** Arguments of {@link LoadBalancerController}. */
export interface LoadBalancerControllerArgs {
  /** Cluster that the controller runs in. One controller per cluster: two would fight over the same targets. */
  cluster: ClusterRef;
  /** Region of the cluster. Given, because pods can't ask the instance metadata service. */
  region: pulumi.Input<string>;
  /** What the controller may do in AWS. Defaults to `ControllerPermissions.BindingOnly`. */
  permissions?: ControllerPermissions;
  /**
   * ARNs of target groups that the controller may register to although they don't carry the tag `moorings-target-registration`:
   * groups made elsewhere that are being migrated. Only with `ControllerPermissions.BindingOnly`; the policy has room for about 40.
   * Defaults to none.
   */
  targetGroupArns?: pulumi.Input<string>[];
  /** Version of the chart and the controller. Defaults to `ControllerChartVersion.V3_5_0`. */
  chartVersion?: ControllerChartVersion;
  /**
   * Path or address of a manifest with the controller's custom resource definitions, for a network without access to GitHub.
   * It must be that of `chartVersion`. Defaults to the file of that release in the controller's repository.
   */
  crdManifest?: string;
  /** Number of controller pods, at least 2, each on a node of its own. Defaults to 2. */
  replicas?: number;
  /**
   * Labels of the nodes that the pods run on. Choose nodes that nothing consolidates. Defaults to the system nodes that
   * `EksCluster` makes (`moorings.dev/node-role: system`); for a cluster made elsewhere name its own.
   */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Further chart values as YAML, for example `[new pulumi.asset.StringAsset("logLevel: debug")]`. The values that this component
   * sets win over them. Defaults to none.
   */
  extraValues?: pulumi.asset.Asset[];
  /** Added to the role and the policy. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * The AWS Load Balancer Controller: it registers the addresses of ready pods with target groups and takes them out again, so that
 * nobody registers a pod by hand.
 *
 * Its role is the only one under the IAM path `/moorings/<cluster>/`, by which guards tell its registrations from anybody else's.
 * With the default permissions it may touch nothing but targets: no security group rule of yours can be revoked by it.
 *
 * Let everything that it serves depend on this component (`dependsOn: [controller]`): bindings that outlive their controller can't
 * be deleted, because it removes their finalizers.
 */
export class LoadBalancerController extends pulumi.ComponentResource {
  /** ARN of the controller's role. */
  public readonly roleArn: pulumi.Output<string>;
  /** Version of the chart and the controller that is installed. */
  public readonly chartVersion: pulumi.Output<string>;

  constructor(name: string, args: LoadBalancerControllerArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:LoadBalancerController", name, args, opts);
    const permissions = args.permissions ?? ControllerPermissions.BindingOnly;
    const version = args.chartVersion ?? defaultChartVersion;
    const replicas = args.replicas ?? 2;
    const migrated = args.targetGroupArns ?? [];

    const problems = new Problems("LoadBalancerController", name);
    requireKubernetesProvider(this, problems);
    requireNameFits(problems, "IAM role", `${name}-role`);
    requireNameFits(problems, "IAM policy", `${name}-policy`);
    problems.unless(
      isClusterName(args.cluster.name),
      "cluster.name",
      `is "${args.cluster.name}"; it becomes part of an IAM path: write the name of the EKS cluster (letters, digits, - and _, at most 100)`,
    );
    problems.unless(
      Number.isInteger(replicas) && replicas >= 2,
      "replicas",
      `must be a whole number of at least 2, not ${replicas}: one pod can't be moved without stopping registration`,
    );
    problems.unless(
      migrated.length === 0 || permissions === ControllerPermissions.BindingOnly,
      "targetGroupArns",
      "has no effect with ControllerPermissions.Full, which may register to every target group: leave it out",
    );
    problems.throwIfAny();

    const location = locationOf(this);
    const scope = { location, clusterName: args.cluster.name, vpcId: args.cluster.vpcId };
    const arns = migrated.map((arn, index) => checked(arn, `targetGroupArns[${index}]`, targetGroupArnProblem));
    const statements =
      permissions === ControllerPermissions.Full ? fullStatements(scope, version) : bindingOnlyStatements(scope, arns);

    const role = new aws.iam.Role(
      `${name}-role`,
      {
        path: registrarRolePath(args.cluster.name),
        description: `Registers pods of ${args.cluster.name} with target groups (AWS Load Balancer Controller)`,
        assumeRolePolicy: serviceAccountTrust(args.cluster, controllerNamespace, controllerName),
        tags: tagsFor(args.tags, `${name}-role`),
      },
      { parent: this },
    );
    const policy = new aws.iam.Policy(
      `${name}-policy`,
      {
        description: `AWS Load Balancer Controller of ${args.cluster.name}`,
        policy: checked(policyDocument(statements), "targetGroupArns", policySizeProblem),
        tags: tagsFor(args.tags, `${name}-policy`),
      },
      { parent: this },
    );
    const attachment = new aws.iam.RolePolicyAttachment(
      `${name}-attachment`,
      { role: role.name, policyArn: policy.arn },
      { parent: this },
    );

    // Helm installs definitions once and never upgrades them, and a newer controller needs newer ones: they are installed here, first.
    // Deleting the definition of bindings deletes every binding and empties its target group, so they go last; give the component
    // `protect` where that must not happen by mistake. (Kept on delete, they would be made a second time by the next update.)
    const crds = new k8s.yaml.v2.ConfigFile(
      `${name}-crds`,
      { file: args.crdManifest ?? crdManifestOf(version) },
      { parent: this },
    );

    const release = new k8s.helm.v3.Release(
      `${name}-release`,
      {
        name: controllerName,
        chart: chart.name,
        version,
        repositoryOpts: { repo: chart.repository },
        namespace: controllerNamespace,
        skipCrds: true,
        atomic: true, // a failed upgrade goes back to the controller that worked
        timeout: 600,
        valueYamlFiles: args.extraValues,
        values: controllerValues({
          clusterName: args.cluster.name,
          region: args.region,
          vpcId: args.cluster.vpcId,
          roleArn: role.arn,
          replicas,
          permissions,
          nodeSelector: args.nodeSelector ?? systemNodeLabels,
          webhookTls: webhookCertificate(name, this),
        }),
      },
      {
        parent: this,
        // The role must work before the first pod asks for it, and must outlive the last finalizer.
        dependsOn: [attachment, crds],
        // Release, webhooks and Service have fixed names: the new one can't be made beside the old one.
        deleteBeforeReplace: true,
        customTimeouts: { create: "15m", update: "15m", delete: "10m" },
      },
    );

    this.roleArn = role.arn;
    this.chartVersion = release.version;
    this.registerOutputs({ roleArn: this.roleArn, chartVersion: this.chartVersion });
  }
}

function policySizeProblem(document: string): string | undefined {
  return document.length <= longestManagedPolicy
    ? undefined
    : `makes a policy of ${document.length} characters; IAM stores ${longestManagedPolicy}: name fewer groups, or tag them instead (moorings-target-registration)`;
}
