import { each, valuesAt } from "../../lib/paths";
import { clientRule } from "./client-rule";
import type { Library } from "./properties";
import { profileExample, whatIsSeen } from "./client-profile-example";

/** Linux, tcp_keepalive_timer: with unacknowledged data in flight no probe is sent. Measured: 60.3 and 60.6 s, as without. */
export const keepaliveIsNoTimeout = clientRule<object>({
  name: "keepalive-is-no-timeout",
  displayName: "TCP keepalive isn't all that bounds a Kafka client's wait",
  description:
    "A Kafka client whose pods set TCP keepalive, but for which no request timeout is to be seen, may wait for a dead broker as long as before: keepalive closes idle connections, and one " +
    "with a request in flight isn't idle.",
  severity: "medium",
  enforcementLevel: "advisory",
  tags: ["kafka", "availability"],
  remediationSteps: `Keep the sysctls, and bound the wait for an answer, too:

\`\`\`ts
const settings = { "socket.timeout.ms": "15000" }; // Java: "request.timeout.ms"
\`\`\`

${profileExample}

${whatIsSeen} If the timeout stands in such a place, this advice is done.`,
  configSchema: { properties: {} },
  faults: ({ pod }, { all, unknown }) => {
    const sysctls = valuesAt(pod, ["securityContext", "sysctls", each, "name"])
      .map(({ value }) => value)
      .filter((name) => typeof name === "string" && /^net[./]ipv4[./]tcp_keepalive_/.test(name));
    const asked = all.some(({ values }) => values.get("socket.keepalive.enable") === "true");
    const bounded = all.some(
      ({ values, library }) => values.has("socket.timeout.ms") || boundsByRequest(values, library),
    );
    if ((sysctls.length === 0 && !asked) || bounded || unknown !== undefined) return [];
    const what = sysctls.length > 0 ? "Its pods set TCP keepalive" : "socket.keepalive.enable is true";
    return [
      `${what}, but nothing that can be seen sets socket.timeout.ms: keepalive does nothing for a connection with a request in flight. Write socket.timeout.ms=15000 (Java: request.timeout.ms)`,
    ];
  },
});

/** In librdkafka that is something else: how long a broker waits for the others. */
function boundsByRequest(values: ReadonlyMap<string, string>, library: Library | undefined): boolean {
  return library !== "librdkafka" && values.has("request.timeout.ms");
}
