import { KafkaTopicAccess, type KafkaClientArgs } from "./kafka-cluster-args";
import { principalOf } from "./principals";
import { oneOf, type Problems } from "../internal/validate";

/*
 * Access rules of clients. Kafka refuses whatever no rule allows.
 */

/** What Kafka calls it. Both imply Describe (StandardAuthorizer), and Write on any topic lets a producer be idempotent. */
const operations: Record<KafkaTopicAccess, string> = {
  [KafkaTopicAccess.Produce]: "WRITE",
  [KafkaTopicAccess.Consume]: "READ",
};

/**
 * Rules as the script compares them, one in a line, sorted: `TOPIC orders LITERAL User:kafka-client-shop WRITE`.
 */
export function accessRules(kafkaName: string, clients: Readonly<Record<string, KafkaClientArgs>>): string[] {
  return Object.entries(clients)
    .flatMap(([key, { topics = {}, consumerGroups = [], transactionalIds = [] }]) => {
      const rule = (kind: string, name: string, operation: string) =>
        `${kind} ${patternOf(name)} ${principalOf(kafkaName, key)} ${operation}`;
      return [
        ...Object.entries(topics).flatMap(([topic, access]) =>
          access.map((one) => rule("TOPIC", topic, operations[one])),
        ),
        ...consumerGroups.map((group) => rule("GROUP", group, "READ")),
        ...transactionalIds.map((id) => rule("TRANSACTIONAL_ID", id, "WRITE")),
      ];
    })
    .sort();
}

/** A name and what it stands for: `orders.*` is all that begin with `orders.`, `*` is all. */
function patternOf(name: string): string {
  return name.length > 1 && name.endsWith("*") ? `${name.slice(0, -1)} PREFIXED` : `${name} LITERAL`;
}

/** Checks what one client may do. */
export function accessProblems(problems: Problems, where: string, client: KafkaClientArgs): void {
  const { topics = {}, consumerGroups, transactionalIds = [] } = client;
  for (const [topic, access] of Object.entries(topics)) {
    const at = `${where}.topics["${topic}"]`;
    problems.add(at, nameProblem(topic, "topic"));
    problems.unless(
      access.length > 0,
      at,
      "allows nothing: write KafkaTopicAccess.Produce or Consume, or leave it out",
    );
    access.forEach((one, index) => problems.add(`${at}[${index}]`, oneOf(KafkaTopicAccess, one)));
    problems.unless(
      consumerGroups !== undefined || !access.includes(KafkaTopicAccess.Consume),
      `${where}.consumerGroups`,
      `is missing, and the client consumes "${topic}": write its groups, such as ["shop"] or ["shop-*"], or [] if it joins none`,
    );
  }
  const lists = { consumerGroups: consumerGroups ?? [], transactionalIds };
  for (const [argument, names] of Object.entries(lists))
    names.forEach((name, index) => problems.add(`${where}.${argument}[${index}]`, nameProblem(name, "group or id")));
}

/** Topics' names end at 249 characters (org.apache.kafka.common.internals.Topic). Groups may have others, which no shell script carries well. */
function nameProblem(name: string, what: string): string | undefined {
  return name === "*" || (/^[A-Za-z0-9._-]+\*?$/.test(name) && name.length <= 249)
    ? undefined
    : `must be the name of a ${what} (letters, digits, ".", "_" and "-", at most 249), or its beginning and an asterisk, not "${name}"`;
}

/**
 * Makes the rules of this cluster's clients those of `$2`, a rule in a line: first adds what is missing, so that no client loses anything in
 * between, then takes away what no client has any more. Rules of others, those that deny, and those for single hosts stay.
 */
export const accessScript = `
principals=$1 wanted=$2

present() {
  local resource="" line
  while IFS= read -r line; do
    if [[ $line =~ resourceType=([A-Z_]+),\\ name=(.*),\\ patternType=([A-Z]+)\\) ]]; then
      resource="\${BASH_REMATCH[1]} \${BASH_REMATCH[2]} \${BASH_REMATCH[3]}"
    elif [[ $line =~ principal=([^,]+),\\ host=\\*,\\ operation=([A-Z_]+),\\ permissionType=ALLOW\\) ]]; then
      [[ \${BASH_REMATCH[1]} == "$principals"* ]] && echo "$resource \${BASH_REMATCH[1]} \${BASH_REMATCH[2]}"
    fi
  done | LC_ALL=C sort -u
}

change() {
  local verb=$1 kind name pattern principal operation flag
  read -r kind name pattern principal operation
  case $kind in
    TOPIC) flag=--topic ;;
    GROUP) flag=--group ;;
    TRANSACTIONAL_ID) flag=--transactional-id ;;
    *) echo "Left alone, because no client of Moorings has such a rule: $kind $name $principal $operation"; return ;;
  esac
  tool kafka-acls "$verb" $([[ $verb == --remove ]] && echo --force) --allow-principal "$principal" --operation "$operation" \\
    "$flag" "$name" --resource-pattern-type "$(tr '[:upper:]' '[:lower:]' <<<"$pattern")"
}

listed=$(tool kafka-acls --list)
before=$(present <<<"$listed")
wanted=$(sed '/^$/d' <<<"$wanted" | LC_ALL=C sort -u)
missing=$(LC_ALL=C comm -13 <(echo "$before") <(echo "$wanted") | sed '/^$/d')
needless=$(LC_ALL=C comm -23 <(echo "$before") <(echo "$wanted") | sed '/^$/d')
while IFS= read -r rule; do [[ -z $rule ]] || change --add <<<"$rule"; done <<<"$missing"
while IFS= read -r rule; do [[ -z $rule ]] || change --remove <<<"$rule"; done <<<"$needless"
echo "Access rules of $principals*: $(grep -c . <<<"$wanted" || true) as wanted."
`;
