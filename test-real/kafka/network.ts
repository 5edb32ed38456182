import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A machine: a network namespace behind the router, which is the network that the suite runs in. */
export interface Machine {
  readonly name: string;
  /** Its network is 10.77.<subnet>.0/24. */
  readonly subnet: number;
  /** Last byte of its address. Another one is another machine to everybody who knew the first. */
  last: number;
}

export const addressOf = ({ subnet, last }: Machine) => `10.77.${subnet}.${last}`;

/**
 * Machines with a network each, all routed by the suite's own. That one, its processes and its mounts end with the suite (own-network.ts), so
 * nothing of this needs to be taken back, whoever kills it.
 */
export class Network {
  private readonly machines = new Map<string, Machine>();
  private readonly names = new Map<string, Machine[]>();
  /** Mounted over /etc/hosts everywhere. Rewritten in place: a mount keeps the file that it had. */
  public readonly hostsFile: string;

  constructor(directory: string) {
    if (process.env["MOORINGS_OWN_NETWORK"] !== "1")
      throw new Error("this suite runs in a network of its own: npm run test:real -- kafka");
    this.hostsFile = join(directory, "hosts");
    writeFileSync("/proc/sys/net/ipv4/ip_forward", "1");
    this.writeHosts();
  }

  public add(name: string, subnet: number): Machine {
    const machine: Machine = { name, subnet, last: 2 };
    const router = `10.77.${subnet}.1`;
    const device = `v${subnet}`; // "name" alone may be a word of ip's
    ip("netns", "add", name);
    ip("link", "add", device, "type", "veth", "peer", "name", "e0", "netns", name);
    ip("addr", "add", `${router}/24`, "dev", device);
    ip("link", "set", device, "up");
    ip("-n", name, "link", "set", "lo", "up");
    ip("-n", name, "addr", "add", `${addressOf(machine)}/24`, "dev", "e0");
    ip("-n", name, "link", "set", "e0", "up");
    ip("-n", name, "route", "add", "default", "via", router);
    this.machines.set(name, machine);
    return machine;
  }

  /** Lets a name mean these machines. */
  public name(host: string, machines: Machine[]): void {
    this.names.set(host, machines);
    this.writeHosts();
  }

  /** From now on whatever goes to or from the machine is lost; nobody is told, neither by a reset nor by an ICMP message. */
  public cut(machine: Machine): void {
    for (const direction of ["from", "to"]) ip("rule", "add", direction, addressOf(machine), "blackhole", "pref", "10");
  }

  public heal(machine: Machine): void {
    for (const direction of ["from", "to"]) ip("rule", "del", direction, addressOf(machine), "blackhole", "pref", "10");
  }

  /** Gives the machine another address, under the same names. */
  public move(machine: Machine): void {
    ip("-n", machine.name, "addr", "del", `${addressOf(machine)}/24`, "dev", "e0");
    machine.last += 1;
    ip("-n", machine.name, "addr", "add", `${addressOf(machine)}/24`, "dev", "e0");
    ip("-n", machine.name, "route", "replace", "default", "via", `10.77.${machine.subnet}.1`);
    this.writeHosts();
  }

  private writeHosts(): void {
    const lines = [...this.names].flatMap(([host, machines]) => machines.map((one) => `${addressOf(one)} ${host}`));
    writeFileSync(this.hostsFile, ["127.0.0.1 localhost", ...lines, ""].join("\n"));
  }
}

function ip(...args: string[]): void {
  execFileSync("ip", args, { stdio: ["ignore", "pipe", "pipe"] });
}
