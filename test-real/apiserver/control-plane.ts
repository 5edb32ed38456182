import { generateKeyPairSync, randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startServer, type Server } from "../servers/processes";
import { toolPath, type ToolName } from "../servers/tools";
import { ApiClient } from "./api-client";

/** A Kubernetes control plane: etcd, API server and, once started, controllers. No scheduler, no kubelet, no webhooks. */
export interface ControlPlane {
  readonly client: ApiClient;
  /** Of its administrator, for other clients. */
  readonly kubeconfig: string;
  /** Folder of its files and logs, which goes when it stops. */
  readonly directory: string;
  startControllers(): Promise<void>;
  stop(): Promise<void>;
}

/** Those that make pods of our objects or change them, and those that these wait for. */
const controllers = [
  "deployment-controller",
  "replicaset-controller",
  "statefulset-controller",
  "job-controller",
  "horizontal-pod-autoscaler-controller",
  "disruption-controller",
  "endpointslice-controller",
  "endpoints-controller", // the Kubernetes provider waits for these of a Service
  "namespace-controller",
  "garbage-collector-controller",
  "persistentvolumeclaim-protection-controller", // claims go only when it takes its finalizer off
  "serviceaccount-controller", // no pod is admitted before its namespace has its default account
];

/** What a suite wants besides. */
export interface ControlPlaneOptions {
  /** Further controllers. Defaults to none. */
  readonly controllers?: readonly string[];
  /** Further flags of the programs. Defaults to none. */
  readonly flags?: Partial<Record<ToolName, Readonly<Record<string, string>>>>;
}

/** Starts etcd and an API server of its own, on ports that nobody uses. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const directory = mkdtempSync(join(tmpdir(), "control-plane-"));
  const [etcdPort, peerPort, apiPort, controllerPort] = (await freePorts(4)) as [number, number, number, number];
  const file = (name: string) => join(directory, name);
  const token = randomUUID();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(file("accounts.key"), privateKey.export({ type: "sec1", format: "pem" }));
  writeFileSync(file("tokens.csv"), `${token},admin,admin,"system:masters"\n`);

  const running: Server[] = [];
  const start = async (name: ToolName, flags: Record<string, string>, ready: () => Promise<boolean>) => {
    const args = Object.entries({ ...flags, ...options.flags?.[name] }).map(([flag, value]) => `--${flag}=${value}`);
    running.push(await startServer({ name, command: toolPath(name), args, directory, ready }));
  };
  const stop = async () => {
    for (const server of running.reverse()) await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };

  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  try {
    await start(
      "etcd",
      {
        "data-dir": file("etcd"),
        "unsafe-no-fsync": "true", // its data die with the test
        "listen-client-urls": etcdUrl,
        "advertise-client-urls": etcdUrl,
        "listen-peer-urls": peerUrl,
        "initial-advertise-peer-urls": peerUrl,
        "initial-cluster": `default=${peerUrl}`,
      },
      async () => (await fetch(`${etcdUrl}/health`)).ok,
    );
    const connect = () => new ApiClient(apiPort, token, readFileSync(file("apiserver.crt"), "utf8"));
    await start(
      "kube-apiserver",
      {
        "etcd-servers": etcdUrl,
        "bind-address": "127.0.0.1",
        "secure-port": String(apiPort),
        "cert-dir": directory, // where it puts a certificate that it signs itself
        "authorization-mode": "RBAC",
        "token-auth-file": file("tokens.csv"),
        "service-account-issuer": "https://kubernetes.default.svc",
        "service-account-key-file": file("accounts.key"),
        "service-account-signing-key-file": file("accounts.key"),
        "service-cluster-ip-range": "10.96.0.0/16",
        "allow-privileged": "true", // else a privileged pod fails before Pod Security admission sees it
      },
      () => isReady(connect),
    );
    const client = connect();
    const kubeconfig = kubeconfigOf(apiPort, token, file("apiserver.crt"));
    return {
      client,
      kubeconfig,
      directory,
      startControllers: () => {
        writeFileSync(file("kubeconfig"), kubeconfig);
        return start(
          "kube-controller-manager",
          {
            kubeconfig: file("kubeconfig"),
            "bind-address": "127.0.0.1",
            "secure-port": String(controllerPort),
            "cert-dir": directory,
            "leader-elect": "false",
            "service-account-private-key-file": file("accounts.key"),
            "horizontal-pod-autoscaler-sync-period": "1s",
            controllers: [...controllers, ...(options.controllers ?? [])].join(","),
          },
          () => hasDefaultAccount(client),
        );
      },
      stop: async () => {
        client.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isReady(connect: () => ApiClient): Promise<boolean> {
  const client = connect();
  try {
    await client.get("/readyz");
    return true;
  } finally {
    client.close();
  }
}

async function hasDefaultAccount(client: ApiClient): Promise<boolean> {
  const accounts = await client.list("v1", "ServiceAccount");
  return accounts.some(({ metadata }) => metadata.namespace === "default" && metadata.name === "default");
}

/** JSON is YAML, too. */
function kubeconfigOf(port: number, token: string, certificateAuthority: string): string {
  const server = `https://127.0.0.1:${port}`;
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server, "certificate-authority": certificateAuthority } }],
    users: [{ name: "admin", user: { token } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "admin" } }],
    "current-context": "test",
  });
}
