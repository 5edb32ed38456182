import { isUnknown } from "../../lib/known";
import { entriesOf, isProperties } from "../../lib/kubernetes";
import { leavesAt, valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { bindingExample } from "../targets/binding-example";
import type { Carrier } from "./carrier";
import { carrierOf } from "./carriers";
import type { Parameters } from "./template-target";
import { asNode, targetsIn } from "./templates";

/** What a resource describes that something else makes: a template as such, or a text that may hold one. */
type Described = readonly { readonly path: string; readonly value: unknown; readonly decides: boolean }[];

/** A template says what a resource says, only one level down: whether it registers addresses is a fact, too. */
export const noIpTargetsInTemplates = resourceRule<object>({
  name: "no-ip-targets-in-templates",
  displayName: "No IP targets in templates",
  description:
    "A CloudFormation template, a resource of Cloud Control or a Kubernetes object inside another must not register IP addresses as load balancer " +
    "targets: a pod's address changes whenever its node is replaced, whoever wrote it down.",
  severity: "critical",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Take \`Targets\` out of the template (or the endpoints out of the manifest), and let the AWS Load Balancer Controller register the pods:

${bindingExample}

Instance ids and ARNs of functions and load balancers are fine as targets.`,
  configSchema: { properties: {} },
  appliesTo: (type) => {
    const carrier = carrierOf(type);
    return carrier?.templates !== undefined || carrier?.manifests !== undefined || carrier?.typed !== undefined;
  },
  check: ({ type, props }, report, config) => {
    const findings = new Findings(report, config);
    const carrier = carrierOf(type)!;
    const said = new Set<string>();
    const parameters = parametersOf(props, carrier);
    for (const { path, value, decides } of described(props, carrier)) {
      for (const target of targetsIn(value, path, parameters)) {
        if (!isUnknown(target)) {
          // An item of a list is met twice: in the list, and by itself.
          const key = `${target.path} ${target.address}`;
          if (said.has(key)) continue;
          said.add(key);
          report(
            `${target.path} registers ${target.address === undefined ? "a target in a group of type ip" : `the IP address ${target.address}`} by hand. Take it out and bind the target group to the pods' Service with a TargetGroupBinding.`,
          );
        } else if (decides) findings.unknown(target, "may register IP addresses");
      }
    }
    findings.end();
  },
});

function described(props: Record<string, unknown>, { templates = [], manifests = [], typed }: Carrier): Described {
  const found = (paths: Carrier["templates"] = [], decides: boolean) =>
    paths.flatMap((path) => leavesAt(props, path)).map((leaf) => ({ ...leaf, decides }));
  const listed = [...found(templates, true), ...found(manifests, false)];
  if (typed === undefined) return listed;
  const value = valueAt(props, typed.properties);
  const path = typed.properties.join(".");
  const node = isUnknown(value) ? value : asNode(valueAt(props, typed.type), value);
  return [...listed, { path, value: node, decides: true }];
}

/** Parameters of a stack: a map (`aws`, a stack of `aws-native`), or a list of keys and values (a stack set of `aws-native`). */
function parametersOf(props: Record<string, unknown>, { parameters }: Carrier): Parameters {
  if (parameters === undefined) return new Map();
  return new Map(
    leavesAt(props, parameters).flatMap(({ value }): [string, unknown][] => {
      if (!isProperties(value)) return [];
      const name = valueAt(value, ["parameterKey"]);
      return typeof name === "string" ? [[name, valueAt(value, ["parameterValue"])]] : entriesOf(value);
    }),
  );
}
