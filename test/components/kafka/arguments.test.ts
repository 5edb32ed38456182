import * as pulumi from "@pulumi/pulumi";
import { KafkaCluster, type KafkaClusterArgs } from "../../../components/kafka";
import { find } from "../../support/graph";
import { run } from "../../support/harness";
import { both, containerOf, envOf, make, podOf, propertiesOf, statefulSet, types } from "./setup";

describe("choices", () => {
  test("more brokers and controllers, two zones, other sizes", async () => {
    const { resources } = await make({
      brokers: 5,
      controllers: 5,
      zones: 2,
      brokerResources: { cpu: "4", memoryMiB: 32768 },
      controllerResources: { cpu: "1", memoryMiB: 2049 },
      brokerStorageGiB: 2000,
      controllerStorageGiB: 30,
      image: "registry.acme.io/kafka@sha256:0",
    });
    expect(statefulSet(resources, "broker")["replicas"]).toBe(5);
    expect(statefulSet(resources, "controller")["replicas"]).toBe(5);
    expect(propertiesOf(resources, "broker")["controller.quorum.voters"]?.split(",")).toHaveLength(5);
    // Half of 32 GiB would be 16: the rest is page cache.
    expect(envOf(resources, "broker")["KAFKA_HEAP_OPTS"]).toBe("-Xms5120m -Xmx5120m");
    expect(envOf(resources, "controller")["KAFKA_HEAP_OPTS"]).toBe("-Xms1024m -Xmx1024m");
    expect(containerOf(resources, "broker").image).toBe("registry.acme.io/kafka@sha256:0");
    for (const role of both) {
      expect(podOf(resources, role)["topologySpreadConstraints"]).toMatchObject([{ minDomains: 2 }]);
      expect(statefulSet(resources, role).volumeClaimTemplates).toMatchObject([
        { spec: { resources: { requests: { storage: role === "broker" ? "2000Gi" : "30Gi" } } } },
      ]);
    }
    // The copies stay three, two of them in sync.
    expect(propertiesOf(resources, "broker")).toMatchObject({
      "default.replication.factor": "3",
      "min.insync.replicas": "2",
    });
  });

  test("the largest volume there is", async () => {
    const { errors, resources } = await make({ brokerStorageGiB: 65_536 });
    expect(errors).toEqual([]);
    expect(JSON.stringify(statefulSet(resources, "broker").volumeClaimTemplates)).toContain('"65536Gi"');
  });

  test("given classes are used, and none are made", async () => {
    const { resources } = await make({ storageClassName: "fast", priorityClassName: "important" });
    expect(resources.filter((r) => r.type === types.storage || r.type === types.priority)).toEqual([]);
    for (const role of both) {
      expect(podOf(resources, role)["priorityClassName"]).toBe("important");
      expect(statefulSet(resources, role).volumeClaimTemplates).toMatchObject([{ spec: { storageClassName: "fast" } }]);
    }
  });

  test("nodes and taints", async () => {
    const tolerations = [
      { key: "stateful", operator: "Exists", effect: "NoSchedule" },
      { key: "a", value: "b" },
      { key: "example.com/team", value: pulumi.output("web"), operator: "Equal" },
      { operator: "Exists" },
      { key: "", operator: "Exists", effect: "NoExecute", tolerationSeconds: 0 },
    ];
    const { resources } = await make({ nodeSelector: { pool: pulumi.output("stateful") }, tolerations });
    for (const role of both) {
      expect(podOf(resources, role)["nodeSelector"]).toEqual({ pool: "stateful" });
      expect(podOf(resources, role)["tolerations"]).toEqual([
        ...tolerations.slice(0, 2),
        { key: "example.com/team", value: "web", operator: "Equal" },
        { operator: "Exists" },
        { key: "", operator: "Exists", effect: "NoExecute", tolerationSeconds: 0 },
      ]);
    }
  });

  test("data of a throw-away environment goes with the cluster, but not with a single broker", async () => {
    const { resources } = await make({ retainVolumes: false });
    expect(find(resources, types.storage).inputs["reclaimPolicy"]).toBe("Delete");
    for (const role of both) {
      expect(statefulSet(resources, role)["persistentVolumeClaimRetentionPolicy"]).toEqual({
        whenDeleted: "Delete",
        whenScaled: "Retain",
      });
      expect(find(resources, types.statefulSet, `k-${role}`).inputs["metadata"]).toEqual({
        name: `kafka-${role}`,
        namespace: "events",
        annotations: { "moorings.dev/disposable-data": "true" },
      });
      // The volumes would go with the StatefulSet that another size replaces.
      expect(find(resources, types.statefulSet, `k-${role}`).ignoreChanges).toEqual(["spec.volumeClaimTemplates"]);
    }
  });

  // Kubernetes: "value: Forbidden: may not be changed in an update."
  test("another value replaces the priority class", async () => {
    const { resources } = await make();
    const priority = find(resources, "kubernetes:scheduling.k8s.io/v1:PriorityClass");
    expect(priority.replaceOnChanges).toEqual(["value"]);
    expect(priority.deleteBeforeReplace).toBe(true);
  });

  // Kubernetes: "updates to reclaimPolicy are forbidden". The name is fixed, so the old one must go first.
  test("another answer replaces the storage class, and nothing else by it", async () => {
    const { resources } = await make();
    const storage = find(resources, types.storage);
    expect(storage.replaceOnChanges).toEqual(["provisioner", "parameters", "reclaimPolicy", "volumeBindingMode"]);
    expect(storage.deleteBeforeReplace).toBe(true);
    // Pulumi replaces whatever takes an output of what is deleted first.
    const takers = resources.filter((r) => Object.values(r.propertyDependencies).flat().includes(storage.urn));
    expect(takers.map((r) => r.name)).toEqual([]);
    for (const role of both)
      expect(find(resources, types.statefulSet, `k-${role}`).dependencies).toContain(storage.urn);
  });

  test("by default nothing says that data is disposable", async () => {
    const { resources } = await make();
    expect(JSON.stringify(resources)).not.toContain("disposable-data");
  });
});

describe("names", () => {
  test("are fixed, begin with the Kafka cluster's, and default to the component's", async () => {
    const { resources } = await make({ kafkaName: undefined }, {}, "orders");
    const names = resources
      .filter((r) => r.type.startsWith("kubernetes:"))
      .map((r) => (r.inputs["metadata"] as { name: string }).name)
      .sort();
    expect(names).toEqual(
      [
        ...["orders", "orders"], // service account, priority class
        "orders-data",
        "orders-bootstrap",
        ...["orders-brokers", "orders-controllers"],
        ...both.flatMap((role) => Array<string>(4).fill(`orders-${role}`)), // StatefulSet, ConfigMap, policy, budget
        ...["orders-admin", "orders-admin", "orders-access"], // Secret, policy, job
        ...Array<string>(3).fill("orders-certificates"), // what reads certificates, its script and policy
        ...["orders-broker-tls", "orders-controller-tls", "orders-clients-ca", "orders-client-shop"],
      ].sort(),
    );
  });

  test("the longest still fits with what Kubernetes adds", async () => {
    const kafkaName = "k".repeat(41);
    const { resources, errors } = await make({ kafkaName, clients: { ["c".repeat(14)]: { namespace: "shop" } } });
    expect(errors).toEqual([]);
    for (const { inputs } of resources.filter((r) => r.type === types.statefulSet)) {
      const { name } = inputs["metadata"] as { name: string };
      // The label controller-revision-hash: the name, a hyphen, ten characters. The pod is a host name: 63 as well.
      expect(name.length + 11).toBeLessThanOrEqual(63);
      expect(`${name}-100`.length).toBeLessThanOrEqual(63);
    }
    for (const r of resources.filter((r) => r.type === types.request))
      expect((r.inputs["subject"] as { commonName: string }).commonName.length).toBeLessThanOrEqual(64);
    expect((await make({ kafkaName: "k".repeat(42) })).errors[0]?.message).toContain("at most 41 fit");
  });
});

describe("refused", () => {
  test("everything that is wrong, at once, and nothing is made", async () => {
    const { errors, resources } = await run(
      () =>
        void new KafkaCluster("Bad_Name", {
          namespace: "Events",
          image: "",
          nodeSelector: { "a b": "x", pool: "a b" },
          tolerations: [{ value: "b" }, { key: "a", effect: "NoSchedule", tolerationSeconds: 60 }],
          clusterId: "too-short",
          brokers: 2,
          controllers: 4,
          zones: 1,
          brokerResources: { cpu: "lots", memoryMiB: 500 },
          controllerResources: { cpu: "0", memoryMiB: 256 },
          brokerStorageGiB: 0,
          controllerStorageGiB: 1.5,
          storageClassName: "",
          priorityClassName: "Important",
          certificates: {
            brokerSecretName: "B",
            controllerSecretName: "",
            clientCaSecretName: "-",
            adminSecretName: "A",
          },
          clients: { "Web App": { namespace: "a.b" }, ["c".repeat(60)]: { namespace: "web" } },
          extraConfig: { "min.insync.replicas": "1", "Bad Key": "1" },
          kubernetesVersion: "latest",
        }),
    );
    expect(errors).toHaveLength(1);
    const message = errors[0]!.message;
    expect(message).toContain('KafkaCluster "Bad_Name" can\'t be made from these arguments:');
    for (const argument of [
      "opts.providers",
      "name",
      "namespace",
      "image",
      'nodeSelector["a b"]',
      'nodeSelector["pool"]',
      "tolerations[0].key",
      "tolerations[1].tolerationSeconds",
      "clusterId",
      "brokers",
      "controllers",
      "zones",
      "brokerResources.cpu",
      "brokerResources.memoryMiB",
      "controllerResources.cpu",
      "controllerResources.memoryMiB",
      "brokerStorageGiB",
      "controllerStorageGiB",
      "storageClassName",
      "priorityClassName",
      "certificates.brokerSecretName",
      "certificates.controllerSecretName",
      "certificates.clientCaSecretName",
      "certificates.adminSecretName",
      'clients["Web App"]',
      'clients["Web App"].namespace',
      `clients["${"c".repeat(60)}"]`,
      'extraConfig["min.insync.replicas"]',
      'extraConfig["Bad Key"]',
      "kubernetesVersion",
    ])
      expect(message).toContain(`\n  - ${argument}: `);
    expect(resources.filter((r) => r.custom && !r.type.startsWith("pulumi:"))).toEqual([]);
  });

  test.each<[string, Partial<KafkaClusterArgs>, RegExp]>([
    [
      "the image's public cluster id",
      { clusterId: "5L6g3nShT-eMCtK--X86sw" },
      /clusterId: is the public default.*random-uuid/,
    ],
    ["a cluster id of 21 characters", { clusterId: "Zr0kq3mWQx6bT7vJc2LhN" }, /clusterId: must be a base64 UUID of 22/],
    [
      "more than a volume can hold",
      { brokerStorageGiB: 65_537, controllerStorageGiB: 1_000_000 },
      /- brokerStorageGiB: must be .* from 1 to 65536 \(64 TiB, the largest gp3 volume\), not 65537: add brokers(.|\n)*- controllerStorageGiB: .* not 1000000$/,
    ],
    ["a name that no Service can have", { kafkaName: "1kafka" }, /kafkaName: is "1kafka"/],
    ["a namespace that there can't be", { namespace: "Events" }, /namespace: must be the name of a namespace/],
    ["a client's, too", { clients: { a: { namespace: "a.b" } } }, /clients\["a"\]\.namespace: must be the name/],
    [
      "a misspelt operator",
      { tolerations: [{ key: "a", operator: "exists" }] },
      /tolerations\[0\]\.operator: must be Exists or Equal/,
    ],
    [
      "a misspelt effect",
      { tolerations: [{ key: "a", effect: "NO_SCHEDULE" }] },
      /tolerations\[0\]\.effect: must be NoSchedule/,
    ],
    // pkg/apis/core/validation, ValidateTolerations.
    [
      "a toleration of any value with a value",
      { tolerations: [{ key: "a" }, { key: "a", operator: "Exists", value: "b" }] },
      /tolerations\[1\]\.value: must be left out with the operator Exists/,
    ],
    [
      "a toleration of no key",
      { tolerations: [{ value: "b" }] },
      /tolerations\[0\]\.key: is missing: .* or the operator Exists/,
    ],
    [
      "one that is known late",
      { tolerations: [{ key: pulumi.output(""), operator: pulumi.output("Equal") }] },
      /tolerations\[0\]\.key is missing/,
    ],
    ["a key with a space", { tolerations: [{ key: "a b" }] }, /tolerations\[0\]\.key: must be a key such as "team"/],
    [
      "a value with a slash",
      { tolerations: [{ key: "a", value: "b/c" }] },
      /tolerations\[0\]\.value: must be at most 63 letters/,
    ],
    ["two dots in a key", { tolerations: [{ key: "a..b/c" }] }, /tolerations\[0\]\.key: must be a key/],
    [
      "seconds without an effect that ends",
      { tolerations: [{ key: "a", tolerationSeconds: 60 }] },
      /tolerations\[0\]\.tolerationSeconds: needs the effect NoExecute/,
    ],
    [
      "and known late",
      { tolerations: [{ key: "a", tolerationSeconds: 60, effect: pulumi.output("NoSchedule") }] },
      /tolerations\[0\]\.tolerationSeconds needs the effect NoExecute/,
    ],
    [
      "half a second",
      { tolerations: [{ key: "a", tolerationSeconds: 0.5, effect: "NoExecute" }] },
      /tolerations\[0\]\.tolerationSeconds: must be a whole number of seconds/,
    ],
    ["an image with a space", { image: " x" }, /image: must be the name of an image/],
    ["a late image", { image: pulumi.output("x ") }, /image must be the name of an image/],
    ["a late namespace", { namespace: pulumi.output("Events") }, /namespace must be the name of a namespace/],
    ["no unit of CPU", { brokerResources: { cpu: "1Gi", memoryMiB: 1024 } }, /brokerResources\.cpu: must be an amount/],
    ["a late node label", { nodeSelector: { a: pulumi.output("b c") } }, /nodeSelector\["a"\] must be at most 63/],
    [
      "node labels that are late altogether",
      { nodeSelector: pulumi.output({ a: "b", "c d": "" }) },
      /nodeSelector has "c d", which must be a key/,
    ],
    [
      "and their values",
      { nodeSelector: Promise.resolve({ a: "b c" }) },
      /nodeSelector has "a", which must be at most/,
    ],
  ])("%s", async (_, change, message) => {
    const { errors, resources } = await make(change);
    expect(errors.map((e) => e.message).join()).toMatch(message);
    expect(resources.filter((r) => r.type === types.statefulSet && r.name === "k-broker")).toEqual([]);
  });
});
