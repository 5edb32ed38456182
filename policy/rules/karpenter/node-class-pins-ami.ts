import { matchesAny } from "../../lib/glob";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, itemsAt, type Properties } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings, type UnknownValuesConfig } from "../../lib/unknown-values";
import { isNodeClassType } from "./node-pools";

interface Config extends UnknownValuesConfig {
  allowedSsmParameters: string[];
  allowSelectionByTags: boolean;
}

/** Karpenter replaces every node whose image isn't the selected one any more (drift): the selector decides when. */
export const nodeClassPinsAmi = resourceRule<Config>({
  name: "node-class-pins-ami",
  displayName: "Node images are pinned",
  description:
    "An EC2NodeClass must name one machine image: whatever follows the newest one (@latest, a recommended SSM parameter, a name with " +
    "a wildcard, tags) replaces all nodes on the day somebody publishes an image, without a pull request and without a way back.",
  severity: "high",
  tags: ["karpenter", "availability"],
  remediationSteps: `Pin the image, and move the pin in a pull request, in one environment after the other:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-node-class", {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "web" },
  spec: {
    amiSelectorTerms: [{ alias: "al2023@v20250801" }], // or bottlerocket@v1.46.0, or { id: "ami-0123456789abcdef0" }
    // ...
  },
});
\`\`\`

Pinned are: an alias with a version, an id, a whole name, an SSM parameter with its version (\`/acme/eks/ami:7\`), and one below
\`/aws/service/\` whose path names a release. If a pipeline of your own moves the image on purpose, through a parameter or through tags,
say so in \`allowedSsmParameters\` or \`allowSelectionByTags\`. Windows images have only \`@latest\`: exempt their node class.`,
  configSchema: {
    properties: {
      allowedSsmParameters: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "SSM parameters, by name or ARN, that may decide about the image; `*` stands for any text.",
      },
      allowSelectionByTags: {
        type: "boolean",
        default: false,
        description: "Whether a term with nothing but tags (and an owner) may select the newest image that has them.",
      },
    },
  },
  appliesTo: isNodeClassType,
  check: (nodeClass, report, config) => {
    const findings = new Findings(report, config);
    const written = valueAt(nodeClass.props, ["spec", "amiSelectorTerms"]);
    const terms = itemsAt(nodeClass.props, ["spec", "amiSelectorTerms"]);
    if (isUnknown(written)) findings.unknown(written, "may select the newest image");
    else if (terms.length === 0 && !(isPatch(nodeClass) && written === undefined))
      report('spec.amiSelectorTerms selects nothing. Name an image: [{ alias: "al2023@v20250801" }].');
    else
      terms.forEach((term, i) => {
        const loose = isUnknown(term) ? term : looseness(term, config);
        if (isUnknown(loose)) findings.unknown(loose, "may select the newest image");
        else if (loose !== undefined)
          report(`spec.amiSelectorTerms[${i}] ${loose}. Pin it: an alias with a version (al2023@v20250801), or an id.`);
      });
    findings.end();
  },
});

/** In which way a term doesn't name one image; undefined if it does. The conditions of one term must all hold. */
function looseness(term: Properties, config: Config): string | Unknown | undefined {
  const [alias, id, parameter, name] = ["alias", "id", "ssmParameter", "name"].map((key) => stringAt(term, [key]));
  if (id !== undefined) return isUnknown(id) ? undefined : isId(id);
  const unknown = [alias, parameter, name].find(isUnknown);
  if (unknown !== undefined) return unknown;
  if (typeof alias === "string") return isVersioned(alias) ? undefined : `follows ${alias}`;
  if (typeof parameter === "string")
    return matchesAny(parameter, config.allowedSsmParameters) ? undefined : followedParameter(parameter);
  if (typeof name === "string")
    return /[*?]/.test(name) ? `takes the newest image whose name matches ${name}` : undefined;
  return config.allowSelectionByTags ? undefined : "takes the newest image that matches its tags";
}

function isId(id: string): string | undefined {
  return /^ami-[0-9a-z]+$/.test(id) ? undefined : `has the id ${id}, which is none`;
}

function isVersioned(alias: string): boolean {
  const [, version] = /^[^@]+@(.+)$/.exec(alias) ?? [];
  return version !== undefined && version.toLowerCase() !== "latest";
}

/**
 * AWS publishes `.../recommended/image_id` and `.../latest/image_id` beside one path for each release. Any other parameter holds
 * what was last put into it, unless the name ends in a version (GetParameter: `name:version`).
 */
function followedParameter(parameter: string): string | undefined {
  if (/:\d+$/.test(parameter)) return undefined;
  const released = /(^|:parameter)\/aws\/service\//.test(parameter) && !/\/(latest|recommended)(\/|$)/.test(parameter);
  return released ? undefined : `follows the SSM parameter ${parameter}`;
}
