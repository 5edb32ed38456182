import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type {
  ApplicationLoadBalancerArgs,
  DrainSafeDeploymentArgs,
  LoadBalancedServiceArgs,
} from "../../../components/load-balancing";
import { find } from "../../support/graph";
import { run, type Registration, type RunOptions } from "../../support/harness";

export const types = {
  alias: "aws:route53/record:Record",
  alarm: "aws:cloudwatch/metricAlarm:MetricAlarm",
  binding: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
  bucket: "aws:s3/bucket:Bucket",
  bucketPolicy: "aws:s3/bucketPolicy:BucketPolicy",
  certificate: "aws:acm/certificate:Certificate",
  deployment: "kubernetes:apps/v1:Deployment",
  egress: "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
  group: "aws:ec2/securityGroup:SecurityGroup",
  hpa: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
  ingress: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
  issued: "aws:acm/certificateValidation:CertificateValidation",
  lb: "aws:lb/loadBalancer:LoadBalancer",
  furtherCertificate: "aws:lb/listenerCertificate:ListenerCertificate",
  listener: "aws:lb/listener:Listener",
  pdb: "kubernetes:policy/v1:PodDisruptionBudget",
  rule: "aws:lb/listenerRule:ListenerRule",
  service: "kubernetes:core/v1:Service",
  targetGroup: "aws:lb/targetGroup:TargetGroup",
};

export const arn = (rest: string) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:${rest}`;
export const state: RunOptions["state"] = ({ type, name, inputs }) => {
  switch (type) {
    case types.lb:
      return {
        arn: arn(`loadbalancer/app/${name}/50dc6c495c0c9188`),
        arnSuffix: `app/${name}/50dc6c495c0c9188`,
        dnsName: `${name}.eu-west-1.elb.amazonaws.com`,
        zoneId: "Z32O12XQLNTSW2",
      };
    case types.listener:
      return { arn: arn(`listener/app/edge/50dc6c495c0c9188/${name}`) };
    case types.rule:
      return { arn: arn(`listener-rule/app/edge/50dc6c495c0c9188/f2f7dc8efc522ab2/${name}`) };
    case types.targetGroup:
      return {
        arn: arn(`targetgroup/${name}/73e2d6bc24d8a067`),
        arnSuffix: `targetgroup/${name}/73e2d6bc24d8a067`,
      };
    case types.bucket:
      return { arn: `arn:aws:s3:::${name}-1a2b3c4`, bucket: `${name}-1a2b3c4` };
    case types.certificate: {
      const given = inputs as { domainName: string; subjectAlternativeNames?: string[] };
      return {
        arn: "arn:aws:acm:eu-west-1:123456789012:certificate/made",
        domainValidationOptions: [given.domainName, ...(given.subjectAlternativeNames ?? [])].map((domainName) => ({
          domainName,
          resourceRecordName: `_proof.${domainName.replace("*.", "")}`,
          resourceRecordType: "CNAME",
          resourceRecordValue: "_value.acm-validations.aws",
        })),
      };
    }
    case types.alias:
      return { fqdn: (inputs as { name: string }).name };
    default:
      // Kubernetes objects without a name get one.
      return type.startsWith("kubernetes:")
        ? { metadata: { ...(inputs as { metadata?: object }).metadata, name: `${name}-1a2b3c4d` } }
        : {};
  }
};

/** What is known in a preview: the Kubernetes provider names objects when it checks them, AWS nothing before it has made it. */
export const previewState: RunOptions["state"] = (resource) =>
  resource.type.startsWith("kubernetes:") ? state(resource) : {};

/** Runs a program with a Kubernetes provider at hand. */
export const withCluster = <T>(program: (opts: pulumi.ComponentResourceOptions) => T, options: RunOptions = {}) =>
  run(() => program({ providers: [new k8s.Provider("cluster", { kubeconfig: "{}" })] }), { state, ...options });
export const messages = (errors: readonly Error[]) => errors.map((e) => e.message).join("\n");
export const inputs = (resources: readonly Registration[], type: string, name?: string) =>
  find(resources, type, name).inputs;
export const namesOf = (resources: readonly Registration[]) => resources.map((r) => `${r.type} ${r.name}`).sort();

export const loadBalancer = {
  arn: arn("loadbalancer/app/edge/50dc6c495c0c9188"),
  arnSuffix: "app/edge/50dc6c495c0c9188",
  listenerArn: arn("listener/app/edge/50dc6c495c0c9188/f2f7dc8efc522ab2"),
  securityGroupId: "sg-00000000000000alb",
  vpcId: "vpc-0123456789abcdef0",
};

export const workloadArgs: DrainSafeDeploymentArgs = {
  namespace: "shop",
  image: "registry.example/web@sha256:0123",
  port: 8080,
  podLabels: { app: "web" },
  replicas: 3,
  probes: { readinessPath: "/healthz" },
  resources: { cpu: "100m", memory: "128Mi" },
};

export const loadBalancerArgs: ApplicationLoadBalancerArgs = {
  vpcId: "vpc-0123456789abcdef0",
  subnetIds: ["subnet-a", "subnet-b"],
  ingressCidrs: { office: "203.0.113.0/24" },
  certificateArn: "arn:aws:acm:eu-west-1:123456789012:certificate/given",
};

export const serviceArgs: LoadBalancedServiceArgs = {
  cluster: {
    name: "shop-prod",
    endpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
    certificateAuthority: "Q0E=",
    oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.example/id/0123",
    oidcIssuer: "oidc.example/id/0123",
    securityGroupId: "sg-00000000000000pod",
    vpcId: "vpc-0123456789abcdef0",
  },
  loadBalancer,
  safetyNet: { fromPort: 1024, toPort: 65535 },
  namespace: "shop",
  selector: { app: "web" },
  port: 8080,
  healthCheckPath: "/healthz",
  hosts: ["shop.example.com"],
  minReplicas: 3,
  alarmRoutes: {
    pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
    ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
  },
};
