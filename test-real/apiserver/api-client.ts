import { Agent, request } from "node:https";

/** An answer of the API server. */
export interface Answer {
  readonly status: number;
  readonly body: KubernetesObject;
  /** Its `Warning` headers: what it accepted, but advises against. */
  readonly warnings: readonly string[];
}

/** Any object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** How an object is sent. */
export interface Sending {
  /** `Strict`, the default here, refuses unknown fields; `Ignore` drops them silently. */
  readonly fieldValidation?: "Strict" | "Ignore";
  /** Everything but storing it: schemas, defaults, admission. */
  readonly dryRun?: boolean;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** As much of a client as these tests need; the libraries there are can't ask for strict validation when they apply. */
export class ApiClient {
  private readonly agent: Agent;
  private readonly groups = new Map<string, readonly Resource[]>();

  constructor(
    private readonly port: number,
    private readonly token: string,
    private readonly certificateAuthority: string,
    private readonly identity: Readonly<Record<string, string | string[]>> = {},
  ) {
    this.agent = new Agent({ ca: certificateAuthority, keepAlive: true });
  }

  /** The same server, seen by a service account; its administrator may speak for anybody. */
  asServiceAccount(namespace: string, name: string): ApiClient {
    return new ApiClient(this.port, this.token, this.certificateAuthority, {
      "impersonate-user": `system:serviceaccount:${namespace}:${name}`,
      "impersonate-group": ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
    });
  }

  /** Server-side apply, as the Kubernetes provider does. */
  async apply(object: KubernetesObject, { fieldValidation = "Strict", dryRun = false }: Sending = {}): Promise<Answer> {
    const query = new URLSearchParams({ fieldManager: "moorings", force: "true", fieldValidation });
    if (dryRun) query.set("dryRun", "All");
    const path = `${await this.pathOf(object)}/${object.metadata.name}?${query}`;
    return this.send("PATCH", path, object, "application/apply-patch+yaml");
  }

  /** Creates, and refuses what exists already. */
  async create(
    object: KubernetesObject,
    { fieldValidation = "Strict", dryRun = false }: Sending = {},
  ): Promise<Answer> {
    const query = new URLSearchParams({ fieldValidation, ...(dryRun && { dryRun: "All" }) });
    return this.send("POST", `${await this.pathOf(object)}?${query}`, object);
  }

  async read(object: KubernetesObject): Promise<KubernetesObject> {
    return (await this.get(`${await this.pathOf(object)}/${object.metadata.name}`)).body;
  }

  /** Gives a pod a node, as a scheduler does. */
  async bind(pod: KubernetesObject, node: string): Promise<Answer> {
    const { name, namespace } = pod.metadata;
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name, namespace },
      target: { kind: "Node", name: node },
    };
    return this.send("POST", `${await this.pathOf(pod)}/${name}/binding`, binding);
  }

  /** Takes an object away at once, without its grace period; what belongs to it, too, unless it is to be left an orphan. */
  async remove(object: KubernetesObject, propagation: "Background" | "Orphan" = "Background"): Promise<Answer> {
    const query = `gracePeriodSeconds=0&propagationPolicy=${propagation}`;
    return this.send("DELETE", `${await this.pathOf(object)}/${object.metadata.name}?${query}`);
  }

  /** Merges into an object, as `kubectl annotate` does. Null takes away. */
  async merge(object: KubernetesObject, change: object): Promise<Answer> {
    const path = `${await this.pathOf(object)}/${object.metadata.name}`;
    return this.send("PATCH", path, change, "application/merge-patch+json");
  }

  /** Merges into an object's status, as its controller does. */
  async patchStatus(object: KubernetesObject, status: object): Promise<Answer> {
    const path = `${await this.pathOf(object)}/${object.metadata.name}/status`;
    return this.send("PATCH", path, { status }, "application/merge-patch+json");
  }

  /** All objects of a kind, in all namespaces. */
  async list(apiVersion: string, kind: string): Promise<readonly KubernetesObject[]> {
    const { name } = await this.resourceOf(apiVersion, kind);
    const { body } = await this.get(`${groupPath(apiVersion)}/${name}`);
    return body["items"] as KubernetesObject[];
  }

  async get(path: string): Promise<Answer> {
    const answer = await this.send("GET", path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${String(answer.body["message"])}`);
    return answer;
  }

  close(): void {
    this.agent.destroy();
  }

  private async pathOf({ apiVersion, kind, metadata }: KubernetesObject): Promise<string> {
    const { name, namespaced } = await this.resourceOf(apiVersion, kind);
    const within = namespaced ? `/namespaces/${metadata.namespace ?? "default"}` : "";
    return `${groupPath(apiVersion)}${within}/${name}`;
  }

  private async resourceOf(apiVersion: string, kind: string): Promise<Resource> {
    const among = (resources: readonly Resource[]) => resources.find((r) => r.kind === kind && !r.name.includes("/"));
    const known = among(this.groups.get(apiVersion) ?? []);
    if (known !== undefined) return known;
    // Definitions add kinds to a group while it is in use.
    const served = (await this.get(groupPath(apiVersion))).body["resources"] as Resource[];
    const found = among(served);
    if (found === undefined) throw new Error(`the API server has no ${kind} in ${apiVersion}`);
    this.groups.set(apiVersion, served);
    return found;
  }

  private send(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<Answer> {
    return new Promise((done, failed) => {
      const headers = {
        authorization: `Bearer ${this.token}`,
        accept: "application/json",
        ...this.identity,
        ...(body !== undefined && { "content-type": contentType }),
      };
      const { agent, port } = this;
      const asked = request({ host: "127.0.0.1", port, path, method, headers, agent, timeout: 60_000 }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          const warnings = (response.headersDistinct["warning"] ?? []).map((w) => /"(.*)"/.exec(w)?.[1] ?? w);
          const type = response.headers["content-type"] ?? "";
          const parsed: unknown = type.startsWith("application/json") ? JSON.parse(text) : { message: text };
          done({ status: response.statusCode ?? 0, body: parsed as KubernetesObject, warnings });
        });
      });
      asked.on("timeout", () => asked.destroy(new Error(`${method} ${path}: no answer in a minute`)));
      asked.on("error", failed);
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
