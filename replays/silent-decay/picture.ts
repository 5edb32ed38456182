import * as echarts from "echarts";
import { anchorNames } from "./anchors";
import { observe, ours, theirs } from "./compare";
import { dimensionsOf, namespaceOf } from "./edge/edge";
import { incidents } from "./situations/incidents";
import { simulate } from "./situations/situation";
import { day, hour, indexOf } from "./time";

/*
 * The first outage as a picture: healthy targets over two weeks, and below it when each alarm pages.
 */

const seed = 1;
const days = 14;
const [width, height] = [1000, 620];
const margin = { left: 190, right: 90 };
const ink = "#333333";
const blue = "#1f77b4";

/** A lane of pages for each alarm, ours first. The alarms look back as far as documented. */
async function lanes(): Promise<{ name: string; own: boolean; pages: readonly number[] }[]> {
  const own = await ours(incidents.fixed);
  const others = theirs(incidents.fixed);
  const seen = observe(incidents.fixed, seed, { ...own, ...others });
  return Object.entries(seen).map(([key, { documented }]) => ({
    name: anchorNames[key] ?? key,
    own: key in own,
    pages: documented.pages.filter((page) => page >= 0),
  }));
}

/** The highest count of every hour, as a dashboard of two weeks would show it. */
function healthyTargets(): [day: number, hosts: number][] {
  const { edge } = incidents.fixed;
  const name = { namespace: namespaceOf(edge), metricName: "HealthyHostCount", dimensions: dimensionsOf(edge) };
  const { settled } = simulate(incidents.fixed, seed).get(name).points("Maximum", hour);
  return Array.from({ length: days * 24 }, (_, n) => [n / 24, settled[indexOf((n + 1) * hour)] ?? 0]);
}

function soon(minutes: number): string {
  if (minutes < 2 * hour) return `after ${minutes} min`;
  return minutes < 2 * day ? `after ${Math.round(minutes / hour)} h` : `after ${(minutes / day).toFixed(1)} days`;
}

/** The picture, as SVG. */
export async function picture(): Promise<string> {
  const rows = await lanes();
  const axis = { type: "value", min: 0, max: days, interval: 1, axisLabel: { color: ink }, axisLine: { show: true } };
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    title: [
      {
        text: "Six pods registered by hand, a host replaced every two to three days: healthy targets",
        left: 12,
        top: 8,
      },
      { text: "When somebody is paged (Moorings' alarms blue, others grey)", left: 12, top: 232 },
    ].map((title) => ({ ...title, textStyle: { fontSize: 14, color: ink } })),
    grid: [
      { ...margin, top: 44, height: 150 },
      { ...margin, top: 262, height: 300 },
    ],
    xAxis: [
      { ...axis, gridIndex: 0 },
      {
        ...axis,
        gridIndex: 1,
        name: "days since the first host was replaced",
        nameLocation: "middle",
        nameGap: 30,
        nameTextStyle: { color: ink },
      },
    ],
    yAxis: [
      { type: "value", gridIndex: 0, min: 0, max: 7, interval: 1, axisLabel: { color: ink } },
      {
        type: "category",
        gridIndex: 1,
        inverse: true,
        data: rows.map(({ name }) => name),
        axisLabel: { color: ink },
        axisTick: { show: false },
        splitLine: { show: true },
      },
    ],
    series: [
      {
        type: "line",
        step: "end",
        symbol: "none",
        data: healthyTargets(),
        lineStyle: { color: blue, width: 2 },
        areaStyle: { color: blue, opacity: 0.12 },
        markLine: {
          symbol: "none",
          silent: true,
          lineStyle: { color: "#d62728" },
          label: { formatter: "outage", color: "#d62728" },
          data: [{ xAxis: incidents.fixed.outage / day }],
        },
      },
      {
        type: "scatter",
        xAxisIndex: 1,
        yAxisIndex: 1,
        symbolSize: 9,
        label: { show: true, position: "right", color: ink, fontSize: 11 },
        data: rows.flatMap(({ name, own, pages }) =>
          pages.map((page, n) => ({
            value: [page / day, name],
            itemStyle: { color: own ? blue : "#999999" },
            label: n === 0 ? { formatter: soon(page) } : { show: false },
          })),
        ),
      },
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
