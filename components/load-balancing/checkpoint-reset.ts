import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { confined, imageProblem, requireKubernetesProvider } from "../internal/kubernetes";
import { requireNameFits } from "../internal/names";
import { namespaceProblem } from "../internal/object-names";
import { systemNodeLabels, systemToleration } from "../internal/system-nodes";
import { Problems } from "../internal/validate";
import { bindings, checkpoint, checkpointFence } from "./checkpoint-fence";
import { controllerNamespace } from "./controller-versions";

/** Arguments of {@link CheckpointReset}. */
export interface CheckpointResetArgs {
  /** Namespace of the job; it may enforce the "restricted" Pod Security Standard. Defaults to `kube-system`, where the controller runs. */
  namespace?: pulumi.Input<string>;
  /**
   * Minutes between two resets: a divisor of 60, at most 30. The controller keeps what it knows of a security group for ten minutes, so
   * what it lost is back after at most these minutes and ten more; each reset costs one or two calls to AWS per binding. Defaults to 5.
   */
  everyMinutes?: number;
  /**
   * Image with `kubectl` as its entry point, at most one minor version from the cluster's, for a mirror. Defaults to
   * `registry.k8s.io/kubectl:v1.36.4`, which Kubernetes releases with each version.
   */
  image?: pulumi.Input<string>;
  /**
   * Labels of the nodes that the job runs on. Defaults to the system nodes that `EksCluster` makes (`moorings.dev/node-role: system`);
   * for a cluster made elsewhere name its own, and on Fargate write `{}`.
   */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The kubectl of the newest Kubernetes version that EKS offers; it speaks with one older and one newer. */
const defaultImage = "registry.k8s.io/kubectl:v1.36.4";

/**
 * Makes the controller look at every binding anew, every few minutes. For clusters where the controller must own security group rules
 * (Ingresses, `managedIngress` of bindings); elsewhere there is nothing that it could lose.
 *
 * The controller skips a binding whose endpoints are those of its last checkpoint, an annotation on the binding. Rules that it lost in
 * between stay lost: it looks again 30 to 45 minutes later, a restart of it or not (its issue 4889; for 45 minutes nobody got through).
 * Without the checkpoint it looks at once. A job takes it away from all bindings, on a schedule.
 *
 * The job may do nothing else. A role of Kubernetes can't be limited to one annotation, so a ValidatingAdmissionPolicy stands behind it:
 * whatever else this account would change on a binding, the API server refuses.
 *
 * While the controller is away its webhook refuses the job as well, which then fails and is tried again. Looking anew also takes out
 * targets that were registered by hand, unless the binding is for several clusters.
 */
export class CheckpointReset extends pulumi.ComponentResource {
  /** Name of the job. To reset at once: `kubectl create job --from=cronjob/<name> now --namespace <namespace>`. */
  public readonly cronJobName: pulumi.Output<string>;
  /** Namespace of the job. */
  public readonly namespace: pulumi.Output<string>;

  constructor(name: string, args: CheckpointResetArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:CheckpointReset", name, args, opts);
    const everyMinutes = args.everyMinutes ?? 5;
    const problems = new Problems("CheckpointReset", name);
    requireKubernetesProvider(this, problems);
    requireNameFits(problems, "CronJob", `${name}-job`);
    problems.unless(
      Number.isInteger(everyMinutes) && everyMinutes >= 1 && everyMinutes <= 30 && 60 % everyMinutes === 0,
      "everyMinutes",
      `must divide an hour, and be at most 30: 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30, not ${everyMinutes}`,
    );
    const namespace = problems.input(args.namespace ?? controllerNamespace, "namespace", namespaceProblem);
    const image = problems.input(args.image ?? defaultImage, "image", imageProblem);
    problems.throwIfAny();

    const child = { parent: this };
    const account = new k8s.core.v1.ServiceAccount(
      `${name}-account`,
      // Only the job's own pods get a token.
      { metadata: { namespace }, automountServiceAccountToken: false },
      child,
    );
    const role = new k8s.rbac.v1.ClusterRole(
      `${name}-role`,
      { rules: [{ apiGroups: [bindings.group], resources: [bindings.resource], verbs: ["list", "patch"] }] },
      child,
    );
    const roleBinding = new k8s.rbac.v1.ClusterRoleBinding(
      `${name}-role-binding`,
      {
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role.metadata.name },
        subjects: [{ kind: "ServiceAccount", name: account.metadata.name, namespace }],
      },
      // The fence first: it holds before the account may change anything.
      {
        parent: this,
        dependsOn: checkpointFence(
          name,
          this,
          pulumi.interpolate`system:serviceaccount:${namespace}:${account.metadata.name}`,
        ),
      },
    );
    const job = new k8s.batch.v1.CronJob(
      `${name}-job`,
      {
        metadata: { namespace },
        spec: {
          schedule: `*/${everyMinutes} * * * *`,
          concurrencyPolicy: "Forbid",
          // A run that is late by a whole period is the next one.
          startingDeadlineSeconds: everyMinutes * 60,
          successfulJobsHistoryLimit: 1,
          failedJobsHistoryLimit: 1,
          jobTemplate: {
            spec: {
              backoffLimit: 0, // the next run is near
              activeDeadlineSeconds: everyMinutes * 60,
              template: { spec: podSpec(account.metadata.name, image, args.nodeSelector ?? systemNodeLabels) },
            },
          },
        },
      },
      { parent: this, dependsOn: [roleBinding] },
    );

    this.cronJobName = job.metadata.name;
    this.namespace = pulumi.output(namespace);
    this.registerOutputs({ cronJobName: this.cronJobName, namespace: this.namespace });
  }
}

/** A pod that passes the "restricted" Pod Security Standard. */
function podSpec(
  serviceAccountName: pulumi.Input<string>,
  image: pulumi.Input<string>,
  nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>>,
): k8s.types.input.core.v1.PodSpec {
  return {
    serviceAccountName,
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    restartPolicy: "Never",
    nodeSelector,
    tolerations: [systemToleration],
    // 65532 is "nonroot" of the images without a distribution; this one would run as root.
    securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
    containers: [
      {
        name: "kubectl",
        image,
        args: ["annotate", `${bindings.resource}.${bindings.group}`, "--all", "--all-namespaces", `${checkpoint}-`],
        resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "128Mi" } },
        securityContext: confined,
      },
    ],
  };
}
