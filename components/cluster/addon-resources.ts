import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { OidcIdentity } from "../internal/iam";
import { tagsFor } from "../internal/tags";
import type { PlannedAddon } from "./addon-plan";
import { addonRole, type RoleSettings } from "./irsa";

/** What every add-on of a cluster has in common. */
export interface AddonSettings {
  /** Plain: an unknown one would plan the replacement of every add-on. Hence `after`. */
  readonly clusterName: string;
  readonly identity: OidcIdentity;
  readonly roles: RoleSettings;
  /** What must exist before any add-on. */
  readonly after: pulumi.Resource[];
}

/** An add-on, and the ARN of its service account's role. */
export interface MadeAddon {
  readonly addon: aws.eks.Addon;
  readonly roleArn: pulumi.Output<string> | undefined;
}

/** Makes an add-on, with the role of its service account if it needs one. */
export function makeAddon(
  parent: pulumi.ComponentResource,
  name: string,
  { definition, build, values }: PlannedAddon,
  settings: AddonSettings,
  after: pulumi.Resource[],
): MadeAddon {
  const role =
    definition.role &&
    addonRole(parent, `${name}-${definition.name}`, definition.role, settings.identity, settings.roles);
  const addon = new aws.eks.Addon(
    `${name}-${definition.name}`,
    {
      clusterName: settings.clusterName,
      addonName: definition.addonName,
      addonVersion: build,
      serviceAccountRoleArn: role?.arn,
      configurationValues: values && pulumi.jsonStringify(values),
      resolveConflictsOnCreate: "OVERWRITE",
      // What somebody tuned by hand in an emergency survives the next version.
      resolveConflictsOnUpdate: "PRESERVE",
      preserve: definition.preserve,
      tags: tagsFor(settings.roles.tags, `${settings.clusterName}-${definition.name}`),
    },
    {
      parent,
      dependsOn: [...settings.after, ...after, ...(role?.ready ?? [])],
      customTimeouts: { create: "20m", update: "30m", delete: "20m" },
    },
  );
  return { addon, roleArn: role?.arn };
}
