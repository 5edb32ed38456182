import type * as pulumi from "@pulumi/pulumi";

/** What becomes of a volume whose claim is deleted. */
export enum VolumeReclaimPolicy {
  /** It is deleted, too. */
  Delete = "Delete",
  /** It stays until somebody deletes it by hand. */
  Retain = "Retain",
}

/** Arguments of {@link DefaultStorageClass}. A change of any but `className` replaces the class; volumes stay as they are. */
export interface DefaultStorageClassArgs {
  /**
   * Name of the StorageClass: lower-case letters, digits, hyphens and dots, at most 253. Claims keep the name that they got. Defaults to
   * the component's name.
   */
  className?: string;
  /**
   * ARN of the KMS key that volumes are encrypted with. Its policy must let in the EBS driver's role (`EksCluster.ebsCsiRoleArn`), see
   * docs/eks-cluster.md. Defaults to the account's key for EBS.
   */
  kmsKeyArn?: pulumi.Input<string>;
  /** Operations a second of each volume: 3000 to 80000, and at most 500 for each GiB of the volume. Defaults to gp3's 3000. */
  iops?: pulumi.Input<number>;
  /** MiB a second of each volume: 125 to 2000, and at most a quarter of `iops` in numbers. Defaults to gp3's 125. */
  throughputMiB?: pulumi.Input<number>;
  /** What becomes of a volume whose claim is deleted. Defaults to `VolumeReclaimPolicy.Delete`. */
  reclaimPolicy?: VolumeReclaimPolicy;
  /**
   * Tags of the volumes that are made. The driver adds its own (`ebs.csi.aws.com/cluster`, and the claim's name). Plain: each is a
   * parameter of the class. At most 42, because EC2 takes 50 of a volume. Defaults to none.
   */
  volumeTags?: Record<string, string>;
}
