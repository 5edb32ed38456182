import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { picture } from "./picture";

test("the committed picture is what the alarms do: npm run docs:pictures", async () => {
  const committed = readFileSync(resolve(__dirname, "../../docs/replays/silent-decay.svg"), "utf8");
  expect(await picture()).toBe(committed);
});
