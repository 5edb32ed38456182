import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startContainer, type Container } from "./containers";
import { countOf, deliveriesOf, isSteady, type Count, type Delivery } from "../../test/support/kafka/counted";
import { imageMounts, python } from "./image";
import type { Lab } from "./lab";
import type { Machine } from "./network";
import { credentialsDirectory, topic } from "./rendered";
import { momentsOf, type Moment } from "../../test/support/kafka/statistics";

/** How one producer is set up. */
export interface Client {
  /** Java instead of librdkafka. */
  readonly java?: boolean;
  /** Properties. Defaults to the profile that the component renders. */
  readonly properties?: string;
  /** Sysctls of its pod. Defaults to those of the profile. */
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly rate: number;
}

/** What Linux has by itself. A network namespace begins with these, and keeps what the client before set. */
const kernelDefaults = {
  "net.ipv4.tcp_keepalive_time": "7200",
  "net.ipv4.tcp_keepalive_intvl": "75",
  "net.ipv4.tcp_keepalive_probes": "9",
};

/** Only how to connect: all else as the library has it. */
export function bare(profile: string, ...more: string[]): string {
  const tls = profile.split("\n").filter((line) => /^(security\.protocol|ssl\.)/.test(line));
  return [...tls, ...more, ""].join("\n");
}

export const unchanged = { sysctls: kernelDefaults };

/** Producers that run at the same time, each on a machine of its own, and what became of their messages. */
export class Producers {
  private readonly containers: Container[] = [];
  private readonly image: Readonly<Record<string, string>>;
  private readonly secret: string;
  public readonly directory: string;
  private static machines: Machine[] = [];

  constructor(
    private readonly lab: Lab,
    scenario: string,
    private readonly clients: Readonly<Record<string, Client>>,
  ) {
    this.directory = join(lab.directory, scenario);
    this.secret = join(this.directory, "secret");
    mkdirSync(this.secret, { recursive: true });
    this.image = imageMounts(join(this.directory, "image"));
    for (const [file, text] of Object.entries(lab.kubelet.contents("Secret", lab.rendered.clientSecretName)))
      writeFileSync(join(this.secret, file), text);
  }

  /** Starts them, and waits until all have been acknowledged fast for four seconds. */
  public async start(): Promise<void> {
    Object.entries(this.clients).forEach(([name, client], n) => this.launch(name, client, this.machine(n)));
    const deadline = Date.now() + 180_000;
    for (let calm = 0; calm < 4;) {
      await delay(1000);
      const now = Date.now() / 1000;
      calm = Object.keys(this.clients).every((name) => isSteady(this.deliveries(name), now)) ? calm + 1 : 0;
      const ended = this.containers.find(({ outcome }) => outcome !== undefined);
      if (ended !== undefined) throw new Error(`a producer ended:\n${ended.text()}`);
      if (Date.now() > deadline)
        throw new Error(`no steady state:\n${this.containers.map((one) => one.text().slice(-2000)).join("\n")}`);
    }
  }

  /** Ends them when all messages are reported, reads the whole topic, and counts. */
  public async finish(): Promise<Record<string, Count>> {
    this.stop();
    for (const container of this.containers) {
      const outcome = await container.ended;
      if (outcome !== 0) throw new Error(`a producer ended with ${outcome}:\n${container.text()}`);
    }
    const properties = this.lab.rendered.profile.files["java.properties"] ?? "";
    const reader = this.run("reader", this.machine(0), this.java("Reader", ["read"]), properties, {});
    const outcome = await reader.ended;
    if (outcome !== 0) throw new Error(`the reader ended with ${outcome}:\n${reader.text()}`);
    const read = readFileSync(join(this.directory, "read"), "utf8");
    return Object.fromEntries(
      Object.keys(this.clients).map((name) => [name, countOf(name, this.deliveries(name), read)]),
    );
  }

  public stop(): void {
    writeFileSync(join(this.directory, "stop"), "");
  }

  public deliveries(name: string): Delivery[] {
    return deliveriesOf(this.text(`${name}.deliveries`));
  }

  public statistics(name: string): Moment[] {
    return momentsOf(this.text(`${name}.statistics.jsonl`));
  }

  /** Messages that a Java producer has waiting, each second: `[seconds since 1970, messages]`. */
  public waiting(name: string): [number, number][] {
    const lines = this.text(`${name}.waiting`).split("\n").slice(0, -1);
    return lines.map((line) => line.split(" ").map(Number) as [number, number]);
  }

  private text(file: string): string {
    const path = join(this.directory, file);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  private machine(n: number): Machine {
    return (Producers.machines[n] ??= this.lab.network.add(`client-${n}`, 40 + n));
  }

  private launch(name: string, client: Client, machine: Machine): void {
    const { files, podSecurityContext } = this.lab.rendered.profile;
    const profile = files[client.java === true ? "java.properties" : "librdkafka.properties"] ?? "";
    const ours = Object.fromEntries(podSecurityContext.sysctls.map((sysctl) => [sysctl.name, sysctl.value]));
    const args = [String(client.rate), name];
    const command = client.java === true ? this.java("Producer", args) : this.python(args);
    const container = this.run(name, machine, command, client.properties ?? profile, client.sysctls ?? ours);
    this.containers.push(container);
  }

  private java(program: string, args: readonly string[]): string[] {
    const flags = [
      "-Xmx192m",
      "-XX:+UseSerialGC",
      "-XX:TieredStopAtLevel=1",
      ...this.lab.rendered.profile.jvmArguments,
    ];
    return ["java", ...flags, "-cp", "/opt/kafka/libs/*", `/clients/${program}.java`, ...this.common(args)];
  }

  private python(args: readonly string[]): string[] {
    return [python, "/clients/producer.py", ...this.common(args)];
  }

  private common(args: readonly string[]): string[] {
    return ["/profile", this.lab.rendered.bootstrapServers, topic.name, ...args];
  }

  private run(
    name: string,
    machine: Machine,
    command: readonly string[],
    properties: string,
    sysctls: Readonly<Record<string, string>>,
  ): Container {
    const profile = join(this.directory, `${name}.properties`);
    writeFileSync(profile, properties);
    const mounts = {
      ...this.image,
      "/clients": join(__dirname, "clients"),
      "/out": this.directory,
      "/profile": profile,
      [credentialsDirectory]: this.secret,
    };
    const spec = { name, machine, command, env: {}, mounts, sysctls };
    return startContainer(spec, this.directory, this.lab.network.hostsFile);
  }
}
