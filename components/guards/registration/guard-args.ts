import type * as pulumi from "@pulumi/pulumi";

/** Partition of AWS: the second part of every ARN. */
export enum AwsPartition {
  /** The regions that most accounts have. */
  Aws = "aws",
  /** China. */
  AwsChina = "aws-cn",
  /** GovCloud. */
  AwsGovCloud = "aws-us-gov",
  /** The European Sovereign Cloud. */
  AwsEuropeanSovereign = "aws-eusc",
  /** The isolated regions of the United States, and of their partners. */
  AwsIso = "aws-iso",
  /** Likewise. */
  AwsIsoB = "aws-iso-b",
  /** Likewise. */
  AwsIsoE = "aws-iso-e",
  /** Likewise. */
  AwsIsoF = "aws-iso-f",
}

/** Whom the guard exempts, and what it guards. Roles are named by path and name, without the slash in front: `ci/deployer-*`; `*` is any text. */
export interface RegistrationGuardDocumentsArgs {
  /**
   * Names of the clusters whose target groups are guarded: those with the tag `moorings-target-registration` of this value. Each may be
   * registered to by the controller of its own cluster only. Defaults to every cluster: then any controller may register to any of them, as
   * far as its own policy goes (which ends at its cluster).
   */
  clusterNames?: string[];
  /**
   * Roles that deploy: they alone change the tag, the controller's role and policies, and the exempt roles. They don't register targets. At least one.
   */
  deployRoles: string[];
  /**
   * Roles of an emergency, which may register targets by hand, and change the tag. Each use should be reported (`TamperDetection`). Defaults to none:
   * then nobody can register a target by hand while the controller is dead.
   */
  breakGlassRoles?: string[];
  /**
   * Roles of clusters that register targets by themselves: of EKS Auto Mode, or of the cloud provider inside Kubernetes that came before the
   * controller. Their managed policies allow RegisterTargets, so name them only where that is wanted. Defaults to none.
   */
  registeringClusterRoles?: string[];
  /** Partition that the documents are for. Defaults to `AwsPartition.Aws`, and in a component to the one of its provider. */
  partition?: AwsPartition;
}

/** Forms of the guard that a component makes. */
export enum GuardForm {
  /** A service control policy of the organization: it binds every principal of the accounts that it is attached to, root as well. */
  ServiceControlPolicy = "service-control-policy",
  /** A managed policy to set as permissions boundary: it allows everything else, and gives nothing. */
  PermissionsBoundary = "permissions-boundary",
  /** A managed policy to attach to roles, users or groups: it denies only. */
  IdentityPolicy = "identity-policy",
}

/** Arguments of {@link RegistrationGuard}. */
export interface RegistrationGuardArgs extends RegistrationGuardDocumentsArgs {
  /** Which forms are made as resources; all three are outputs. At least one. */
  forms: GuardForm[];
  /**
   * Where the service control policy is attached: ids of a root, of organizational units or of accounts (`ou-ab12-11111111`). Needs
   * `GuardForm.ServiceControlPolicy`, and the right to do so. Defaults to nowhere: somebody attaches it.
   */
  targetIds?: string[];
  /** Added to everything that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** The guard in its three forms: policy documents in JSON, without white space. */
export interface RegistrationGuardDocuments {
  /** For a service control policy. */
  serviceControlPolicy: string;
  /** For a managed policy that is set as permissions boundary. */
  permissionsBoundary: string;
  /** For a managed or inline policy of roles, users or groups. */
  identityPolicy: string;
}
