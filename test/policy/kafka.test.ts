import { kafkaAdvertisesNames } from "../../policy/rules/kafka/kafka-advertises-names";
import { kafkaHasADisruptionBudget } from "../../policy/rules/kafka/kafka-has-a-disruption-budget";
import { kafkaHasItsOwnClusterId } from "../../policy/rules/kafka/kafka-has-its-own-cluster-id";
import { kafkaKeepsItsData } from "../../policy/rules/kafka/kafka-keeps-its-data";
import { kafkaNodesOutliveTheShutdown } from "../../policy/rules/kafka/kafka-nodes-outlive-the-shutdown";
import { kafkaPodsGetNothingInjected } from "../../policy/rules/kafka/kafka-pods-get-nothing-injected";
import { kafkaShutsDownInTime } from "../../policy/rules/kafka/kafka-shuts-down-in-time";
import { kafkaSpreadsOverZones } from "../../policy/rules/kafka/kafka-spreads-over-zones";
import { kafkaStartsTogether } from "../../policy/rules/kafka/kafka-starts-together";
import { kafkaSurvivesLosingABroker } from "../../policy/rules/kafka/kafka-survives-losing-a-broker";
import { kafkaVolumesWaitForTheirPod } from "../../policy/rules/kafka/kafka-volumes-wait-for-their-pod";
import { noKafkaServerStopHook } from "../../policy/rules/kafka/no-kafka-server-stop-hook";
import type { Rule } from "../../policy/lib/rule";
import { checkResource, checkStack, unknown, type Given } from "../support/policy";

const ok = { violations: [], undecided: undefined, notApplicable: false };
const text = (pattern: string | RegExp) => expect.stringMatching(pattern) as string;
/** One violation, on this resource, with this text in its message. */
const refused = (pattern: string | RegExp, name = "broker") => ({
  ...ok,
  violations: [{ name, message: text(pattern) }],
});
/** No violation, but a value that decides isn't known. */
const advisory = (path: string) => ({ ...ok, undecided: expect.stringContaining(path) as string });
/** Rows of a table with one column, whose values may be lists. */
const rows = (...values: unknown[]) => values.map((value) => [value] as const);

type Path = (string | number)[];
/** A copy with another value at a path; undefined takes the property away. */
function edited<T extends object>(original: T, path: Path, value: unknown): T {
  // Not structuredClone: its objects are of another realm, in which the proxy for unknowns doesn't know them.
  const copy = JSON.parse(JSON.stringify(original)) as T;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (object, key) => object[key] as Record<string, unknown>,
      copy as Record<string, unknown>,
    );
  if (value === undefined) delete parent[path.at(-1)!];
  else parent[path.at(-1)!] = value;
  return copy;
}

// kafka.md 2.2 as corrected in 8: dedicated controllers and brokers, as the pack wants them.
const labels = (role: string) => ({ "app.kubernetes.io/name": "kafka", "app.kubernetes.io/component": role });
const durable = [
  { name: "KAFKA_MIN_INSYNC_REPLICAS", value: "2" },
  { name: "KAFKA_DEFAULT_REPLICATION_FACTOR", value: "3" },
  { name: "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", value: "false" },
];
const advertised = { name: "KAFKA_ADVERTISED_LISTENERS", value: "CLIENT://$(POD_NAME).brokers.kafka.svc:9092" };
function set(role: string): Given {
  return {
    type: "kubernetes:apps/v1:StatefulSet",
    name: role,
    props: {
      metadata: { namespace: "kafka", name: role },
      spec: {
        replicas: 3,
        serviceName: `${role}s`,
        podManagementPolicy: "Parallel",
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { storageClassName: "kafka" } }],
        template: {
          metadata: { labels: labels(role) },
          spec: {
            terminationGracePeriodSeconds: 360,
            enableServiceLinks: false,
            automountServiceAccountToken: false,
            nodeSelector: { "karpenter.sh/nodepool": "kafka" },
            topologySpreadConstraints: [
              {
                topologyKey: "topology.kubernetes.io/zone",
                maxSkew: 1,
                minDomains: 3,
                whenUnsatisfiable: "DoNotSchedule",
                labelSelector: { matchLabels: labels(role) },
              },
            ],
            containers: [
              {
                name: "kafka",
                image: "apache/kafka:4.4.0",
                env: [
                  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
                  { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
                  { name: "KAFKA_PROCESS_ROLES", value: role },
                  { name: "CLUSTER_ID", value: "Zm9yLXRlc3RzLW9ubHktMQ" },
                  ...durable,
                  ...(role === "broker" ? [advertised] : []),
                ],
              },
            ],
          },
        },
      },
    },
  };
}
const broker = set("broker");
const pod: Path = ["props", "spec", "template", "spec"];
const container: Path = [...pod, "containers", 0];

/** The broker with another value for a variable; undefined takes it away. */
function withEnv(given: Given, name: string, value: unknown): Given {
  const spec = given.props["spec"] as { template: { spec: { containers: { env: { name: string }[] }[] } } };
  const others = spec.template.spec.containers[0]!.env.filter((v) => v.name !== name);
  const variable = typeof value === "object" && value !== null ? { name, ...value } : { name, value };
  return edited(given, [...container, "env"], value === undefined ? others : [...others, variable]);
}

const object = (type: string, name: string, props: object): Given => ({ type, name, props: { ...props } });
const named = (name: string) => ({ metadata: { namespace: "kafka", name } });
const service = object("kubernetes:core/v1:Service", "peers", {
  ...named("brokers"),
  spec: { clusterIP: "None", publishNotReadyAddresses: true },
});
const budget = object("kubernetes:policy/v1:PodDisruptionBudget", "budget", {
  ...named("broker"),
  spec: { maxUnavailable: 1, selector: { matchLabels: labels("broker") } },
});
const storage = object("kubernetes:storage.k8s.io/v1:StorageClass", "storage", {
  metadata: { name: "kafka" },
  volumeBindingMode: "WaitForFirstConsumer",
});
const pool = object("kubernetes:karpenter.sh/v1:NodePool", "pool", {
  metadata: { name: "kafka" },
  spec: {
    template: {
      spec: {
        requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] }],
        expireAfter: "Never",
      },
    },
  },
});

const setRules = [
  kafkaShutsDownInTime,
  kafkaPodsGetNothingInjected,
  kafkaSpreadsOverZones,
  kafkaKeepsItsData,
  noKafkaServerStopHook,
];
const stackRules = [
  kafkaStartsTogether,
  kafkaHasADisruptionBudget,
  kafkaVolumesWaitForTheirPod,
  kafkaNodesOutliveTheShutdown,
  kafkaSurvivesLosingABroker,
  kafkaHasItsOwnClusterId,
  kafkaAdvertisesNames,
];
const bad = { labels: labels("x"), spec: { containers: [{ image: "apache/kafka" }] } };
const oddSpecs = rows(
  undefined,
  null,
  "text",
  7,
  [],
  {},
  { template: null },
  { template: [bad] },
  { template: { spec: "x" } },
  {
    replicas: "3",
    volumeClaimTemplates: "x",
    persistentVolumeClaimRetentionPolicy: [],
    template: {
      metadata: { labels: ["kafka"] },
      spec: {
        containers: [
          null,
          "x",
          3,
          [],
          { image: 7, env: "x", command: {} },
          { image: "apache/kafka", env: [null, "x", {}] },
        ],
        topologySpreadConstraints: [null, "x", {}],
        volumes: [null, { configMap: "x" }],
        nodeSelector: ["x"],
        affinity: "x",
      },
    },
  },
);
const neighbours = [budget, service, storage, pool].flatMap((given) => [
  given,
  { ...given, name: `odd-${given.name}`, props: { metadata: "x", spec: ["x"], volumeBindingMode: {} } },
  { ...given, name: `null-${given.name}`, props: { metadata: null, spec: null } },
]);

describe.each(setRules.map((r) => [r.name, r] as const))("%s", (_, rule) => {
  const check = (given: Given, config?: object) => checkResource(rule, given, config);
  test("is content with brokers and controllers, in any version of the API", () => {
    expect(check(broker)).toEqual(ok);
    expect(check(set("controller"))).toEqual(ok);
    expect(check({ ...broker, type: "kubernetes:apps/v1beta2:StatefulSet" })).toEqual(ok);
    expect(check({ ...broker, type: "kubernetes:apps/v1:Deployment" }).notApplicable).toBe(true);
  });
  test("says nothing about StatefulSets of something else, nor about what a patch leaves out", () => {
    expect(
      check(
        object("kubernetes:apps/v1:StatefulSet", "db", {
          spec: { template: { spec: { containers: [{ image: "postgres:18" }] } } },
        }),
      ),
    ).toEqual(ok);
    const image = { spec: { template: { spec: { containers: [{ image: "apache/kafka:4.4.1" }] } } } };
    expect(check(object("kubernetes:apps/v1:StatefulSetPatch", "kafka", image))).toEqual(ok);
  });
  test.each(oddSpecs)("reads %j without falling over", (spec) => {
    expect(check({ ...broker, props: { metadata: named("x").metadata, spec } }).undecided).toBeUndefined();
    expect(check({ ...broker, props: { metadata: { labels: labels("broker") }, spec } }).undecided).toBeUndefined();
  });
  test("an unknown image is advisory only where a name says Kafka", () => {
    const image = { spec: { template: { spec: { containers: [{ name: "main", image: unknown }] } } } };
    expect(check(object(broker.type, "db", image))).toEqual(ok);
    expect(check(object(broker.type, "my-kafka", image))).toEqual(advisory("image"));
    expect(check(object(broker.type, "my-kafka", image), { unknownValues: "violation" })).toEqual(
      refused(/^spec\.template\.spec\.containers\[0\]\.image isn't known yet and may/, "my-kafka"),
    );
  });
});

describe.each(stackRules.map((r) => [r.name, r] as const))("%s", (_, rule) => {
  const check = (given: Given[]) => checkStack(rule, given);
  test("is content with brokers and controllers in a stack of their own", () => {
    const controllers = set("controller");
    const second = edited(
      edited(budget, ["props", "spec", "selector", "matchLabels"], labels("controller")),
      ["name"],
      "b2",
    );
    expect(check([broker, controllers, service, budget, second, storage, pool])).toEqual(ok);
    expect(check([])).toEqual(ok);
  });
  test("says nothing about a patch, nor about other StatefulSets", () => {
    const patch = { ...broker, type: `${broker.type}Patch`, props: { spec: { template: { spec: bad.spec } } } };
    const db = edited(edited(broker, container, { image: "postgres:18" }), [...pod.slice(0, -1), "metadata"], {});
    expect(check([patch, db])).toEqual(ok);
  });
  test.each(oddSpecs)("reads %j without falling over", (spec) => {
    const found = check([{ ...broker, props: { metadata: { labels: labels("broker") }, spec } }, ...neighbours]);
    expect(found.undecided).toBeUndefined();
  });
});

describe("a StatefulSet is Kafka's", () => {
  const check = (spec: object, metadata: object = {}, config?: object) => {
    const props = { metadata, spec: { template: { spec } } };
    return checkResource(kafkaPodsGetNothingInjected, object(broker.type, "node", props), config).violations.length > 0;
  };
  const image = (name: string) => ({ containers: [{ image: "envoy:1" }, { image: name }] });

  test.each([
    "apache/kafka:4.4.0",
    "apache/kafka",
    "apache/kafka-native:4.4.0",
    "confluentinc/cp-kafka:8.1.0",
    "confluentinc/cp-server@sha256:0123",
    "docker.io/bitnamilegacy/kafka:4.0.0",
    "quay.io/strimzi/kafka:1.2.0-kafka-4.3.1",
    "localhost:5000/apache/kafka",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com/docker-hub/apache/kafka:4.4.0@sha256:0123",
  ])("by the image %s", (name) => expect(check(image(name))).toBe(true));

  test.each(["apache/kafka-connect:1", "acme/kafka:1", "myapache/kafka-ui", "confluentinc/cp-kafka-rest:8", "apache"])(
    "not by the image %s",
    (name) => expect(check(image(name))).toBe(false),
  );

  test("by its label, by a variable that only a node has, and by what the configuration names", () => {
    expect(check(image("x"), { labels: { "app.kubernetes.io/name": "kafka" } })).toBe(true);
    expect(check(image("x"), { labels: { "app.kubernetes.io/name": "kafka-ui" } })).toBe(false);
    expect(check({ containers: [{ image: unknown, env: [{ name: "KAFKA_PROCESS_ROLES", value: "broker" }] }] })).toBe(
      true,
    );
    expect(check({ containers: [{ env: [{ name: "KAFKA_CFG_PROCESS_ROLES" }] }] })).toBe(true);
    expect(check({ containers: [{ env: [{ name: "KAFKA_BOOTSTRAP_SERVERS" }] }] })).toBe(false);
    expect(check(image("acme/kafka:1"), {}, { kafkaImages: ["acme/*"] })).toBe(true);
    expect(check(image("x"), { labels: { "app.kubernetes.io/name": "events" } }, { kafkaNames: ["events"] })).toBe(
      true,
    );
  });
});

describe("kafka-shuts-down-in-time", () => {
  const check = (given: Given, config?: object) => checkResource(kafkaShutsDownInTime, given, config);
  const grace = (seconds: unknown, role = "broker") =>
    check(edited(set(role), [...pod, "terminationGracePeriodSeconds"], seconds));

  test("a broker needs the five minutes that it gives itself", () => {
    expect(grace(300)).toEqual(ok);
    expect(grace(299)).toEqual(refused(/terminationGracePeriodSeconds is 299\. Kafka needs at least 300 s/));
    expect(grace(undefined)).toEqual(refused(/is missing, which means 30/));
    expect(grace(unknown)).toEqual(advisory("terminationGracePeriodSeconds"));
    expect(check(broker, { minimumGraceSeconds: 400 }).violations).toHaveLength(1);
  });

  test("a dedicated controller doesn't, a node that is both does", () => {
    expect(grace(undefined, "controller")).toEqual(ok);
    expect(grace(10, "controller").violations).toHaveLength(1);
    expect(grace(30, "broker,controller").violations).toHaveLength(1);
    const byLabel = withEnv(
      edited(set("controller"), [...pod, "terminationGracePeriodSeconds"], 30),
      "KAFKA_PROCESS_ROLES",
      undefined,
    );
    expect(check(byLabel)).toEqual(ok);
    expect(check(withEnv(byLabel, "KAFKA_PROCESS_ROLES", "broker")).violations).toHaveLength(1);
  });

  const command = (words: unknown, args?: unknown) =>
    check(edited(edited(broker, [...container, "command"], words), [...container, "args"], args));

  test.each(
    rows(
      ["/etc/kafka/docker/run"],
      ["bash", "/scripts/start.sh"],
      ["bash", "-c", "exec /etc/kafka/docker/run"],
      ["/bin/bash", "-e", "-o", "pipefail", "-c", "ulimit -n 100000\nexec \\\n  /etc/kafka/docker/run\n"],
      ["sh", "-ec", "if [ -f /x ]; then exec a; else exec b; fi"],
      ["sh", "-c", "case $X in a) exec a;; *) exec b;; esac"],
      ["sh", "-c", "prepare && KAFKA_X=1 exec run"],
      ["sh", "-c", "run & trap 'kill -TERM $!' TERM; wait"],
      ["sh", "-c", "prepare; . /etc/kafka/docker/run"],
      ["dumb-init", "sh", "-c", "run"],
      ["echo", "sh"],
    ),
  )("%j passes the signal on", (words) => expect(command(words)).toEqual(ok));

  test.each(
    rows(
      ["bash", "-c", "/etc/kafka/docker/run"],
      ["/bin/sh", "-ec", "exec >/log 2>&1\n/etc/kafka/docker/run"],
      ["/bin/sh", "-ec", "# exec is for others\nrun"],
      ["tini", "--", "bash", "-c", "prepare && run"],
      ["sh", "-c", "echo exec run; run"],
    ),
  )("%j keeps it", (words) =>
    expect(command(words)).toEqual(refused(/^The script of container "kafka".*Write exec before the last command/)),
  );

  test("command and args are one line of words; an unknown one is advisory", () => {
    expect(command(["bash", "-c"], ["run"]).violations).toHaveLength(1);
    expect(command(["bash", "-c"], ["exec run"])).toEqual(ok);
    expect(command(undefined, ["run"])).toEqual(ok);
    expect(command(["bash", "-c"], [unknown])).toEqual(advisory("args"));
    expect(command(unknown)).toEqual(advisory("command"));
  });
});

describe("no-kafka-server-stop-hook", () => {
  const hook = (command: unknown) =>
    checkResource(
      noKafkaServerStopHook,
      edited(broker, [...container, "lifecycle"], { preStop: { exec: { command } } }),
    );

  test("is advisory: the hook does no harm", () => expect(noKafkaServerStopHook.enforcementLevel).toBe("advisory"));

  test.each(
    rows(
      ["kafka-server-stop.sh"],
      ["/opt/kafka/bin/kafka-server-stop.sh"],
      ["sh", "-c", "kafka-server-stop"],
      ["bash", "-ec", "echo stopping\n/opt/kafka/bin/kafka-server-stop.sh; sleep 30"],
    ),
  )("%j adds nothing", (command) =>
    expect(hook(command)).toEqual(refused(/^The preStop hook of container "kafka" only/)),
  );

  test.each(
    rows(
      ["sleep", "30"],
      ["/scripts/wait-for-replicas.sh"],
      ["sh", "-c", "kafka-server-stop.sh; while pgrep java; do sleep 1; done"],
      ["sh", "-c", "until kafka-topics.sh --at-min-isr-partitions; do sleep 5; done"],
    ),
  )("%j does something else", (command) => expect(hook(command)).toEqual(ok));

  test("an unknown one is advisory", () => expect(hook(["sh", "-c", unknown])).toEqual(advisory("preStop")));
});

describe("kafka-pods-get-nothing-injected", () => {
  test.each(["enableServiceLinks", "automountServiceAccountToken"])("%s must be false, and written", (field) => {
    const check = (value: unknown) =>
      checkResource(kafkaPodsGetNothingInjected, edited(broker, [...pod, field], value));
    for (const wrong of [undefined, true, "false", null])
      expect(check(wrong)).toEqual(refused(new RegExp(`^spec\\.template\\.spec\\.${field} must be false: `)));
    expect(check(unknown)).toEqual(advisory(field));
  });
});

describe("kafka-spreads-over-zones", () => {
  const check = (path: Path, value: unknown, config?: object) =>
    checkResource(kafkaSpreadsOverZones, edited(broker, path, value), config);
  const constraints = [...pod, "topologySpreadConstraints"];
  const constraint = (field: string, value: unknown, config?: object) =>
    check([...constraints, 0, field], value, config);

  test.each<[string, unknown, RegExp]>([
    ["whenUnsatisfiable", "ScheduleAnyway", /only a wish/],
    ["minDomains", undefined, /minDomains must be at least 2/],
    ["minDomains", 1, /minDomains must be at least 2/],
    ["maxSkew", 2, /maxSkew must be 1/],
    ["labelSelector", undefined, /must select the labels of this set's pods/],
    ["labelSelector", { matchLabels: { "app.kubernetes.io/name": "other" } }, /must select the labels/],
    ["topologyKey", "kubernetes.io/hostname", /has none for topology\.kubernetes\.io\/zone/],
  ])("%s %j leaves it to chance", (field, value, message) => {
    expect(constraint(field, value)).toEqual(refused(message));
  });

  test("no constraint does as well; one good one among others is enough", () => {
    for (const none of [undefined, [], null]) expect(check(constraints, none)).toEqual(refused(/has none for/));
    expect(check([...constraints, 1], { topologyKey: "topology.kubernetes.io/zone", maxSkew: 2 })).toEqual(ok);
    expect(constraint("minDomains", 2)).toEqual(ok);
    expect(constraint("minDomains", 2, { minimumZones: 3 }).violations).toHaveLength(1);
  });

  test("a set of one zone, and a set of one pod, need no spread", () => {
    const unspread = edited(broker, constraints, []);
    const again = (path: Path, value: unknown) => checkResource(kafkaSpreadsOverZones, edited(unspread, path, value));
    const zone = { key: "topology.kubernetes.io/zone", operator: "In" };
    const affinity = (...terms: object[]) => ({
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    });
    expect(again([...pod, "nodeSelector"], { [zone.key]: "eu-west-1a" })).toEqual(ok);
    expect(again([...pod, "nodeSelector"], { [zone.key]: unknown })).toEqual(ok);
    expect(again([...pod, "affinity"], affinity({ matchExpressions: [{ ...zone, values: ["eu-west-1a"] }] }))).toEqual(
      ok,
    );
    const two = { matchExpressions: [{ ...zone, values: ["eu-west-1a", "eu-west-1b"] }] };
    expect(again([...pod, "affinity"], affinity(two)).violations).toHaveLength(1);
    const either = [{ matchExpressions: [{ ...zone, values: ["eu-west-1a"] }] }, two];
    expect(again([...pod, "affinity"], affinity(...either)).violations).toHaveLength(1);
    expect(again(["props", "spec", "replicas"], 1)).toEqual(ok);
    expect(again(["props", "spec", "replicas"], undefined)).toEqual(ok);
    expect(again(["props", "spec", "replicas"], unknown).violations).toHaveLength(1);
  });

  test("unknowns are advisory", () => {
    expect(check(constraints, unknown)).toEqual(advisory("topologySpreadConstraints"));
    expect(check([...constraints, 0], unknown)).toEqual(advisory("topologySpreadConstraints"));
    for (const field of ["topologyKey", "whenUnsatisfiable", "minDomains", "maxSkew", "labelSelector"])
      expect(constraint(field, unknown)).toEqual(advisory(field));
    expect(check(["props", "spec", "template", "metadata", "labels"], unknown)).toEqual(advisory("labels"));
  });
});

describe("kafka-keeps-its-data", () => {
  const check = (given: Given) => checkResource(kafkaKeepsItsData, given);
  const retention = (policy: unknown, given = broker) =>
    check(edited(given, ["props", "spec", "persistentVolumeClaimRetentionPolicy"], policy));
  const disposable = (value: unknown) =>
    edited(broker, ["props", "metadata", "annotations"], { "moorings.dev/disposable-data": value });

  test("retained is the default, and deleted is refused", () => {
    expect(retention({ whenDeleted: "Retain", whenScaled: "Retain" })).toEqual(ok);
    expect(retention({ whenDeleted: "Delete" })).toEqual(
      refused(/whenDeleted is Delete.*"moorings\.dev\/disposable-data"/),
    );
    expect(retention({ whenScaled: "Delete" })).toEqual(refused(/whenScaled is Delete/));
    expect(retention(unknown)).toEqual(advisory("persistentVolumeClaimRetentionPolicy"));
    expect(retention({ whenDeleted: unknown })).toEqual(advisory("whenDeleted"));
  });

  test("disposable data may go with the set, but not on scaling down", () => {
    for (const value of ["true", "rebuilt every night", unknown])
      expect(retention({ whenDeleted: "Delete", whenScaled: "Retain" }, disposable(value))).toEqual(ok);
    expect(retention({ whenScaled: "Delete" }, disposable("true"))).toEqual(refused(/whenScaled is Delete/));
    for (const value of ["false", ""])
      expect(retention({ whenDeleted: "Delete" }, disposable(value)).violations).toHaveLength(1);
    const dim = edited(broker, ["props", "metadata", "annotations"], unknown);
    expect(retention({ whenDeleted: "Delete" }, dim).violations).toHaveLength(1);
  });

  test("a set without volumes of its own keeps nothing", () => {
    const claims: Path = ["props", "spec", "volumeClaimTemplates"];
    const bare = edited(broker, claims, undefined);
    expect(check(bare)).toEqual(refused(/^spec\.volumeClaimTemplates is missing/));
    expect(check(edited(bare, [...pod, "volumes"], [{ name: "data", emptyDir: {} }]))).toEqual(refused(/is missing/));
    expect(
      check(edited(bare, [...pod, "volumes"], [{ name: "data", persistentVolumeClaim: { claimName: "x" } }])),
    ).toEqual(ok);
    expect(check(edited(bare, [...pod, "volumes"], [{ name: "data", hostPath: { path: "/nvme" } }]))).toEqual(ok);
    expect(check(edited(bare, [...pod, "volumes"], unknown))).toEqual(advisory("volumes"));
    expect(check(edited(broker, claims, unknown))).toEqual(ok);
    expect(check(edited(disposable("true"), claims, []))).toEqual(ok);
  });
});

describe("kafka-starts-together", () => {
  const check = (given: Given, ...others: Given[]) => checkStack(kafkaStartsTogether, [given, ...others]);
  const policy: Path = ["props", "spec", "podManagementPolicy"];

  test("one after the other is refused, also by default", () => {
    expect(check(edited(broker, policy, "OrderedReady"))).toEqual(refused(/^"broker" starts its pods one after/));
    expect(check(edited(broker, policy, undefined))).toEqual(refused(/is missing, which means OrderedReady/));
    expect(check(edited(broker, policy, unknown))).toEqual(advisory("podManagementPolicy"));
  });

  const publish: Path = ["props", "spec", "publishNotReadyAddresses"];
  const hiding = edited(service, publish, undefined);

  test("the Service that names the pods must publish them early", () => {
    for (const value of [undefined, false, null])
      expect(check(broker, edited(service, publish, value))).toEqual(refused(/Service "peers", which hides them/));
    expect(check(broker, edited(service, publish, unknown))).toEqual(advisory("publishNotReadyAddresses"));
  });

  test("another Service needn't", () => {
    expect(check(broker, edited(hiding, ["props", "metadata", "name"], "bootstrap"))).toEqual(ok);
    expect(check(broker, edited(hiding, ["props", "metadata", "namespace"], "other"))).toEqual(ok);
    expect(check(edited(broker, ["props", "spec", "serviceName"], undefined), hiding)).toEqual(ok);
  });

  test("while its name isn't known it is a headless one that the set refers to", () => {
    const dim = edited(hiding, ["props", "metadata", "name"], unknown);
    const waiting = {
      ...edited(broker, ["props", "spec", "serviceName"], unknown),
      propertyDependencies: { spec: ["peers"] },
    };
    expect(check(waiting, dim).violations).toHaveLength(1);
    expect(check(waiting, edited(dim, ["props", "spec", "clusterIP"], undefined))).toEqual(ok);
    expect(check({ ...waiting, propertyDependencies: {} }, dim)).toEqual(ok);
  });
});

describe("kafka-has-a-disruption-budget", () => {
  const check = (...given: Given[]) => checkStack(kafkaHasADisruptionBudget, given);
  const spec: Path = ["props", "spec"];
  const none = /^No PodDisruptionBudget in this stack selects the pods of "broker"/;

  test("without one every pod may go at once", () => {
    expect(check(broker)).toEqual(refused(none));
    expect(check(broker, edited(budget, ["props", "metadata", "namespace"], "other"))).toEqual(refused(none));
    expect(check(broker, { ...budget, type: `${budget.type}Patch` })).toEqual(refused(none));
  });

  test.each<[object | null]>([
    [{ matchLabels: labels("controller") }],
    [{ matchLabels: { ...labels("broker"), more: "x" } }],
    [{ matchExpressions: [{ key: "app.kubernetes.io/component", operator: "NotIn", values: ["broker"] }] }],
    [{ matchExpressions: [{ key: "app.kubernetes.io/name", operator: "DoesNotExist" }] }],
    [null],
  ])("%j doesn't select the pods", (selector) => {
    expect(check(broker, edited(budget, [...spec, "selector"], selector))).toEqual(refused(none));
  });

  test.each<[object]>([
    [{}],
    [{ matchExpressions: [{ key: "app.kubernetes.io/component", operator: "In", values: ["broker", "x"] }] }],
    [{ matchExpressions: [{ key: "app.kubernetes.io/name", operator: "Exists" }] }],
    [{ matchExpressions: [{ key: "tier", operator: "NotIn", values: ["x"] }] }],
  ])("%j does", (selector) => {
    expect(check(broker, edited(budget, [...spec, "selector"], selector))).toEqual(ok);
  });

  test.each([
    [{ maxUnavailable: 0 }, false],
    [{ maxUnavailable: 2 }, false],
    [{ maxUnavailable: "34%" }, false],
    [{}, false],
    [{ minAvailable: 1 }, false],
    [{ minAvailable: 3 }, false],
    [{ minAvailable: 2 }, true],
  ])("%j lets exactly one pod go: %s", (limit, fine) => {
    const other = edited(budget, spec, { selector: { matchLabels: labels("broker") }, ...limit });
    expect(check(broker, other)).toEqual(fine ? ok : refused(/"budget" doesn't let exactly one pod of "broker"/));
  });

  test("two budgets block every eviction", () => {
    expect(check(broker, budget, { ...budget, name: "again" })).toEqual(refused(/^2 .*\(budget, again\).*Keep one/));
  });

  test("unknowns are advisory", () => {
    expect(check(broker, edited(budget, [...spec, "maxUnavailable"], unknown))).toEqual(advisory("maxUnavailable"));
    expect(check(broker, edited(budget, [...spec, "selector"], unknown))).toEqual(advisory("selector"));
    expect(check(broker, edited(budget, [...spec, "selector", "matchLabels"], unknown))).toEqual(
      advisory("matchLabels"),
    );
    const labelled = edited(broker, ["props", "spec", "template", "metadata", "labels"], unknown);
    expect(check(labelled, budget)).toEqual(advisory("labels"));
    expect(check(edited(broker, ["props", "metadata", "namespace"], unknown), budget)).toEqual(ok);
    const wanting = edited(budget, [...spec, "selector", "matchLabels"], { ...labels("controller"), name: unknown });
    expect(check(broker, wanting)).toEqual(refused(none));
  });
});

describe("kafka-volumes-wait-for-their-pod", () => {
  const check = (given: Given, storageClass: Given) => checkStack(kafkaVolumesWaitForTheirPod, [given, storageClass]);
  const mode: Path = ["props", "volumeBindingMode"];
  const atOnce = edited(storage, mode, undefined);
  const wanted: Path = ["props", "spec", "volumeClaimTemplates", 0, "spec", "storageClassName"];
  const early = /of the StorageClass "storage", which binds them before/;

  test("a class that binds at once is refused, also by default", () => {
    expect(check(broker, edited(storage, mode, "Immediate"))).toEqual(refused(early));
    expect(check(broker, atOnce)).toEqual(refused(early));
    expect(check(broker, edited(storage, mode, unknown))).toEqual(advisory("volumeBindingMode"));
  });

  test("other classes don't matter, the cluster's default does where none is named", () => {
    expect(check(broker, edited(atOnce, ["props", "metadata", "name"], "other"))).toEqual(ok);
    const unnamed = edited(broker, wanted, undefined);
    expect(check(unnamed, atOnce)).toEqual(ok);
    const standard = { "storageclass.kubernetes.io/is-default-class": "true" };
    expect(check(unnamed, edited(atOnce, ["props", "metadata", "annotations"], standard))).toEqual(refused(early));
  });

  test("a class whose name isn't known yet is found through the dependency", () => {
    const waiting = edited(broker, wanted, unknown);
    expect(check({ ...waiting, propertyDependencies: { spec: ["storage"] } }, atOnce)).toEqual(refused(early));
    expect(check(waiting, atOnce)).toEqual(ok);
  });
});

describe("kafka-nodes-outlive-the-shutdown", () => {
  const check = (nodes: Given, given = broker) => checkStack(kafkaNodesOutliveTheShutdown, [given, nodes]);
  const template: Path = ["props", "spec", "template", "spec"];
  const requirements = (...list: unknown[]) => check(edited(pool, [...template, "requirements"], list));
  const capacity = (operator: string, ...values: unknown[]) => ({
    key: "karpenter.sh/capacity-type",
    operator,
    values,
  });
  const spot = /^"pool" may launch spot instances for "broker"/;

  test.each<[object[]]>([
    [[capacity("In", "spot", "on-demand")]],
    [[capacity("NotIn", "reserved")]],
    [[capacity("Exists")]],
    [[{ key: "kubernetes.io/arch", operator: "In", values: ["arm64"] }]],
    [[]], // karpenter-provider-aws instance.go, getCapacityType: without a requirement spot comes before on-demand
  ])("%j lets spot through", (list) => expect(requirements(...list)).toEqual(refused(spot, "pool")));

  test.each<[object[]]>([
    [[capacity("In", "reserved", "on-demand")]],
    [[capacity("NotIn", "spot")]],
    [[capacity("DoesNotExist")]],
    [[capacity("In", "spot", "on-demand"), capacity("NotIn", "spot")]],
  ])("%j doesn't", (list) => expect(requirements(...list)).toEqual(ok));

  test("pods that ask for on-demand never go to spot; nor does a pool whose nodes are labelled so have any", () => {
    const loose = edited(pool, [...template, "requirements"], []);
    const asking = { "karpenter.sh/nodepool": "kafka", "karpenter.sh/capacity-type": "on-demand" };
    expect(check(loose, edited(broker, [...pod, "nodeSelector"], asking))).toEqual(ok);
    const label = { "karpenter.sh/capacity-type": "on-demand" };
    expect(check(edited(loose, ["props", "spec", "template", "metadata"], { labels: label }))).toEqual(ok);
  });

  const grace = (node: unknown, given = broker) =>
    check(edited(pool, [...template, "terminationGracePeriod"], node), given);

  test("the node's grace must be above the pod's", () => {
    expect(grace("1h")).toEqual(ok);
    expect(grace("6m1s")).toEqual(ok);
    for (const short of ["6m", "30s", "360s"])
      expect(grace(short)).toEqual(
        refused(`terminationGracePeriod of ${short}, but the pods of "broker" need 360 s`, "pool"),
      );
    const brief = edited(broker, [...pod, "terminationGracePeriodSeconds"], undefined);
    expect(grace("30s", brief)).toEqual(refused(/need 30 s/, "pool"));
    expect(grace("31s", brief)).toEqual(ok);
  });

  test("another pool may do as it likes", () => {
    const spotty = edited(edited(pool, [...template, "requirements"], []), ["props", "metadata", "name"], "web");
    expect(check(spotty)).toEqual(ok);
    expect(
      check(edited(pool, [...template, "requirements"], []), edited(broker, [...pod, "nodeSelector"], undefined)),
    ).toEqual(ok);
  });

  test("unknowns are advisory", () => {
    expect(grace(unknown)).toEqual(advisory("terminationGracePeriod"));
    expect(grace("10m", edited(broker, [...pod, "terminationGracePeriodSeconds"], unknown))).toEqual(
      advisory("Seconds"),
    );
    expect(requirements(unknown)).toEqual(advisory("requirements"));
    expect(requirements(capacity("In", unknown))).toEqual(advisory("values"));
    expect(requirements(unknown, capacity("In", "on-demand"))).toEqual(ok);
  });
});

/** A set whose configuration stands in a ConfigMap that its pods mount. */
function fromFile(role: string, lines: string[] | undefined, data?: unknown): Given[] {
  const names = ["KAFKA_PROCESS_ROLES", "CLUSTER_ID", "KAFKA_ADVERTISED_LISTENERS", ...durable.map((d) => d.name)];
  const bare = names.reduce((given, name) => withEnv(given, name, undefined), set(role));
  const mounted = edited(
    withEnv(bare, "CLUSTER_ID", "Zm9yLXRlc3RzLW9ubHktMQ"),
    [...pod, "volumes"],
    [{ name: "config", configMap: { name: `${role}-config` } }],
  );
  const file = (lines ?? []).join("\n");
  const map = object("kubernetes:core/v1:ConfigMap", `${role}-map`, {
    ...named(`${role}-config`),
    data: data ?? { "server.properties": file, "log4j2.yaml": "min.insync.replicas=9" },
  });
  return lines === undefined ? [mounted] : [mounted, map];
}
const good = ["# min.insync.replicas=1", " min.insync.replicas = 2", "default.replication.factor:3"];

describe("kafka-survives-losing-a-broker", () => {
  const check = (...given: Given[]) => checkStack(kafkaSurvivesLosingABroker, given);
  const combined = set("broker,controller");
  const isr = "KAFKA_MIN_INSYNC_REPLICAS";
  const factor = "KAFKA_DEFAULT_REPLICATION_FACTOR";
  const all = (name: string, value: unknown) => check(withEnv(combined, name, value));
  const refusedIn = (pattern: RegExp) => refused(pattern, "broker,controller");

  test("one copy in sync isn't enough, also by default", () => {
    expect(all(isr, "1")).toEqual(refusedIn(/min\.insync\.replicas is 1: one broker may lose/));
    expect(all(isr, undefined)).toEqual(refusedIn(/min\.insync\.replicas is missing, which means 1/));
    expect(checkStack(kafkaSurvivesLosingABroker, [combined], { minimumInsyncReplicas: 3 }).violations).toHaveLength(1);
  });

  test("as many as there are copies are too many", () => {
    expect(all(isr, "3")).toEqual(refusedIn(/is 3 with a default\.replication\.factor of 3.*at least 4/));
    expect(all(factor, "2")).toEqual(refusedIn(/is 2 with a default\.replication\.factor of 2/));
    expect(all(factor, undefined)).toEqual(refusedIn(/is 2 with a default\.replication\.factor of 1/));
    expect(all(factor, "5")).toEqual(ok);
  });

  test("unclean leader election loses messages; off is the default", () => {
    const unclean = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE";
    expect(all(unclean, "true")).toEqual(refusedIn(/unclean\.leader\.election\.enable is true/));
    expect(all(unclean, undefined)).toEqual(ok);
    expect(all("KAFKA_CFG_UNCLEAN_LEADER_ELECTION_ENABLE", "true")).toEqual(ok); // the other one wins
  });

  // kafka.md 8: with the value in the brokers' configuration alone the effective one is 1.
  test("where there are controllers, theirs decides", () => {
    const controller = set("controller");
    expect(check(broker, withEnv(controller, isr, undefined))).toEqual(
      refused(/which means 1.*for controllers too/, "controller"),
    );
    expect(check(withEnv(broker, isr, undefined), controller)).toEqual(ok);
    expect(check(withEnv(broker, isr, "1"), controller)).toEqual(refused(/is 1/));
    expect(check(withEnv(broker, factor, undefined), controller)).toEqual(ok);
    expect(check(broker, withEnv(controller, factor, undefined))).toEqual(ok);
  });

  test("controllers of another cluster decide nothing", () => {
    const lacking = withEnv(broker, isr, undefined);
    expect(check(lacking)).toEqual(refused(/which means 1/));
    for (const foreign of [
      withEnv(set("controller"), "CLUSTER_ID", "YW5vdGhlci1jbHVzdGVyLQ"),
      edited(set("controller"), ["props", "metadata", "namespace"], "other"),
    ])
      expect(check(lacking, foreign)).toEqual(refused(/which means 1/));
    const voters = (given: Given, value: string) => withEnv(given, "KAFKA_CONTROLLER_QUORUM_VOTERS", value);
    expect(check(voters(lacking, "0@a:9093"), voters(set("controller"), "0@b:9093")).violations).toHaveLength(1);
    expect(check(voters(lacking, "0@a:9093"), voters(set("controller"), "0@a:9093"))).toEqual(ok);
  });

  test("server.properties in a ConfigMap counts, and a variable wins over it", () => {
    const file = (...lines: string[]) => fromFile("broker", ["process.roles=broker", ...lines]);
    expect(check(...file(...good))).toEqual(ok);
    expect(check(...file(...good, "min.insync.replicas=1"))).toEqual(refused(/min\.insync\.replicas is 1/));
    expect(check(...file())).toEqual(refused(/which means 1/));
    const [given, map] = file(...good, "min.insync.replicas=1");
    expect(check(withEnv(given!, isr, "2"), map!)).toEqual(ok);
    const projected = [{ projected: { sources: [{ configMap: { name: "broker-config" } }] } }];
    expect(check(edited(given!, [...pod, "volumes"], projected), map!).violations).toHaveLength(1);
  });

  test("what the stack doesn't show isn't judged, what it shows wrong is", () => {
    expect(check(...fromFile("broker", undefined))).toEqual(ok);
    expect(check(...fromFile("broker", good))).toEqual(ok); // no role: the file isn't all there is
    const [given] = fromFile("broker", undefined);
    expect(check(withEnv(given!, isr, "1"))).toEqual(refused(/is 1/));
    const secret = edited(combined, [...container, "envFrom"], [{ secretRef: { name: "x" } }]);
    expect(check(withEnv(secret, isr, undefined))).toEqual(ok);
    expect(check(withEnv(combined, isr, { valueFrom: { secretKeyRef: { name: "x", key: "y" } } }))).toEqual(ok);
  });

  test("envFrom and configMapKeyRef read ConfigMaps of the stack", () => {
    const map = object("kubernetes:core/v1:ConfigMap", "env", {
      ...named("env"),
      data: { MIN_INSYNC_REPLICAS: "1", isr: "1" },
    });
    const source = [{ prefix: "KAFKA_", configMapRef: { name: "env" } }];
    const from = edited(withEnv(combined, isr, undefined), [...container, "envFrom"], source);
    expect(check(from, map)).toEqual(refusedIn(/min\.insync\.replicas is 1/));
    expect(check(from)).toEqual(ok);
    const key = { valueFrom: { configMapKeyRef: { name: "env", key: "isr" } } };
    expect(check(withEnv(combined, isr, key), map)).toEqual(refusedIn(/min\.insync\.replicas is 1/));
  });

  test("unknowns are advisory", () => {
    expect(all(isr, unknown)).toEqual(advisory("value"));
    expect(all(factor, unknown)).toEqual(advisory("value"));
    expect(check(edited(combined, [...container, "env", 9], { name: unknown, value: "x" }))).toEqual(ok);
    const lacking = withEnv(combined, isr, undefined);
    expect(check(edited(lacking, [...container, "env", 9], { name: unknown, value: "x" }))).toEqual(advisory("name"));
    expect(check(...fromFile("broker", good, unknown))).toEqual(advisory("data"));
    expect(check(...fromFile("broker", good, { "server.properties": unknown }))).toEqual(advisory("server.properties"));
    const [given, map] = fromFile("broker", ["process.roles=broker"]);
    const dim = edited(given!, [...pod, "volumes", 0, "configMap", "name"], unknown);
    expect(check(dim, map!)).toEqual(advisory("configMap.name"));
    const unnamed = edited(map!, ["props", "metadata"], { namespace: "kafka" });
    expect(check({ ...dim, propertyDependencies: { spec: ["broker-map"] } }, unnamed).violations).toHaveLength(1);
  });
});

describe("kafka-has-its-own-cluster-id", () => {
  const check = (given: Given, config?: object) => checkStack(kafkaHasItsOwnClusterId, [given], config);
  const id = (value: unknown, given = broker) => check(withEnv(given, "CLUSTER_ID", value));
  const image = (name: string) => edited(broker, [...container, "image"], name);

  // docker/resources/common-scripts/configureDefaults and docker/examples of apache/kafka; Confluent's example files.
  test.each(["5L6g3nShT-eMCtK--X86sw", "4L6g3nShT-eMCtK--X86sw", "MkU3OEVBNTcwNTJENDM2Qk"])("%s is public", (value) => {
    expect(id(value)).toEqual(refused(`"broker" has the cluster id ${value}, which is public`));
    expect(
      check(withEnv(withEnv(broker, "CLUSTER_ID", undefined), "KAFKA_KRAFT_CLUSTER_ID", value)).violations,
    ).toHaveLength(1);
  });

  test("none is public, too, with the image that has a default", () => {
    for (const name of ["apache/kafka:4.4.0", "mirror.example.com/apache/kafka-native@sha256:0"])
      expect(id(undefined, image(name))).toEqual(refused(/has no CLUSTER_ID, and the image then takes 5L6g3nShT/));
    expect(id("")).toEqual(refused(/has no CLUSTER_ID/));
    expect(id(undefined, image("confluentinc/cp-kafka:8.1.0"))).toEqual(ok);
    expect(id(undefined, edited(broker, [...container, "command"], ["/scripts/start.sh"]))).toEqual(ok);
    expect(id(undefined, edited(broker, [...container, "envFrom"], [{ secretRef: { name: "id" } }]))).toEqual(ok);
  });

  test("an id from elsewhere is taken for its own; an unknown one is advisory; the list is configurable", () => {
    expect(id({ valueFrom: { secretKeyRef: { name: "kafka", key: "id" } } })).toEqual(ok);
    expect(id(unknown)).toEqual(advisory("value"));
    expect(check(broker, { publicClusterIds: ["Zm9yLXRlc3RzLW9ubHktMQ"] }).violations).toHaveLength(1);
  });
});

describe("kafka-advertises-names", () => {
  const check = (...given: Given[]) => checkStack(kafkaAdvertisesNames, given);
  const listeners = (value: unknown, given = broker) => check(withEnv(given, advertised.name, value));
  const podIp = /^"broker" advertises the pod's address \(\$POD_IP\)/;

  test.each([
    ["CLIENT://$(POD_IP):9092", podIp],
    ["REPLICATION://$(POD_NAME).brokers:9094,CLIENT://$(POD_IP):9092", podIp],
    ["CLIENT://10.0.1.17:9092", /advertises the address 10\.0\.1\.17/],
    ["CLIENT://[2600:1f18::17]:9092", /advertises the address 2600:1f18::17/],
  ])("%s is refused", (value, message) => expect(listeners(value)).toEqual(refused(message)));

  test.each(["CLIENT://kafka-0.brokers:9092", "CLIENT://$(HOST):9092", "CLIENT://:9092", "", "x"])(
    "%j isn't",
    (value) => expect(listeners(value)).toEqual(ok),
  );

  test("an address is found through other variables, and in the field itself", () => {
    expect(listeners("CLIENT://$(HOST):9092", withEnv(broker, "HOST", "$(POD_IP)"))).toEqual(refused(podIp));
    expect(listeners("CLIENT://$(HOST):9092", withEnv(broker, "HOST", "$(HOST)"))).toEqual(ok);
    expect(listeners({ valueFrom: { fieldRef: { fieldPath: "status.podIP" } } })).toEqual(
      refused(/advertises status\.podIP/),
    );
    const plural = withEnv(broker, "ALL", { valueFrom: { fieldRef: { fieldPath: "status.podIPs" } } });
    expect(listeners("CLIENT://$(ALL):9092", plural).violations).toHaveLength(1);
  });

  test("without advertised listeners the listeners themselves are advertised", () => {
    const silent = withEnv(broker, advertised.name, undefined);
    expect(check(withEnv(silent, "KAFKA_LISTENERS", "CLIENT://$(POD_IP):9092"))).toEqual(refused(podIp));
    expect(check(withEnv(silent, "KAFKA_LISTENERS", "CLIENT://0.0.0.0:9092,X://[::]:9093"))).toEqual(ok);
    expect(check(withEnv(broker, "KAFKA_LISTENERS", "CLIENT://$(POD_IP):9092"))).toEqual(ok);
  });

  test("a file and a start script are read, too", () => {
    expect(check(...fromFile("broker", ["advertised.listeners=CLIENT://10.0.1.17:9092"]))).toEqual(
      refused(/10\.0\.1\.17/),
    );
    const script = (line: string) =>
      check(edited(broker, [...container, "command"], ["bash", "-c", `${line}\nexec run`]));
    expect(script("export KAFKA_ADVERTISED_LISTENERS=CLIENT://${POD_IP}:9092")).toEqual(refused(podIp));
    expect(script("sed -i s/x/advertised.listeners=CLIENT:\\/\\/$POD_IP:9092/ f")).toEqual(refused(podIp));
    expect(script("echo started on $POD_IP")).toEqual(ok);
  });

  test("a controller advertises nothing; an unknown is advisory", () => {
    expect(check(withEnv(set("controller"), advertised.name, "CLIENT://$(POD_IP):9092"))).toEqual(ok);
    expect(listeners(unknown)).toEqual(advisory("value"));
  });
});

test("exemptResources and other configuration reach the rules on Kafka", () => {
  const wrong = edited(broker, ["props", "spec", "podManagementPolicy"], undefined);
  expect(checkStack(kafkaStartsTogether, [wrong], { exemptResources: ["brok*"] })).toEqual(ok);
  expect(checkStack(kafkaStartsTogether, [wrong], { kafkaImages: [], kafkaNames: [] }).violations).toHaveLength(1);
  const rules: Rule[] = [...setRules, ...stackRules];
  for (const rule of rules)
    expect(Object.keys(rule.configSchema.properties)).toEqual(expect.arrayContaining(["kafkaImages"]));
});
