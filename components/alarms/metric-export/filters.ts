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
  return Object.entries({ ...always, ...further }).map(([namespace, metricNames]) => ({ namespace, metricNames }));
}

/** What is wrong with further metrics, or undefined. */
export function filterProblem(further: Readonly<Record<string, readonly string[]>>): string | undefined {
  const bad = Object.keys(further).find((namespace) => namespace === "" || namespace.startsWith(":"));
  if (bad !== undefined)
    return `has the namespace "${bad}", which is none: write it as CloudWatch shows it, such as AWS/EC2`;
  const empty = Object.entries(further).find(([, names]) => names.includes(""));
  if (empty !== undefined) return `has a metric without a name in ${empty[0]}`;
  const names = metricFilters(further).reduce((sum, { metricNames }) => sum + 1 + metricNames.length, 0);
  return names <= mostNames
    ? undefined
    : `makes ${names} namespaces and names with those that are always sent; CloudWatch takes ${mostNames}: name fewer, or the whole namespace by an empty list`;
}
