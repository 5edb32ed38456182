/** What to write: part of the advice of several rules. */
export const profileExample = `\`kafkaClientProfile\` of Moorings has all of it, as files of a ConfigMap:

\`\`\`ts
const profile = kafkaClientProfile({ messagesPerSecond: 100 });
const config = new kubernetes.core.v1.ConfigMap("shop-kafka", { data: profile.files });
new kubernetes.apps.v1.Deployment("shop", {
  spec: {
    template: {
      metadata: { labels: { app: "shop", ...kafka.clientPodLabels } },
      spec: {
        containers: [{ name: "shop", volumeMounts: [{ name: "kafka", mountPath: "/etc/kafka-client" }], ... }],
        volumes: [{ name: "kafka", configMap: { name: config.metadata.name } }],
      },
    },
    // ...
  },
});
\`\`\``;

/** What a rule on settings sees, for its advice. */
export const whatIsSeen = `The rule looks at pods with the label \`moorings.dev/kafka-client\`, and there at variables with KAFKA in their names and at \`.properties\`, \`.conf\`, \`.json\`, \`.yaml\`
and the like in ConfigMaps of the same stack that the pods mount. What the program itself sets, or a Secret, it doesn't see and doesn't judge.`;
