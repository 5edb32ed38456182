import { edgeWidgets } from "./edge-widgets";
import type { DashboardBody, EdgeFacts, Widget } from "./widgets";

/*
 * The body of a dashboard as CloudWatch takes it ("Dashboard Body Structure and Syntax", CloudWatch API reference), from facts alone: no
 * Pulumi, nothing unknown. `edge-widgets.ts` knows what an edge looks like, `widgets.ts` how CloudWatch writes it.
 */

/** What a dashboard shows. */
export interface DashboardFacts {
  readonly region: string;
  /** Hours that the graphs show when it is opened. */
  readonly hours: number;
  readonly edges: readonly EdgeFacts[];
  /** ARNs of the alarms of all edges. */
  readonly alarmArns: readonly string[];
}

/** Columns of the grid. */
const columns = 24;

/** Most ARNs in one alarm widget ("Properties of an Alarm Status Widget Object"). */
const alarmsPerWidget = 100;

/** Alarms on top, because they say where to look; below them each edge. */
export function dashboardBody({ region, hours, edges, alarmArns }: DashboardFacts): DashboardBody {
  const widgets: Widget[] = [];
  let y = 0;
  for (let from = 0; from < alarmArns.length; from += alarmsPerWidget) {
    const alarms = alarmArns.slice(from, from + alarmsPerWidget);
    const height = 2 + Math.ceil(alarms.length / 4); // about four names beside each other
    widgets.push({
      type: "alarm",
      x: 0,
      y,
      width: columns,
      height,
      // In alarm first, and the newest of them first.
      properties: { title: "Alarms", alarms, sortBy: "stateUpdatedTimestamp" },
    });
    y += height;
  }
  for (const edge of edges) {
    const own = edgeWidgets(edge, region, y);
    widgets.push(...own);
    y = Math.max(...own.map((widget) => widget.y + widget.height));
  }
  // Periods adapt to the time that somebody looks at: minima and maxima of longer periods are right, too.
  return { start: `-PT${hours}H`, periodOverride: "auto", widgets };
}

/** Zones that a search may find: no region has more. */
const zonesFound = 10;

/** How many metrics CloudWatch reads for a widget, those that it only calculates with included. */
export function metricsOf(widget: Widget): number {
  if (widget.type !== "metric") return 0;
  const rows = widget.properties.metrics.map(([first]): number => {
    if (typeof first === "string") return 1;
    return first.expression.startsWith("SEARCH(") ? zonesFound : 0;
  });
  return rows.reduce((sum, one) => sum + one, 0);
}

/** What of a dashboard is more than CloudWatch shows ("CloudWatch service quotas", dashboards), or undefined. */
export function limitProblem(body: DashboardBody): string | undefined {
  const counts = body.widgets.map(metricsOf);
  const excesses = [
    ["widgets", body.widgets.length, 500],
    ["metrics in one widget", Math.max(0, ...counts), 500],
    ["metrics", counts.reduce((sum, one) => sum + one, 0), 2500],
  ] as const;
  const excess = excesses.find(([, count, most]) => count > most);
  if (excess === undefined) return undefined;
  const [what, count, most] = excess;
  return `make ${count} ${what}, but CloudWatch shows at most ${most} on a dashboard: make several dashboards`;
}
