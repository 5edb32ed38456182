import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { fixedOfStorageClass } from "../internal/storage-class";
import { Problems } from "../internal/validate";
import { storageClassArguments } from "./cluster-shapes";
import { planStorageClass } from "./storage-class-plan";
import { VolumeReclaimPolicy, type DefaultStorageClassArgs } from "./storage-class-args";

/**
 * The class of volumes whose claims name none: encrypted gp3, made by the EBS driver in the zone of the pod that asks first.
 *
 *     const { name: clusterIdentifier, kubeconfig } = cluster;
 *     const provider = new k8s.Provider("shop", { kubeconfig, clusterIdentifier }, { dependsOn: [cluster] });
 *     new DefaultStorageClass("gp3", {}, { providers: [provider] });
 *
 * Clusters that EKS makes with 1.30 and later have no default: a claim without a class waits, and gets this one once it exists. Older ones
 * have EKS's unencrypted `gp2` as default, and keep it through every upgrade; of two defaults Kubernetes takes the newest. Take the mark from
 * it all the same: `kubectl annotate storageclass gp2 storageclass.kubernetes.io/is-default-class-`.
 *
 * A class can't be changed, only replaced: the old one goes first, because the name is taken. Volumes that exist don't notice (they carry
 * what they were made of), and keep what they were made with; claims of that moment wait for a few seconds.
 */
export class DefaultStorageClass extends pulumi.ComponentResource {
  /** Name of the StorageClass, for claims that name it all the same. Plain. */
  public readonly className: string;

  constructor(name: string, args: DefaultStorageClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:DefaultStorageClass", name, args, opts);
    const problems = new Problems("DefaultStorageClass", name);
    requireKubernetesProvider(this, problems);
    const given = corrected(problems, args, storageClassArguments);
    const plan = planStorageClass(name, given, problems);
    problems.throwIfAny();

    new k8s.storage.v1.StorageClass(
      `${name}-class`,
      {
        metadata: {
          name: plan.className,
          annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
        },
        provisioner: "ebs.csi.aws.com",
        parameters: plan.parameters,
        // At once, a volume would be made in some zone, and its pod could only ever run there.
        volumeBindingMode: "WaitForFirstConsumer",
        allowVolumeExpansion: true,
        reclaimPolicy: given.reclaimPolicy ?? VolumeReclaimPolicy.Delete,
      },
      { parent: this, replaceOnChanges: fixedOfStorageClass, deleteBeforeReplace: true },
    );

    this.className = plan.className;
    this.registerOutputs({ className: this.className });
  }
}
