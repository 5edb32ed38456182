import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { mergedValues } from "../internal/chart-values";
import { locationOf, policyDocument, serviceAccountTrust } from "../internal/iam";
import { systemNodeLabels } from "../internal/system-nodes";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import type { LoadBalancerControllerArgs } from "./controller-args";
import { controllerProblems, policySizeProblem } from "./controller-checks";
import { bindingOnlyStatements, fullStatements, otherAccountStatements } from "./controller-policies";
import { controllerValues } from "./controller-values";
import {
  chart,
  controllerName,
  controllerNamespace,
  ControllerPermissions,
  crdManifestOf,
  defaultChartVersion,
} from "./controller-versions";
import { registrarRolePath } from "./refs";
import { WebhookCertificate, webhookValues } from "./webhook-certificate";

/**
 * The AWS Load Balancer Controller: it registers the addresses of ready pods with target groups and takes them out again, so that
 * nobody registers a pod by hand.
 *
 * Its role is the only one under the IAM path `/moorings/<cluster>/`, by which guards tell its registrations from anybody else's.
 * With the default permissions it may touch nothing but targets: no security group rule of yours can be revoked by it.
 *
 * Let everything that it serves depend on this component (`dependsOn: [controller]`): bindings that outlive their controller can't
 * be deleted, because it removes their finalizers. Its custom resource definitions go last; deleting them would delete every binding.
 *
 * The API server asks the controller's webhooks about every binding, and refuses it when it can't trust their certificate. The
 * certificate made here changes without such a moment, if there is an update in the last three of every ten years. With cert-manager that
 * is up to its issuer: name one whose authority keeps its key (since cert-manager 1.18 the chart's own, by default, doesn't). Should the
 * key of the authority made here be known to others, replace it (`pulumi up --replace` with the URN of `<name>-ca-key`): for about
 * two minutes bindings can't be written, and nothing is registered.
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

    const problems = new Problems("LoadBalancerController", name);
    const inputs = controllerProblems(problems, this, name, args, permissions, replicas);
    problems.throwIfAny();

    const scope = { location: locationOf(this), clusterName: args.cluster.name, vpcId: inputs.vpcId };
    const statements =
      permissions === ControllerPermissions.Full
        ? fullStatements(scope, version)
        : bindingOnlyStatements(scope, inputs.targetGroupArns);

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
        path: registrarRolePath(args.cluster.name), // where guards keep it from being changed
        description: `AWS Load Balancer Controller of ${args.cluster.name}`,
        policy: checked(
          policyDocument([...statements, ...otherAccountStatements(inputs.assumeRoleArns)]),
          inputs.targetGroupArns.length > 0 ? "targetGroupArns" : "assumeRoleArns",
          policySizeProblem,
        ),
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
        values: mergedValues(
          {
            ...controllerValues({
              clusterName: args.cluster.name,
              region: inputs.region,
              vpcId: inputs.vpcId,
              roleArn: role.arn,
              replicas,
              permissions,
              nodeSelector: args.nodeSelector ?? systemNodeLabels,
              backendSecurityGroupId: inputs.backendSecurityGroupId,
            }),
            ...webhookValues(args.webhookCertificate ?? WebhookCertificate.Own, args.certManagerIssuer, name, this),
          },
          args.extraValues ?? {},
        ),
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
