import type * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { Problems } from "../internal/validate";

/** Which requests a service takes. */
export interface Routing {
  readonly hosts: pulumi.Input<string>[];
  readonly paths: pulumi.Input<string>[];
  readonly priority: number | undefined;
}

/** Most values that the conditions of one rule may hold together (ELB quotas, "condition values per rule"; not adjustable). */
const mostValues = 5;

/** Records what is wrong with a routing. Values that aren't known yet are left to AWS. */
export function routingProblems(problems: Problems, { hosts, paths, priority }: Routing): void {
  const count = hosts.length + paths.length;
  problems.unless(
    count > 0,
    "hosts",
    'and paths are both empty, so no request would reach the service: name a host ("shop.example.com") or a path ("/*" for all)',
  );
  problems.unless(
    count <= mostValues,
    "hosts",
    `and paths hold ${count} values together; a listener rule takes ${mostValues}: use wildcards (*.example.com, /api/*) or a second service`,
  );
  for (const [index, host] of hosts.entries())
    if (typeof host === "string")
      problems.unless(
        host.length <= 128 && /^[A-Za-z0-9*?_.-]*\.[A-Za-z0-9*?-]+$/.test(host),
        `hosts[${index}]`,
        `must be a host name with at least one dot and at most 128 characters, such as shop.example.com, not "${host}"`,
      );
  for (const [index, path] of paths.entries())
    if (typeof path === "string")
      problems.unless(
        path.length <= 128 && path.startsWith("/") && !/[#\s]/.test(path),
        `paths[${index}]`,
        `must begin with a slash and have at most 128 characters, such as /api/*, not "${path}"`,
      );
  problems.unless(
    priority === undefined || (Number.isInteger(priority) && priority >= 1 && priority <= 50000),
    "priority",
    `must be a whole number between 1 and 50000, not ${priority ?? ""}: or leave it out, and AWS takes the next free one`,
  );
}

/** The conditions of the listener rule; all of them must hold. */
export function ruleConditions({ hosts, paths }: Routing): aws.types.input.lb.ListenerRuleCondition[] {
  return [
    ...(hosts.length > 0 ? [{ hostHeader: { values: hosts } }] : []),
    ...(paths.length > 0 ? [{ pathPattern: { values: paths } }] : []),
  ];
}
