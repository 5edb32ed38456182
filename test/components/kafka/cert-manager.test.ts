import { KafkaClientAuthentication, type KafkaCertManager, type KafkaClusterArgs } from "../../../components/kafka";
import { find } from "../../support/graph";
import { given, make, podOf, specOf, types, type Resources } from "./setup";

/* What cert-manager is asked for. Fields are those of its definition (test/fixtures/crds), which the suite `apiserver` has a real server check. */

const certificate = "kubernetes:cert-manager.io/v1:Certificate";
const certManager: KafkaCertManager = {
  nodeIssuer: { name: "nodes" },
  clientIssuer: { name: "clients", kind: "ClusterIssuer" },
};
const asked = (resources: Resources, child: string) => specOf(resources, certificate, `k-${child}-certificate`);

describe("cert-manager", () => {
  test("is asked for a certificate of the brokers that Kafka can read, under the names that peers and clients call", async () => {
    const { errors, resources } = await make({ certManager });
    expect(errors).toEqual([]);
    expect(asked(resources, "broker")).toEqual({
      secretName: "kafka-broker-tls",
      commonName: "kafka-broker",
      dnsNames: ["*.kafka-brokers.events.svc.cluster.local", "kafka-bootstrap.events.svc.cluster.local"],
      usages: ["digital signature", "server auth", "client auth"],
      duration: "2160h", // 90 days
      renewBefore: "720h",
      privateKey: { algorithm: "ECDSA", size: 256, encoding: "PKCS8", rotationPolicy: "Always" },
      additionalOutputFormats: [{ type: "CombinedPEM" }],
      issuerRef: { name: "nodes", kind: "Issuer", group: "cert-manager.io" },
    });
    expect(find(resources, certificate, "k-broker-certificate").inputs["metadata"]).toEqual({
      name: "kafka-broker-tls",
      namespace: "events",
      annotations: { "pulumi.com/waitFor": "condition=Ready" },
    });
  });

  test("and of controllers, administrator and clients, each by its own name and issuer", async () => {
    const { resources } = await make({ certManager });
    const short = (child: string) => {
      const { secretName, commonName, dnsNames, usages, issuerRef } = asked(resources, child);
      return [secretName, commonName, dnsNames, usages, (issuerRef as { name: string }).name];
    };
    const both = ["digital signature", "server auth", "client auth"];
    const client = ["digital signature", "client auth"];
    expect(short("controller")).toEqual([
      "kafka-controller-tls",
      "kafka-controller",
      ["*.kafka-controllers.events.svc.cluster.local"],
      both,
      "nodes",
    ]);
    expect(short("admin")).toEqual(["kafka-admin", "kafka-admin", undefined, client, "nodes"]);
    expect(short("clients-ca")).toEqual(["kafka-clients-ca", "kafka-clients-ca", undefined, client, "clients"]);
    expect(short("client-shop")).toEqual(["kafka-client-shop", "kafka-client-shop", undefined, client, "clients"]);
    const ofClient = find(resources, certificate, "k-client-shop-certificate").inputs["metadata"];
    expect(ofClient).toMatchObject({ namespace: "shop" });
    expect(resources.filter((r) => r.type.startsWith("tls:") || r.type === types.secret)).toEqual([]);
  });

  test("pods and jobs use its Secrets, and wait for them", async () => {
    const { resources, outputs } = await make({ certManager });
    const names = podOf(resources, "broker").volumes.flatMap(
      (v) => (v["secret"] as { secretName?: string } | undefined)?.secretName ?? [],
    );
    expect(names).toEqual(["kafka-broker-tls", "kafka-clients-ca"]);
    const { urn } = find(resources, certificate, "k-broker-certificate");
    expect(find(resources, types.statefulSet, "k-broker").dependencies).toContain(urn);
    const admin = find(resources, certificate, "k-admin-certificate");
    expect(find(resources, types.job, "k-access").dependencies).toContain(admin.urn);
    expect([outputs?.clientSecretNames, outputs?.clientChecksums]).toEqual([{ shop: "kafka-client-shop" }, {}]);
  });

  test("another issuer, another life", async () => {
    const nodeIssuer = { name: "pca", kind: "AWSPCAClusterIssuer", group: "awspca.cert-manager.io" };
    const { resources } = await make({
      certManager: { ...certManager, nodeIssuer, validDays: 30, renewBeforeDays: 10 },
    });
    expect(asked(resources, "controller")).toMatchObject({
      duration: "720h",
      renewBefore: "240h",
      issuerRef: nodeIssuer,
    });
  });

  test("clients with passwords need no issuer, and get the authority that is told", async () => {
    const { errors, resources } = await make({
      clientAuthentication: KafkaClientAuthentication.Scram,
      certManager: { nodeIssuer: { name: "nodes" }, certificateAuthority: "CA" },
    });
    expect(errors).toEqual([]);
    const made = resources.filter((r) => r.type === certificate).map((r) => r.name);
    expect(made.sort()).toEqual(["k-admin-certificate", "k-broker-certificate", "k-controller-certificate"]);
    expect(JSON.stringify(find(resources, types.secret, "k-client-shop-secret").inputs)).toContain('"ca.crt":"CA"');
  });

  test.each<[string, Partial<KafkaClusterArgs>, string]>([
    ["two sources", { certManager, certificates: given }, "certManager: and certificates say both"],
    ["no issuer of clients", { certManager: { nodeIssuer: { name: "n" } } }, "certManager.clientIssuer: is missing"],
    [
      "a name",
      { certManager: { ...certManager, nodeIssuer: { name: "a b" } } },
      "certManager.nodeIssuer.name: must be",
    ],
    [
      "a kind",
      { certManager: { ...certManager, clientIssuer: { name: "c", kind: "AWSPCAIssuer" } } },
      'certManager.clientIssuer.kind: must be Issuer or ClusterIssuer, not "AWSPCAIssuer"',
    ],
    [
      "a group",
      { certManager: { ...certManager, nodeIssuer: { name: "n", kind: "K", group: "a/b" } } },
      "nodeIssuer.group: ",
    ],
    ["a life", { certManager: { ...certManager, validDays: 1 } }, "certManager.validDays: must be"],
    [
      "no time",
      { certManager: { ...certManager, validDays: 20, renewBeforeDays: 11 } },
      "certManager.renewBeforeDays: must",
    ],
    [
      "text",
      { certManager: "nodes" as unknown as KafkaCertManager },
      "certManager: must be an object with named fields",
    ],
    ["no issuer", { certManager: {} as KafkaCertManager }, "certManager.nodeIssuer: is missing"],
    [
      "a misspelt field",
      { certManager: { ...certManager, issuer: "a" } as KafkaCertManager },
      "certManager.issuer: isn't one",
    ],
  ])("%s: refused by name", async (_, change, said) => {
    const { errors } = await make(change);
    expect(errors.map(({ message }) => message).join()).toContain(said);
  });
});
