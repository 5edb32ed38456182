import { KafkaClientAuthentication } from "./authentication";
import type { KafkaCertManager, KafkaIssuer } from "./cert-manager-args";
import type { KafkaClusterArgs } from "./kafka-cluster-args";
import { objectNameProblem } from "../internal/object-names";
import { fields, late, number, required, text, type Shape } from "../internal/shapes";
import type { Problems } from "../internal/validate";
import { fitsShape } from "./shape-checks";

const issuer: Record<keyof KafkaIssuer, Shape> = { name: required(late(text)), kind: text, group: text };
const certManagerFields: Record<keyof KafkaCertManager, Shape> = {
  nodeIssuer: required(fields(issuer)),
  clientIssuer: fields(issuer),
  validDays: number,
  renewBeforeDays: number,
  certificateAuthority: late(text),
};
/** What `certManager` is. */
export const certManagerShape = fields(certManagerFields);

/** Checks who signs, and for how long. */
export function certManagerProblems(args: KafkaClusterArgs, problems: Problems): void {
  const { certManager, certificates, clientAuthentication } = args;
  if (certManager === undefined || !fitsShape(problems, "certManager", certManager, certManagerShape)) return;
  const { nodeIssuer, clientIssuer, validDays = 90 } = certManager;
  const { renewBeforeDays = Math.floor(validDays / 3) } = certManager;
  problems.unless(
    certificates === undefined,
    "certManager",
    "and certificates say both where certificates come from: leave one out",
  );
  problems.unless(
    clientIssuer !== undefined || clientAuthentication === KafkaClientAuthentication.Scram,
    "certManager.clientIssuer",
    "is missing, and clients show certificates: write an issuer, or clientAuthentication: KafkaClientAuthentication.Scram",
  );
  issuerProblems(problems, "certManager.nodeIssuer", nodeIssuer);
  if (clientIssuer !== undefined) issuerProblems(problems, "certManager.clientIssuer", clientIssuer);
  problems.unless(
    Number.isInteger(validDays) && validDays >= 2 && validDays <= 3650,
    "certManager.validDays",
    `must be a whole number of days from 2 to 3650, not ${validDays}`,
  );
  problems.unless(
    Number.isInteger(renewBeforeDays) && renewBeforeDays >= 1 && renewBeforeDays <= Math.max(1, validDays / 2),
    "certManager.renewBeforeDays",
    `must be a whole number of days from 1 to half of validDays (${validDays}), not ${renewBeforeDays}`,
  );
}

function issuerProblems(problems: Problems, where: string, { name, kind = "Issuer", group }: KafkaIssuer): void {
  void problems.input(name, `${where}.name`, objectNameProblem);
  const isOwn = group === undefined || group === "cert-manager.io";
  problems.unless(
    isOwn ? kind === "Issuer" || kind === "ClusterIssuer" : /^[A-Z][A-Za-z0-9]*$/.test(kind),
    `${where}.kind`,
    isOwn
      ? `must be Issuer or ClusterIssuer, not "${kind}": for a kind of another project write its group`
      : `must be the name of a kind, not "${kind}"`,
  );
  if (group !== undefined) problems.add(`${where}.group`, objectNameProblem(group));
}
