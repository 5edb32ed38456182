/** Files of brokers and controllers, in their ConfigMap. The image looks for its own in this folder. */
export const serverFiles = {
  folder: "/mnt/shared/config",
  properties: "server.properties",
  logging: "log4j2.yaml",
  metrics: "metrics.yaml",
};
