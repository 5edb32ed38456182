import type { KafkaClusterArgs } from "./kafka-cluster-args";
import { clientName } from "./names";
import type { Problems } from "../internal/validate";

/**
 * A StatefulSet's name with a hyphen and ten characters becomes a label of its pods (`controller-revision-hash`), and labels take 63; the
 * longest StatefulSet is `<kafkaName>-controller`.
 */
export const longestKafkaName = 63 - 11 - "-controller".length;

/** Common names in certificates end at 64 characters (RFC 5280, ub-common-name); names of objects used as labels at 63. */
const longestClientName = 63;

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Checks every name that the arguments give or make. */
export function namingProblems(kafkaName: string, args: KafkaClusterArgs, problems: Problems): void {
  const argument = args.kafkaName === undefined ? "name" : "kafkaName";
  problems.unless(
    /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(kafkaName),
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
      dnsLabel.test(client),
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
  };
  for (const [where, object] of Object.entries(objects))
    problems.unless(
      object === undefined || (dnsSubdomain.test(object) && object.length <= 253),
      where,
      `must be the name of an object in Kubernetes, not "${object ?? ""}"`,
    );
}

/** What is wrong with a namespace, or undefined. */
export function namespaceProblem(namespace: string): string | undefined {
  return dnsLabel.test(namespace) && namespace.length <= 63
    ? undefined
    : `must be the name of a namespace (lower-case letters, digits and hyphens, at most 63), not "${namespace}"`;
}
