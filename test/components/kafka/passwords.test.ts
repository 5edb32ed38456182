import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KafkaClientAuthentication, kafkaClientProfile, type KafkaClusterArgs } from "../../../components/kafka";
import { find } from "../../support/graph";
import { secretSignature, type Registration } from "../../support/harness";
import { both, given, make, podOf, propertiesOf, secret, types, type Resources } from "./setup";

/* Clients with passwords: the listener, who gets which Secret, the job that tells the brokers, and the profile. */

const scram = { clientAuthentication: KafkaClientAuthentication.Scram };
const clients = { shop: { namespace: "shop" }, audit: { namespace: "sec", passwordVersion: 3 } };
const dataOf = (resources: Resources, name: string) => find(resources, types.secret, name).inputs["stringData"];

interface JobSpec {
  template: {
    spec: { containers: { command: string[]; env: object[]; volumeMounts: object[] }[]; volumes: object[] };
  };
}
const podOfJob = (resources: Resources) =>
  (find(resources, types.job, "k-passwords").inputs["spec"] as JobSpec).template.spec;

describe("the listener of clients", () => {
  // kafka.server.KafkaConfig: per-listener names; SASL_SSL would also ask for a certificate with client.auth=required.
  test("takes passwords and no certificates; the others stay as they are", async () => {
    const properties = propertiesOf((await make(scram)).resources, "broker");
    const ofClients = Object.fromEntries(
      Object.entries(properties).filter(([name]) => /^listener\.name\.client\./.test(name)),
    );
    expect(ofClients).toEqual({
      "listener.name.client.ssl.client.auth": "none",
      "listener.name.client.ssl.keystore.type": "PEM",
      "listener.name.client.ssl.keystore.location": "/mnt/kafka/tls/tls-combined.pem",
      "listener.name.client.sasl.enabled.mechanisms": "SCRAM-SHA-512",
      "listener.name.client.scram-sha-512.sasl.jaas.config":
        "org.apache.kafka.common.security.scram.ScramLoginModule required;",
    });
    expect(properties["listener.security.protocol.map"]).toBe("CLIENT:SASL_SSL,REPLICATION:SSL,CONTROLLER:SSL");
    const without = propertiesOf((await make()).resources, "broker");
    const rest = (all: Record<string, string>) =>
      Object.entries(all).filter(([name]) => !/^listener\.(name\.client\.|security\.protocol)/.test(name));
    expect(rest(properties)).toEqual(rest(without));
  });

  test("controllers know nothing of it", async () => {
    const [withPasswords, without] = [await make(scram), await make()];
    expect(propertiesOf(withPasswords.resources, "controller")).toEqual(propertiesOf(without.resources, "controller"));
  });
});

describe("Secrets", () => {
  test("each client has its own, and no certificate is made for clients", async () => {
    const { errors, resources, outputs } = await make({ ...scram, clients });
    expect(errors).toEqual([]);
    const jaas = (name: string, client: string) =>
      `org.apache.kafka.common.security.scram.ScramLoginModule required username="${name}" password="PASSWORD k-client-${client}-password";`;
    expect(dataOf(resources, "k-client-shop-secret")).toEqual(
      secret({
        username: "kafka-client-shop",
        password: "PASSWORD k-client-shop-password",
        "sasl.jaas.config": jaas("kafka-client-shop", "shop"),
        "ca.crt": "CERTIFICATE k-cluster-ca",
      }),
    );
    expect(find(resources, types.secret, "k-client-audit-secret").inputs["metadata"]).toEqual({
      name: "kafka-client-audit",
      namespace: "sec",
    });
    expect(outputs?.clientSecretNames).toEqual({ shop: "kafka-client-shop", audit: "kafka-client-audit" });
    expect(resources.filter((r) => r.type.startsWith("tls:") && r.name.includes("client"))).toEqual([]);
    for (const role of both) expect(JSON.stringify(podOf(resources, role))).not.toContain("client-ca");
  });

  test("passwords are 32 letters and digits, and another number makes another", async () => {
    const { resources } = await make({ ...scram, clients });
    const inputs = (client: string) => find(resources, types.password, `k-client-${client}-password`).inputs;
    expect(inputs("shop")).toEqual({ length: 32, special: false, keepers: { version: "1" } });
    expect(inputs("audit")).toEqual({ length: 32, special: false, keepers: { version: "3" } });
  });

  // Secret values are marked: what is left in clear has no password.
  test("passwords stand nowhere in clear", async () => {
    const { resources } = await make({ ...scram, clients });
    const isSecret = (part: unknown) =>
      Object.entries(secretSignature).every(([k, v]) => (part as Record<string, unknown> | null)?.[k] === v);
    const clear = (all: readonly Registration[]) =>
      JSON.stringify(
        all.map((r) => r.inputs),
        (_, part: unknown) => (isSecret(part) ? "[secret]" : part),
      );
    const kubernetes = resources.filter((r) => r.type.startsWith("kubernetes:"));
    expect(clear(kubernetes)).not.toContain("PASSWORD");
    expect(JSON.stringify(kubernetes.map((r) => r.inputs))).toContain("PASSWORD");
  });

  test("checksums change with the number of the password, and tell nothing of it", async () => {
    const sum = async (passwordVersion: number, of = "PASSWORD") => {
      const { outputs } = await make(
        { ...scram, clients: { shop: { namespace: "shop", passwordVersion } } },
        {
          state: ({ type }) => (type === types.password ? { result: of } : type === types.ca ? { certPem: "CA" } : {}),
        },
      );
      return outputs?.clientChecksums;
    };
    // printf 'kafka-client-shop 1 CA' | sha256sum
    expect(await sum(1)).toEqual({ shop: "3dce90a674d4ba9223b63683acbf221420eba661db7b3a6277609590667a38ba" });
    expect(await sum(1, "another")).toEqual(await sum(1));
    expect(await sum(2)).not.toEqual(await sum(1));
  });

  test("with given certificates clients get passwords too, and the authority if it is told", async () => {
    const certificates = { ...given, clientCaSecretName: undefined };
    const { errors, resources } = await make({ ...scram, certificates });
    expect(errors).toEqual([]);
    expect(JSON.stringify(dataOf(resources, "k-client-shop-secret"))).not.toContain("ca.crt");
    const told = await make({ ...scram, certificates: { ...certificates, certificateAuthority: "CA" } });
    expect(JSON.stringify(dataOf(told.resources, "k-client-shop-secret"))).toContain('"ca.crt":"CA"');
  });
});

describe("arguments", () => {
  test.each<[Partial<KafkaClusterArgs>, string]>([
    [
      { clientAuthentication: "kerberos" as KafkaClientAuthentication },
      "clientAuthentication: must be one of tls, scram",
    ],
    [
      { clients: { shop: { namespace: "s", passwordVersion: 2 } } },
      'clients["shop"].passwordVersion: is for passwords',
    ],
    [
      { ...scram, clients: { shop: { namespace: "s", passwordVersion: 0 } } },
      'clients["shop"].passwordVersion: must be',
    ],
    [{ certificates: { ...given, clientCaSecretName: undefined } }, "certificates.clientCaSecretName: is missing"],
  ])("%j is refused", async (change, said) => {
    const { errors } = await make(change);
    expect(errors.map(({ message }) => message).join()).toContain(said);
  });
});

describe("the job", () => {
  test("reads the passwords from a Secret, and is another when a password is", async () => {
    const { resources } = await make({ ...scram, clients });
    const { containers, volumes } = podOfJob(resources);
    const { command, env, volumeMounts } = containers[0]!;
    expect(command.slice(4)).toEqual(["kafka-client-", "kafka-client-audit 3\nkafka-client-shop 1"]);
    expect(env).toContainEqual({ name: "SECRETS", value: "/mnt/kafka/secrets" });
    expect(volumeMounts).toContainEqual({ name: "secrets", mountPath: "/mnt/kafka/secrets", readOnly: true });
    expect(volumes).toContainEqual({ name: "secrets", secret: { secretName: "kafka-passwords", defaultMode: 0o440 } });
    expect(dataOf(resources, "k-client-passwords")).toEqual(
      secret({
        "kafka-client-shop": "SCRAM-SHA-512=iterations=8192,password=PASSWORD k-client-shop-password\n",
        "kafka-client-audit": "SCRAM-SHA-512=iterations=8192,password=PASSWORD k-client-audit-password\n",
      }),
    );
    const job = find(resources, types.job, "k-passwords");
    expect(job.dependencies).toContain(find(resources, types.secret, "k-client-passwords").urn);
    expect(job.dependencies).toContain(find(resources, types.statefulSet, "k-broker").urn);
  });

  /* The script with a tool that keeps users in a file and shows them as that of Kafka 4.4.0 did. */
  describe("its script", () => {
    let folder: string;
    let command: string[];
    beforeAll(async () => {
      command = podOfJob((await make(scram)).resources).containers[0]!.command;
    });
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "passwords-"));
      writeFileSync(join(folder, "kafka-configs.sh"), configs);
      chmodSync(join(folder, "kafka-configs.sh"), 0o755);
      for (const client of ["shop", "audit"])
        writeFileSync(join(folder, `kafka-client-${client}`), `SCRAM-SHA-512=iterations=8192,password=of ${client}\n`);
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const runs = (wanted: string, before: string[] = []) => {
      writeFileSync(join(folder, "users"), before.map((line) => `${line}\n`).join(""));
      const [shell, option, script] = command;
      const log = execFileSync(
        shell!,
        [option!, script!.replaceAll("/opt/kafka/bin", folder), "job", "kafka-client-", wanted],
        {
          env: {
            PATH: process.env["PATH"],
            BOOTSTRAP_SERVERS: "b",
            ADMIN_PROPERTIES: join(folder, "p"),
            SECRETS: folder,
          },
          stdio: "pipe",
          encoding: "utf8",
        },
      );
      const lines = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n").filter(Boolean);
      return { users: lines("users").sort(), calls: lines("calls"), log };
    };

    test("gives each client its password, by a file", () => {
      const { users, calls, log } = runs("kafka-client-audit 3\nkafka-client-shop 1");
      expect(users).toEqual(["kafka-client-audit of audit", "kafka-client-shop of shop"]);
      expect(calls.join("\n")).not.toContain("of shop");
      expect(log).toContain("Passwords of kafka-client-*: 2 as wanted.");
    });

    test("takes the password of a client that is gone, and leaves users of others", () => {
      const { users } = runs("kafka-client-shop 1", [
        "kafka-client-sho x",
        "kafka-client-shop old",
        "kafka-client-shop2 x",
        "somebody x",
      ]);
      expect(users).toEqual(["kafka-client-shop of shop", "somebody x"]);
    });

    test("takes the passwords of all clients, where none is left", () => {
      expect(runs("", ["kafka-client-shop x", "other x"]).users).toEqual(["other x"]);
      expect(runs("").users).toEqual([]);
    });

    test("fails where the tool does", () => {
      expect(() => runs("kafka-client-nobody 1")).toThrow("No such file");
    });
  });
});

describe("the profile", () => {
  const directory = "/etc/kafka-client";
  const profile = () => kafkaClientProfile({ credentialsDirectory: directory, ...scram });

  // What kafka-topics.sh of Kafka 4.4.0 connected with, to a broker with the listener above.
  test("Java reads the password from the mounted Secret", () => {
    expect(profile().java).toMatchObject({
      "security.protocol": "SASL_SSL",
      "sasl.mechanism": "SCRAM-SHA-512",
      "ssl.truststore.type": "PEM",
      "ssl.truststore.location": "/etc/kafka-client/ca.crt",
      "config.providers": "secret",
      "config.providers.secret.class": "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
      "config.providers.secret.param.allowed.paths": "/etc/kafka-client",
      "sasl.jaas.config": "${secret:/etc/kafka-client:sasl.jaas.config}",
    });
    expect(JSON.stringify(profile())).not.toContain("keystore");
  });

  // CONFIGURATION.md of librdkafka 2.x: no property takes a password from a file.
  test("an application with librdkafka is told what to read, and from where", () => {
    const { librdkafka, librdkafkaFromFiles, files } = profile();
    expect(librdkafka).toMatchObject({
      "security.protocol": "sasl_ssl",
      "sasl.mechanism": "SCRAM-SHA-512",
      "ssl.ca.location": "/etc/kafka-client/ca.crt",
    });
    expect(librdkafkaFromFiles).toEqual({
      "sasl.username": "/etc/kafka-client/username",
      "sasl.password": "/etc/kafka-client/password",
    });
    expect(JSON.parse(files["profile.json"]!)).toMatchObject({ librdkafkaFromFiles });
    expect(files["librdkafka.properties"]).not.toContain("sasl.password");
    expect(kafkaClientProfile({ credentialsDirectory: directory }).librdkafkaFromFiles).toEqual({});
  });

  test("needs to know where the Secret is", () => {
    expect(() => kafkaClientProfile(scram)).toThrow("credentialsDirectory: is missing: write where the Secret");
  });
});

const configs = `#!/bin/bash
set -eu
cd "$(dirname "$0")"
shift 6
echo "$*" >> calls
if [[ $1 == --describe ]]; then
  echo "Quota configs for user-principal 'kafka-client-quota' are consumer_byte_rate=1000.0"
  while read -r name password; do
    echo "SCRAM credential configs for user-principal '$name' are SCRAM-SHA-512=iterations=8192"
  done < users
  exit
fi
name=$2
case $4 in
  --add-config-file)
    password=$(sed -n 's/^SCRAM-SHA-512=iterations=8192,password=//p' "$5")
    sed -i "/^$name /d" users; echo "$name $password" >> users ;;
  --delete-config)
    grep -q "^$name " users || { echo "Attempt to delete a user credential that does not exist" >&2; exit 1; }
    sed -i "/^$name /d" users ;;
esac
echo "Completed updating config for user $name."
`;
