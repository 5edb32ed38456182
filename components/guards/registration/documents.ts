import { isClusterName } from "../../internal/names";
import { oneOf, Problems } from "../../internal/validate";
import { longestManagedPolicy } from "../../internal/iam";
import { rolePatternProblem } from "../role-patterns";
import { AwsPartition, type RegistrationGuardDocuments, type RegistrationGuardDocumentsArgs } from "./guard-args";
import {
  attachedStatements,
  boundaryStatements,
  commonStatements,
  type GuardScope,
  type GuardStatement,
} from "./statements";

/**
 * Longest service control policy, every character counted (Organizations quotas, "Maximum size of a policy document"). The console removes white
 * space before it counts, the API doesn't: the documents have none.
 */
export const longestServiceControlPolicy = 5120;

/** Most of each form, and what AWS calls it. */
const limits: Readonly<Record<keyof RegistrationGuardDocuments, { readonly most: number; readonly what: string }>> = {
  serviceControlPolicy: { most: longestServiceControlPolicy, what: "a service control policy" },
  permissionsBoundary: { most: longestManagedPolicy, what: "a managed policy" },
  identityPolicy: { most: longestManagedPolicy, what: "a managed policy" },
};

/**
 * The guard as policy documents, for those who may write service control policies, boundaries or policies where this stack may not.
 *
 *     const { serviceControlPolicy } = registrationGuardDocuments({ deployRoles: ["moorings-deployer"], breakGlassRoles: ["breakglass-*"] });
 */
export function registrationGuardDocuments(args: RegistrationGuardDocumentsArgs): RegistrationGuardDocuments {
  const problems = new Problems("registrationGuardDocuments");
  guardProblems(problems, args);
  problems.throwIfAny();
  return documentsFor(args, args.partition ?? AwsPartition.Aws);
}

/** Records what is wrong with the arguments, and with the documents that they make. */
export function guardProblems(problems: Problems, args: RegistrationGuardDocumentsArgs): void {
  const { clusterNames, deployRoles, partition } = args;
  const before = problems.count;
  problems.add("partition", oneOf(AwsPartition, partition));
  problems.unless(clusterNames?.length !== 0, "clusterNames", "names no cluster: leave it out to guard those of all");
  clusterNames?.forEach((name, i) => {
    problems.unless(
      isClusterName(name),
      `clusterNames[${i}]`,
      `must be the name of a cluster (letters, digits, - and _), not "${name}"`,
    );
    problems.unless(clusterNames.indexOf(name) === i, `clusterNames[${i}]`, `names "${name}" twice: leave one out`);
  });
  problems.unless(
    deployRoles.length > 0,
    "deployRoles",
    "must name the role that deploys: else nobody could ever change the controller's role",
  );
  for (const argument of ["deployRoles", "breakGlassRoles", "registeringClusterRoles"] as const)
    args[argument]?.forEach((pattern, i) => problems.add(`${argument}[${i}]`, rolePatternProblem(pattern)));
  if (problems.count > before) return;

  const documents = documentsFor(args, partition ?? AwsPartition.Aws);
  for (const form of forms) problems.add("clusterNames", sizeProblem(form, documents[form]));
}

/** All forms, by the names of {@link RegistrationGuardDocuments}. */
const forms = ["serviceControlPolicy", "permissionsBoundary", "identityPolicy"] as const;

/** What is wrong with the size of a document, or undefined. */
export function sizeProblem(form: keyof RegistrationGuardDocuments, document: string): string | undefined {
  const { most, what } = limits[form];
  return document.length <= most
    ? undefined
    : `and the roles make ${what} of ${document.length} characters (${form}); AWS stores ${most}: ` +
        "leave clusterNames out to guard those of all clusters, or use fewer roles with wider patterns";
}

/** Renders arguments that were checked. */
export function documentsFor(args: RegistrationGuardDocumentsArgs, partition: string): RegistrationGuardDocuments {
  const scope: GuardScope = {
    partition,
    clusterNames: args.clusterNames,
    deployRoles: args.deployRoles,
    breakGlassRoles: args.breakGlassRoles ?? [],
    registeringClusterRoles: args.registeringClusterRoles ?? [],
  };
  const common = commonStatements(scope);
  const allowTheRest: GuardStatement = { Sid: "AllowTheRest", Effect: "Allow", Action: "*", Resource: "*" };
  return {
    serviceControlPolicy: render(common),
    permissionsBoundary: render([allowTheRest, ...common, ...boundaryStatements(scope)]),
    identityPolicy: render([...common, ...attachedStatements(scope)]),
  };
}

/** The language of policies is ASCII here, and has no white space: each character counts once, in every form. */
function render(statements: readonly GuardStatement[]): string {
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
