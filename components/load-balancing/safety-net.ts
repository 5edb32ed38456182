import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { portProblem } from "../internal/kubernetes";
import { tagsFor, type Tags } from "../internal/tags";
import { checked, type Problems } from "../internal/validate";

/** Lowest port of a safety net: containers that run without root listen above it. */
export const lowestPort = 1024;
/** Highest port of a safety net: the highest there is. */
export const highestPort = 65535;

/** Text of both rules. The controller takes a rule for its own if the description carries its label, so it never appears here. */
const description = "Moorings safety net from load balancer to pods";

/** What a safety net spans. */
export interface SafetyNet {
  /** Group that the traffic comes from. The controller must never use it as a source of rules. */
  readonly source: pulumi.Input<string>;
  /** What the source is, for messages. */
  readonly sourceIs: string;
  /** Group of the pods. */
  readonly targets: pulumi.Input<string>;
  /** The argument that names the targets. */
  readonly argument: string;
  readonly fromPort: number;
  readonly toPort: number;
  readonly tags: pulumi.Input<Tags> | undefined;
}

/** Makes the two rules of a safety net: in at the pods' group, and out at the source, which has no other way out. */
export function safetyNet(parent: pulumi.Resource, name: string, net: SafetyNet) {
  const groups = pulumi.all([net.targets, net.source]).apply(([targets, source]) => ({ targets, source }));
  const targets = checked(groups, net.argument, (known) =>
    known.targets === known.source ? `is ${net.sourceIs} (${known.targets}): give the group of the pods` : undefined,
  ).targets;
  const span = { ipProtocol: "tcp", fromPort: net.fromPort, toPort: net.toPort, description };

  const ingress = new aws.vpc.SecurityGroupIngressRule(
    `${name}-ingress`,
    {
      ...span,
      securityGroupId: targets,
      referencedSecurityGroupId: net.source,
      tags: tagsFor(net.tags, `${name}-ingress`),
    },
    { parent },
  );
  const egress = new aws.vpc.SecurityGroupEgressRule(
    `${name}-egress`,
    {
      ...span,
      securityGroupId: net.source,
      referencedSecurityGroupId: targets,
      tags: tagsFor(net.tags, `${name}-egress`),
    },
    { parent },
  );
  return { ingress, egress };
}

/** Records what is wrong with a span of ports. */
export function safetyNetProblems(problems: Problems, fromPort: number, toPort: number): void {
  // The one shape that the controller makes whatever the services' ports are. An equal tuple is taken for its own.
  if (fromPort === 0 && toPort === 65535) {
    problems.add(
      "fromPort",
      "makes tcp 0-65535, the rule that the controller itself generates and may revoke: leave it out, or write 1",
    );
    return;
  }
  for (const [argument, port] of [
    ["fromPort", fromPort],
    ["toPort", toPort],
  ] as const)
    problems.add(argument, portProblem(port));
  problems.unless(fromPort <= toPort, "toPort", `must not be below fromPort (${fromPort}), but is ${toPort}`);
}
