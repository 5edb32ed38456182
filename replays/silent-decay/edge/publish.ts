import { Chance } from "../chance";
import { Metrics, type Reporter } from "../cloudwatch/metrics";
import { day, minutes, second, start } from "../time";
import { availabilityZones, dimensionsOf, namespaceOf, readyPods, type Edge } from "./edge";
import { zones, type Fleet } from "./fleet";
import { Tally } from "./target";

/** What CloudWatch gets to know of a fleet: a report a minute of each node of the load balancer, some late. */
export function publish(fleet: Fleet, edge: Edge, seed: number): Metrics {
  const nodes = Array.from({ length: zones }, (_, zone) => nodeReports(fleet, edge, zone, new Chance(seed, 10 + zone)));
  const metrics = new Metrics();
  const namespace = namespaceOf(edge);
  for (const [metricName, count] of [
    ["HealthyHostCount", "healthy"],
    ["UnHealthyHostCount", "unhealthy"],
  ] as const) {
    const reporters = nodes.map((node) => node[count]);
    metrics.publish({ namespace, metricName, dimensions: dimensionsOf(edge) }, reporters);
    // The zone is that of the node, not of the targets.
    reporters.forEach((reporter, zone) => {
      const dimensions = { AvailabilityZone: availabilityZones[zone] ?? "", ...dimensionsOf(edge) };
      metrics.publish({ namespace, metricName, dimensions }, [reporter]);
    });
  }
  metrics.publish(readyPods, [readyReports(fleet, new Chance(seed, 20))]);
  return metrics;
}

/** The counts that the node in one zone reports. */
function nodeReports(
  fleet: Fleet,
  edge: Edge,
  zone: number,
  chance: Chance,
): Record<"healthy" | "unhealthy", Reporter> {
  const healthy = reporter(chance);
  const unhealthy = reporter(chance);
  const delay = chance.between(20 * second, 70 * second);
  // With cross-zone load balancing off a node counts the targets of its own zone; whether it reports at all is asked of the whole group.
  const all = new Tally(fleet.targets, delay);
  const counted =
    edge.zonal === true
      ? new Tally(
          fleet.targets.filter((target) => target.zone === zone),
          delay,
        )
      : all;
  const silences = fleet.silences.filter((silence) => silence.zone === zone);
  let hiccup = nextHiccup(start, chance);
  for (let index = 0; index < minutes; index++) {
    const now = start + index;
    if (now >= hiccup.until) hiccup = nextHiccup(now, chance);
    const { registered } = all.at(now);
    const counts = counted.at(now);
    if (registered === 0 || silences.some(({ from, until }) => now >= from && now < until)) continue;
    const failing = now >= hiccup.from && counts.healthy > 0 ? 1 : 0;
    healthy.values[index] = counts.healthy - failing;
    unhealthy.values[index] = counts.unhealthy + failing;
  }
  return { healthy, unhealthy };
}

/** Now and then a node's checks of one target fail for a minute or two, and nobody can tell why. */
function nextHiccup(after: number, chance: Chance): { from: number; until: number } {
  // Some two a day of three nodes; never two at one node in ten minutes, which would be no hiccup.
  const from = after + 10 + chance.wait(1.6 * day);
  return { from, until: from + chance.between(1, 2) };
}

function readyReports(fleet: Fleet, chance: Chance): Reporter {
  const reports = reporter(chance);
  const changes = [...fleet.readiness].sort((a, b) => a.at - b.at);
  let ready = 0;
  let next = 0;
  for (let index = 0; index < minutes; index++) {
    for (let change = changes[next]; change !== undefined && change.at <= start + index; change = changes[++next])
      ready += change.by;
    reports.values[index] = ready;
  }
  return reports;
}

/** Reports that aren't there yet, with how late they will be: a minute, every tenth two, every hundredth three. */
function reporter(chance: Chance): Reporter {
  const values = new Float64Array(minutes).fill(Number.NaN);
  const lags = new Uint8Array(minutes).map(() => {
    const drawn = chance.between(0, 1);
    return drawn < 0.01 ? 3 : drawn < 0.11 ? 2 : 1;
  });
  return { values, lags };
}
