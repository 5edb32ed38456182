import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import Ajv from "ajv";
import { dashboardBody, limitProblem, metricsOf } from "../../../../components/alarms/dashboard/dashboard-body";
import type { EdgeFacts, MetricWidget, Widget } from "../../../../components/alarms/dashboard/widgets";

const schema = JSON.parse(
  readFileSync(resolve(__dirname, "../../../fixtures/facts/dashboard-body.schema.json"), "utf8"),
) as object;
const ajv = new Ajv({ strict: false, allErrors: true });
const documented = ajv.compile(schema);

const web: EdgeFacts = {
  title: "web",
  network: false,
  loadBalancer: "app/edge/50dc6c495c0c9188",
  targetGroups: { "": "targetgroup/web/73e2d6bc24d8a067" },
  zones: ["eu-west-1a", "eu-west-1b"],
  crossZone: true,
  minReplicas: 6,
  lowThreshold: 2,
};
const arn = (name: string) => `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`;
const body = (edges: readonly EdgeFacts[], alarmArns: readonly string[] = []) =>
  dashboardBody({ region: "eu-west-1", hours: 24, edges, alarmArns });

const isMetric = (widget: Widget): widget is MetricWidget => widget.type === "metric";
/** The graph of this title. */
function graph(title: string, edge: EdgeFacts = web): MetricWidget["properties"] {
  const found = body([edge])
    .widgets.filter(isMetric)
    .filter((widget) => widget.properties.title === title);
  expect(found).toHaveLength(1);
  return found[0]!.properties;
}

const group = ["TargetGroup", "targetgroup/web/73e2d6bc24d8a067", "LoadBalancer", "app/edge/50dc6c495c0c9188"];

describe("an Application Load Balancer", () => {
  test("healthy hosts as the most pessimistic and the most optimistic node sees them, with the lines that alarms compare with", () => {
    const { metrics, annotations, period, region } = graph("Healthy targets");
    expect(metrics.slice(0, 2)).toEqual([
      ["AWS/ApplicationELB", "HealthyHostCount", ...group, { id: "low0", stat: "Minimum", label: "lowest" }],
      ["AWS/ApplicationELB", "HealthyHostCount", ...group, { id: "high0", stat: "Maximum", label: "highest" }],
    ]);
    expect(metrics).toHaveLength(2);
    expect(annotations?.horizontal.map(({ value, label }) => [value, label])).toEqual([
      [2, "fewer than 2: low-healthy-hosts"],
      [6, "declared minimum"],
    ]);
    expect([period, region]).toEqual([60, "eu-west-1"]);
  });

  test("unhealthy ones, and how many are registered: healthy and unhealthy together", () => {
    const { metrics } = graph("Unhealthy and registered targets");
    // The capital H of the second word is CloudWatch's: UnhealthyHostCount doesn't exist.
    expect(metrics).toEqual([
      [
        "AWS/ApplicationELB",
        "UnHealthyHostCount",
        ...group,
        { id: "stale0", stat: "Minimum", label: "unhealthy, lowest" },
      ],
      [
        "AWS/ApplicationELB",
        "UnHealthyHostCount",
        ...group,
        { id: "bad0", stat: "Maximum", label: "unhealthy, highest" },
      ],
      ["AWS/ApplicationELB", "HealthyHostCount", ...group, { id: "good0", stat: "Maximum", visible: false }],
      [{ id: "registered0", expression: "good0 + bad0", label: "registered" }],
    ]);
  });

  test("each zone by its name, so that one that reports nothing is missed", () => {
    const zone = (name: string) => [
      "AWS/ApplicationELB",
      "HealthyHostCount",
      ...group,
      "AvailabilityZone",
      name,
      { stat: "Minimum", label: name },
    ];
    expect(graph("Healthy targets by zone").metrics).toEqual([zone("eu-west-1a"), zone("eu-west-1b")]);
  });

  test("without names the zones that CloudWatch finds", () => {
    const { metrics } = graph("Healthy targets by zone", { ...web, zones: undefined });
    expect(metrics).toEqual([
      [
        {
          id: "zones0",
          expression:
            'SEARCH(\'{AWS/ApplicationELB,AvailabilityZone,LoadBalancer,TargetGroup} MetricName="HealthyHostCount" ' +
            'LoadBalancer="app/edge/50dc6c495c0c9188" TargetGroup="targetgroup/web/73e2d6bc24d8a067"\', \'Minimum\', 60)',
        },
      ],
    ]);
  });

  test("fail-open by target group (ELB user guide: dimensions of UnhealthyRoutingRequestCount are TargetGroup and LoadBalancer)", () => {
    expect(graph("Requests sent to unhealthy targets (fail-open)").metrics).toEqual([
      ["AWS/ApplicationELB", "UnhealthyRoutingRequestCount", ...group, { stat: "Sum", label: "requests" }],
    ]);
  });
});

describe("a Network Load Balancer", () => {
  const nlb: EdgeFacts = { ...web, network: true, loadBalancer: "net/shop/50dc6c495c0c9188" };

  test("fail-open by load balancer alone: UnhealthyRoutingFlowCount has no series of a target group", () => {
    expect(graph("Connections sent to unhealthy targets (fail-open)", nlb).metrics).toEqual([
      [
        "AWS/NetworkELB",
        "UnhealthyRoutingFlowCount",
        "LoadBalancer",
        "net/shop/50dc6c495c0c9188",
        { stat: "Sum", label: "connections" },
      ],
    ]);
  });

  test("whose nodes count their own zone only is added up, or it would show a third of the hosts", () => {
    const { metrics } = graph("Healthy targets", { ...nlb, crossZone: false });
    expect(metrics[0]).toEqual([
      "AWS/NetworkELB",
      "HealthyHostCount",
      "TargetGroup",
      "targetgroup/web/73e2d6bc24d8a067",
      "LoadBalancer",
      "net/shop/50dc6c495c0c9188",
      "AvailabilityZone",
      "eu-west-1a",
      { id: "low0z0", stat: "Minimum", visible: false },
    ]);
    expect(metrics[2]).toEqual([{ id: "low0", expression: "low0z0 + low0z1", label: "lowest" }]);
    const registered = graph("Unhealthy and registered targets", { ...nlb, crossZone: false }).metrics;
    expect(registered).toContainEqual([
      { id: "good0", expression: "good0z0 + good0z1", label: undefined, visible: false },
    ]);
    expect(registered.at(-1)).toEqual([{ id: "registered0", expression: "good0 + bad0", label: "registered" }]);
  });
});

test("two groups of one edge are shown apart and together: one of them is empty between deployments", () => {
  const blueGreen = { ...web, targetGroups: { blue: "targetgroup/blue/1", green: "targetgroup/green/2" } };
  const { metrics } = graph("Healthy targets", blueGreen);
  expect(metrics.map((row) => (row.at(-1) as { label: string }).label)).toEqual([
    "blue: lowest",
    "blue: highest",
    "green: lowest",
    "green: highest",
    "all groups, lowest",
  ]);
  expect(metrics.at(-1)).toEqual([
    { id: "all", expression: "FILL(low0, 0) + FILL(low1, 0)", label: "all groups, lowest" },
  ]);
});

test("without a declared minimum there is no line for it", () => {
  expect(graph("Healthy targets", { ...web, minReplicas: undefined }).annotations?.horizontal).toHaveLength(1);
  expect(graph("Unhealthy and registered targets", { ...web, minReplicas: undefined })).not.toHaveProperty(
    "annotations",
  );
});

test("all alarms stand on top, those that are on first, a hundred to a widget", () => {
  const arns = Array.from({ length: 250 }, (_, n) => arn(`a${n}`));
  const { widgets } = body([web], arns);
  const shown = widgets.flatMap((widget) => (widget.type === "alarm" ? [widget.properties] : []));
  expect(shown.map(({ alarms }) => alarms.length)).toEqual([100, 100, 50]);
  expect(shown.flatMap(({ alarms }) => alarms)).toEqual(arns);
  expect(shown[0]!.sortBy).toBe("stateUpdatedTimestamp");
  expect(widgets.slice(0, 3).every(({ type }) => type === "alarm")).toBe(true);
});

const shapes: [string, EdgeFacts[], string[]][] = [
  ["one edge", [web], [arn("a")]],
  ["no alarms, found zones", [{ ...web, zones: undefined, minReplicas: undefined }], []],
  ["several edges", [web, { ...web, title: "b", network: true, crossZone: false }], [arn("a"), arn("b")]],
  ["several groups", [{ ...web, targetGroups: { a: "targetgroup/a/1", b: "targetgroup/b/2" }, crossZone: false }], []],
];

describe.each(shapes)("%s", (_, edges, arns) => {
  // As CloudWatch gets it: JSON drops what is undefined.
  const sent = JSON.parse(JSON.stringify(body(edges, arns))) as { widgets: Widget[] };

  test("is a dashboard as CloudWatch documents it", () => {
    documented(sent);
    expect(documented.errors ?? []).toEqual([]);
  });

  test("has no two widgets in one place, and none beside the grid", () => {
    const cells = sent.widgets.flatMap(({ x, y, width, height }) =>
      Array.from({ length: width * height }, (_, n) => `${x + (n % width)},${y + Math.floor(n / width)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...sent.widgets.map(({ x, width }) => x + width))).toBe(24);
  });

  test("calculates with what is in the same graph only, and names nothing twice", () => {
    for (const { properties } of sent.widgets.filter(isMetric)) {
      const options = properties.metrics.map((row) => row.at(-1) as { id?: string; expression?: string });
      const ids = options.flatMap(({ id }) => id ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      const used = options.flatMap(({ expression = "" }) =>
        expression.startsWith("SEARCH") ? [] : (expression.match(/\b[a-z]\w*\b/g) ?? []),
      );
      expect(used.filter((id) => !ids.includes(id))).toEqual([]);
    }
  });
});

test("the schema itself refuses what isn't documented", () => {
  const one = JSON.parse(JSON.stringify(body([web]))) as { widgets: { properties: Record<string, unknown> }[] };
  one.widgets[1]!.properties["annotation"] = {};
  expect(documented(one)).toBe(false);
});

// CloudWatch user guide, "CloudWatch service quotas": 500 widgets, 500 metrics in a widget and 2,500 on a dashboard, those of expressions included.
describe("CloudWatch's limits", () => {
  const many = (count: number, edge: EdgeFacts = web) =>
    Array.from({ length: count }, (_, n) => ({ ...edge, title: `e${n}` }));
  const groups = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`g${n}`, `targetgroup/g${n}/1`]));

  test("what a graph reads is counted with what it only calculates with", () => {
    const counts = body([web]).widgets.filter(isMetric).map(metricsOf);
    expect(counts).toEqual([2, 3, 2, 1]);
    expect(
      body([{ ...web, crossZone: false }])
        .widgets.filter(isMetric)
        .map(metricsOf),
    ).toEqual([4, 6, 2, 1]);
  });

  test("a hundred edges are 500 widgets, and one more is too many", () => {
    expect(limitProblem(body(many(100)))).toBeUndefined();
    expect(limitProblem(body(many(101)))).toContain("make 505 widgets, but CloudWatch shows at most 500");
    expect(limitProblem(body(many(100), [arn("a")]))).toContain("make 501 widgets");
  });

  test("166 groups are read three times each in one graph, 167 are too many", () => {
    expect(limitProblem(body([{ ...web, targetGroups: groups(166) }]))).toBeUndefined();
    expect(limitProblem(body([{ ...web, targetGroups: groups(167) }]))).toContain("make 501 metrics in one widget");
  });

  test("metrics of all graphs count together, and a search as the ten zones that it may find", () => {
    const twenty = { ...web, zones: undefined, targetGroups: groups(20) }; // 40 + 60 + 200 + 20 metrics
    expect(limitProblem(body(many(7, twenty)))).toBeUndefined();
    expect(limitProblem(body(many(8, twenty)))).toContain("make 2560 metrics, but CloudWatch shows at most 2500");
  });
});
