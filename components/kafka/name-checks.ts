import type { KafkaClusterArgs } from "./kafka-cluster-args";
import { clientName } from "./names";
import { isDnsLabel, isServiceName, objectNameProblem } from "../internal/object-names";
import type { Problems } from "../internal/validate";

/**
 * A StatefulSet's name with a hyphen and ten characters becomes a label of its pods (`controller-revision-hash`), and labels take 63; the
 * longest StatefulSet is `<kafkaName>-controller`.
 */
export const longestKafkaName = 63 - 11 - "-controller".length;

/** Common names in certificates end at 64 characters (RFC 5280, ub-common-name); names of objects used as labels at 63. */
const longestClientName = 63;

/** Checks every name that the arguments give or make. */
export function namingProblems(kafkaName: string, args: KafkaClusterArgs, problems: Problems): void {
  const argument = args.kafkaName === undefined ? "name" : "kafkaName";
  problems.unless(
    isServiceName(kafkaName),
    argument,
    `is "${kafkaName}"; it begins the names of Services: write a letter, then lower-case letters, digits and hyphens${argument === "name" ? ", or give kafkaName" : ""}`,
  );
  problems.unless(
    kafkaName.length <= longestKafkaName,
    argument,
    `has ${kafkaName.length} characters; at most ${longestKafkaName} fit, because Kubernetes adds a hash to the name of a StatefulSet and makes it a label: ${argument === "name" ? "give a shorter kafkaName" : "choose a shorter one"}`,
  );
  for (const client of Object.keys(args.clients ?? {})) {
    problems.unless(
      isDnsLabel(client),
      `clients["${client}"]`,
      "has a key that can't be part of a Secret's name: write lower-case letters, digits and hyphens",
    );
    problems.unless(
      clientName(kafkaName, client).length <= longestClientName,
      `clients["${client}"]`,
      `makes the name "${clientName(kafkaName, client)}" of ${clientName(kafkaName, client).length} characters; at most ${longestClientName} fit: choose a shorter key`,
    );
  }
  const objects = {
    storageClassName: args.storageClassName,
    priorityClassName: args.priorityClassName,
    "certificates.brokerSecretName": args.certificates?.brokerSecretName,
    "certificates.controllerSecretName": args.certificates?.controllerSecretName,
    "certificates.clientCaSecretName": args.certificates?.clientCaSecretName,
    "certificates.adminSecretName": args.certificates?.adminSecretName,
  };
  for (const [where, object] of Object.entries(objects))
    if (object !== undefined) problems.add(where, objectNameProblem(object));
}
