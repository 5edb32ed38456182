/**
 * Which changed inputs make a provider replace a resource, and in which order it does so.
 *
 * Sources, with the commit whose text was read (entries name the file and the commit where it is another):
 * - hashicorp/terraform-provider-aws, internal/service/<service>/<resource>.go: `ForceNew`, `RequiresReplace`, and CustomizeDiff or
 *   ModifyPlan. `region`: internal/provider/sdkv2/region.go, `forceNewIfRegionChanges`.
 * - pulumi/pulumi-aws 015d343 (v7), provider/resource_overrides.go: only aws.iam.RolePolicyAttachment of ours has DeleteBeforeReplace;
 *   no override forces new. provider/resources.go, `Config`: no setting of the AWS provider replaces the provider.
 * - pulumi/pulumi-terraform-bridge v3.120.0, pkg/tfbridge/schema.go, `nameRequiresDeleteBeforeReplace`: when a property that
 *   Pulumi could name is set by hand, every replacement deletes first, even one that changes the very name. A `namePrefix` in
 *   its place creates first. pkg/pf/tfbridge/provider_diff.go: a resource of the Plugin Framework is deleted first only where
 *   the provider says so for its type, never because of its name.
 * - pulumi/pulumi-kubernetes, hashicorp/terraform-provider-tls: see replacements-objects.ts.
 */
export interface Replacement {
  /** Properties, or dotted paths within one, whose change replaces the resource. What isn't listed changes in place. */
  readonly properties: readonly string[];
  /** Properties that replace only when they are set or removed: another value changes in place. */
  readonly whenSetOrRemoved?: readonly string[];
  /** The property that Pulumi names it by, whose hand-set value makes the provider delete before it creates. */
  readonly nameProperty?: string;
  /** Whether each replacement deletes first (true) or creates first (false), whatever the name. */
  readonly deleteBeforeReplace?: boolean;
}
