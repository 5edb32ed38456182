import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import { startControlPlane } from "../apiserver/control-plane";
import { type ApiClient } from "../apiserver/api-client";
import { installDefinitions, type Definition } from "../apiserver/crds";
import { sourcesOf } from "../servers/go";
import { freePorts, startServer, type Server } from "../servers/processes";
import { karpenter, toolPath } from "../servers/tools";
import { nodeClass } from "./adapted";
import { instanceTypes } from "./instance-types";
import { Kubelets } from "./kubelets";
import { Recorder } from "./recorder";

/** Milliseconds for a whole file: only stops a hang, on a machine with other things to do. */
export const patience = 30 * 60_000;

/** A cluster whose nodes the real Karpenter makes and takes away; only the machines, their kubelets and the load balancer are played. */
export interface Lab {
  readonly client: ApiClient;
  readonly kubelets: Kubelets;
  readonly recorder: Recorder;
  /** What Karpenter exposes for Prometheus. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it, with a recording of fleets of these names. */
export async function startLab(fleets: readonly string[]): Promise<Lab> {
  const plane = await startControlPlane({
    controllers: ["node-lifecycle-controller", "pod-garbage-collector-controller"],
    flags: {
      // Without a way out there is no address to find by itself. This one is for documentation (RFC 5737), and nobody asks it.
      "kube-apiserver": { "advertise-address": "192.0.2.1" },
      "kube-controller-manager": { "node-monitor-grace-period": "24h" }, // played kubelets report once
    },
  });
  const { client, directory } = plane;
  const servers: Server[] = [];
  const players: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const player of players.reverse()) await player.stop();
    for (const server of servers.reverse()) await server.stop();
    await plane.stop();
  };
  try {
    await plane.startControllers();
    await installDefinitions(client, definitions());
    await client.apply(nodeClass);
    const karpenter = await startKarpenter(directory);
    servers.push(await startScheduler(directory), karpenter.server);
    const kubelets = new Kubelets(client);
    const recorder = new Recorder(client, fleets);
    players.push(kubelets, recorder);
    return { client, kubelets, recorder, metrics: karpenter.metrics, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The definitions that belong to the Karpenter that runs, from its sources. */
function definitions(): Definition[] {
  const sources = sourcesOf(karpenter, "sigs.k8s.io/karpenter");
  return ["pkg/apis/crds", "kwok/apis/crds"].flatMap((folder) =>
    readdirSync(join(sources, folder)).map(
      (file) => parse(readFileSync(join(sources, folder, file), "utf8")) as Definition,
    ),
  );
}

async function startScheduler(directory: string): Promise<Server> {
  const [port] = (await freePorts(1)) as [number];
  const flags = {
    kubeconfig: join(directory, "kubeconfig"),
    "bind-address": "127.0.0.1",
    "secure-port": String(port),
    "cert-dir": directory,
    "leader-elect": "false",
  };
  return startServer({
    name: "kube-scheduler",
    command: toolPath("kube-scheduler"),
    args: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    directory,
    ready: () => listens(port),
  });
}

async function startKarpenter(directory: string): Promise<{ server: Server; metrics: Lab["metrics"] }> {
  const [metrics, health] = (await freePorts(2)) as [number, number];
  const types = join(directory, "instance-types.json");
  writeFileSync(types, JSON.stringify(instanceTypes()));
  const server = await startServer({
    name: "karpenter",
    command: toolPath("karpenter-kwok"),
    args: [],
    env: {
      ...process.env,
      KUBECONFIG: join(directory, "kubeconfig"),
      SYSTEM_NAMESPACE: "kube-system",
      DISABLE_LEADER_ELECTION: "true",
      METRICS_PORT: String(metrics),
      HEALTH_PROBE_PORT: String(health),
      INSTANCE_TYPES_FILE_PATH: types,
    },
    directory,
    ready: async () => (await fetch(`http://127.0.0.1:${health}/readyz`)).ok,
  });
  return { server, metrics: async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text() };
}

function listens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => done(true)).once("error", () => done(false));
    socket.once("connect", () => socket.destroy());
  });
}
