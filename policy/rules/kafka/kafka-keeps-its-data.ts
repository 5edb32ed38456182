import { isUnknown } from "../../lib/known";
import { hasKey, itemsAt, type Properties } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { podSpec } from "../../lib/pods";
import { kafkaSetRule } from "./kafka-rule";

interface Config {
  disposableAnnotation: string;
}

/** Says of a StatefulSet that nobody needs its data. */
const disposableData = "moorings.dev/disposable-data";

/**
 * Volumes outlive their set unless the set says otherwise. Controllers count as well: a majority that starts empty elects a leader
 * that has forgotten committed data (Kafka's operations guide).
 */
export const kafkaKeepsItsData = kafkaSetRule<Config>({
  name: "kafka-keeps-its-data",
  displayName: "Kafka's volumes outlive its pods and its StatefulSet",
  description:
    "Kafka must write to volumes of its own that are retained: deleted with the StatefulSet, on scaling down, or with a pod's emptyDir, the " +
    "messages are gone with the last copy, and controllers that start empty forget what was committed.",
  severity: "critical",
  tags: ["kafka", "durability"],
  remediationSteps: `Claim a volume for each pod, and leave the retention policy at \`Retain\`, which is the default:

\`\`\`ts
new kubernetes.apps.v1.StatefulSet("brokers", {
  spec: {
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
    volumeClaimTemplates: [
      {
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "100Gi" } } },
      },
    ],
    // ...
  },
});
\`\`\`

For an environment that is thrown away, annotate the StatefulSet and say why: \`"${disposableData}": "rebuilt every night"\`. Volumes may then go
with the StatefulSet, but still not on scaling down.`,
  configSchema: {
    properties: {
      disposableAnnotation: {
        type: "string",
        default: disposableData,
        description:
          'Annotation of StatefulSets whose data may be deleted with them. Its value is for people; only "false" and nothing don\'t count.',
      },
    },
  },
  check: (set, findings, config) => {
    const { props } = set.object;
    const disposable = isDisposable(props, config);
    const [scaled, deleted] = ["whenScaled", "whenDeleted"].map((field) => valueAt(props, [...policy, field]));
    if (isUnknown(scaled)) findings.unknown(scaled, "may delete volumes");
    else if (scaled === "Delete")
      findings.report(
        `${policy.join(".")}.whenScaled is Delete: scaling down deletes volumes, and with them the copies that haven't moved yet. Write "Retain".`,
      );
    if (disposable) return;
    if (isUnknown(deleted) && !isUnknown(scaled)) findings.unknown(deleted, "may delete volumes");
    else if (deleted === "Delete")
      findings.report(
        `${policy.join(".")}.whenDeleted is Delete: replacing or deleting the StatefulSet deletes all messages. Write "Retain", or the annotation "${config.disposableAnnotation}" that says why nobody needs them.`,
      );

    const claims = valueAt(props, ["spec", "volumeClaimTemplates"]);
    const volumes = itemsAt(props, [...podSpec, "volumes"]);
    const unknown = [claims, ...volumes].find(isUnknown);
    const kept =
      itemsAt(props, ["spec", "volumeClaimTemplates"]).length > 0 ||
      volumes.some((v) => ["persistentVolumeClaim", "hostPath"].some((source) => valueAt(v, [source]) !== undefined));
    if (kept || set.partial) return;
    if (unknown !== undefined) findings.unknown(unknown, "may leave Kafka without a volume of its own");
    else
      findings.report(
        `spec.volumeClaimTemplates is missing: Kafka's data goes with each pod. Claim a volume, or write the annotation "${config.disposableAnnotation}" that says why nobody needs the data.`,
      );
  },
  repair: {
    writes:
      "writes `Retain` where `Delete` stands, in `whenDeleted` not if the data may be thrown away. It can't make volumes where Kafka has none.",
    changes: ({ object: { props } }, config) =>
      (isDisposable(props, config) ? ["whenScaled"] : ["whenScaled", "whenDeleted"]).flatMap((field) =>
        valueAt(props, [...policy, field]) === "Delete" ? [{ path: [...policy, field], value: "Retain" }] : [],
      ),
  },
});

const policy = ["spec", "persistentVolumeClaimRetentionPolicy"];

/** An unknown text is a text. Unknown annotations show no exemption, and an exemption that nobody sees is none. */
function isDisposable(props: Properties, config: Config): boolean {
  const annotated = hasKey(props, ["metadata", "annotations"], config.disposableAnnotation);
  const value = annotated === true ? valueAt(props, ["metadata", "annotations", config.disposableAnnotation]) : "";
  return annotated === true && !["", "false", undefined].includes(value as string | undefined);
}
