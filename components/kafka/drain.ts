import type { KafkaPlan } from "./plan";

/*
 * Fewer brokers. Kubernetes takes those with the highest ids, with the only copy of something if need be, and nothing here knows how many there
 * were. So before brokers change, a job looks whether any partition has a copy on a broker that won't be there, and moves it away if it may.
 */

/** Arguments of both scripts: the first id there is, the first that goes, and those that may be emptied. */
export function drainArguments({ brokers, drained }: KafkaPlan): string[] {
  return [String(brokers.firstId), String(brokers.firstId + brokers.replicas), drained.join(" ")];
}

const ids = `
first=$1 gone=$2 drained=" $3 "
`;

/** Seconds that moving may take: half a day. The job is told again, and goes on where it was, with the next `pulumi up`. */
export const drainSeconds = 12 * 3600;

/**
 * Leaves no copy on brokers from `$2` on. Those in `$3` are emptied: first they get no new copies, then Kafka plans where theirs go (by racks). On
 * any other it stops the update.
 *
 * Where nobody answers there is no cluster yet, or one that only a change of the brokers can mend, such as another image: it lets that pass. Volumes of
 * brokers that go stay, so that these can come back with what they have.
 */
export const drainScript = `${ids}
# Topics with copies on brokers that go, and these brokers.
left() {
  local line broker
  while IFS= read -r line; do
    [[ $line =~ ^[[:space:]]*Topic:\\ ([^[:space:]]+)[[:space:]].*Partition:.*Replicas:\\ ([0-9,]+) ]] || continue
    for broker in \${BASH_REMATCH[2]//,/ }; do ((broker < gone)) || echo "\${BASH_REMATCH[1]} $broker"; done
  done <<<"$1" | LC_ALL=C sort -u
}

for try in 1 2 3; do
  described=$(tool kafka-topics --describe 2>/tmp/errors) && break
  cat /tmp/errors >&2
  # No broker has an address: there is no cluster yet.
  ! grep -q "No resolvable bootstrap urls" /tmp/errors || try=3
  ((try < 3)) || {
    [[ $drained == *[0-9]* ]] && { echo "Nobody answers, so that nothing can be moved." >&2; exit 1; }
    echo "Nobody answers: what brokers hold wasn't looked at."
    exit 0
  }
  sleep 10
done
for round in 1 2 3 4 5; do
  remaining=$(left "$described")
  [[ -n $remaining ]] || { echo "No partition has a copy on a broker from $gone on."; exit 0; }
  for broker in $(cut -d' ' -f2 <<<"$remaining" | sort -u); do
    [[ $drained == *" $broker "* ]] || {
      echo "Broker $broker would go, with copies of $(grep -c " $broker\\$" <<<"$remaining") topics. Write it into drained, so that they are moved away first, or leave brokers as it was." >&2
      exit 1
    }
    # From 4.3 on; an older cluster may put a new topic there, which the next round moves.
    tool kafka-configs --alter --entity-type brokers --entity-name "$broker" --add-config "cordoned.log.dirs=*" || true
  done
  if tool kafka-reassign-partitions --list | grep -q "No partition reassignments found"; then
    topics=$(cut -d' ' -f1 <<<"$remaining" | LC_ALL=C sort -u | sed 's/.*/{"topic":"&"}/' | paste -sd, -)
    echo "{\\"version\\":1,\\"topics\\":[$topics]}" >/tmp/topics.json
    stay=$(seq -s, "$first" $((gone - 1)))
    tool kafka-reassign-partitions --generate --topics-to-move-json-file /tmp/topics.json --broker-list "$stay" | sed '1,/Proposed partition/d' >/tmp/plan.json
    tool kafka-reassign-partitions --execute --reassignment-json-file /tmp/plan.json >/dev/null
  fi
  until tool kafka-reassign-partitions --list | tee /tmp/moving | grep -q "No partition reassignments found"; do
    echo "$(grep -c . /tmp/moving) lines of moves to go"
    sleep 20
  done
  described=$(tool kafka-topics --describe)
done
echo "After five rounds there are still copies on brokers that go:" >&2
left "$described" >&2
exit 1
`;

/**
 * Makes the cluster forget the brokers of `$3`, which are gone: it would count them as fenced for ever. And first that they get no new copies, for
 * whoever gets such an id later; of a broker that is away only controllers take that, at `$4`.
 */
export const unregisterScript = `${ids}
for broker in $drained; do
  /opt/kafka/bin/kafka-configs.sh --bootstrap-controller "$4" --command-config "$ADMIN_PROPERTIES" --alter --entity-type brokers \\
    --entity-name "$broker" --delete-config cordoned.log.dirs || echo "Broker $broker may be unregistered already."
  for try in {1..30}; do
    if said=$("/opt/kafka/bin/kafka-cluster.sh" unregister --bootstrap-server "$BOOTSTRAP_SERVERS" --config "$ADMIN_PROPERTIES" --id "$broker" 2>&1); then
      echo "$said"
      break
    fi
    [[ $said == *BrokerIdNotRegistered* || $said == *"not registered"* ]] && { echo "Broker $broker isn't registered."; break; }
    ((try < 30)) || { echo "$said" >&2; exit 1; }
    sleep 10
  done
done
`;
