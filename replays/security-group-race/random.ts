import * as fc from "fast-check";
import { minute, second } from "./clock";
import type { Happening, Timeline } from "./timeline";

const between = (min: number, max: number) => fc.integer({ min, max });

/** Ports that a safety net with its defaults opens, often the same few and the outermost ones. */
const port = fc.oneof(fc.constantFrom(1024, 3000, 3008, 8025, 8080, 65535), between(1024, 65535));
const service = between(0, 3);
const pod = between(0, 3);

/** At once, within the time in which EC2 is stale, within that of the cache, and beyond both. */
const pause = fc.oneof(
  between(0, 2 * second),
  between(2 * second, minute),
  between(minute, 9 * minute),
  between(9 * minute, 15 * minute),
);
const back = fc.oneof(between(0, 5 * second), between(5 * second, 2 * minute));

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("replace"), service, pod, back }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("recycle"), service, back }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("unready"), service, pod, back }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("scale"), service, pods: between(0, 4) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("port"), service, port }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rebind"), service, back }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart"), down: between(2 * second, 2 * minute) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear-checkpoint"), service }) },
);

/** Three hours in the life of a settled cluster. */
export const timelines: fc.Arbitrary<Timeline> = fc.record({
  services: fc.array(fc.record({ port, pods: between(0, 3) }), { minLength: 1, maxLength: 4 }),
  happenings: fc.array(fc.record({ after: pause, what: happening }), { minLength: 1, maxLength: 24 }),
  deployed: fc.oneof(fc.constant(0), between(0, 30 * minute)),
  staleness: fc.array(fc.oneof(fc.constant(0), between(0, 10 * second)), { minLength: 1, maxLength: 8 }),
  lags: fc.array(between(0, 40), { minLength: 1, maxLength: 8 }),
  callTimes: fc.array(fc.oneof(between(20, 300), between(300, 3 * second)), { minLength: 1, maxLength: 8 }),
  deferralJitters: fc.array(between(0, 15 * minute), { minLength: 1, maxLength: 4 }),
  secondGroup: fc.boolean(),
});
