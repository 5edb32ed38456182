/** A namespace, and the names of it that are sent; none for all. */
export interface MetricFilter {
  readonly namespace: string;
  readonly metricNames: readonly string[];
}

/** What the first outage lacked outside of CloudWatch: how many hosts are healthy, and whether requests go to unhealthy ones. */
const always: Readonly<Record<string, readonly string[]>> = {
  "AWS/ApplicationELB": ["HealthyHostCount", "UnHealthyHostCount", "UnhealthyRoutingRequestCount"],
  "AWS/NetworkELB": ["HealthyHostCount", "UnHealthyHostCount", "UnhealthyRoutingFlowCount"],
};

/** Most namespaces and names of a stream's filters, counted together (CloudWatch API reference, MetricStreamFilter). */
const mostNames = 1000;

/** The filters of a stream: what is always sent, and what else is wanted. */
export function metricFilters(further: Readonly<Record<string, readonly string[]>> = {}): MetricFilter[] {
  return Object.entries({ ...always, ...further }).map(([namespace, wanted]) => ({
    namespace,
    // No name is all of them.
    metricNames: wanted.length === 0 ? [] : [...new Set([...(always[namespace] ?? []), ...wanted])],
  }));
}

/**
 * Namespaces of AWS that go with what this library makes, by their last part ("AWS services that publish CloudWatch metrics"). A stream takes any
 * text for one, and sends nothing.
 */
const awsNamespaces: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "AWS/ApplicationELB",
    "AWS/AutoScaling",
    "AWS/CertificateManager",
    "AWS/CloudFront",
    "AWS/EBS",
    "AWS/EC2",
    "AWS/ECS",
    "AWS/EFS",
    "AWS/EKS",
    "AWS/ELB",
    "AWS/Firehose",
    "AWS/GatewayELB",
    "AWS/Kafka",
    "AWS/Kinesis",
    "AWS/Lambda",
    "AWS/Logs",
    "AWS/NATGateway",
    "AWS/NetworkELB",
    "AWS/RDS",
    "AWS/Route53",
    "AWS/S3",
    "AWS/SNS",
    "AWS/SQS",
    "AWS/TransitGateway",
    "AWS/WAFV2",
  ].map((namespace) => [namespace.toLowerCase(), namespace]),
);

/** What a namespace of AWS's own is really called, if it is written another way. */
function rightSpelling(namespace: string): string | undefined {
  const written = namespace.toLowerCase();
  const right = awsNamespaces[written] ?? awsNamespaces[`aws/${written}`];
  return right === namespace ? undefined : right;
}

/** What is wrong with further metrics, or undefined. */
export function filterProblem(further: Readonly<Record<string, readonly string[]>>): string | undefined {
  const bad = Object.keys(further).find((namespace) => namespace === "" || namespace.startsWith(":"));
  if (bad !== undefined)
    return `has the namespace "${bad}", which is none: write it as CloudWatch shows it, such as AWS/EC2`;
  for (const namespace of Object.keys(further)) {
    const right = rightSpelling(namespace);
    if (right !== undefined)
      return `has the namespace "${namespace}", which CloudWatch doesn't have, so nothing would be sent: write "${right}"`;
  }
  const empty = Object.entries(further).find(([, names]) => names.includes(""));
  if (empty !== undefined) return `has a metric without a name in ${empty[0]}`;
  const names = metricFilters(further).reduce((sum, { metricNames }) => sum + 1 + metricNames.length, 0);
  return names <= mostNames
    ? undefined
    : `makes ${names} namespaces and names with those that are always sent; CloudWatch takes ${mostNames}: name fewer, or the whole namespace by an empty list`;
}
