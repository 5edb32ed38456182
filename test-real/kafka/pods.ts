import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KubernetesObject } from "../apiserver/api-client";
import { runContainer, startContainer, type Container, type ContainerSpec } from "./containers";
import type { Machine, Network } from "./network";

interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}
interface ContainerObject {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly securityContext?: { readonly readOnlyRootFilesystem?: boolean };
  readonly readinessProbe?: { readonly tcpSocket?: { readonly port: number } };
}
interface Items {
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}
interface Volume {
  readonly name: string;
  readonly secret?: Items & { readonly secretName: string };
  readonly configMap?: Items & { readonly name: string };
}

/** The parts of a pod that this plays. */
export interface PodSpec {
  readonly containers: readonly ContainerObject[];
  readonly initContainers?: readonly ContainerObject[];
  readonly volumes?: readonly Volume[];
  readonly securityContext?: { readonly sysctls?: readonly { readonly name: string; readonly value: string }[] };
}

/** A pod as its controller makes it. */
export interface Pod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Plays a kubelet: files from ConfigMaps and Secrets, empty folders, claims that stay, the environment, init containers, and the first container. */
export class Kubelet {
  constructor(
    private readonly network: Network,
    private readonly objects: readonly KubernetesObject[],
    private readonly image: Readonly<Record<string, string>>,
    private readonly directory: string,
    /** Variables that the lab adds for its own machine's sake. */
    private readonly also: Readonly<Record<string, string>>,
  ) {}

  public start(pod: Pod, machine: Machine): Container {
    const [container] = pod.spec.containers;
    if (container === undefined) throw new Error(`${pod.name} has no container`);
    const folders = Object.fromEntries(
      (pod.spec.volumes ?? []).map((volume) => [volume.name, this.volume(pod, volume)]),
    );
    for (const before of pod.spec.initContainers ?? [])
      runContainer(
        this.specOf(pod, before, machine, folders, `${pod.name}-${before.name}`),
        this.directory,
        this.network.hostsFile,
      );
    return startContainer(
      this.specOf(pod, container, machine, folders, pod.name),
      this.directory,
      this.network.hostsFile,
    );
  }

  private specOf(
    pod: Pod,
    container: ContainerObject,
    machine: Machine,
    folders: Readonly<Record<string, string>>,
    name: string,
  ): ContainerSpec {
    const mounts = (container.volumeMounts ?? []).map(({ name: volume, mountPath, subPath }) => {
      const folder = folders[volume] ?? this.folder("claims", pod.name, volume);
      return [mountPath, subPath === undefined ? folder : join(folder, subPath)];
    });
    return {
      name,
      machine,
      command: [...(container.command ?? ["/etc/kafka/docker/run"]), ...(container.args ?? [])],
      env: { ...environment(pod, container.env ?? [], machine), ...this.also },
      mounts: { ...this.image, ...(Object.fromEntries(mounts) as Record<string, string>) },
      sysctls: Object.fromEntries((pod.spec.securityContext?.sysctls ?? []).map(({ name, value }) => [name, value])),
      readOnlyRoot: container.securityContext?.readOnlyRootFilesystem ?? false,
    };
  }

  /** Contents of a ConfigMap or Secret, by their keys. */
  public contents(kind: "ConfigMap" | "Secret", name: string): Record<string, string> {
    const found = this.objects.find((object) => object.kind === kind && object.metadata.name === name);
    if (found === undefined) throw new Error(`the component made no ${kind} ${name}`);
    return (kind === "ConfigMap" ? found["data"] : found["stringData"]) as Record<string, string>;
  }

  private volume(pod: Pod, { name, secret, configMap }: Volume): string {
    const folder = this.folder("volumes", pod.name, name);
    const from =
      secret !== undefined
        ? this.contents("Secret", secret.secretName)
        : configMap !== undefined
          ? this.contents("ConfigMap", configMap.name)
          : {};
    const items = (secret ?? configMap)?.items ?? Object.keys(from).map((key) => ({ key, path: key }));
    for (const { key, path } of items) {
      const text = from[key];
      if (text === undefined) throw new Error(`${pod.name} mounts the key ${key}, which isn't in ${name}`);
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  private folder(...path: string[]): string {
    const folder = join(this.directory, ...path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

function environment(pod: Pod, variables: readonly EnvVar[], machine: Machine): Record<string, string> {
  const known: Record<string, string> = {};
  for (const { name, value, valueFrom } of variables)
    known[name] =
      value === undefined
        ? field(pod, valueFrom?.fieldRef?.fieldPath ?? "", machine)
        : value.replace(/\$\(([A-Za-z_][A-Za-z0-9_]*)\)/g, (text, variable: string) => known[variable] ?? text);
  return known;
}

function field(pod: Pod, path: string, { subnet, last }: Machine): string {
  const label = /^metadata\.labels\['(.+)'\]$/.exec(path)?.[1];
  const value =
    label !== undefined
      ? pod.labels[label]
      : { "metadata.name": pod.name, "metadata.namespace": pod.namespace, "status.podIP": `10.77.${subnet}.${last}` }[
          path
        ];
  if (value === undefined) throw new Error(`${pod.name}'s environment takes ${path}, which this doesn't play`);
  return value;
}
