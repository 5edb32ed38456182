import type { Registration } from "./harness";

/** How long a physical name may be, and of which characters. */
interface NameRule {
  readonly longest: number;
  readonly letters: RegExp;
  /** Argument that gives the name. Defaults to `name`. */
  readonly given?: string;
}

const anything = /^./;
const word = /^[A-Za-z0-9_-]+$/;

/** Physical names that AWS takes (API references of each service). */
const inAws: Readonly<Record<string, NameRule>> = {
  "aws:cloudtrail/trail:Trail": { longest: 128, letters: /^[A-Za-z0-9._-]+$/ },
  "aws:cloudwatch/dashboard:Dashboard": { longest: 255, letters: word, given: "dashboardName" },
  "aws:cloudwatch/eventRule:EventRule": { longest: 64, letters: /^[A-Za-z0-9._-]+$/ },
  "aws:cloudwatch/metricAlarm:MetricAlarm": { longest: 255, letters: anything },
  "aws:iam/instanceProfile:InstanceProfile": { longest: 128, letters: /^[\w+=,.@-]+$/ },
  "aws:iam/policy:Policy": { longest: 128, letters: /^[\w+=,.@-]+$/ },
  "aws:iam/role:Role": { longest: 64, letters: /^[\w+=,.@-]+$/ },
  "aws:kms/alias:Alias": { longest: 256, letters: /^alias\/[A-Za-z0-9/_-]+$/ },
  "aws:lb/loadBalancer:LoadBalancer": { longest: 32, letters: /^[A-Za-z0-9-]+$/ },
  "aws:lb/targetGroup:TargetGroup": { longest: 32, letters: /^[A-Za-z0-9-]+$/ },
  "aws:cloudwatch/logGroup:LogGroup": { longest: 512, letters: /^[A-Za-z0-9._/#-]+$/ },
  "aws:sns/topic:Topic": { longest: 256, letters: word },
  "aws:sqs/queue:Queue": { longest: 80, letters: word },
  "aws:ec2/launchTemplate:LaunchTemplate": { longest: 128, letters: /^[A-Za-z0-9().\-/_]+$/ },
  "aws:eks/nodeGroup:NodeGroup": { longest: 63, letters: word, given: "nodeGroupName" },
  "aws:ec2/securityGroup:SecurityGroup": { longest: 255, letters: /^[A-Za-z0-9 ._\-:/()#,@[\]+=&;{}!$*]+$/ },
  "aws:s3/bucket:Bucket": { longest: 63, letters: /^[a-z0-9][a-z0-9.-]+$/, given: "bucket" },
};

/** AWS types that have no physical name, or take it from what they belong to. */
const nameless =
  /^aws:(acm|route53|vpc|wafv2|s3\/bucket[A-Z]|eks\/(addon|accessEntry|accessPolicy|podIdentity)|iam\/(rolePolicy|openId)|kms\/key|sns\/topic[A-Z]|sqs\/queue[A-Z]|lb\/listener|cloudwatch\/eventTarget|ec2\/(flowLog|vpcEndpoint|defaultSecurityGroup))/;

const dnsSubdomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** What Pulumi adds to names that it makes: a hyphen and seven characters for AWS, eight for Kubernetes. */
const suffix = { aws: "-1a2b3c4", kubernetes: "-1a2b3c4d" };

/** Which physical names AWS, Helm or Kubernetes would refuse. A type that isn't known here is a problem, too. */
export function nameProblems(resources: readonly Registration[]): string[] {
  return resources.flatMap((r) => {
    const [provider] = r.type.split(":");
    const problem =
      provider === "aws" ? problemInAws(r) : provider === "kubernetes" ? problemInKubernetes(r) : undefined;
    return problem === undefined ? [] : [`${r.type} ${r.name}: ${problem}`];
  });
}

function problemInAws(r: Registration): string | undefined {
  const rule = inAws[r.type];
  if (rule === undefined)
    return nameless.test(r.type) ? undefined : "its names aren't known to test/support/physical-names.ts";
  const given = r.inputs[rule.given ?? "name"];
  return judged(typeof given === "string" ? given : r.name + suffix.aws, rule);
}

function problemInKubernetes(r: Registration): string | undefined {
  const { name: given, namespace } =
    r.type === "kubernetes:helm.sh/v3:Release"
      ? { name: r.inputs["name"], namespace: r.inputs["namespace"] }
      : ((r.inputs["metadata"] as { name?: unknown; namespace?: unknown } | undefined) ?? {});
  // Helm cuts its releases' names at 53; made-up names become values of labels, given ones needn't.
  const longest = r.type.startsWith("kubernetes:helm.sh/") ? 53 : given === undefined ? 63 : 253;
  return (
    judged(typeof given === "string" ? given : r.name + suffix.kubernetes, { longest, letters: dnsSubdomain }) ??
    (typeof namespace === "string" ? judged(namespace, { longest: 63, letters: dnsSubdomain }) : undefined)
  );
}

function judged(name: string, { longest, letters }: NameRule): string | undefined {
  if (name.length > longest) return `"${name}" has ${name.length} characters, and ${longest} are allowed`;
  return letters.test(name) ? undefined : `"${name}" has characters that aren't allowed`;
}
