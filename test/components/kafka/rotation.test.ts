import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KafkaClusterArgs } from "../../../components/kafka";
import { find } from "../../support/graph";
import { given, labels, make, podOf, specOf, types, type Resources } from "./setup";

/* The job that restarts pods whose certificates were renewed: what it may do, and its script with tools that answer as the real ones do. */

const rotated = { certificates: given };
const kinds = {
  cronJob: "kubernetes:batch/v1:CronJob",
  role: "kubernetes:rbac.authorization.k8s.io/v1:Role",
  binding: "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding",
};
interface CronJobSpec {
  [field: string]: unknown;
  jobTemplate: {
    spec: { template: { metadata: object; spec: { containers: { command: string[] }[]; volumes: object[] } } };
  };
}
const cronJob = (resources: Resources) => specOf(resources, kinds.cronJob, "k-rotation") as unknown as CronJobSpec;
const templateOf = (resources: Resources) => cronJob(resources).jobTemplate.spec.template;
const rotation = { podSelector: { matchLabels: { ...labels("admin"), "app.kubernetes.io/component": "rotation" } } };

describe("the job", () => {
  test("may evict the pods of this cluster by name, and nothing else", async () => {
    const { resources } = await make({ ...rotated, brokers: 4 });
    expect(find(resources, kinds.role, "k-rotation-role").inputs["rules"]).toEqual([
      {
        apiGroups: [""],
        resources: ["pods/eviction"],
        resourceNames: [
          ...["kafka-controller-0", "kafka-controller-1", "kafka-controller-2"],
          ...["kafka-broker-100", "kafka-broker-101", "kafka-broker-102", "kafka-broker-103"],
        ],
        verbs: ["create"],
      },
    ]);
    expect(find(resources, kinds.binding, "k-rotation-binding").inputs).toMatchObject({
      roleRef: { kind: "Role", name: "kafka-rotation" },
      subjects: [{ kind: "ServiceAccount", name: "kafka-rotation", namespace: "events" }],
    });
  });

  test("looks every hour, never twice at once, with a token that no other pod gets", async () => {
    const { resources } = await make(rotated);
    expect(cronJob(resources)).toMatchObject({
      schedule: "17 * * * *",
      timeZone: "Etc/UTC",
      concurrencyPolicy: "Forbid",
    });
    const pod = templateOf(resources).spec;
    expect(pod).toMatchObject({ automountServiceAccountToken: true, serviceAccountName: "kafka-rotation" });
    expect(podOf(resources, "broker")).toMatchObject({
      automountServiceAccountToken: false,
      serviceAccountName: "kafka",
    });
    const account = find(resources, types.serviceAccount, "k-rotation-account");
    expect(account.inputs["automountServiceAccountToken"]).toBe(false);
  });

  test("knows each node's address, controllers first, and the files that they should show", async () => {
    const { resources } = await make(rotated);
    const { containers, volumes } = templateOf(resources).spec;
    const [, , , , nodes, namespace] = containers[0]!.command;
    const controllers = [0, 1, 2].map((id) => `kafka-controller-${id}`);
    const brokers = [100, 101, 102].map((id) => `kafka-broker-${id}`);
    expect(nodes!.split("\n")).toEqual([
      ...controllers.map((pod) => `controller ${pod} ${pod}.kafka-controllers.events.svc.cluster.local:9093`),
      ...brokers.map((pod) => `broker ${pod} ${pod}.kafka-brokers.events.svc.cluster.local:9094`),
    ]);
    expect(namespace).toBe("events");
    const items = ["tls-combined.pem", "ca.crt"].map((key) => ({ key, path: key }));
    expect(volumes).toEqual(
      expect.arrayContaining([
        { name: "controller", secret: { secretName: "c-tls", defaultMode: 0o440, items } },
        { name: "broker", secret: { secretName: "b-tls", defaultMode: 0o440, items } },
      ]),
    );
  });

  test("reaches the nodes and the API server, and nobody reaches it", async () => {
    const { resources } = await make(rotated);
    const tcp = (port: number) => [{ protocol: "TCP", port }];
    const policy = specOf(resources, types.policy, "k-rotation-policy");
    expect(policy).toMatchObject({ ...rotation, policyTypes: ["Ingress", "Egress"] });
    expect(policy).not.toHaveProperty("ingress");
    expect((policy["egress"] as object[]).slice(1)).toEqual([
      { to: [{ podSelector: { matchLabels: labels("broker") } }], ports: tcp(9094) },
      { to: [{ podSelector: { matchLabels: labels("controller") } }], ports: tcp(9093) },
      { ports: tcp(443) },
    ]);
    for (const role of ["broker", "controller"])
      expect(
        (specOf(resources, types.policy, `k-${role}-policy`)["ingress"] as { from: object[] }[]).at(-1)!.from,
      ).toContainEqual(rotation);
  });

  test.each<[string, Partial<KafkaClusterArgs>]>([
    ["the component renews certificates itself", {}],
    ["nobody wants it", { ...rotated, certificateRotation: { enabled: false } }],
  ])("isn't there where %s", async (_, change) => {
    const { errors, resources } = await make(change);
    expect(errors).toEqual([]);
    expect(JSON.stringify(resources.map((r) => [r.name, r.inputs]))).not.toContain("rotation");
  });

  test.each<[Partial<KafkaClusterArgs>, string]>([
    [
      { ...rotated, certificateRotation: { enabled: "no" as unknown as boolean } },
      "certificateRotation.enabled: must be",
    ],
    [{ certificateRotation: {} }, "certificateRotation: is for certificates and certManager"],
    [
      { ...rotated, certificateRotation: { schedule: "every day" } },
      "certificateRotation.schedule: must be five fields",
    ],
  ])("%j is refused", async (change, said) => {
    const { errors } = await make(change);
    expect(errors.map(({ message }) => message).join()).toContain(said);
  });
});

/* One controller in the list is one voter: what the tools show is that of real ones, Kafka 4.4.0 and OpenSSL 3.0. */
describe("the script", () => {
  const nodes = ["controller c-0 c-0.x:9093", "broker b-100 b-100.x:9094", "broker b-101 b-101.x:9094"];
  let folder: string;
  let script: string;
  beforeAll(async () => {
    script = templateOf((await make(rotated)).resources).spec.containers[0]!.command[2]!;
  });
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rotation-"));
    for (const sub of ["account", "admin", "controller", "broker"]) mkdirSync(join(folder, sub));
    for (const [tool, text] of Object.entries(tools)) {
      write(tool, text);
      chmodSync(join(folder, tool), 0o755);
    }
    write("account/token", "TOKEN");
    write("controller/tls-combined.pem", "new CN=c\n");
    write("broker/tls-combined.pem", "new CN=b,O=Acme\n");
    for (const file of ["behind", "answers", "calls"]) write(file, "");
    write("quorum", "0 AAAA 3686 0 1796097239135 1796097239135 Leader\n100 AAAA 3000 686 1 1 Observer\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** What nodes show before, in the order of the list. */
  const runs = (...shown: string[]) => {
    nodes.forEach((node, i) => write(node.split(" ")[2]!.split(":")[0]!, `${shown[i]!}\n`));
    const own = script
      .replaceAll("/opt/kafka/bin", folder)
      .replaceAll("/var/run/secrets/kubernetes.io/serviceaccount", join(folder, "account"));
    const env = { PATH: `${folder}:${process.env["PATH"]}`, CERTIFICATES: folder, PAUSE: "0", PATIENCE: "4" };
    const more = { BOOTSTRAP_SERVERS: "b:9094", ADMIN_PROPERTIES: join(folder, "p"), FOLDER: folder };
    const log = execFileSync("/bin/bash", ["-c", own, "job", nodes.join("\n"), "events"], {
      env: { ...env, ...more },
      stdio: "pipe",
      encoding: "utf8",
    });
    return { log, evicted: evicted() };
  };
  const evicted = () => readFileSync(join(folder, "calls"), "utf8").split("\n").filter(Boolean);
  const old = "old CN=x";

  test("does nothing where all show what is in their Secrets", () => {
    const { log, evicted: pods } = runs("new CN=c", "new CN=b,O=Acme", "new CN=b,O=Acme");
    expect([log, pods]).toEqual(["All nodes show the certificates of their Secrets.\n", []]);
  });

  test("restarts the nodes that show an old one, controllers first, by evictions with the pod's own token", () => {
    expect(runs(old, "new CN=b,O=Acme", old).evicted).toEqual(["c-0 events TOKEN", "b-101 events TOKEN"]);
  });

  test("waits for a disruption budget, and gives up after a while", () => {
    write("answers", "429 Too Many Requests\n429 Too Many Requests\n");
    expect(runs("new CN=c", old, "new CN=b,O=Acme").evicted).toEqual(Array(3).fill("b-100 events TOKEN"));
    write("answers", "429 Too Many Requests\n".repeat(9));
    expect(() => runs("new CN=c", old, old)).toThrow("b-100 can't be evicted: its disruption budget doesn't allow it.");
  });

  test.each<[string, Record<string, string>, string[], string]>([
    [
      "a node is away",
      {},
      ["", old, old],
      "c-0 shows no certificate at c-0.x:9093. Nothing is restarted while a node is away.",
    ],
    [
      "a partition is behind",
      { behind: "Topic: orders\n" },
      [old, old, old],
      "Partitions or controllers are behind: c-0 isn't",
    ],
    [
      "a controller is behind",
      { quorum: "0 A 99 21 1 1 Follower\n" },
      [old, old, old],
      "controllers are behind: c-0 isn't",
    ],
    ["nobody knows of the quorum", { quorum: "" }, [old, old, old], "controllers are behind: c-0 isn't"],
    ["the new one has ended", { "controller/tls-combined.pem": "bad CN=c\n" }, [old, old, old], "c-0 keeps its own."],
    [
      "the new one is for another name",
      { "controller/tls-combined.pem": "new CN=ca\n" },
      [old, old, old],
      "isn't for CN=c:",
    ],
  ])("restarts nothing while %s", (_, files, shown, said) => {
    for (const [file, text] of Object.entries(files)) write(file, text);
    expect(() => runs(...shown)).toThrow(said);
    expect(evicted()).toEqual([]);
  });

  test.each([
    ["a pod doesn't come back with the new one", "201 Created stuck\n", "c-0 doesn't show its new certificate"],
    ["the API server refuses", "403 Forbidden\n", "c-0 can't be evicted: the API server answers 403."],
    [
      "the API server isn't one that its authority knows",
      "\n",
      "c-0 can't be evicted: the API server answers nothing.",
    ],
  ])("stops after one node, where %s", (_, answer, said) => {
    write("answers", answer);
    expect(() => runs(old, old, old)).toThrow(said);
    expect(evicted()).toEqual(["c-0 events TOKEN"]);
  });
});

/** A certificate here is a line, `new CN=c`. Who evicts a pod gets the next answer; the pod then shows the file of its role. */
const openssl = `#!/bin/bash
set -eu
cd "$FOLDER"
case "$*" in
  *kubernetes.default.svc:443*)
    [[ $* == *-verify_return_error*-verify_hostname\\ kubernetes.default.svc* ]]
    request=$(tr -d '\\r')
    [[ $request =~ ^POST\\ /api/v1/namespaces/([^/]+)/pods/([^/]+)/eviction\\ .*Bearer\\ ([A-Z]+) ]]
    pod=\${BASH_REMATCH[2]} role=broker
    echo "$pod \${BASH_REMATCH[1]} \${BASH_REMATCH[3]}" >> calls
    answer=$(head -1 answers) default="201 Created"
    [[ -s answers ]] || answer=$default
    sed -i 1d answers
    [[ -n $answer ]] || exit 1
    [[ $pod != c-* ]] || role=controller
    [[ $answer != "201 Created" ]] || cp "$role/tls-combined.pem" "$pod.x"
    printf 'HTTP/1.0 %s\\r\\nContent-Type: application/json\\r\\n\\r\\n{}' "$answer" ;;
  s_client*) cat "\${3%:*}" ;;
  *-fingerprint*) read -r line; [[ -n $line ]] || exit 1; echo "sha256 Fingerprint=$line" ;;
  *-subject*) echo "subject=$(sed 's/^[a-z]* //' "\${!#}")" ;;
  verify*) ! grep -q bad "\${!#}" ;;
esac
`;
const tools = {
  openssl,
  "kafka-topics.sh": '#!/bin/bash\ncat "$FOLDER/behind"\n',
  "kafka-metadata-quorum.sh":
    '#!/bin/bash\nprintf "NodeId\\tDirectoryId\\tLogEndOffset\\tLag\\tLastFetchTimestamp\\tLastCaughtUpTimestamp\\tStatus\\n"\nsed "s/ /\\t/g; s/$/\\t/" "$FOLDER/quorum"\n',
};
