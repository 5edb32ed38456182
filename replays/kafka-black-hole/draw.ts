import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { picture } from "./picture";
import recorded from "./recorded.json";

/** Writes docs/replays/kafka-black-hole.svg anew (`npm run docs:pictures`). */
writeFileSync(resolve(__dirname, "../../docs/replays/kafka-black-hole.svg"), picture(recorded));
