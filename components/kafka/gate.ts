import { secretKeys } from "./names";
import { propertiesFile } from "./properties-file";
import { paths, peerCertificate } from "./server-properties";

/** Seconds that a broker waits at most before it stops; the grace period has room for them. */
export const gateSeconds = 60;

/** As itself, a super user, to the listener of the brokers. */
const properties = propertiesFile({
  "security.protocol": "SSL",
  ...peerCertificate(`${paths.tls}/${secretKeys.combined}`, `${paths.tls}/${secretKeys.ca}`),
  "default.api.timeout.ms": "15000",
  "request.timeout.ms": "10000",
});

/**
 * Holds a broker back while it is one of the last that some partition needs: at, or below, the partition's own minimum of copies in sync. It asks
 * `$GATE_SERVERS`, never signals, and lets go at the end of its time, and whenever an answer fails: a broker that can't be asked must be able to stop.
 *
 * Partitions of which every copy is in sync don't count: they are at their minimum by design, and waiting changes nothing.
 */
export const gateScript = `# The tool's JVM would take the ports of the server's agents.
unset KAFKA_OPTS KAFKA_JMX_OPTS JMX_PORT KAFKA_JMX_PORT
export KAFKA_HEAP_OPTS="-Xms32m -Xmx64m" LOG_DIR=/tmp
end=$((SECONDS + ${gateSeconds}))
cat > /tmp/gate.properties <<'PROPERTIES' || exit 0
${properties}PROPERTIES

ask() {
  local left=$((end - SECONDS))
  ((left > 0)) || return 1
  timeout "$left" /opt/kafka/bin/kafka-topics.sh --bootstrap-server "$GATE_SERVERS" --command-config /tmp/gate.properties --describe "$1"
}

needs_me() {
  local line in_sync copies
  while IFS= read -r line; do
    [[ $line =~ Replicas:\\ ([0-9,]+).*[[:space:]]Isr:\\ ([0-9,]+) ]] || continue
    copies=\${BASH_REMATCH[1]//[0-9]/} in_sync=\${BASH_REMATCH[2]//[0-9]/}
    [[ ,\${BASH_REMATCH[2]}, == *",$KAFKA_NODE_ID,"* && \${#in_sync} -lt \${#copies} ]] && return 0
  done
  return 1
}

while ((SECONDS < end)); do
  at=$(ask --at-min-isr-partitions) && under=$(ask --under-min-isr-partitions) || exit 0
  needs_me <<<"$at
$under" || exit 0
  sleep 5
done
exit 0
`;
