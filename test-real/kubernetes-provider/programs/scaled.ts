import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { DrainSafeDeployment, type AutoscaleArgs } from "../../../components";

/*
 * One workload, whose number of pods is fixed or an autoscaler's.
 */

const config = new pulumi.Config();
new DrainSafeDeployment(
  "web",
  {
    namespace: "default",
    image: "ghcr.io/stefanprodan/podinfo:6.9.0",
    port: 9898,
    podLabels: { app: "web" },
    replicas: config.getNumber("replicas"),
    autoscale: config.getObject<AutoscaleArgs>("autoscale"),
    probes: { readinessPath: "/readyz" },
    resources: { cpu: "100m", memory: "64Mi" },
    env: { LEVEL: config.get("level") ?? "info" },
  },
  { providers: [new k8s.Provider("cluster", { kubeconfig: config.require("kubeconfig") })] },
);
