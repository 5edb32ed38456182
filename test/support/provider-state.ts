import type { RunOptions } from "./harness";

type State = NonNullable<RunOptions["state"]>;

const elb = (rest: string) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:${rest}`;

/** What providers would compute, for each type whose computed values the components use. */
const computed: Record<string, (name: string, inputs: Record<string, unknown>) => Record<string, unknown>> = {
  "aws:lb/loadBalancer:LoadBalancer": (name) => ({
    arn: elb(`loadbalancer/app/${name}/50dc6c495c0c9188`),
    arnSuffix: `app/${name}/50dc6c495c0c9188`,
    dnsName: `${name}.eu-west-1.elb.amazonaws.com`,
    zoneId: "Z32O12XQLNTSW2",
  }),
  "aws:lb/listener:Listener": (name) => ({ arn: elb(`listener/app/edge/50dc6c495c0c9188/${name}`) }),
  "aws:lb/targetGroup:TargetGroup": (name) => ({
    arn: elb(`targetgroup/${name}/73e2d6bc24d8a067`),
    arnSuffix: `targetgroup/${name}/73e2d6bc24d8a067`,
  }),
  "aws:s3/bucket:Bucket": (name) => ({ arn: `arn:aws:s3:::${name}-1a2b3c4`, bucket: `${name}-1a2b3c4` }),
  "aws:acm/certificate:Certificate": (_, inputs) => ({
    arn: "arn:aws:acm:eu-west-1:123456789012:certificate/made",
    domainValidationOptions: [
      inputs["domainName"],
      ...((inputs["subjectAlternativeNames"] as string[] | undefined) ?? []),
    ].map((domainName) => ({
      domainName,
      resourceRecordName: `_proof.${String(domainName)}`,
      resourceRecordType: "CNAME",
      resourceRecordValue: "_value.acm-validations.aws",
    })),
  }),
  "aws:acm/certificateValidation:CertificateValidation": (_, inputs) => ({ certificateArn: inputs["certificateArn"] }),
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": (name) => ({ securityGroupRuleId: `sgr-${name}` }),
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": (name) => ({ securityGroupRuleId: `sgr-${name}` }),
  "aws:ec2/launchTemplate:LaunchTemplate": () => ({ latestVersion: 1 }),
  "aws:iam/instanceProfile:InstanceProfile": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:iam/role:Role": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:sqs/queue:Queue": (name) => ({
    name: `${name}-1a2b3c4`,
    url: `https://sqs.eu-west-1.amazonaws.com/123456789012/${name}-1a2b3c4`,
  }),
  "aws:cloudwatch/logStream:LogStream": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:cloudwatch/metricStream:MetricStream": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:kinesis/firehoseDeliveryStream:FirehoseDeliveryStream": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:cloudtrail/trail:Trail": (name) => ({
    arn: `arn:aws:cloudtrail:eu-west-1:123456789012:trail/${name}-1a2b3c4`,
  }),
  "aws:cloudwatch/eventRule:EventRule": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:sns/topic:Topic": (name) => ({ name: `${name}-1a2b3c4` }),
  "aws:kms/key:Key": (name) => ({ keyId: name }),
  "eks:index:Cluster": () => ({
    eksCluster: {
      name: "shop",
      endpoint: "https://shop.eks.eu-west-1.amazonaws.com",
      certificateAuthority: { data: "Q0E=" },
      vpcConfig: { clusterSecurityGroupId: "sg-cluster", vpcId: "vpc-1" },
    },
    oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/ABC",
    kubeconfigJson: '{"kind":"Config"}',
  }),
  "awsx:ec2:Vpc": () => ({
    vpcId: "vpc-1",
    routes: [],
    publicSubnetIds: ["subnet-public-a", "subnet-public-b"],
    privateSubnetIds: ["subnet-private-a", "subnet-private-b"],
    routeTables: [{ id: "rtb-1" }, { id: "rtb-2" }],
  }),
  "random:index/randomPassword:RandomPassword": () => ({ result: "PASSWORD" }),
  "tls:index/privateKey:PrivateKey": () => ({
    privateKeyPem: "PRIVATE",
    privateKeyPemPkcs8: "PRIVATE",
    publicKeyPem: "PUBLIC",
  }),
  "tls:index/selfSignedCert:SelfSignedCert": () => ({ certPem: "CA" }),
  "tls:index/certRequest:CertRequest": () => ({ certRequestPem: "REQUEST" }),
  "tls:index/locallySignedCert:LocallySignedCert": () => ({ certPem: "LEAF" }),
};

/** Answers of the providers in an update. */
export const providerState: State = ({ type, name, inputs }) => {
  const given = inputs as Record<string, unknown>;
  if (type.startsWith("kubernetes:")) {
    const metadata = (given["metadata"] ?? {}) as Record<string, unknown>;
    return { metadata: { name: `${name}-3f7a2b1c`, ...metadata }, status: {} };
  }
  return { arn: `arn:aws:test:eu-west-1:123456789012:${name}`, ...computed[type]?.(name, given) };
};

/** Answers in a preview: names of Kubernetes objects are known there, what AWS computes isn't. */
export const previewState: State = (resource) =>
  resource.type.startsWith("kubernetes:") ? providerState(resource) : {};
