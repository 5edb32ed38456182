import { secretKeys } from "./names";
import { mechanism } from "./scram";

/** Settings of clients with passwords, none of which is the password. */
interface PasswordSettings {
  readonly librdkafka: Record<string, string>;
  /** Properties that the application sets itself, and the files with their values. */
  readonly librdkafkaFromFiles: Record<string, string>;
  readonly java: Record<string, string>;
}

/** For the Secret of a client, mounted in a directory. */
export function passwordSettings(directory: string): PasswordSettings {
  const ca = `${directory}/${secretKeys.ca}`;
  return {
    librdkafka: {
      "security.protocol": "sasl_ssl",
      "sasl.mechanism": mechanism,
      "ssl.ca.location": ca,
      "ssl.endpoint.identification.algorithm": "https",
    },
    librdkafkaFromFiles: {
      "sasl.username": `${directory}/${secretKeys.username}`,
      "sasl.password": `${directory}/${secretKeys.password}`,
    },
    java: {
      "security.protocol": "SASL_SSL",
      "sasl.mechanism": mechanism,
      "ssl.truststore.type": "PEM",
      "ssl.truststore.location": ca,
      // Each key of the Secret is a file, and each file a value. Nothing else may be read this way (KIP-421, KIP-297; the client's JVM must not
      // have -Dorg.apache.kafka.automatic.config.providers=none).
      "config.providers": "secret",
      "config.providers.secret.class": "org.apache.kafka.common.config.provider.DirectoryConfigProvider",
      "config.providers.secret.param.allowed.paths": directory,
      [secretKeys.jaas]: `\${secret:${directory}:${secretKeys.jaas}}`,
    },
  };
}
