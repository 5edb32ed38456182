import { KafkaClientAuthentication } from "./authentication";
import type { KafkaClusterArgs } from "./kafka-cluster-args";
import { oneOf, type Problems } from "../internal/validate";

/** Checks what depends on how clients show who they are. */
export function authenticationProblems(args: KafkaClusterArgs, problems: Problems): void {
  const { clientAuthentication: way = KafkaClientAuthentication.Tls, certificates, clients = {} } = args;
  problems.add("clientAuthentication", oneOf(KafkaClientAuthentication, way));
  const scram = way === KafkaClientAuthentication.Scram;
  if (certificates !== undefined)
    problems.unless(
      scram || certificates.clientCaSecretName !== undefined,
      "certificates.clientCaSecretName",
      "is missing, and clients show certificates: write the Secret with their authority, or clientAuthentication: KafkaClientAuthentication.Scram",
    );
  for (const [key, { passwordVersion: version }] of Object.entries(clients)) {
    const where = `clients["${key}"].passwordVersion`;
    problems.unless(
      version === undefined || scram,
      where,
      "is for passwords, and clients show certificates: leave it out, or write clientAuthentication: KafkaClientAuthentication.Scram",
    );
    problems.unless(
      version === undefined || (Number.isInteger(version) && version >= 1),
      where,
      `must be a whole number of at least 1, not ${version ?? ""}`,
    );
  }
}
