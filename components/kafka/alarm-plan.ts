import { planAlarmSet, type ScrapedAlarm } from "../alarms";
import { isServiceName } from "../internal/object-names";
import type { Problems } from "../internal/validate";
import { brokerAlarms, clusterAlarms, type BrokerAlarmKey, type ClusterAlarmKey } from "./alarm-definitions";
import type { KafkaAlarmOverride, KafkaAlarmsArgs, KafkaWatched } from "./alarms-args";

/** What may stand in an override; complete, or it doesn't compile. */
export const overrideSettings = Object.keys({
  enabled: true,
  severity: true,
  threshold: true,
  datapointsToAlarm: true,
  evaluationPeriods: true,
} satisfies Record<keyof KafkaAlarmOverride, true>);

const podsOf = (kafkaName: string, role: string) =>
  `kubectl get pods --all-namespaces --output wide --selector app.kubernetes.io/instance=${kafkaName},app.kubernetes.io/component=${role}`;

/** What first to type about the whole cluster. Namespaces may not be known: labels find the pods in any. */
function clusterCommands({ kafkaName, combined = false }: KafkaWatched): Record<ClusterAlarmKey, string> {
  const brokers = podsOf(kafkaName, "broker");
  const controllers = podsOf(kafkaName, combined ? "broker" : "controller");
  const probe = `kubectl logs --namespace <namespace> deployment/${kafkaName}-certificates --tail 50`;
  return {
    partitionsOffline: brokers,
    partitionsUnderMinIsr: brokers,
    noActiveController: controllers,
    severalActiveControllers: controllers,
    uncleanElection: brokers,
    brokersFenced: brokers,
    partitionsUnderReplicated: brokers,
    logDirectoryOffline: brokers,
    certificateExpiring: probe,
    certificateNearlyExpired: probe,
    certificatesUnread: probe,
  };
}

function brokerCommands(kafka: KafkaWatched, id: number): Record<BrokerAlarmKey, string> {
  const volume = `kubectl exec --namespace <namespace> ${kafka.kafkaName}-broker-${id} --container kafka -- df -h /var/lib/kafka/data`;
  return { brokerSilent: podsOf(kafka.kafkaName, "broker"), diskFilling: volume, diskNearlyFull: volume };
}

/** All alarms of a Kafka cluster with the caller's changes; records whatever is wrong. */
export function planKafkaAlarms(
  name: string,
  args: Pick<KafkaAlarmsArgs, "kafka" | "overrides" | "namePrefix">,
  problems: Problems,
) {
  const { kafka, namePrefix } = args;
  const ofCluster = clusterAlarms(kafka);
  const brokers = kafka.brokerIds.map((id) => ({ id, set: brokerAlarms(kafka, id) }));
  // An alarm that isn't there is one of neither set.
  const known = [...Object.keys(ofCluster), ...Object.keys(brokers[0]?.set ?? {})];
  const overrides = Object.entries(args.overrides ?? {});
  for (const [key] of overrides)
    problems.unless(known.includes(key), `overrides.${key}`, `is not an alarm of the set: use ${known.join(", ")}`);
  const given = (set: object) => ({
    namePrefix,
    overrides: Object.fromEntries(overrides.filter(([key]) => key in set)),
  });
  /** One set, whose resources are called after `owner`. */
  const plan = <Key extends string>(
    owner: string,
    set: Readonly<Record<Key, ScrapedAlarm>>,
    commands: Readonly<Record<Key, string>>,
  ) =>
    planAlarmSet(owner, set, commands, given(set), overrideSettings, problems).map((planned) => ({
      ...planned,
      child: `${owner}-${planned.alarm.suffix}`,
    }));
  return [
    ...plan<ClusterAlarmKey>(name, ofCluster, clusterCommands(kafka)),
    ...brokers.flatMap(({ id, set }) =>
      plan<BrokerAlarmKey>(`${name}-${id}`, set, brokerCommands(kafka, id)).map((planned) => ({
        ...planned,
        key: `${planned.key}-${id}`,
      })),
    ),
  ];
}

/** Checks what alarms need to know of the cluster. */
export function watchedProblems(kafka: KafkaWatched, problems: Problems): void {
  const { brokerIds, controllers, brokerStorageGiB } = kafka;
  problems.unless(
    isServiceName(kafka.kafkaName),
    "kafka.kafkaName",
    `must be the name of a Kafka cluster (KafkaCluster.watched), not "${kafka.kafkaName}"`,
  );
  problems.unless(
    brokerIds.length > 0 && brokerIds.every((id, i) => Number.isInteger(id) && id >= 0 && brokerIds.indexOf(id) === i),
    "kafka.brokerIds",
    `must be the brokers' ids, each once, as in [100, 101, 102], not [${brokerIds.join(", ")}]`,
  );
  problems.unless(
    controllers === 3 || controllers === 5,
    "kafka.controllers",
    `must be 3 or 5, not ${controllers}: one controller more or less looks like another number of leaders`,
  );
  problems.unless(
    Number.isFinite(brokerStorageGiB) && brokerStorageGiB > 0,
    "kafka.brokerStorageGiB",
    `must be the size of each broker's volume in GiB, not ${brokerStorageGiB}`,
  );
}
