import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { examplePicture } from "./example";

/** `npm run docs:pictures` writes docs/dashboard.svg anew. */
void examplePicture().then((svg) => writeFileSync(resolve(__dirname, "../../docs/dashboard.svg"), svg));
