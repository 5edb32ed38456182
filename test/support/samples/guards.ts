import * as moorings from "../../../components";
import { sample, tags, type Sample } from "./sample";

/** Samples of what keeps registrations and rules from being changed by hand. */
export const guardSamples: Record<string, Sample> = {
  RegistrationGuard: sample(
    moorings.RegistrationGuard,
    { deployRoles: ["moorings-deployer"], forms: [moorings.GuardForm.IdentityPolicy] },
    {
      clusterNames: ["shop"],
      breakGlassRoles: ["breakglass-*"],
      registeringClusterRoles: ["shop-cluster-*"],
      partition: moorings.AwsPartition.Aws,
      forms: Object.values(moorings.GuardForm),
      targetIds: ["ou-ab12-11111111"],
      tags,
    },
    { args: { deployRoles: [], forms: [] }, messages: ["deployRoles", "forms"] },
  ),
};
