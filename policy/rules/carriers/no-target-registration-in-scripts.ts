import { addressIn } from "../../lib/addresses";
import { matchesAny } from "../../lib/glob";
import { isUnknown } from "../../lib/known";
import { resourceRule } from "../../lib/rule";
import { textsAt, type Text } from "../../lib/texts";
import { Findings } from "../../lib/unknown-values";
import { bindingExample } from "../targets/binding-example";
import { carrierOf } from "./carriers";
import type { Carrier } from "./carrier";
import { registrationIn } from "./registration-calls";

interface Config {
  alsoSearch: string[];
}

/**
 * What runs can register a target like any resource. Advisory by default: a text shows the call and not the target, and some registrations
 * are fine, such as an instance's own.
 */
export const noTargetRegistrationInScripts = resourceRule<Config>({
  name: "no-target-registration-in-scripts",
  displayName: "No target registration in scripts",
  description:
    "Scripts, commands, workflows, functions and user data must not register load balancer targets: nobody takes out again what a script put in. " +
    "The rule looks for the call (register-targets and its spellings) in everything that runs, also in base64.",
  severity: "medium",
  enforcementLevel: "advisory",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Delete the call and let the AWS Load Balancer Controller register the pods:

${bindingExample}

Instances are registered by their auto scaling group (\`targetGroupArns\`), tasks by their ECS service (\`loadBalancers\`). Permissions
(\`elasticloadbalancing:RegisterTargets\`), comments and event patterns are no calls, and the rule lets them be. It reads texts: a call that is
put together at run time it doesn't see. To refuse what it finds, set its \`enforcementLevel\` to \`mandatory\`.`,
  configSchema: {
    properties: {
      alsoSearch: {
        type: "array",
        items: { type: "string" },
        default: [],
        description:
          "Further resource types to search as a whole, `*` stands for any text: `github:index/repositoryFile:RepositoryFile`.",
      },
    },
  },
  appliesTo: () => true, // alsoSearch may name any
  check: ({ type, props }, report, config) => {
    const listed = carrierOf(type);
    const carrier = listed ?? (matchesAny(type, config.alsoSearch) ? everything : undefined);
    if (carrier === undefined) return;
    const findings = new Findings(report, config);
    const { scripts = [], texts = [], templates = [], manifests = [], typed, given = [] } = carrier;
    const mayHold = [...texts, ...templates, ...manifests, ...(typed === undefined ? [] : [typed.properties])];
    const found = new Set<string>();
    const search = ({ path, text }: Text, decides: boolean) => {
      if (isUnknown(text)) {
        if (decides) findings.unknown(text, "may register targets");
        return;
      }
      const call = registrationIn(text);
      if (call === undefined || found.has(path)) return;
      found.add(path);
      report(
        `${at(path)} runs "${call}". Remove it: the AWS Load Balancer Controller registers pods, by a TargetGroupBinding.`,
      );
    };
    for (const path of scripts) for (const text of textsAt(props, path)) search(text, true);
    for (const path of mayHold) for (const text of textsAt(props, path)) search(text, false);
    const address = found.size > 0 ? undefined : given.map((path) => handedOver(textsAt(props, path))).find(Boolean);
    if (address !== undefined)
      report(
        `It hands a target group and the IP address ${address} to code that can't be seen here. If that registers the address, remove it: the AWS Load Balancer Controller registers pods, by a TargetGroupBinding.`,
      );
    findings.end();
  },
});

const everything: Carrier = { texts: [[]] };

function at(path: string): string {
  return path.replace(/^\./, "");
}

/** The address, where a target group and an address are given together; neither alone says anything. */
function handedOver(texts: readonly Text[]): string | undefined {
  const known = texts.flatMap(({ path, text }) => (isUnknown(text) ? [path] : [path, text]));
  if (!known.some((text) => /target[-_]?group/i.test(text))) return undefined;
  const words = texts.flatMap(({ text }) => (isUnknown(text) ? [] : text.split(/[\s"',;=[\]{}]+/)));
  return words
    .map((word) => (word.includes("/") ? undefined : addressIn(word)))
    .find((address) => address !== undefined);
}
