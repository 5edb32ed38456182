import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { podOutcomeOf } from "../../test/support/timeline";
import { picture } from "./picture";
import recorded from "./recorded.json";

test("the committed picture is what was recorded: npm run docs:pictures", () => {
  const committed = readFileSync(resolve(__dirname, "../../docs/replays/consolidation.svg"), "utf8");
  expect(picture(recorded)).toBe(committed);
});

/** What docs/consolidation.md says of it. */
test("the recording has both outcomes", () => {
  expect(podOutcomeOf(recorded.fleets.bare)).toMatchObject({ originals: 6, fewestReady: 0, originalsLeft: 0 });
  expect(podOutcomeOf(recorded.fleets.guarded)).toEqual({
    originals: 6,
    fewestReady: 5,
    secondsAtZero: 0,
    originalsLeft: 0,
  });
});
