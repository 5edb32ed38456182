import { AlarmSeverity, quarterOfAnHour, type ScrapedAlarm } from "../alarms";
import type { KafkaClientAlarmOverrides } from "./alarms-args";

/** The alarms on clients, by the key that overrides, ARNs and names are given under. */
export type ClientAlarmKey = keyof KafkaClientAlarmOverrides;

/** The detector has waited before it says something: a minute more, in case a scrape fails. */
const said = {
  period: 60,
  datapointsToAlarm: 2,
  evaluationPeriods: 3,
  statistic: "Maximum",
  comparison: "GreaterThanOrEqualToThreshold",
  missingData: "notBreaching",
  warmsUp: false,
} as const;

/**
 * What each alarm measures of what the stall detector says. With the client profile a client gives a dead broker up by itself, so that a page means
 * that it didn't. Absence pages once: by the detector's heartbeat.
 */
export function clientAlarms(target: string): Readonly<Record<ClientAlarmKey, ScrapedAlarm>> {
  return {
    clientBrokerStalled: {
      ...said,
      target,
      suffix: "client-broker-stalled",
      severity: AlarmSeverity.Page,
      metric: "kafka_client_broker_stalled",
      threshold: 1,
      happened:
        "A client of Kafka has waited for a broker that doesn't answer, and not given it up, for 2 minutes beyond its own limits. " +
        "Visitors see errors when its queue is full.",
    },
    clientQueueHalfFull: {
      ...said,
      target,
      suffix: "client-queue-half-full",
      severity: AlarmSeverity.Page,
      metric: "kafka_client_queue_ratio",
      threshold: 0.5,
      happened:
        "The queue of a client of Kafka has been half full for 2 minutes. A full one takes no message for any broker: visitors see errors then.",
    },
    clientDeliveryStalled: {
      ...said,
      target,
      suffix: "client-delivery-stalled",
      severity: AlarmSeverity.Page,
      metric: "kafka_client_delivery_stalled",
      threshold: 1,
      happened:
        "Messages of a client of Kafka wait, and none has been delivered for 2 minutes. Visitors see errors when its queue is full, or the messages' " +
        "time is over and they are lost.",
    },
    clientRequestTimeouts: {
      ...said,
      ...quarterOfAnHour,
      target,
      suffix: "client-request-timeouts",
      severity: AlarmSeverity.Ticket,
      metric: "kafka_client_request_timeouts_total",
      statistic: "Sum",
      threshold: 1,
      happened:
        "Requests of a client of Kafka have timed out again and again for 15 minutes; the loss of a broker gives some within one minute only. " +
        "Visitors may see slow answers.",
    },
    clientStatisticsMissing: {
      ...said,
      target,
      datapointsToAlarm: 3,
      evaluationPeriods: 5,
      suffix: "client-statistics-missing",
      severity: AlarmSeverity.Page,
      metric: "kafka_client_statistics_age_seconds",
      threshold: 60,
      happened:
        "A client of Kafka has written no statistics for 3 minutes: it hangs, or doesn't poll, and then delivers nothing either. " +
        "Visitors may see errors.",
    },
    stallDetectorSilent: {
      target,
      ...quarterOfAnHour,
      suffix: "stall-detector-silent",
      severity: AlarmSeverity.Page,
      metric: "kafka_stall_detector_up",
      statistic: "SampleCount",
      comparison: "LessThanThreshold",
      threshold: 1,
      missingData: "breaching",
      warmsUp: true,
      happened:
        "Nothing has been heard of a client's stall detector for 15 minutes: the client is away with it, or isn't scraped. " +
        "Visitors see errors if the client is away.",
    },
  };
}
