import type { KafkaQuotas } from "./operation-args";

/** Limits as `kafka-configs.sh` takes them, one in a line. */
export function quotaLines(quotas: KafkaQuotas): string {
  const { producerBytesPerSecond, consumerBytesPerSecond, requestPercent } = quotas;
  const lines = {
    producer_byte_rate: producerBytesPerSecond,
    consumer_byte_rate: consumerBytesPerSecond,
    request_percentage: requestPercent,
  };
  return Object.entries(lines)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join("\n");
}

/**
 * Makes the limits of every client that has none of its own those of `$1`. Clients are known by their certificates: they choose their client ids
 * themselves, so that limits by these would bind nobody.
 */
export const quotaScript = `
wanted=$1
configs() { tool kafka-configs --entity-type users --entity-default "$@"; }
present=$(configs --describe)
needless=""
for name in producer_byte_rate consumer_byte_rate request_percentage; do
  if [[ $present == *"$name="* ]] && ! grep -q "^$name=" <<<"$wanted"; then needless+="\${needless:+,}$name"; fi
done
[[ -z $needless ]] || configs --alter --delete-config "$needless"
[[ -z $wanted ]] || configs --alter --add-config "$(paste -sd, - <<<"$wanted")"
configs --describe
`;
