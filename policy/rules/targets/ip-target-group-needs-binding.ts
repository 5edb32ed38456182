import { isUnknown } from "../../lib/known";
import { each, stringAt, valuesAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { stackRule } from "../../lib/rule";
import { indexOf, keysOfHolder, keysOfSource, type Keys } from "../../lib/stack-index";
import { tellsWhy } from "../../lib/tags";
import { typeOf } from "../../lib/tokens";
import { bindingExample } from "./binding-example";
import { isBindingType } from "./bindings";
import { handRegisteredTag } from "./no-attachments-on-ip-target-groups";
import { isLoadBalancerTargetGroup, takesAddresses } from "./target-groups";
import type { PolicyResource } from "@pulumi/policy";

interface Config {
  exemptTags: string[];
}

/** Tag of a target group whose binding is made by something else: another stack, GitOps, a Helm chart. */
export const boundElsewhereTag = "moorings-bound-elsewhere";

const binding: Path[] = [
  ["spec", "targetGroupARN"],
  ["spec", "targetGroupName"],
];
const ecsService: Path[] = [["loadBalancers", each, "targetGroupArn"]];

/** What else than a binding registers addresses and takes them out again, and where it names the target group. */
const registrars: Readonly<Record<string, readonly Path[]>> = {
  // ECS registers the tasks of a service by itself.
  "aws:ecs/service:Service": ecsService,
  "aws:ecs/taskSet:TaskSet": ecsService,
  "aws-native:ecs:Service": ecsService,
  "aws-native:ecs:TaskSet": ecsService,
  "awsx:ecs:FargateService": [...ecsService, ["taskDefinitionArgs"]],
  "awsx:ecs:EC2Service": [...ecsService, ["taskDefinitionArgs"]],
};

/** A group that nobody fills answers 503, and is where somebody under pressure starts to register by hand. */
export const ipTargetGroupNeedsBinding = stackRule<Config>({
  name: "ip-target-group-needs-binding",
  displayName: "Every ip target group has a binding",
  description:
    "Every target group of type ip must have somebody who keeps its targets: a TargetGroupBinding (or an ECS service). " +
    "Without one the group stays empty, or is filled by hand and rots.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Bind the group to a Service:

${bindingExample}

If the binding is made elsewhere (another stack, GitOps, inside a Helm chart), say where in a tag of the group:
\`tags: { "${boundElsewhereTag}": "github.com/acme/shop-manifests" }\`.`,
  configSchema: {
    properties: {
      exemptTags: {
        type: "array",
        items: { type: "string" },
        default: [boundElsewhereTag, handRegisteredTag],
        description:
          "Tags of target groups that need no binding in this stack. Their values are for people: who binds it; `false` and nothing don't count.",
      },
    },
  },
  check: ({ resources }, report, config, undecided) => {
    const holders = indexOf(resources, isRegistrar, keysOfRegistrar);
    for (const group of resources.filter(isLoadBalancerTargetGroup)) {
      const named = holders.sharing(keysOfSource(group, namesOf(group)));
      if (isExempt(group, config) || named.some((r) => registersIn(r, group))) continue;
      const ip = takesAddresses(group);
      if (isUnknown(ip)) undecided.add(ip, group);
      else if (ip)
        report(
          `No TargetGroupBinding in this stack names the ip target group "${group.name}". Add one, or the tag "${config.exemptTags[0] ?? boundElsewhereTag}" that says who binds it.`,
          group.urn,
        );
    }
  },
});

/** Where a resource may name a target group that it fills. */
function pathsOf({ type }: PolicyResource): readonly Path[] {
  if (isBindingType(type)) return binding;
  return Object.hasOwn(registrars, typeOf(type)) ? registrars[typeOf(type)]! : [];
}

function isRegistrar(resource: PolicyResource): boolean {
  return pathsOf(resource).length > 0;
}

function keysOfRegistrar(registrar: PolicyResource): Keys {
  const paths = pathsOf(registrar);
  const names = paths.flatMap((path) => valuesAt(registrar.props, path)).map(({ value }) => value);
  return keysOfHolder(
    registrar,
    names,
    paths.map(([property]) => property!),
  );
}

/** By what others may call a target group. */
function namesOf(group: PolicyResource): string[] {
  return ["arn", "targetGroupArn", "name"]
    .map((name) => stringAt(group.props, [name]))
    .filter((value) => typeof value === "string");
}

function registersIn(registrar: PolicyResource, group: PolicyResource): boolean {
  const own = namesOf(group);
  return pathsOf(registrar).some(
    (path) =>
      cameFrom(registrar, path[0]!, group) ||
      valuesAt(registrar.props, path).some(({ value }) => typeof value === "string" && own.includes(value)),
  );
}

function isExempt(group: PolicyResource, config: Config): boolean {
  return tellsWhy(group.props, config.exemptTags);
}
