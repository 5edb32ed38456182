import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  ApplicationLoadBalancer,
  AwsPartition,
  DrainSafeDeployment,
  LoadBalancedService,
  LoadBalancerController,
  LoadBalancerControllerAlarms,
  LoadBalancerScheme,
  registrationGuardDocuments,
  SafetyNetRules,
  TamperDetection,
  TargetHealthDashboard,
  targetHealthDashboardUrl,
} from "../../components";
import type { ClusterContract, EdgeContract, NetworkContract } from "../contracts";
import type { Settings } from "../settings";

const webPort = 9898;

/** Load balancer, the controller that registers pods with it, and one web service. */
export function edgeLayer(settings: Settings, network: NetworkContract, cluster: ClusterContract): EdgeContract {
  const { edge } = settings;
  const { provider } = cluster;
  const providers = { providers: [provider] };

  const controller = new LoadBalancerController(
    "lbc",
    { cluster: cluster.ref, region: settings.region },
    { ...providers, dependsOn: cluster.ready },
  );
  const controllerAlarms = new LoadBalancerControllerAlarms(
    "lbc-alarms",
    { cluster: cluster.ref, routes: network.ownerRoutes.loadBalancer, namePrefix: settings.cluster.name },
    { dependsOn: [controller] },
  );
  const isPublic = edge.scheme === LoadBalancerScheme.InternetFacing;
  const loadBalancer = new ApplicationLoadBalancer(
    "edge",
    {
      vpcId: network.vpcId,
      subnetIds: isPublic ? network.publicSubnetIds : network.privateSubnetIds,
      scheme: edge.scheme,
      ingressCidrs: edge.visitors,
      certificateArn: edge.certificateArn,
      domain: edge.domain,
      zoneId: edge.zoneId,
      deletionProtection: settings.protected,
      accessLogs: { forceDestroy: !settings.protected },
    },
    { dependsOn: network.ready },
  );
  const safetyNet = new SafetyNetRules("edge-net", {
    loadBalancer: loadBalancer.ref,
    targetSecurityGroupId: cluster.ref.securityGroupId,
  });

  const namespace = new k8s.core.v1.Namespace(
    "web",
    {
      metadata: {
        name: "web",
        labels: {
          "elbv2.k8s.aws/pod-readiness-gate-inject": "enabled",
          "pod-security.kubernetes.io/enforce": "restricted",
        },
      },
    },
    { provider, dependsOn: cluster.ready },
  );
  const dashboardName = `${settings.cluster.name}-edge`;
  const podLabels = { "app.kubernetes.io/name": "web" };
  const service = new LoadBalancedService(
    "web",
    {
      cluster: cluster.ref,
      loadBalancer: loadBalancer.ref,
      safetyNet: safetyNet.ref,
      namespace: namespace.metadata.name,
      selector: podLabels,
      port: webPort,
      hosts: edge.web.hosts,
      healthCheckPath: "/readyz",
      minReplicas: edge.web.minReplicas,
      alarmRoutes: network.ownerRoutes.loadBalancer,
      alarmNamePrefix: settings.cluster.name,
      dashboardUrl: targetHealthDashboardUrl(dashboardName, settings.region),
      protectTargetGroup: settings.protected,
    },
    { ...providers, dependsOn: [controller, safetyNet] },
  );
  new DrainSafeDeployment(
    "web-app",
    {
      namespace: namespace.metadata.name,
      image: edge.web.image,
      port: webPort,
      podLabels,
      autoscale: { min: service.minReplicas, max: edge.web.maxReplicas },
      probes: { readinessPath: "/readyz", livenessPath: "/healthz" },
      resources: { cpu: "100m", memory: "64Mi" },
      readinessGates: [service.readinessGate],
      deregistrationDelaySeconds: service.deregistrationDelaySeconds,
      writablePaths: ["/tmp", "/data"],
      runAsUser: 100, // the image's user has a name, which Kubernetes can't prove not to be root
    },
    // The pods go before the nodes that they run on.
    { ...providers, dependsOn: cluster.ready },
  );
  const { dashboardUrl } = new TargetHealthDashboard("edge-health", {
    dashboardName,
    edges: {
      web: {
        loadBalancerArnSuffix: loadBalancer.ref.arnSuffix,
        targetGroupArnSuffix: service.targetGroupArnSuffix,
        availabilityZones: [...settings.network.availabilityZones],
        minReplicas: service.minReplicas,
        // A controller that registers nobody is the first thing to look for.
        alarmArns: pulumi
          .all([service.alarmArns, controllerAlarms.alarmArns])
          .apply(([ofTargets, ofController]) => ({ ...ofTargets, ...ofController })),
      },
    },
  });
  new TamperDetection("tampering", {
    clusterName: cluster.ref.name,
    region: settings.region,
    targetGroupArns: [service.targetGroupArn],
    securityGroupIds: [cluster.ref.securityGroupId, loadBalancer.ref.securityGroupId],
    controllerRoleArn: controller.roleArn,
    deployRoles: edge.guards.deployRoles,
    routes: network.ownerRoutes.loadBalancer,
    trail:
      edge.guards.trailArn === undefined
        ? { forceDestroy: !settings.protected }
        : { existingArn: edge.guards.trailArn },
    namePrefix: settings.cluster.name,
  });
  return {
    loadBalancerDnsName: loadBalancer.dnsName,
    webTargetGroupArn: service.targetGroupArn,
    dashboardUrl,
    registrationGuard: guardDocuments(settings),
  };
}

/** Whoever may, applies them: to an organization, as a boundary, or to identities (docs/registration-guard.md). */
function guardDocuments({ cluster, edge }: Settings): EdgeContract["registrationGuard"] {
  const { deployRoles, breakGlassRoles } = edge.guards;
  return aws.getPartitionOutput().apply(({ partition }) =>
    registrationGuardDocuments({
      partition: Object.values(AwsPartition).find((known) => known === partition),
      clusterNames: [cluster.name],
      deployRoles,
      breakGlassRoles,
    }),
  );
}
