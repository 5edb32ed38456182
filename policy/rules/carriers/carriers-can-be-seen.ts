import { matchesAny } from "../../lib/glob";
import { isUnknown } from "../../lib/known";
import { leavesAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { assetText } from "../../lib/texts";
import { carrierOf } from "./carriers";

interface Config {
  allowedSources: string[];
}

/** What no policy can see is listed, so that somebody looks: like the closed boxes of `moorings check`, in previews too. */
export const carriersCanBeSeen = resourceRule<Config>({
  name: "carriers-can-be-seen",
  displayName: "What acts can be seen by policies",
  description:
    "What acts must be seen by policies, or reviewed by somebody: a template by its URL, a Helm release, a product, a function's package or a dynamic provider " +
    "can register load balancer targets, and no policy sees what is in it. The rule lists them, and finds no fault.",
  severity: "medium",
  enforcementLevel: "advisory",
  certainOnly: true,
  tags: ["load-balancing", "availability"],
  remediationSteps: `Look whether it registers targets (\`RegisterTargets\`, \`Targets\` of a target group, Endpoints). If it doesn't, allow its source:

\`\`\`json
{ "carriers-can-be-seen": { "allowedSources": ["https://templates.example.com/reviewed/*", "ingress-nginx"] } }
\`\`\`

Or write it so that policies see it, such as a chart whose objects are resources of the stack:

\`\`\`ts
new kubernetes.helm.v4.Chart("shop", { chart: "shop", repositoryOpts: { repo: "https://charts.example.com" } });
\`\`\`

Set \`enforcementLevel\` to \`mandatory\` to refuse what nobody has reviewed, or to \`disabled\` to hear nothing of it.`,
  configSchema: {
    properties: {
      allowedSources: {
        type: "array",
        items: { type: "string" },
        default: ["aws-load-balancer-controller", "karpenter", "karpenter-crd", "oci://public.ecr.aws/karpenter/*"],
        description:
          "Where what acts may come from without being listed: charts, URLs, products, function packages (`bucket key` or image), for a dynamic provider its type; `*` stands for any text. By default the charts of the controllers that Moorings installs.",
      },
    },
  },
  appliesTo: (type) => {
    const carrier = carrierOf(type);
    return carrier?.elsewhere !== undefined || carrier?.unseen !== undefined;
  },
  check: ({ type, props }, report, { allowedSources }) => {
    const { elsewhere = [], unseen } = carrierOf(type)!;
    if (unseen !== undefined && !matchesAny(type, allowedSources))
      report(`${unseen}. Review it, then allow it: "allowedSources": ["${type}"].`);
    for (const { path, value } of elsewhere.flatMap((path) => leavesAt(props, path))) {
      const source = sourceOf(value);
      if (source === undefined || matchesAny(source, allowedSources)) continue;
      report(
        source === ""
          ? `${path} names something that isn't here, and isn't known yet. Review it.`
          : `${path} names what isn't here: ${source}. Review it, then allow it: "allowedSources": ["${source}"].`,
      );
    }
  },
});

/** What a value names that is somewhere else: empty where it isn't known or has no name, undefined if all is here. */
function sourceOf(value: unknown): string | undefined {
  if (isUnknown(value)) return "";
  // A signature in a query is a credential.
  if (typeof value === "string") return value.replace(/\?[^]*/, "");
  const text = assetText(value);
  if (text === undefined) return typeof value === "object" ? "" : undefined;
  // After the text of a promise may stand its number, where somebody in the process follows asynchronous calls.
  const away = /(?:File|Remote)(?:Asset|Archive) \{ __pulumi\w+: true, (?:path|uri): Promise \{ (['"`])(.*?)\1/.exec(
    text,
  );
  return away?.[2]?.replace(/\?[^]*/, "");
}
