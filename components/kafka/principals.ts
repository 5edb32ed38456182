import { adminName, clientName, KafkaRole, roleName } from "./names";

/*
 * Whom Kafka takes a connection for: the common name of its certificate, `User:kafka-client-shop`.
 */

/** Common names of those who may do everything: nodes, which replicate and vote, and the administrator. */
const trusted = (kafkaName: string) => [
  roleName(kafkaName, KafkaRole.Broker),
  roleName(kafkaName, KafkaRole.Controller),
  adminName(kafkaName),
];

/** The value of `super.users`. */
export function superUsers(kafkaName: string): string {
  return trusted(kafkaName)
    .map((name) => `User:${name}`)
    .join(";");
}

/** A client as access rules name it. */
export const principalOf = (kafkaName: string, client: string) => `User:${clientName(kafkaName, client)}`;

/**
 * The value of `ssl.principal.mapping.rules`: the common name, whatever else a subject has. Clients have an authority of their own, which may be
 * somebody else's and sign any name: on their listener nobody becomes a super user.
 */
export function mappingRules(kafkaName: string, forClients: boolean): string {
  const names = trusted(kafkaName).join("|");
  const refused = forClients ? [`RULE:^CN=(${names})(,.*)?$/not-$1/`] : [];
  return [...refused, "RULE:^CN=([^,]+)(,.*)?$/$1/", "DEFAULT"].join(",");
}
