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

/** Makes the role of an add-on's service account in kube-system. */
export function addonRole(
  parent: pulumi.ComponentResource,
  name: string,
  definition: AddonRole,
  identity: OidcIdentity,
  partition: pulumi.Output<string>,
  tags: pulumi.Input<Tags> | undefined,
): ReadyRole {
  const assumeRolePolicy = serviceAccountTrust(identity, "kube-system", definition.serviceAccount);
  return roleWith(parent, name, assumeRolePolicy, [definition.policy], partition, tags);
}

/** Makes a role with AWS managed policies. The attachments are part of `ready`: values only ever reference the role. */
export function roleWith(
  parent: pulumi.ComponentResource,
  name: string,
  assumeRolePolicy: pulumi.Input<string>,
  policies: string[],
  partition: pulumi.Output<string>,
  tags: pulumi.Input<Tags> | undefined,
): ReadyRole {
  const role = new aws.iam.Role(name, { assumeRolePolicy, tags: tagsFor(tags, name) }, { parent });
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
