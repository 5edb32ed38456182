import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { serviceAccountTrust, type OidcIdentity } from "../internal/iam";
import { tagsFor, type Tags } from "../internal/tags";
import type { AddonRole } from "./addons";

/** A role, and what must exist before somebody who uses it starts. */
export interface ReadyRole {
  readonly arn: pulumi.Output<string>;
  readonly ready: pulumi.Resource[];
}

/** What all roles of a cluster have in common. */
export interface RoleSettings {
  readonly partition: pulumi.Output<string>;
  readonly permissionsBoundaryArn: pulumi.Input<string> | undefined;
  readonly tags: pulumi.Input<Tags> | undefined;
}

/** Makes the role of an add-on's service account in kube-system. */
export function addonRole(
  parent: pulumi.ComponentResource,
  name: string,
  definition: AddonRole,
  identity: OidcIdentity,
  settings: RoleSettings,
): ReadyRole {
  const assumeRolePolicy = serviceAccountTrust(identity, "kube-system", definition.serviceAccount);
  return roleWith(parent, name, assumeRolePolicy, [definition.policy], settings);
}

/** Makes a role with AWS managed policies. The attachments are part of `ready`: values only ever reference the role. */
export function roleWith(
  parent: pulumi.ComponentResource,
  name: string,
  assumeRolePolicy: pulumi.Input<string>,
  policies: readonly string[],
  { partition, permissionsBoundaryArn, tags }: RoleSettings,
): ReadyRole {
  const role = new aws.iam.Role(
    name,
    { assumeRolePolicy, permissionsBoundary: permissionsBoundaryArn, tags: tagsFor(tags, name) },
    { parent },
  );
  const attachments = policies.map(
    (policy) =>
      new aws.iam.RolePolicyAttachment(
        `${name}-${policy.split("/").pop()!}`,
        { role: role.name, policyArn: pulumi.interpolate`arn:${partition}:iam::aws:policy/${policy}` },
        { parent },
      ),
  );
  return { arn: role.arn, ready: [role, ...attachments] };
}
