import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { RunError } from "../../cli/errors";
import { cacheDirectory } from "../servers/cache";

/*
 * What stands for the image apache/kafka: Kafka's jars from Maven, and scripts at the paths where the image has them. Beside them a Python with
 * librdkafka. Built once, outside the network of the suite, which has no way out.
 */

const pins = resolve(__dirname, "../../tools/kafka");
const scripts = join(__dirname, "image");

const digest = createHash("sha256")
  .update(["pom.xml", "requirements.txt"].map((file) => readFileSync(join(pins, file), "utf8")).join("\n"))
  .digest("hex")
  .slice(0, 16);
const built = join(cacheDirectory(), `kafka-${digest}`);
const complete = join(built, "complete");

/** Python that has confluent-kafka. */
export const python = join(built, "venv/bin/python");

const tools = [
  "acls",
  "broker-api-versions",
  "cluster",
  "configs",
  "consumer-groups",
  "features",
  "leader-election",
  "metadata-quorum",
  "reassign-partitions",
  "storage",
  "topics",
];

/** Downloads jars and the Python package, unless they are there. */
export function buildKafka(print: (line: string) => void): void {
  if (existsSync(complete)) return;
  print("Downloading Kafka and librdkafka, some 80 MB...");
  rmSync(built, { recursive: true, force: true }); // what an interrupted download left
  mkdirSync(built, { recursive: true });
  const jars = `-DoutputDirectory=${join(built, "libs")}`;
  call("mvn", "-q", "-B", "-f", join(pins, "pom.xml"), "dependency:copy-dependencies", jars);
  call("python3", "-m", "venv", join(built, "venv"));
  call(join(built, "venv/bin/pip"), "install", "--quiet", "--requirement", join(pins, "requirements.txt"));
  writeFileSync(complete, "");
}

function call(command: string, ...args: string[]): void {
  const { status, error, stderr, stdout } = spawnSync(command, args, { encoding: "utf8" });
  if (error !== undefined)
    throw new RunError(
      `${command} can't be run (${error.message}): the suite kafka needs Java 17, Maven, Python 3 and openssl`,
    );
  if (status !== 0) throw new RunError(`${command} ${args.join(" ")} failed: ${stderr}${stdout}`);
}

/** Puts the scripts of the image into a folder, and says what of the image is mounted where. */
export function imageMounts(directory: string): Record<string, string> {
  const [bin, docker] = [join(directory, "bin"), join(directory, "docker")] as const;
  mkdirSync(bin, { recursive: true });
  cpSync(scripts, docker, { recursive: true });
  cpSync(join(scripts, "kafka-run-class.sh"), join(bin, "kafka-run-class.sh"));
  for (const tool of tools) cpSync(join(scripts, "tool.sh"), join(bin, `kafka-${tool}.sh`));
  for (const file of [join(docker, "run"), ...["run-class", ...tools].map((tool) => join(bin, `kafka-${tool}.sh`))])
    chmodSync(file, 0o755);
  return {
    "/opt/kafka/libs": join(built, "libs"),
    "/opt/kafka/bin": bin,
    "/etc/kafka/docker": docker,
    // Where the image of the metrics agent has its jar: all jars are here, and one has the name.
    "/opt/prometheus-jmx-exporter": join(built, "libs"),
  };
}
