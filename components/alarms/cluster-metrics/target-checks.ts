import { portProblem } from "../../internal/kubernetes";
import { labelKeyProblem, labelValueProblem } from "../../internal/labels";
import { isDnsLabel, namespaceProblem } from "../../internal/object-names";
import { oneOf, type Problems } from "../../internal/validate";
import { mostDimensions, targetLabel } from "./agent-config";
import { MetricKind, type MetricsSeries, type MetricsTarget, type MetricsTargets } from "./targets";

/* What is wrong with a table of targets. Prometheus and the agent would say most of it too, but only in their logs. */

/** Names as Prometheus has them (its data model, "Metric names and labels"). */
const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const labelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Records what is wrong with each target. */
export function targetProblems(problems: Problems, argument: string, targets: MetricsTargets): void {
  for (const [name, target] of Object.entries(targets)) {
    const where = `${argument}.${name}`;
    problems.unless(
      isDnsLabel(name),
      where,
      `must have a name of lower-case letters, digits and hyphens, such as "kafka": it becomes the dimension ${targetLabel}`,
    );
    checkPods(problems, where, target);
    checkSeries(problems, where, target.series);
  }
}

function checkPods(problems: Problems, where: string, target: MetricsTarget): void {
  problems.add(`${where}.namespace`, namespaceProblem(target.namespace));
  problems.add(`${where}.port`, portProblem(target.port));
  problems.unless(
    target.path?.startsWith("/") ?? true,
    `${where}.path`,
    `must begin with /, as in /metrics, not be "${target.path ?? ""}"`,
  );
  const labels = Object.entries(target.podLabels);
  problems.unless(
    labels.length > 0,
    `${where}.podLabels`,
    "must name a label: without one, every pod would be scraped",
  );
  for (const [key, value] of labels)
    problems.add(`${where}.podLabels["${key}"]`, labelKeyProblem(key) ?? labelValueProblem(value));
}

function checkSeries(problems: Problems, where: string, all: readonly MetricsSeries[]): void {
  problems.unless(all.length > 0, `${where}.series`, "must name what is kept of the target's metrics");
  const seen = new Set<string>();
  all.forEach((series, index) => {
    const at = `${where}.series[${index}]`;
    problems.add(`${at}.kind`, oneOf(MetricKind, series.kind));
    problems.unless(series.metrics.length > 0, `${at}.metrics`, "must name a metric");
    for (const name of series.metrics) {
      problems.add(`${at}.metrics`, metricProblem(name, series.kind));
      problems.unless(!seen.has(name), `${at}.metrics`, `names ${name} twice: give it all its dimensions in one place`);
      seen.add(name);
    }
    for (const [label, values] of Object.entries(series.only ?? {}))
      problems.unless(
        labelName.test(label) && values.length > 0 && values.every((value) => value !== "" && !value.includes(";")),
        `${at}.only.${label}`,
        "must be a label and the values that are kept, without ;",
      );
    series.dimensions?.forEach((labels, set) =>
      checkDimensions(problems, `${at}.dimensions[${set}]`, Object.entries(labels)),
    );
    problems.unless(series.dimensions?.length !== 0, `${at}.dimensions`, "must have a set, such as {}, or be left out");
  });
}

function metricProblem(name: string, kind: MetricKind): string | undefined {
  if (!metricName.test(name)) return `must be names of metrics, without patterns, not "${name}"`;
  if (name === "up" || name.startsWith("scrape_"))
    return `can't have ${name}: the agent drops what Prometheus says of its own scrapes; take a gauge of the target`;
  // Names like ..._count are also those of plain gauges: whoever says so knows.
  if (name.endsWith("_bucket") || (kind !== MetricKind.Gauge && /_(sum|count)$/.test(name)))
    return `can't have ${name}, a part of a histogram: the agent drops those, and an alarm on it would never fire; take a counter or a gauge`;
  return undefined;
}

function checkDimensions(problems: Problems, where: string, labels: [string, number][]): void {
  problems.unless(
    labels.length < mostDimensions,
    where,
    `has ${labels.length} labels; with ${targetLabel} the agent takes ${mostDimensions} dimensions`,
  );
  for (const [label, values] of labels) {
    problems.unless(
      labelName.test(label) && label !== targetLabel,
      `${where}.${label}`,
      `must be a label of the metric; ${targetLabel} is always there`,
    );
    problems.unless(
      Number.isInteger(values) && values >= 1,
      `${where}.${label}`,
      `must be the number of values that you expect, at least 1, not ${values}`,
    );
  }
}

/** Why an alarm can't take a gauge of a target as a sign of life, or undefined. */
export function heartbeatProblem(targets: MetricsTargets, target: string, metric: string): string | undefined {
  const own = Object.hasOwn(targets, target) ? targets[target] : undefined;
  const found = own?.series.find(({ metrics }) => metrics.includes(metric));
  if (found === undefined)
    return `must name a target and one of its metrics: there is no ${metric} of ${target} among ${Object.keys(targets).join(", ") || "no targets"}`;
  const whole = found.dimensions === undefined || found.dimensions.some((labels) => Object.keys(labels).length === 0);
  return found.kind === MetricKind.Gauge && found.only === undefined && whole
    ? undefined
    : `must be a gauge with the dimensions {} and without only, so that it is there as long as a pod is: ${metric} of ${target} isn't`;
}
