import { z } from "zod";
import { parse, type Expression } from "./expression";
import type { MetricName, Statistic } from "./metrics";
import { treatments, type Rule } from "./verdict";

/** A metric, condensed to one data point a period. */
export interface MetricQuery extends MetricName {
  readonly statistic: Statistic;
}

/** An alarm, as far as it decides when somebody is paged. */
export interface AlarmDefinition extends Rule {
  readonly name: string;
  /** Minutes that one data point stands for. */
  readonly period: number;
  readonly breaches: (value: number) => boolean;
  readonly metrics: ReadonlyMap<string, MetricQuery>;
  readonly expressions: ReadonlyMap<string, Expression>;
  /** Id of the metric or expression that is compared. */
  readonly result: string;
  readonly warmUp?: { readonly minutes: number; readonly strict: boolean };
}

const statistic = z.enum(["Minimum", "Maximum", "Average"]);
const period = z.int().multipleOf(60);
const metric = {
  namespace: z.string(),
  metricName: z.string(),
  dimensions: z.record(z.string(), z.string()),
  period,
};

const anything = z.unknown().optional();
/** The arguments of a `MetricAlarm` that are understood here. Any other is an error: it might change what the alarm does. */
const metricAlarm = z.strictObject({
  name: z.string(),
  alarmDescription: anything,
  alarmActions: anything,
  okActions: anything,
  insufficientDataActions: anything,
  actionsEnabled: z.literal(true).optional(),
  tags: anything,
  comparisonOperator: z.enum([
    "LessThanThreshold",
    "LessThanOrEqualToThreshold",
    "GreaterThanThreshold",
    "GreaterThanOrEqualToThreshold",
  ]),
  threshold: z.number(),
  evaluationPeriods: z.int().positive(),
  datapointsToAlarm: z.int().positive().optional(),
  treatMissingData: z.enum(treatments).default("missing"),
  warmUpConfiguration: z
    .strictObject({
      warmUpPeriodDurationInMinutes: z.int().min(1).max(2880),
      onlyStartEvaluatingAfterWarmUpPeriodEnds: z.boolean().default(false),
    })
    .optional(),
  ...z.object({ ...metric, statistic }).partial().shape,
  metricQueries: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z]\w*$/),
        expression: z.string().optional(),
        metric: z.strictObject({ ...metric, stat: statistic }).optional(),
        label: z.string().optional(),
        returnData: z.boolean().optional(),
      }),
    )
    .optional(),
});

const breaching = {
  LessThanThreshold: (value: number, threshold: number) => value < threshold,
  LessThanOrEqualToThreshold: (value: number, threshold: number) => value <= threshold,
  GreaterThanThreshold: (value: number, threshold: number) => value > threshold,
  GreaterThanOrEqualToThreshold: (value: number, threshold: number) => value >= threshold,
};

/** Reads the arguments of a `MetricAlarm`, and refuses what CloudWatch refuses (API reference, PutMetricAlarm). */
export function alarmOf(inputs: object): AlarmDefinition {
  const given = metricAlarm.parse(inputs);
  const refuse = (because: string): never => {
    throw new Error(`alarm ${given.name}: ${because}`);
  };
  const { evaluationPeriods, datapointsToAlarm = evaluationPeriods } = given;
  if (datapointsToAlarm > evaluationPeriods) refuse("more data points must breach than are evaluated");

  const queries = given.metricQueries ?? [plainQuery(given)];
  const metrics = new Map(
    queries.flatMap(({ id, metric: one }) => (one === undefined ? [] : [[id, { ...one, statistic: one.stat }]])),
  );
  const expressions = new Map(
    queries.flatMap(({ id, expression }) => (expression === undefined ? [] : [[id, parse(expression)]])),
  );
  if (queries.some((query) => (query.metric === undefined) === (query.expression === undefined)))
    refuse("a query is either a metric or an expression");
  if (metrics.size + expressions.size !== queries.length) refuse("an id is used twice");
  if (metrics.size > 10 || expressions.size > 10) refuse("more than ten metrics or ten expressions");
  const [returned, ...others] = queries.filter((query) => query.returnData === true);
  if (returned === undefined || others.length > 0) return refuse("not exactly one query returns data");
  const [seconds, ...different] = new Set([...metrics.values()].map((one) => one.period));
  if (seconds === undefined || different.length > 0) return refuse("its metrics have no one period");
  if (seconds * evaluationPeriods > (seconds < 3600 ? 86_400 : 604_800)) refuse("it looks back too far");

  const { threshold, comparisonOperator, warmUpConfiguration } = given;
  return {
    name: given.name,
    period: seconds / 60,
    breaches: (value) => breaching[comparisonOperator](value, threshold),
    metrics,
    expressions,
    result: returned.id,
    evaluationPeriods,
    datapointsToAlarm,
    treatMissingData: given.treatMissingData,
    warmUp: warmUpConfiguration && {
      minutes: warmUpConfiguration.warmUpPeriodDurationInMinutes,
      strict: warmUpConfiguration.onlyStartEvaluatingAfterWarmUpPeriodEnds,
    },
  };
}

type Query = NonNullable<z.output<typeof metricAlarm>["metricQueries"]>[number];

/** An alarm without metric math, as one with a single query. */
function plainQuery({ statistic: stat, ...rest }: z.output<typeof metricAlarm>): Query {
  return { id: "metric", returnData: true, metric: z.object({ ...metric, stat: statistic }).parse({ ...rest, stat }) };
}
