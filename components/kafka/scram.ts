import { clientName } from "./names";

/*
 * Clients with passwords. Kafka keeps of each only what proves that somebody knows it, so that the tool can't tell what is there from what is
 * wanted: every run of the job writes all of them. Connections that exist stay.
 */

/** The one mechanism. SCRAM-SHA-256 is as safe, and one is less to keep. */
export const mechanism = "SCRAM-SHA-512";

/**
 * What the tool reads with `--add-config-file`. (With brackets around the value, as `--add-config` has them, it prints the password in an error.)
 * 8192 rounds are the tool's default. They slow down who guesses, and nobody guesses 32 random characters.
 */
export const scramFile = (password: string) => `${mechanism}=iterations=8192,password=${password}\n`;

/** What Java clients call their credentials. */
export const jaasConfig = (username: string, password: string) =>
  `org.apache.kafka.common.security.scram.ScramLoginModule required username="${username}" password="${password}";`;

/** What brokers need to know of the mechanism: that there is one. */
export const serverJaasConfig = "org.apache.kafka.common.security.scram.ScramLoginModule required;";

/** The clients as the script takes them, `kafka-client-shop 1` in a line: another version of a password makes another job. */
export function scramUsers(kafkaName: string, versions: Readonly<Record<string, number>>): string {
  return Object.entries(versions)
    .map(([key, version]) => `${clientName(kafkaName, key)} ${version}`)
    .sort()
    .join("\n");
}

/**
 * Gives the clients `$2` the passwords that lie in files of their names, and takes those of clients whose names begin with `$1` and that aren't
 * there any more. Passwords stand in no argument and no environment.
 */
export const scramScript = `
prefix=$1 wanted=$2
users() { tool kafka-configs --entity-type users "$@"; }

while read -r client version; do
  [[ -z $client ]] || users --entity-name "$client" --alter --add-config-file "$SECRETS/$client"
done <<<"$wanted"
described=$(users --describe)
present=$(sed -n "s/^SCRAM credential configs for user-principal '\\([^']*\\)' are .*/\\1/p" <<<"$described")
while IFS= read -r client; do
  [[ $client == "$prefix"* && $'\\n'$wanted != *$'\\n'"$client "* ]] || continue
  users --entity-name "$client" --alter --delete-config ${mechanism}
done <<<"$present"
echo "Passwords of $prefix*: $(grep -c . <<<"$wanted" || true) as wanted."
`;
