import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../../internal/iam";
import { requireNameFits } from "../../internal/names";
import { tagsFor } from "../../internal/tags";
import { checked, oneOf, Problems } from "../../internal/validate";
import { documentsFor, guardProblems, sizeProblem } from "./documents";
import { GuardForm, type RegistrationGuardArgs, type RegistrationGuardDocuments } from "./guard-args";
import { guardPolicyPath } from "./statements";

/**
 * Denies hand registration by IAM: targets of groups with the tag `moorings-target-registration` are registered by the controller's role alone,
 * which is known by its path `/moorings/<cluster>/`, and by roles for emergencies. The tag, that path and the exempt roles are changed by
 * deployments alone.
 *
 * The service control policy is the guard that nobody in the account can take off. The two others bind those who have them, and are for accounts
 * without an organization. Where another team may make policies, hand them the documents (`registrationGuardDocuments`).
 *
 * What no form binds: the organization's management account, and service-linked roles. An ECS service or an auto scaling group registers its
 * own targets therefore, also with a guarded group: `TamperDetection` reports that.
 */
export class RegistrationGuard extends pulumi.ComponentResource {
  /** The guard as a service control policy, in JSON. */
  public readonly serviceControlPolicy: pulumi.Output<string>;
  /** The guard as a permissions boundary, in JSON. */
  public readonly permissionsBoundary: pulumi.Output<string>;
  /** The guard as a policy of identities, in JSON. */
  public readonly identityPolicy: pulumi.Output<string>;
  /** What was made, by its form: the id of the service control policy, the ARNs of the others. */
  public readonly policyIds: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: RegistrationGuardArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:RegistrationGuard", name, args, opts);
    const problems = new Problems("RegistrationGuard", name);
    guardProblems(problems, args);
    formProblems(problems, name, args);
    problems.throwIfAny();

    const documents = pulumi
      .output(args.partition ?? locationOf(this).partition)
      .apply((partition) => documentsFor(args, partition));
    const document = (form: keyof RegistrationGuardDocuments): pulumi.Output<string> =>
      checked(documents[form], "clusterNames", (text) => sizeProblem(form, text));
    this.serviceControlPolicy = document("serviceControlPolicy");
    this.permissionsBoundary = document("permissionsBoundary");
    this.identityPolicy = document("identityPolicy");

    const organization = args.forms.includes(GuardForm.ServiceControlPolicy)
      ? new aws.organizations.Policy(
          `${name}-scp`,
          {
            type: "SERVICE_CONTROL_POLICY",
            description: "Targets are registered by the load balancer controller only",
            content: this.serviceControlPolicy,
            tags: tagsFor(args.tags, `${name}-scp`),
          },
          { parent: this },
        )
      : undefined;
    if (organization !== undefined)
      for (const targetId of args.targetIds ?? [])
        new aws.organizations.PolicyAttachment(
          `${name}-scp-${targetId}`,
          { policyId: organization.id, targetId },
          { parent: this },
        );

    const managed = (form: GuardForm, suffix: string, description: string, policy: pulumi.Output<string>) =>
      args.forms.includes(form)
        ? new aws.iam.Policy(
            `${name}-${suffix}`,
            { path: guardPolicyPath, description, policy, tags: tagsFor(args.tags, `${name}-${suffix}`) },
            { parent: this },
          )
        : undefined;
    const boundary = managed(
      GuardForm.PermissionsBoundary,
      "boundary",
      "Everything but registering targets by hand; gives nothing",
      this.permissionsBoundary,
    );
    const identity = managed(
      GuardForm.IdentityPolicy,
      "deny",
      "No targets are registered by hand",
      this.identityPolicy,
    );

    const ids: Record<string, pulumi.Output<string>> = {
      ...(organization && { [GuardForm.ServiceControlPolicy]: organization.id }),
      ...(boundary && { [GuardForm.PermissionsBoundary]: boundary.arn }),
      ...(identity && { [GuardForm.IdentityPolicy]: identity.arn }),
    };
    this.policyIds = pulumi.output(ids);
    this.registerOutputs({
      serviceControlPolicy: this.serviceControlPolicy,
      permissionsBoundary: this.permissionsBoundary,
      identityPolicy: this.identityPolicy,
      policyIds: this.policyIds,
    });
  }
}

function formProblems(problems: Problems, name: string, { forms, targetIds = [] }: RegistrationGuardArgs): void {
  problems.unless(
    forms.length > 0,
    "forms",
    "names no form to make: for the documents alone use registrationGuardDocuments",
  );
  forms.forEach((form, i) => problems.add(`forms[${i}]`, oneOf(GuardForm, form)));
  for (const suffix of ["scp", "boundary", "deny"]) requireNameFits(problems, "IAM policy", `${name}-${suffix}`);
  problems.unless(
    targetIds.length === 0 || forms.includes(GuardForm.ServiceControlPolicy),
    "targetIds",
    "are for the service control policy: add GuardForm.ServiceControlPolicy to forms",
  );
  targetIds.forEach((id, i) => {
    // organizations AttachPolicy, TargetId.
    problems.unless(
      /^(r-[0-9a-z]{4,32}|\d{12}|ou-[0-9a-z]{4,32}-[a-z0-9]{8,32})$/.test(id),
      `targetIds[${i}]`,
      `must be the id of a root (r-...), an organizational unit (ou-...) or an account, not "${id}"`,
    );
    problems.unless(targetIds.indexOf(id) === i, `targetIds[${i}]`, `names "${id}" twice: leave one out`);
  });
}
