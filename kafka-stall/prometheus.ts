import type { DetectorMetrics } from "./detector";

interface Family {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  readonly samples: readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];
}

/** Prometheus' text format 0.0.4, of any number of clients by their names. */
export function prometheusText(clients: ReadonlyMap<string, DetectorMetrics>): string {
  const all = [...clients].sort(([one], [other]) => (one < other ? -1 : 1));
  const each = (valueOf: (metrics: DetectorMetrics) => number): Family["samples"] =>
    all.map(([client, metrics]) => [{ client }, valueOf(metrics)]);
  const families: Family[] = [
    {
      name: "kafka_stall_detector_up",
      type: "gauge",
      help: "1 while the detector runs.",
      samples: [[{}, 1]],
    },
    {
      name: "kafka_client_broker_stalled",
      type: "gauge",
      help: "1 while a broker takes requests and doesn't answer, or can't be reached, and five minutes after it was last seen so.",
      samples: all.flatMap(([client, { brokers }]) =>
        brokers.flatMap(({ broker, blackHoled, unreachable }): Family["samples"] => [
          [{ client, broker, kind: "black-holed" }, Number(blackHoled)],
          [{ client, broker, kind: "unreachable" }, Number(unreachable)],
        ]),
      ),
    },
    {
      name: "kafka_client_queue_ratio",
      type: "gauge",
      help: "How full the producer's queue is, from 0 to 1.",
      samples: each(({ queueRatio }) => queueRatio),
    },
    {
      name: "kafka_client_statistics_age_seconds",
      type: "gauge",
      help: "Seconds since the client last wrote statistics.",
      samples: each(({ statisticsAgeSeconds }) => statisticsAgeSeconds),
    },
    {
      name: "kafka_client_delivery_stalled",
      type: "gauge",
      help: "1 while no broker answers at all, and five minutes after it was last seen so.",
      samples: each(({ deliveryStalled }) => Number(deliveryStalled)),
    },
    {
      name: "kafka_client_request_timeouts_total",
      type: "counter",
      help: "Requests that had no answer in time.",
      samples: each(({ requestTimeouts }) => requestTimeouts),
    },
  ];
  return families.map(familyText).join("");
}

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
