import type { EdgeFacts, Line, MetricOptions, MetricRow, MetricWidget, TextWidget } from "./widgets";

/** CloudWatch's names of the counts. Mind the capital H of the second. */
const counts = { healthy: "HealthyHostCount", unhealthy: "UnHealthyHostCount" } as const;
type Count = keyof typeof counts;

/** Heights in the grid. */
const [headerHeight, graphHeight] = [2, 6];

/** A header and four graphs, two beside each other. */
export function edgeWidgets(edge: EdgeFacts, region: string, y: number): (TextWidget | MetricWidget)[] {
  const graph = (column: number, row: number, title: string, metrics: MetricRow[], lines: Line[]): MetricWidget => ({
    type: "metric",
    x: column * 12,
    y: y + headerHeight + row * graphHeight,
    width: 12,
    height: graphHeight,
    properties: {
      title,
      region,
      view: "timeSeries",
      period: 60, // Elastic Load Balancing reports once a minute
      metrics,
      yAxis: { left: { min: 0 } },
      ...(lines.length > 0 && { annotations: { horizontal: lines } }),
    },
  });
  return [
    { type: "text", x: 0, y, width: 24, height: headerHeight, properties: { markdown: header(edge) } },
    graph(0, 0, "Healthy targets", healthy(edge), lines(edge)),
    graph(1, 0, "Unhealthy and registered targets", registered(edge), minimumLine(edge)),
    graph(0, 1, "Healthy targets by zone", byZone(edge), []),
    graph(
      1,
      1,
      `${edge.network ? "Connections" : "Requests"} sent to unhealthy targets (fail-open)`,
      failOpen(edge),
      [],
    ),
  ];
}

function header({ title, loadBalancer, crossZone }: EdgeFacts): string {
  const counting = crossZone
    ? "Each zone's node counts the targets of all zones."
    : "Each zone's node counts the targets of its own zone; the graphs add them up.";
  return `## ${title}\n${loadBalancer}. No line means that nothing is registered: CloudWatch then reports nothing, not 0. ${counting}`;
}

/** Lines that alarms compare with. */
function lines(edge: EdgeFacts): Line[] {
  return [
    {
      value: edge.lowThreshold,
      label: `fewer than ${edge.lowThreshold}: low-healthy-hosts`,
      color: "#d62728",
      fill: "below",
    },
    ...minimumLine(edge),
  ];
}

function minimumLine({ minReplicas }: EdgeFacts): Line[] {
  return minReplicas === undefined ? [] : [{ value: minReplicas, label: "declared minimum", color: "#ff7f0e" }];
}

/** What the node that sees fewest and the one that sees most report, and with several groups their sum, which the alarms look at. */
function healthy(edge: EdgeFacts): MetricRow[] {
  const names = Object.keys(edge.targetGroups);
  const rows = names.flatMap((name, n) => [
    ...count(edge, "healthy", name, { id: `low${n}`, stat: "Minimum", label: labelled(name, "lowest") }),
    ...count(edge, "healthy", name, { id: `high${n}`, stat: "Maximum", label: labelled(name, "highest") }),
  ]);
  if (names.length === 1) return rows;
  // A group that is switched off has no targets, and so no numbers.
  const sum = names.map((_, n) => `FILL(low${n}, 0)`).join(" + ");
  return [...rows, [{ id: "all", expression: sum, label: "all groups, lowest" }]];
}

function registered(edge: EdgeFacts): MetricRow[] {
  return Object.keys(edge.targetGroups).flatMap((name, n): MetricRow[] => [
    ...count(edge, "unhealthy", name, { id: `stale${n}`, stat: "Minimum", label: labelled(name, "unhealthy, lowest") }),
    ...count(edge, "unhealthy", name, { id: `bad${n}`, stat: "Maximum", label: labelled(name, "unhealthy, highest") }),
    ...count(edge, "healthy", name, { id: `good${n}`, stat: "Maximum", visible: false }),
    [{ id: `registered${n}`, expression: `good${n} + bad${n}`, label: labelled(name, "registered") }],
  ]);
}

/**
 * One count of one group: a series of the load balancer, or the sum over zones where each node counts its own only. The smallest of
 * sums isn't known to CloudWatch; the sum of smallest ones is what the alarms take.
 */
function count(edge: EdgeFacts, what: Count, group: string, options: MetricOptions & { id: string }): MetricRow[] {
  if (edge.crossZone) return [[...series(edge, what, group), options]];
  const { id, stat, label, visible } = options;
  const zones = edge.zones ?? [];
  const parts = zones.map((zone, z): MetricRow => [
    ...series(edge, what, group),
    "AvailabilityZone",
    zone,
    { id: `${id}z${z}`, stat, visible: false },
  ]);
  const sum = { id, expression: zones.map((_, z) => `${id}z${z}`).join(" + "), label };
  return [...parts, [visible === undefined ? sum : { ...sum, visible }]];
}

/** Zones by name, so that one that reports nothing is missed; without names, those that CloudWatch finds. */
function byZone(edge: EdgeFacts): MetricRow[] {
  return Object.entries(edge.targetGroups).flatMap(([name, group], n): MetricRow[] => {
    if (edge.zones !== undefined)
      return edge.zones.map((zone) => [
        ...series(edge, "healthy", name),
        "AvailabilityZone",
        zone,
        { stat: "Minimum", label: labelled(name, zone) },
      ]);
    const schema = `{${namespaceOf(edge)},AvailabilityZone,LoadBalancer,TargetGroup}`;
    const which = `MetricName="${counts.healthy}" LoadBalancer="${edge.loadBalancer}" TargetGroup="${group}"`;
    const search = { id: `zones${n}`, expression: `SEARCH('${schema} ${which}', 'Minimum', 60)` };
    return [[name === "" ? search : { ...search, label: name }]];
  });
}

/** Of an Application Load Balancer CloudWatch counts requests by group, of a Network Load Balancer connections of all groups together. */
function failOpen(edge: EdgeFacts): MetricRow[] {
  if (edge.network)
    return [
      [
        namespaceOf(edge),
        "UnhealthyRoutingFlowCount",
        "LoadBalancer",
        edge.loadBalancer,
        { stat: "Sum", label: "connections" },
      ],
    ];
  return Object.entries(edge.targetGroups).map(([name, group]) => [
    namespaceOf(edge),
    "UnhealthyRoutingRequestCount",
    "TargetGroup",
    group,
    "LoadBalancer",
    edge.loadBalancer,
    { stat: "Sum", label: labelled(name, "requests") },
  ]);
}

function series(edge: EdgeFacts, what: Count, group: string): [string, ...string[]] {
  const { loadBalancer, targetGroups } = edge;
  return [namespaceOf(edge), counts[what], "TargetGroup", targetGroups[group]!, "LoadBalancer", loadBalancer];
}

function namespaceOf({ network }: EdgeFacts): string {
  return network ? "AWS/NetworkELB" : "AWS/ApplicationELB";
}

function labelled(group: string, what: string): string {
  return group === "" ? what : `${group}: ${what}`;
}
