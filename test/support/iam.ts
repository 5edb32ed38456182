import { runSimulation, type Simulation } from "@cloud-copilot/iam-simulate";

/*
 * Asks an evaluator of IAM policies what AWS would decide, in AWS's documented order: explicit denies, the organization's policies, identity
 * policies and the boundary.
 */

/** A policy document as it is written: JSON. */
type Document = string;

/** Who asks: the ARN that AWS compares with `aws:PrincipalArn`, which is the role's for its sessions. */
export interface Principal {
  /** The ARN of a role with its path, of a user, or of an account's root; or a service, such as pods.eks.amazonaws.com. */
  readonly arn: string;
  /** Name of a role's session, if one asks. */
  readonly session?: string;
}

export interface Question {
  readonly principal: Principal;
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request and of what it is about, but for those of the principal. */
  readonly context?: Readonly<Record<string, string | string[]>>;
  /** What the principal has in place of `Allow *`. */
  readonly grants?: readonly Document[];
  /** The policy of the resource: a role's trust, for whoever would assume it. */
  readonly resourcePolicy?: Document;
  /** Documents that hold besides `Allow *`, which everybody here has who has no grants. */
  readonly serviceControlPolicy?: Document;
  readonly permissionsBoundary?: Document;
  readonly identityPolicy?: Document;
}

const everything = { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] };
const accountOf = (arn: string) => arn.split(":")[4] ?? "";

/** Whether AWS would let it happen. */
export async function allows(question: Question): Promise<boolean> {
  const { principal, action, resource, context } = question;
  const account = accountOf(principal.arn);
  const role = /^arn:[^:]+:iam::\d+:role\/(?:.*\/)?([^/]+)$/.exec(principal.arn)?.[1];
  // The organization binds no service-linked role (Organizations user guide, "Tasks and entities not restricted by SCPs").
  const bound = !principal.arn.includes(":role/aws-service-role/");
  const isService = !principal.arn.startsWith("arn:");
  const parsed = (name: string, document: Document | undefined) =>
    document === undefined ? [] : [{ name, policy: JSON.parse(document) as unknown }];
  const simulation: Simulation = {
    request: {
      // A session's ARN has no path.
      principal:
        role !== undefined && principal.session !== undefined
          ? `${principal.arn.split(":").slice(0, 2).join(":")}:sts::${account}:assumed-role/${role}/${principal.session}`
          : principal.arn,
      action,
      resource: { resource, accountId: accountOf(resource) || account },
      contextVariables: { ...context, ...(isService ? {} : { "aws:PrincipalArn": principal.arn }) },
    },
    identityPolicies: [
      ...(question.grants?.flatMap((grant) => parsed("grant", grant)) ?? [{ name: "all", policy: everything }]),
      ...parsed("guard", question.identityPolicy),
    ],
    ...(question.resourcePolicy !== undefined && { resourcePolicy: JSON.parse(question.resourcePolicy) as unknown }),
    serviceControlPolicies:
      bound && !isService
        ? [
            {
              orgIdentifier: "r-ab12",
              policies: [{ name: "all", policy: everything }, ...parsed("guard", question.serviceControlPolicy)],
            },
          ]
        : [],
    resourceControlPolicies: [],
    ...(question.permissionsBoundary !== undefined && {
      permissionBoundaryPolicies: parsed("guard", question.permissionsBoundary),
    }),
  };
  const answer = await runSimulation(simulation, {});
  if (answer.resultType === "error")
    throw new Error(`${action} on ${resource} can't be judged: ${JSON.stringify(answer.errors)}`);
  return answer.overallResult === "Allowed";
}
