import { writeFileSync } from "node:fs";
import { generated, generatedText } from "./bundle";

writeFileSync(generated, generatedText());
