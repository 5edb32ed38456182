import * as echarts from "echarts";
import { stillThere, type Recording, type Sight, type Timeline } from "../../test/support/timeline";

/*
 * What Karpenter does to pods when a freeze ends, as a picture, from a recording of the real one (test-real/karpenter): how many pods are
 * ready, and how many of the addresses that somebody might have registered by hand are still a pod's.
 */

const [width, height] = [1000, 545];
const margin = { left: 60, right: 40 };
const ink = "#333333";
const lanes = {
  bare: { name: "no PodDisruptionBudget", color: "#d62728" },
  guarded: { name: "DrainSafeDeployment's PodDisruptionBudget", color: "#1f77b4" },
} as const;

type Count = (moments: readonly Sight[]) => readonly number[];
const ready: Count = (moments) => moments.map((moment) => moment.ready.length);

/** Points of a step line from the beginning to the end of the picture: what there was last stays. */
function steps({ moments }: Timeline<Sight>, count: Count, end: number): [seconds: number, pods: number][] {
  const counts = count(moments);
  return [...moments.map(({ at }, n): [number, number] => [at, counts[n]!]), [end, counts.at(-1)!]];
}

/** The picture, as SVG. */
export function picture({ fleets, karpenter, day }: Recording): string {
  const end = Math.ceil(Math.max(...Object.values(fleets).map((fleet) => fleet.end)) / 30) * 30;
  const most = Math.max(...Object.values(fleets).flatMap(({ moments }) => ready(moments)));
  const axis = { type: "value", min: 0, max: end, interval: 30, axisLabel: { color: ink }, axisLine: { show: true } };
  const pods = { type: "value", min: 0, max: most + 1, interval: 1, axisLabel: { color: ink } };
  const line = (key: keyof typeof lanes, gridIndex: number, count: Count) => ({
    name: lanes[key].name,
    type: "line",
    step: "end",
    symbol: "none",
    xAxisIndex: gridIndex,
    yAxisIndex: gridIndex,
    data: steps(fleets[key], count, end),
    lineStyle: { color: lanes[key].color, width: 2 },
    itemStyle: { color: lanes[key].color },
  });
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  chart.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    title: [
      { text: "Six pods on nodes that Karpenter empties: how many are ready", left: 12, top: 8 },
      { text: "How many of the six addresses from the beginning are still a ready pod's", left: 12, top: 282 },
      {
        text: `Real Karpenter ${karpenter} on simulated nodes, recorded ${day}; a new pod counts as ready after 20 s.`,
        left: 12,
        top: height - 24,
        textStyle: { fontSize: 11, fontWeight: "normal", color: ink },
      },
    ].map((title) => ({ textStyle: { fontSize: 14, color: ink }, ...title })),
    legend: { left: 60, top: 34, itemGap: 24, itemWidth: 18, itemHeight: 3, icon: "rect", textStyle: { color: ink } },
    grid: [
      { ...margin, top: 68, height: 170 },
      { ...margin, top: 316, height: 150 },
    ],
    xAxis: [
      { ...axis, gridIndex: 0 },
      {
        ...axis,
        gridIndex: 1,
        name: "seconds since the freeze ended",
        nameLocation: "middle",
        nameGap: 26,
        nameTextStyle: { color: ink },
      },
    ],
    yAxis: [
      { ...pods, gridIndex: 0 },
      { ...pods, gridIndex: 1 },
    ],
    series: [
      line("bare", 0, ready),
      line("guarded", 0, ready),
      line("bare", 1, stillThere),
      line("guarded", 1, stillThere),
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
