import * as k8s from "@pulumi/kubernetes";
import { find } from "../../support/graph";
import { secretSignature, type RunOptions } from "../../support/harness";
import { both, given, labels, make, podOf, secret, specOf, state, statefulSet, types, type Role } from "./setup";

describe.each([
  ["made", {}],
  ["given", { certificates: given }],
])("with %s certificates", (_, change) => {
  test.each([
    ["an update", false],
    ["a preview, where certificates and namespaces may be unknown", true],
  ])("%s makes the same objects", async (_, preview) => {
    const namespace = () => new k8s.core.v1.Namespace("ns").metadata.name;
    const computed: RunOptions["state"] = (resource) =>
      resource.type.endsWith(":Namespace") ? { metadata: { name: "events" } } : state(resource);
    const { errors, resources } = await make(() => ({ ...change, namespace: namespace() }), {
      preview,
      state: preview ? () => ({}) : computed,
    });
    expect(errors).toEqual([]);
    const kubernetes = resources.filter((r) => r.type.startsWith("kubernetes:") && r.name.startsWith("k-"));
    expect(kubernetes.map((r) => r.name)).toHaveLength(25); // certificates with their Secrets, or what restarts pods
    // What doesn't hang on anything unknown is shown.
    expect(statefulSet(resources, "broker")["podManagementPolicy"]).toBe("Parallel");
  });
});

describe("network", () => {
  const brokers = { podSelector: { matchLabels: labels("broker") } };
  const controllers = { podSelector: { matchLabels: labels("controller") } };
  const admin = { podSelector: { matchLabels: labels("admin") } };
  const probe = {
    podSelector: { matchLabels: { ...labels("admin"), "app.kubernetes.io/component": "certificate-probe" } },
  };
  const tcp = (port: number) => [{ protocol: "TCP", port }];
  const dns = {
    to: [
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
        podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
      },
      { ipBlock: { cidr: "169.254.20.10/32" } },
    ],
    ports: [
      { protocol: "UDP", port: 53 },
      { protocol: "TCP", port: 53 },
    ],
  };
  const monitors = {
    from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } } }],
    ports: tcp(9404),
  };
  const client = (namespace: string) => ({
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    podSelector: { matchLabels: { "moorings.dev/kafka-client": "kafka" } },
  });

  test("clients reach the client port, brokers the rest: nobody else anything", async () => {
    const { resources } = await make({ clients: { shop: { namespace: "shop" }, audit: { namespace: "sec" } } });
    expect(specOf(resources, types.policy, "k-broker-policy")).toEqual({
      podSelector: { matchLabels: labels("broker") },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        { from: [client("shop"), client("sec"), probe], ports: tcp(9092) },
        { from: [brokers, admin, probe], ports: tcp(9094) },
        monitors,
      ],
      egress: [dns, { to: [controllers], ports: tcp(9093) }, { to: [brokers], ports: tcp(9094) }],
    });
    expect(specOf(resources, types.policy, "k-controller-policy")).toEqual({
      podSelector: { matchLabels: labels("controller") },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: [controllers, brokers, admin, probe], ports: tcp(9093) }, monitors],
      egress: [dns, { to: [controllers], ports: tcp(9093) }],
    });
  });

  test("without clients the client port is closed but for the probe, not open to all", async () => {
    const { resources } = await make({ clients: undefined });
    expect(specOf(resources, types.policy, "k-broker-policy")["ingress"]).toEqual([
      { from: [probe], ports: tcp(9092) },
      { from: [brokers, admin, probe], ports: tcp(9094) },
      monitors,
    ]);
  });

  test("the probe of certificates knocks at every listener, and only who reads metrics reaches it", async () => {
    const { resources } = await make({
      metrics: { namespaces: ["monitoring"], probeImage: "registry.acme.io/node:24" },
    });
    expect(specOf(resources, types.policy, "k-certificates-policy")).toEqual({
      ...probe,
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
          ports: tcp(9404),
        },
      ],
      egress: [dns, { to: [brokers], ports: [...tcp(9092), ...tcp(9094)] }, { to: [controllers], ports: tcp(9093) }],
    });
    const { template } = specOf(resources, "kubernetes:apps/v1:Deployment", "k-certificates") as {
      template: {
        metadata: { labels: object };
        spec: { containers: { image: string; env: { name: string; value: string }[] }[] };
      };
    };
    expect(template.metadata.labels).toEqual(probe.podSelector.matchLabels);
    const [container] = template.spec.containers;
    expect(container!.image).toBe("registry.acme.io/node:24");
    const listeners = JSON.parse(container!.env.find(({ name }) => name === "LISTENERS")!.value) as object[];
    // Three brokers with two listeners each, three controllers with one.
    expect(listeners).toHaveLength(9);
    expect(listeners).toContainEqual({
      server: "kafka-broker-102",
      listener: "replication",
      host: "kafka-broker-102.kafka-brokers.events.svc.cluster.local",
      port: 9094,
    });
    expect(listeners.at(-1)).toEqual({
      server: "kafka-controller-2",
      listener: "controller",
      host: "kafka-controller-2.kafka-controllers.events.svc.cluster.local",
      port: 9093,
    });
  });

  test("without metrics there is no probe, and no door for it", async () => {
    const { resources } = await make({ metrics: { enabled: false } });
    expect(resources.filter(({ name }) => name.startsWith("k-certificates"))).toEqual([]);
    expect(JSON.stringify(specOf(resources, types.policy, "k-broker-policy"))).not.toContain("certificate-probe");
    // A rule without peers would let everybody in.
    const alone = await make({ metrics: { enabled: false }, clients: undefined });
    expect(specOf(alone.resources, types.policy, "k-broker-policy")["ingress"]).toEqual([
      { from: [brokers, admin], ports: tcp(9094) },
    ]);
  });

  test("what clients need to know", async () => {
    const { outputs } = await make();
    expect(outputs).toMatchObject({
      bootstrapServers: "kafka-bootstrap.events.svc.cluster.local:9092",
      clientSecretNames: { shop: "kafka-client-shop" },
      // printf 'CERTIFICATE k-client-shop-certificateCERTIFICATE k-cluster-ca' | sha256sum
      clientChecksums: { shop: "f1905c073d52c6885dd724269dced562daee9faecf2f2c0c51779690fdc8c0b0" },
      clientPodLabels: { "moorings.dev/kafka-client": "kafka" },
    });
  });
});

describe("certificates", () => {
  test("two authorities: one for brokers and controllers, one for clients", async () => {
    const { resources } = await make();
    const signedBy = (leaf: string) => {
      const { caCertPem, allowedUses } = find(resources, types.leaf, `k-${leaf}-certificate`).inputs;
      return [caCertPem, allowedUses];
    };
    const uses = ["digital_signature", "server_auth", "client_auth"];
    expect(signedBy("broker")).toEqual(["CERTIFICATE k-cluster-ca", uses]);
    expect(signedBy("controller")).toEqual(["CERTIFICATE k-cluster-ca", uses]);
    expect(signedBy("client-shop")).toEqual(["CERTIFICATE k-clients-ca", ["digital_signature", "client_auth"]]);
    for (const ca of resources.filter((r) => r.type === types.ca)) expect(ca.inputs["isCaCertificate"]).toBe(true);
  });

  test("are good for the names that peers call, and for no subject of another role", async () => {
    const { resources } = await make();
    const asked = (leaf: string) => {
      const { subject, dnsNames } = find(resources, types.request, `k-${leaf}-request`).inputs;
      return { subject, dnsNames };
    };
    expect(asked("broker")).toEqual({
      subject: { commonName: "kafka-broker" },
      dnsNames: ["*.kafka-brokers.events.svc.cluster.local", "kafka-bootstrap.events.svc.cluster.local"],
    });
    expect(asked("controller")).toEqual({
      subject: { commonName: "kafka-controller" },
      dnsNames: ["*.kafka-controllers.events.svc.cluster.local"],
    });
    expect(asked("client-shop")).toEqual({ subject: { commonName: "kafka-client-shop" }, dnsNames: undefined });
  });

  test("are renewed in good time, and never outlive their authority", async () => {
    const { resources } = await make();
    const year = 8766;
    for (const leaf of resources.filter((r) => r.type === types.leaf)) {
      expect(leaf.inputs["validityPeriodHours"]).toBe(2 * year);
      expect(leaf.inputs["earlyRenewalHours"]).toBe(year);
    }
    for (const ca of resources.filter((r) => r.type === types.ca)) {
      expect(ca.inputs["validityPeriodHours"]).toBe(10 * year);
      expect(ca.inputs["earlyRenewalHours"]).toBe(3 * year); // more than the two years of a leaf
    }
  });

  test("lie in Secrets of cert-manager's form, the keys never in clear", async () => {
    const { resources } = await make();
    const secretOf = (name: string) => find(resources, types.secret, name).inputs;
    const combined = (leaf: string) => `PRIVATE KEY k-${leaf}-key\nCERTIFICATE k-${leaf}-certificate`;
    for (const leaf of ["broker", "controller", "client-shop"])
      expect(secretOf(`k-${leaf}-secret`)["stringData"]).toEqual(
        secret({ "tls-combined.pem": combined(leaf), "ca.crt": "CERTIFICATE k-cluster-ca" }),
      );
    expect(secretOf("k-clients-ca-secret")["stringData"]).toEqual(secret({ "ca.crt": "CERTIFICATE k-clients-ca" }));
    expect(secretOf("k-client-shop-secret")["metadata"]).toEqual({ name: "kafka-client-shop", namespace: "shop" });
    expect(secretOf("k-broker-secret")["metadata"]).toEqual({ name: "kafka-broker-tls", namespace: "events" });

    const clear = JSON.stringify(
      resources.filter((r) => r.type.startsWith("kubernetes:")).map((r) => r.inputs),
      (_, part: unknown) =>
        Object.entries(secretSignature).every(([k, v]) => (part as Record<string, unknown> | null)?.[k] === v)
          ? "[secret]"
          : part,
    );
    expect(clear).not.toContain("KEY");
  });

  test("reach the pods by those Secrets, readable by their group only", async () => {
    const { resources } = await make();
    const secrets = (role: Role) => podOf(resources, role).volumes.flatMap((v) => (v["secret"] ? [v["secret"]] : []));
    const items = (...keys: string[]) => keys.map((key) => ({ key, path: key }));
    const tls = (role: Role) => ({
      secretName: `kafka-${role}-tls`,
      defaultMode: 0o440,
      items: items("tls-combined.pem", "ca.crt"),
    });
    expect(secrets("broker")).toEqual([
      tls("broker"),
      { secretName: "kafka-clients-ca", defaultMode: 0o440, items: items("ca.crt") },
    ]);
    expect(secrets("controller")).toEqual([tls("controller")]);
  });

  test("given ones are mounted, and none are made; clients get the way through the network only", async () => {
    const { resources, errors, outputs } = await make({ certificates: given });
    expect(errors).toEqual([]);
    expect(resources.filter((r) => r.type.startsWith("tls:") || r.type === types.secret)).toEqual([]);
    const names = (role: Role) =>
      podOf(resources, role).volumes.flatMap(
        (v) => (v["secret"] as { secretName?: string } | undefined)?.secretName ?? [],
      );
    expect(names("broker")).toEqual(["b-tls", "clients"]);
    expect(names("controller")).toEqual(["c-tls"]);
    expect(JSON.stringify(specOf(resources, types.job, "k-access"))).toContain('"secretName":"a-tls"');
    expect([outputs?.clientSecretNames, outputs?.clientChecksums]).toEqual([{}, {}]);
    expect(JSON.stringify(specOf(resources, types.policy, "k-broker-policy"))).toContain("moorings.dev/kafka-client");
  });

  test('no client can take the name of the authority\'s Secret: "ca" is a name like any other', async () => {
    const { resources, errors } = await make({
      clients: { ca: { namespace: "events" }, "s-ca": { namespace: "events" } },
    });
    expect(errors).toEqual([]);
    const names = resources
      .filter((r) => r.type === types.secret)
      .map((r) => (r.inputs["metadata"] as { name: string }).name);
    expect(new Set(names).size).toBe(6);
    expect(new Set(resources.map((r) => `${r.type} ${r.name}`)).size).toBe(resources.length);
  });
});

describe("Pod Security restricted", () => {
  // https://kubernetes.io/docs/concepts/security/pod-security-standards/, v1.36; sysctls: allowed from 1.29.
  const volumeTypes = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
  ];
  const safeSysctls = /^net\.ipv4\.tcp_(keepalive_(time|intvl|probes)|fin_timeout)$/;

  test.each(both)("holds for the %s", async (role) => {
    const { resources } = await make();
    const pod = podOf(resources, role);
    for (const field of [
      "hostNetwork",
      "hostPID",
      "hostIPC",
      "hostUsers",
      "shareProcessNamespace",
      "ephemeralContainers",
    ])
      expect(pod).not.toHaveProperty(field);
    const kinds = pod.volumes.flatMap((v) => Object.keys(v).filter((k) => k !== "name"));
    expect(kinds.filter((kind) => !volumeTypes.includes(kind))).toEqual([]);
    const sysctls = pod.securityContext["sysctls"] as { name: string }[];
    expect(sysctls.filter((s) => !safeSysctls.test(s.name))).toEqual([]);
    for (const field of ["windowsOptions", "seLinuxOptions", "appArmorProfile", "supplementalGroups", "procMount"])
      expect(pod.securityContext).not.toHaveProperty(field);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(pod.containers).toHaveLength(1);
    // Nothing but what is allowed: no added capability, no privilege, no other seccomp profile, no root.
    expect(Object.keys(pod.containers[0]!.securityContext).sort()).toEqual([
      "allowPrivilegeEscalation",
      "capabilities",
      "readOnlyRootFilesystem",
    ]);
    const ports = (pod.containers[0] as unknown as { ports: object[] }).ports;
    expect(ports.filter((p) => "hostPort" in p)).toEqual([]);
  });
});
