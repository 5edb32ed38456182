import * as echarts from "echarts";
import type { Recording, Second } from "./recording";

/*
 * A broker whose packets vanish, as three clients see it that send through it at the same time: what waits in each, what is acknowledged, and
 * to whom the client with the profile sends.
 */

const [width, height] = [1000, 760];
const margin = { left: 60, right: 40 };
const ink = "#333333";
const clients = {
  profile: { name: "kafkaClientProfile", color: "#1f77b4" },
  defaults: { name: "librdkafka's defaults", color: "#d62728" },
  keepalive: { name: "defaults and keepalive", color: "#ff7f0e" },
} as const;
const brokers = { "100": "#2ca02c", "101": "#7f7f7f", "102": "#9467bd" } as const;

/** The picture, as SVG. */
export function picture(recording: Recording): string {
  const end = Math.ceil((recording.ended + 5) / 5) * 5;
  const axis = { type: "value", min: -5, max: end, interval: 5, axisLabel: { color: ink }, axisLine: { show: true } };
  const amount = { type: "value", min: 0, axisLabel: { color: ink } };
  const fault = {
    silent: true,
    itemStyle: { color: "rgba(0, 0, 0, 0.06)" },
    data: [[{ xAxis: 0 }, { xAxis: recording.ended }]],
  };
  const line = (name: string, color: string, grid: number, data: readonly (readonly [number, number])[]) => ({
    name,
    type: "line",
    symbol: "none",
    xAxisIndex: grid,
    yAxisIndex: grid,
    data,
    lineStyle: { color, width: 2 },
    itemStyle: { color },
    markArea: fault,
  });
  const ofClient = (grid: number, value: (second: Second) => number) =>
    Object.entries(clients).map(([key, { name, color }]) =>
      line(
        name,
        color,
        grid,
        recording.clients[key as keyof typeof clients].map((second) => [second.at, value(second)] as const),
      ),
    );
  const ofBrokers = Object.entries(brokers).map(([id, color]) =>
    line(
      `to broker ${id}`,
      color,
      2,
      recording.clients.profile.map((second) => [second.at, second.sent[id] ?? 0] as const),
    ),
  );
  const chart = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  const legend = { left: 60, itemGap: 24, itemWidth: 18, itemHeight: 3, icon: "rect", textStyle: { color: ink } };
  chart.setOption({
    animation: false,
    backgroundColor: "#ffffff",
    title: [
      { text: "Messages that wait in each client while broker 101 is a black hole (grey)", left: 12, top: 8 },
      { text: "Messages acknowledged per second", left: 12, top: 282 },
      { text: "Requests per second of the client with the profile", left: 12, top: 492 },
      {
        text: `Apache Kafka ${recording.kafka}, librdkafka ${recording.librdkafka}, recorded ${recording.day}; 100 messages of 1 kB per second and client, 24 partitions.`,
        left: 12,
        top: height - 24,
        textStyle: { fontSize: 11, fontWeight: "normal", color: ink },
      },
    ].map((title) => ({ textStyle: { fontSize: 14, color: ink }, ...title })),
    legend: [
      { ...legend, top: 34, data: Object.values(clients).map(({ name }) => name) },
      { ...legend, top: 516, data: Object.keys(brokers).map((id) => `to broker ${id}`) },
    ],
    grid: [
      { ...margin, top: 68, height: 170 },
      { ...margin, top: 316, height: 130 },
      { ...margin, top: 546, height: 130 },
    ],
    xAxis: [
      { ...axis, gridIndex: 0 },
      { ...axis, gridIndex: 1 },
      {
        ...axis,
        gridIndex: 2,
        name: "seconds since the fault began",
        nameLocation: "middle",
        nameGap: 26,
        nameTextStyle: { color: ink },
      },
    ],
    yAxis: [
      { ...amount, gridIndex: 0 },
      { ...amount, gridIndex: 1 },
      { ...amount, gridIndex: 2 },
    ],
    series: [...ofClient(0, ({ queue }) => queue), ...ofClient(1, ({ acknowledged }) => acknowledged), ...ofBrokers],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return `${svg}\n`;
}
