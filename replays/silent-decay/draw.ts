import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { picture } from "./picture";

/** Writes docs/replays/silent-decay.svg anew (`npm run docs:pictures`). */
void picture().then((svg) => writeFileSync(resolve(__dirname, "../../docs/replays/silent-decay.svg"), svg));
