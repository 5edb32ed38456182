import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { adminJob, type AdminJob } from "./admin-job";
import type { KafkaClientArgs } from "./kafka-cluster-args";
import { clientName, passwordsName, secretKeys } from "./names";
import { jaasConfig, scramFile, scramScript, scramUsers } from "./scram";
import type { ClientCredentials, KafkaClient } from "./tls-secrets";

/** What the passwords of clients are made of. */
export interface ScramInputs {
  readonly kafka: AdminJob["kafka"];
  readonly clients: KafkaClient[];
  readonly args: Readonly<Record<string, KafkaClientArgs>>;
  /** Authority of the brokers, PEM, where it is known. */
  readonly clusterCa: pulumi.Input<string> | undefined;
  /** What must be there before the job reaches the brokers. */
  readonly ready: pulumi.Resource[];
}

/** Where the job finds a file for each client. */
const secretsFolder = "/mnt/kafka/secrets";

/** Makes each client's password and Secret, and the job that tells the brokers. */
export function scramClients(name: string, inputs: ScramInputs, parent: pulumi.Resource): ClientCredentials {
  const { kafka, clients, args, clusterCa, ready } = inputs;
  const { kafkaName } = kafka;
  const versions = Object.fromEntries(clients.map(({ key }) => [key, args[key]?.passwordVersion ?? 1]));
  const passwords = Object.fromEntries(
    clients.map(({ key }) => {
      const keepers = { version: String(versions[key]) };
      // Letters and digits only: they need no quoting in any of the files that they go to.
      const { result } = new random.RandomPassword(
        `${name}-client-${key}-password`,
        { length: 32, special: false, keepers },
        { parent },
      );
      return [clientName(kafkaName, key), pulumi.secret(result)];
    }),
  );
  const secret = (child: string, objectName: string, where: pulumi.Input<string>, stringData: pulumi.Input<Data>) =>
    new k8s.core.v1.Secret(
      `${name}-${child}`,
      { metadata: { name: objectName, namespace: where }, type: "Opaque", stringData },
      { parent },
    );
  const ofClients = clients.map(({ key, namespace }) => {
    const username = clientName(kafkaName, key);
    const password = passwords[username]!;
    return secret(`client-${key}-secret`, username, namespace, {
      [secretKeys.username]: username,
      [secretKeys.password]: password,
      [secretKeys.jaas]: password.apply((known) => jaasConfig(username, known)),
      ...(clusterCa === undefined ? {} : { [secretKeys.ca]: clusterCa }),
    });
  });
  const ofAdmin = secret(
    "client-passwords",
    passwordsName(kafkaName),
    kafka.namespace,
    Object.fromEntries(Object.entries(passwords).map(([username, password]) => [username, password.apply(scramFile)])),
  );
  adminJob(
    `${name}-passwords`,
    {
      kafka,
      jobName: passwordsName(kafkaName),
      script: scramScript,
      scriptArguments: [clientName(kafkaName, ""), scramUsers(kafkaName, versions)],
      environment: { SECRETS: secretsFolder },
      volumes: [{ name: "secrets", mountPath: secretsFolder, secretName: passwordsName(kafkaName) }],
    },
    { parent, dependsOn: [ofAdmin, ...ofClients, ...ready] },
  );
  return {
    secretNames: Object.fromEntries(clients.map(({ key }) => [key, clientName(kafkaName, key)])),
    texts: Object.fromEntries(
      clients.map(({ key }) => [
        key,
        pulumi.interpolate`${clientName(kafkaName, key)} ${versions[key]} ${clusterCa ?? ""}`,
      ]),
    ),
  };
}

type Data = Record<string, pulumi.Input<string>>;
