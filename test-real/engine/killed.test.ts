import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameOf, typeOf } from "../../cli/engine/urn";
import type { OperationKind } from "./cloud/cloud";
import { broken } from "./faults";
import { killDuring } from "./killed";
import { dev, initialize } from "./platforms";
import { root, Session } from "./session";

const cluster = "aws:eks/cluster:Cluster::cluster-cluster-eksCluster";
const loadBalancer = "aws:lb/loadBalancer:LoadBalancer::edge-alb";
const unattended = ["--yes", "--skip-preview", "--stack", "dev"];
const recovery = readFileSync(join(root, "docs/recovery.md"), "utf8");

describe("an engine that is killed, repaired as docs/recovery.md says", () => {
  let session: Session;
  beforeAll(async () => {
    // What is found afterwards is what was written.
    session = await Session.open({ checkpoints: "step" });
    await initialize(session, dev);
  });
  afterAll(() => session.close());

  /** Runs the commands of the block under a heading, with values in the place of <...>. */
  const follow = async (heading: string, values: Readonly<Record<string, string>> = {}) => {
    for (const [command = "", ...args] of documented(heading)) {
      const filled = args.map((arg) => arg.replace(/<(\w+)>/g, (_, key: string) => String(values[key])));
      await session.succeed(command, ...filled, "--yes", ...(command === "cancel" ? [] : ["--skip-preview"]));
    }
  };
  const kill = async (kind: OperationKind, victim: string, command: string) => {
    await killDuring(session, "dev", { kind, urn: victim }, [command]);
    const pending = session.state("dev").pending.find(({ resource }) => resource.urn.endsWith(victim));
    if (pending === undefined) throw new Error(`nothing of ${victim} is pending`);
    const locked = await session.pulumi(command, ...unattended);
    expect(locked.code).not.toBe(0);
    expect(locked.output).toContain("the stack is currently locked");
    session.cloud.takeOperations();
    await follow("## It was killed");
    return pending;
  };
  const expectWhole = async () => {
    expect(broken(session, dev)).toEqual([]);
    await session.succeed("preview", "--expect-no-changes", "--stack", "dev");
  };

  test("during a Create under a name that Pulumi made up: the next up makes a second one, and the first is lost", async () => {
    const { type, resource } = await kill("create", loadBalancer, "up");
    expect(type).toBe("creating");
    const [lost] = session.cloud.ofType("aws:lb/loadBalancer:LoadBalancer");
    if (lost === undefined) throw new Error("the cloud didn't finish");

    await session.succeed("up", ...unattended);
    expect(session.cloud.ofType("aws:lb/loadBalancer:LoadBalancer")).toHaveLength(2);
    expect(broken(session, dev)).toContain(`only in the cloud: ${resource.urn} ${lost.id}`);

    session.cloud.remove(lost); // by hand
    await follow("### It isn't there");
    await expectWhole();
  });

  test("during an Update: the same command makes the change once more", async () => {
    session.change("dev", new Map([[["aws:defaultTags"], { tags: { "cost-center": "platform" } }]]));
    const { type, resource } = await kill("update", cluster, "up");
    expect(type).toBe("updating");
    await session.succeed("up", ...unattended);
    const updates = session.cloud.takeOperations();
    expect(updates.filter(({ kind }) => kind !== "update")).toEqual([]);
    expect(updates.map(({ urn }) => urn)).toContain(resource.urn);
    await expectWhole();
  });

  test("during a Delete: the same command takes what is gone for deleted", async () => {
    const { type, resource } = await kill("delete", cluster, "destroy");
    expect(type).toBe("deleting");
    expect(broken(session, dev)).toContain(`only in the state: ${resource.urn} moorings-dev`);
    await session.succeed("destroy", ...unattended);
    expect(session.cloud.living).toEqual([]);
    expect(broken(session, dev)).toEqual([]);
  });

  test("during a Create under a name of its own: Pulumi takes over what the cloud has", async () => {
    const { type, resource } = await kill("create", cluster, "up");
    expect(type).toBe("creating");
    const made = session.cloud.ofType("aws:eks/cluster:Cluster");
    expect(broken(session, dev)).toContain(`only in the cloud: ${resource.urn} moorings-dev`);

    const refused = await session.pulumi("up", ...unattended);
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("already exists");
    // Pulumi's own option for it only forgets.
    const pair = [resource.urn, "moorings-dev"].flatMap((word) => ["--import-pending-creates", word]);
    await session.succeed("refresh", ...pair, ...unattended);
    expect(broken(session, dev)).toEqual([`only in the cloud: ${resource.urn} moorings-dev`]);

    await follow("### It is there, under a name of its own", {
      type: typeOf(resource.urn),
      name: nameOf(resource.urn),
      id: "moorings-dev",
      parent: String(resource.parent),
    });
    await expectWhole();
    expect(session.cloud.ofType("aws:eks/cluster:Cluster")).toEqual(made);
  });
});

test("an engine that was killed while it wrote a state file: without its attributes the state is read again", async () => {
  const session = await Session.open({ checkpoints: "step" });
  try {
    await session.succeed("stack", "init", "dev");
    const attributes = `${session.stateFile("dev")}.attrs`;
    writeFileSync(attributes, ""); // opened, and not yet written: gocloud.dev's fileblob (attrs.go, setAttrs)
    const { code, output } = await session.pulumi("stack", "export", "--stack", "dev");
    expect(code).not.toBe(0);
    expect(output).toContain("failed to load checkpoint: EOF");
    expect(recovery).toContain("| `failed to load checkpoint: EOF` |");
    expect(recovery).toContain("rm .pulumi/stacks/moorings/dev.json.attrs");
    rmSync(attributes);
    await session.succeed("stack", "export", "--stack", "dev");
  } finally {
    await session.close();
  }
});

/** Pulumi commands of the code block that follows a heading. */
function documented(heading: string): string[][] {
  const [, section] = recovery.split(`\n${heading}\n`);
  const [, block] = section?.split("\n```\n") ?? [];
  const commands = block?.split("\n").filter((line) => line.startsWith("pulumi ") && !line.includes(" | "));
  if (commands === undefined || commands.length === 0) throw new Error(`no commands under ${heading}`);
  return commands.map((line) => line.replaceAll("'", "").split(" ").slice(1));
}
