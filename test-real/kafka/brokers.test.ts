import { Lab } from "./lab";
import { metricsTests } from "./scenarios/metrics";
import { quorumTests } from "./scenarios/quorum";
import { randomTests } from "./scenarios/random";
import { plannedTests } from "./scenarios/shutdown";
import { sideBySideTests } from "./scenarios/side-by-side";

/*
 * The clocks are Kafka's own, and are what is asserted: 9 s until a silent broker is fenced, 15 s until the profile drops it, 60 s until librdkafka
 * does by itself. How fast this machine is must not matter: everything waits for what it needs, and faults begin in a steady state.
 */

jest.setTimeout(60 * 60_000);

// All scenarios share one cluster: to start one takes longer than most of them.
let lab: Lab | undefined;
beforeAll(async () => {
  lab = await Lab.start();
});
afterAll(() => lab?.stop());

const labOf = () => {
  if (lab === undefined) throw new Error("the cluster didn't start");
  return lab;
};

metricsTests(labOf);
plannedTests(labOf);
sideBySideTests(labOf);
quorumTests(labOf);
randomTests(labOf);
