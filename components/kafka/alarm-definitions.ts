import { AlarmSeverity, quarterOfAnHour, type ScrapedAlarm } from "../alarms";
import type { KafkaAlarmOverrides, KafkaWatched } from "./alarms-args";
import { targetNames } from "./metrics-targets";

/** Alarms that each broker has of its own. */
export type BrokerAlarmKey = "brokerSilent" | "diskFilling" | "diskNearlyFull";
/** Alarms on the whole cluster, by the key that overrides, ARNs and names are given under. */
export type ClusterAlarmKey = Exclude<keyof KafkaAlarmOverrides, BrokerAlarmKey>;

/** Something that must not be: without a sample nothing is said, and that nothing is said has an alarm of its own. */
const atLeastOne = {
  comparison: "GreaterThanOrEqualToThreshold",
  threshold: 1,
  missingData: "notBreaching",
  warmsUp: false,
} as const;

/** Whoever writes or reads already gets errors: minutes, of which two may be missing or good. */
const minutes = { period: 60, datapointsToAlarm: 3, evaluationPeriods: 5 };

/** Seconds of a day. */
const day = 86_400;

/**
 * The share of controllers that lead from which on more than one does. With one leader the share is highest when only a majority is left to be
 * counted, 1 of 2 (of 3) or 1 of 3 (of 5); two leaders have the lowest share when all are there, 2 of 3 or 2 of 5. Half-way between.
 */
export function severalShare(controllers: number): number {
  const majority = Math.floor(controllers / 2) + 1;
  return Math.round(((1 / majority + 2 / controllers) / 2) * 1000) / 1000;
}

/**
 * What each alarm on the whole cluster measures. Pages are for what clients feel, for what leaves nobody in charge, and for a broker that doesn't
 * come back by itself: the next loss would stop writes, and drains wait meanwhile.
 */
export function clusterAlarms(kafka: KafkaWatched): Readonly<Record<ClusterAlarmKey, ScrapedAlarm>> {
  const names = targetNames(kafka);
  const ofBrokers = { target: names.brokers };
  const ofControllers = { target: names.controllers };
  const ofCertificates = { target: names.certificates, ...quarterOfAnHour };
  const listeners = kafka.brokerIds.length * 2 + kafka.controllers;
  return {
    partitionsOffline: {
      ...ofControllers,
      ...minutes,
      ...atLeastOne,
      suffix: "partitions-offline",
      severity: AlarmSeverity.Page,
      metric: "kafka_offline_partitions",
      statistic: "Maximum",
      happened:
        "Partitions of Kafka have had no leader for 3 minutes: nobody reads or writes them. Visitors see errors, or what they sent waits.",
    },
    partitionsUnderMinIsr: {
      ...ofBrokers,
      ...minutes,
      ...atLeastOne,
      suffix: "partitions-under-min-isr",
      severity: AlarmSeverity.Page,
      metric: "kafka_under_min_isr_partitions",
      statistic: "Maximum",
      happened:
        "Partitions of Kafka have refused writes for 3 minutes: fewer copies are in sync than an acknowledgment needs. " +
        "Visitors see errors once the queues of producers are full.",
    },
    noActiveController: {
      ...ofControllers,
      ...quarterOfAnHour,
      suffix: "no-active-controller",
      severity: AlarmSeverity.Page,
      metric: "kafka_active_controllers",
      statistic: "Maximum",
      comparison: "LessThanThreshold",
      threshold: 1,
      // The one page for a Kafka of which nothing is heard at all.
      missingData: "breaching",
      warmsUp: true,
      happened:
        "No controller of Kafka has led for 15 minutes, or nothing is heard of any. Brokers go on serving, but one that is lost now stops every " +
        "partition: visitors see errors then.",
    },
    severalActiveControllers: {
      ...ofControllers,
      ...quarterOfAnHour,
      datapointsToAlarm: 2,
      evaluationPeriods: 2,
      suffix: "several-active-controllers",
      severity: AlarmSeverity.Page,
      metric: "kafka_active_controllers",
      // A sum depends on how often was scraped, and the highest value is 1 with one leader or two.
      statistic: "Average",
      comparison: "GreaterThanOrEqualToThreshold",
      threshold: severalShare(kafka.controllers),
      missingData: "notBreaching",
      warmsUp: false,
      happened:
        "More than one controller of Kafka has said for 10 minutes that it leads. Topics and access rules may be changed by one and not by the " +
        "other: visitors may see errors.",
    },
    uncleanElection: {
      ...ofControllers,
      ...atLeastOne,
      period: 300,
      datapointsToAlarm: 1,
      evaluationPeriods: 1,
      suffix: "unclean-election",
      severity: AlarmSeverity.Page,
      metric: "kafka_unclean_leader_elections_total",
      statistic: "Sum",
      happened:
        "Within 5 minutes a partition of Kafka got a leader that didn't have every acknowledged message: some are lost. " +
        "Visitors miss what those said.",
    },
    brokersFenced: {
      ...ofControllers,
      ...quarterOfAnHour,
      ...atLeastOne,
      suffix: "brokers-fenced",
      severity: AlarmSeverity.Page,
      metric: "kafka_fenced_brokers",
      // In a rolling restart some broker is away in every five minutes, but none all the time.
      statistic: "Minimum",
      happened:
        "A broker of Kafka has been away for 15 minutes; one that moves to another node is back after two. " +
        "Visitors see nothing yet: with the next broker that goes, writes stop.",
    },
    partitionsUnderReplicated: {
      ...ofBrokers,
      ...atLeastOne,
      period: 300,
      datapointsToAlarm: 12,
      evaluationPeriods: 12,
      suffix: "partitions-under-replicated",
      severity: AlarmSeverity.Ticket,
      metric: "kafka_under_replicated_partitions",
      statistic: "Maximum",
      happened:
        "Partitions of Kafka have been short of copies for 60 minutes, longer than a broker needs to catch up after a restart. Visitors see nothing yet.",
    },
    logDirectoryOffline: {
      ...ofBrokers,
      ...minutes,
      ...atLeastOne,
      datapointsToAlarm: 2,
      suffix: "log-directory-offline",
      severity: AlarmSeverity.Ticket,
      metric: "kafka_offline_log_directories",
      statistic: "Maximum",
      happened:
        "A broker of Kafka couldn't read or write its volume for 2 minutes. It stops when it has no other; " +
        "visitors see nothing as long as the others have the copies.",
    },
    certificateExpiring: {
      ...ofCertificates,
      ...endsWithin(14 * day),
      suffix: "certificate-expiring",
      severity: AlarmSeverity.Ticket,
      happened:
        "A certificate that Kafka serves ends within 14 days, seen for 15 minutes. Whether a newer one lies ready or not: visitors see errors " +
        "when this one ends.",
    },
    certificateNearlyExpired: {
      ...ofCertificates,
      ...endsWithin(3 * day),
      suffix: "certificate-nearly-expired",
      severity: AlarmSeverity.Page,
      happened:
        "A certificate that Kafka serves ends within 3 days, seen for 15 minutes. Then nobody connects any more, brokers among each other included: " +
        "visitors see errors.",
    },
    certificatesUnread: {
      ...ofCertificates,
      suffix: "certificates-unread",
      severity: AlarmSeverity.Ticket,
      metric: "kafka_certificate_listeners_read",
      statistic: "Maximum",
      comparison: "LessThanThreshold",
      threshold: listeners,
      missingData: "breaching",
      warmsUp: true,
      happened:
        `Of the ${listeners} listeners of Kafka some have shown nobody a certificate for an hour and 15 minutes, or the probe that reads them is away. ` +
        "Visitors see nothing; the end of a certificate might go unseen.",
    },
  };
}

function endsWithin(seconds: number) {
  return {
    metric: "kafka_certificate_remaining_seconds",
    statistic: "Minimum",
    comparison: "LessThanThreshold",
    threshold: seconds,
    missingData: "notBreaching",
    warmsUp: false,
  } as const;
}

const gibi = 1024 ** 3;

/**
 * What each alarm on one broker measures. How full a volume is, is the bytes of all its partitions over the volume's size: their samples add up to
 * it in each scrape, and the heartbeat counts the scrapes.
 */
export function brokerAlarms(kafka: KafkaWatched, id: number): Readonly<Record<BrokerAlarmKey, ScrapedAlarm>> {
  const target = targetNames(kafka).brokers;
  const ofBroker = { target, dimensions: { pod: `${target}-${id}` }, ...quarterOfAnHour };
  const bytes = "m / scrapes";
  const percent = (text: string) => `100 * (${text}) / ${kafka.brokerStorageGiB * gibi}`;
  const ofVolume = {
    ...ofBroker,
    metric: "kafka_log_bytes",
    statistic: "Sum",
    beside: { scrapes: { metric: "jvm_threads_current", statistic: "SampleCount" } },
    comparison: "GreaterThanOrEqualToThreshold",
    missingData: "notBreaching",
    warmsUp: false,
  } as const;
  return {
    brokerSilent: {
      ...ofBroker,
      suffix: "broker-silent",
      severity: AlarmSeverity.Ticket,
      metric: "jvm_threads_current",
      statistic: "SampleCount",
      comparison: "LessThanThreshold",
      threshold: 1,
      missingData: "breaching",
      warmsUp: true,
      happened:
        `No metrics of broker ${id} of Kafka for 15 minutes. If the broker itself is away, another alarm pages; ` +
        "if not, nobody sees how full it is. Visitors see nothing of it.",
    },
    diskFilling: {
      ...ofVolume,
      // Six hours on average, and the six before: what has been added in between comes four times in a day, and half a time more because the
      // average is three hours old. Shorter ones would take every busy hour for a trend.
      period: 21_600,
      datapointsToAlarm: 1,
      evaluationPeriods: 1,
      expression: percent(`${bytes} + 4.5 * DIFF(${bytes})`),
      // The rest is indexes, which aren't counted, and files that wait for their deletion.
      threshold: 90,
      suffix: "disk-filling",
      severity: AlarmSeverity.Ticket,
      happened:
        `The volume of broker ${id} of Kafka will be full within 24 hours if it goes on as in the last 12 hours (720 minutes). A full volume stops its ` +
        "broker, and copies grow alike: visitors would see errors.",
    },
    diskNearlyFull: {
      ...ofVolume,
      expression: percent(bytes),
      threshold: 85,
      suffix: "disk-nearly-full",
      severity: AlarmSeverity.Page,
      happened:
        `The volume of broker ${id} of Kafka has been 85 percent full for 15 minutes. A full volume stops its broker, and copies grow alike: ` +
        "visitors would see errors.",
    },
  };
}
