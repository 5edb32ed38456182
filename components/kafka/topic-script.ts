/**
 * Makes the topic `$1`, with `$2` partitions ("" for the default or what there is) and `$3` copies of each ("" for the default), and its own
 * settings those of `$4`, one in a line as `name=value`.
 *
 * To describe and to alter, the tool takes a pattern: `a.b` would be `axb` as well, and both would get more partitions.
 */
export const topicScript = `
topic=$1 partitions=$2 copies=$3 settings=$4
exactly=\${topic//./\\\\.}
topics() { tool kafka-topics "$@"; }
configs() { tool kafka-configs --entity-type topics --entity-name "$topic" "$@"; }

options=(--create --if-not-exists --topic "$topic")
[[ -z $partitions ]] || options+=(--partitions "$partitions")
[[ -z $copies ]] || options+=(--replication-factor "$copies")
while IFS= read -r setting; do [[ -z $setting ]] || options+=(--config "$setting"); done <<<"$settings"
topics "\${options[@]}"

# A broker may hear of a new topic a moment later than the controller that made it.
for try in 1 2 3 4 5; do
  if described=$(topics --describe --topic "$exactly"); then break; fi
  ((try < 5)) || exit 1
  sleep "\${PAUSE:-2}"
done
if [[ -n $partitions && $described =~ PartitionCount:[[:space:]]*([0-9]+) ]]; then
  present=\${BASH_REMATCH[1]}
  if ((present > partitions)); then
    echo "$topic has $present partitions, and $partitions are wanted: Kafka can't take partitions away. Write $present, or make another topic." >&2
    exit 1
  fi
  ((present == partitions)) || topics --alter --topic "$exactly" --partitions "$partitions"
fi

# Only what somebody set on the topic itself. Throttles are of those who move replicas at this moment.
own=$(configs --describe | sed -n '/\\.replication\\.throttled\\.replicas=/d; s/^ *\\([a-z][a-z.]*\\)=.*sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:.*/\\1/p')
needless=""
while IFS= read -r name; do
  [[ -z $name || $'\\n'$settings == *$'\\n'"$name="* ]] || needless+="\${needless:+,}$name"
done <<<"$own"
[[ -z $needless ]] || configs --alter --delete-config "$needless"
# Brackets let a value have commas.
wanted=$(sed '/^$/d; s/=\\(.*\\)$/=[\\1]/' <<<"$settings" | paste -sd, -)
[[ -z $wanted ]] || configs --alter --add-config "$wanted"
topics --describe --topic "$exactly"
`;
