import * as pulumi from "@pulumi/pulumi";
import * as moorings from "../../components";
import { controllerSamples } from "./samples/controller";
import { kafkaSamples } from "./samples/kafka";
import { karpenterSamples } from "./samples/karpenter";
import { metricsSamples } from "./samples/metrics";
import { cluster, loadBalancer, routes, sample, secretText, tags, targetGroupArn, type Sample } from "./samples/sample";

/** One sample for each exported component; the invariants fail for one that is missing here. */
export const samples: Record<string, Sample> = {
  ...karpenterSamples,
  ...kafkaSamples,
  ...controllerSamples,
  ...metricsSamples,
  AlarmTopics: sample(
    moorings.AlarmTopics,
    { pageEndpoints: { duty: { protocol: moorings.AlarmEndpointProtocol.Https, address: pulumi.secret(secretText) } } },
    {
      ticketEndpoints: { team: { protocol: moorings.AlarmEndpointProtocol.Email, address: "team@acme.io" } },
      keyDeletionWindowInDays: 7,
      tags,
    },
    {
      args: { pageEndpoints: {}, keyDeletionWindowInDays: 3 },
      messages: ["pageEndpoints", "keyDeletionWindowInDays"],
    },
    { without: ["subscribedElsewhere"] }, // for a topic without endpoints
  ),
  TargetHealthAlarms: sample(
    moorings.TargetHealthAlarms,
    {
      routes,
      loadBalancerArnSuffix: "app/edge/50dc6c495c0c9188",
      targetGroupArnSuffix: "targetgroup/web/73e2d6bc24d8a067",
      minReplicas: 3,
    },
    {
      loadBalancerType: moorings.LoadBalancerType.Application,
      crossZone: true,
      namePrefix: "shop",
      overrides: { staleTargets: { enabled: false }, hostDecay24h: { severity: moorings.AlarmSeverity.Ticket } },
      runbookUrl: "https://runbooks.acme.io/web",
      strictWarmUp: false,
      tags,
    },
    {
      args: { minReplicas: 0, loadBalancerType: moorings.LoadBalancerType.Network },
      messages: ["minReplicas", "crossZone"],
    },
  ),
  EksCluster: sample(
    moorings.EksCluster,
    {
      vpcId: "vpc-0123456789abcdef0",
      privateSubnetIds: ["subnet-a", "subnet-b"],
      accessEntries: {
        deployer: {
          principalArn: "arn:aws:iam::123456789012:role/deployer",
          level: moorings.ClusterAccessLevel.ClusterAdmin,
        },
      },
    },
    {
      clusterName: "shop",
      kubernetesVersion: "1.35",
      addonVersions: { coredns: "v1.13.2-eksbuild.31" },
      publicAccessCidrs: ["198.51.100.0/24"],
      privateAccessCidrs: ["10.20.0.0/16"],
      systemNodes: { architecture: moorings.NodeArchitecture.Arm64, minSize: 3 },
      workloadNodes: { minSize: 2 },
      logRetentionInDays: 30,
      deletionProtection: false,
      zonalShift: false,
      tags,
    },
    {
      args: { accessEntries: {}, publicAccessCidrs: ["0.0.0.0/0"], privateAccessCidrs: ["::/0"] },
      messages: ["accessEntries", "publicAccessCidrs[0]", "privateAccessCidrs[0]"],
    },
  ),
  LoadBalancerController: sample(
    moorings.LoadBalancerController,
    { cluster, region: "eu-west-1" },
    {
      permissions: moorings.ControllerPermissions.Full,
      chartVersion: moorings.ControllerChartVersion.V3_7_0,
      crdManifest: "crds.yaml",
      replicas: 3,
      nodeSelector: { pool: "system" },
      assumeRoleArns: ["arn:aws:iam::210987654321:role/registrar"],
      backendSecurityGroupId: "sg-0123456789abcdef0",
      webhookCertificate: moorings.WebhookCertificate.CertManager,
      certManagerIssuer: { name: "platform" },
      extraValues: { logLevel: "debug" },
      tags,
    },
    {
      args: { replicas: 1, permissions: moorings.ControllerPermissions.Full, targetGroupArns: [targetGroupArn] },
      messages: ["replicas", "targetGroupArns"],
    },
    { kubernetes: true, without: ["targetGroupArns"] }, // only without permissions for everything
  ),
  ApplicationLoadBalancer: sample(
    moorings.ApplicationLoadBalancer,
    {
      vpcId: "vpc-0123456789abcdef0",
      subnetIds: ["subnet-a", "subnet-b"],
      ingressCidrs: { office: "198.51.100.0/24" },
      certificateArn: "arn:aws:acm:eu-west-1:123456789012:certificate/given",
    },
    {
      certificateArn: undefined,
      domain: "shop.acme.io",
      alternativeNames: ["www.shop.acme.io"],
      zoneId: "Z0123456789ABC",
      scheme: moorings.LoadBalancerScheme.InternetFacing,
      tlsPolicy: "ELBSecurityPolicy-TLS13-1-2-2021-06",
      addressType: moorings.LoadBalancerAddressType.DualStack,
      ingressIpv6Cidrs: { office6: "2001:db8:100::/48" },
      furtherCertificateArns: { blog: "arn:aws:acm:eu-west-1:123456789012:certificate/blog" },
      idleTimeoutSeconds: 120,
      clientKeepAliveSeconds: 600,
      zonalShift: false,
      desyncMitigation: moorings.DesyncMitigation.Strictest,
      deletionProtection: false,
      accessLogs: { retentionDays: 7, forceDestroy: true },
      connectionLogs: false,
      webAclArn: "arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/shop/1",
      tags,
    },
    { args: { ingressCidrs: {}, certificateArn: undefined }, messages: ["ingressCidrs", "certificateArn"] },
    { without: ["certificateArn"] }, // given or made
  ),
  SafetyNetRules: sample(
    moorings.SafetyNetRules,
    { loadBalancer, targetSecurityGroupId: "sg-cluster" },
    { fromPort: 8000, toPort: 9000, tags },
    { args: { fromPort: 0, toPort: 70000 }, messages: ["fromPort", "toPort"] },
  ),
  TargetGroupBinding: sample(
    moorings.TargetGroupBinding,
    { namespace: "web", serviceName: "web", servicePort: 8080, targetGroupArn },
    {
      vpcId: "vpc-0123456789abcdef0",
      ipAddressType: moorings.TargetAddressType.IPv4,
      targetGroupProtocol: moorings.TargetGroupProtocol.Http,
      multiCluster: true,
      assumeRoleArn: "arn:aws:iam::210987654321:role/registrar",
      assumeRoleExternalId: "shop",
      managedIngress: [{ securityGroupIds: ["sg-0123456789abcdef0"], ports: [{ port: 8080 }] }],
      deleteBeforeReplace: true,
      labels: { app: "web" },
    },
    {
      args: { servicePort: undefined, labels: { "ingress.k8s.aws/stack": "web" } },
      messages: ["servicePort", "labels"],
    },
    { kubernetes: true, without: ["servicePortName"] }, // a number or a name
  ),
  LoadBalancedService: sample(
    moorings.LoadBalancedService,
    {
      cluster,
      loadBalancer,
      safetyNet: { fromPort: 1024, toPort: 65535 },
      namespace: "web",
      selector: { app: "web" },
      port: 8080,
      hosts: ["web.acme.io"],
      healthCheckPath: "/healthz",
      minReplicas: 3,
      alarmRoutes: routes,
    },
    {
      paths: ["/api/*"],
      priority: 10,
      protocolVersion: moorings.TargetProtocolVersion.Grpc,
      healthCheckPath: "/grpc.health.v1.Health/Check",
      healthCheckMatcher: "0,12",
      healthCheckIntervalSeconds: 15,
      healthCheckTimeoutSeconds: 10,
      healthyThreshold: 3,
      unhealthyThreshold: 4,
      deregistrationDelaySeconds: 60,
      algorithm: moorings.LoadBalancingAlgorithm.RoundRobin,
      slowStartSeconds: 30,
      stickiness: { durationSeconds: 3600, cookieName: "cart" },
      alarms: { staleTargets: { enabled: false } },
      alarmNamePrefix: "shop",
      runbookUrl: "https://runbooks.acme.io/web",
      protectTargetGroup: true,
      tags,
    },
    { args: { port: 80, minReplicas: 1 }, messages: ["port", "minReplicas"] },
    // A Service made here, or a given one; the same of the target group.
    { kubernetes: true, without: ["service", "servicePort", "targetGroup", "targetGroupProtocol", "multiCluster"] },
  ),
  DrainSafeDeployment: sample(
    moorings.DrainSafeDeployment,
    {
      namespace: "web",
      image: "ghcr.io/acme/web:1.0.0",
      port: 8080,
      podLabels: { app: "web" },
      replicas: 3,
      probes: { readinessPath: "/healthz" },
      resources: { cpu: "250m", memory: "256Mi" },
    },
    {
      replicas: undefined,
      autoscale: { min: 3, max: 9 },
      readinessGates: ["target-health.elbv2.k8s.aws/web"],
      preStopSeconds: 25,
      longestRequestSeconds: 20,
      deregistrationDelaySeconds: 45,
      terminationGracePeriodSeconds: 90,
      zoneSpread: moorings.ZoneSpread.Preferred,
      maxSurgePercent: 50,
      containerArgs: ["--verbose"],
      serviceAccountName: "web",
      env: { LOG_LEVEL: "info", WEBHOOK: pulumi.secret(secretText) },
      envFromSecrets: ["database"],
      writablePaths: ["/tmp"],
      runAsUser: 1000,
    },
    { args: { replicas: 1, podLabels: {} }, messages: ["replicas", "podLabels"] },
    { kubernetes: true, without: ["replicas"] }, // a number or an autoscaler
  ),
};
