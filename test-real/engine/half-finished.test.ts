import { rows } from "../../test/support/deep";
import { broken } from "./faults";
import { dev, initialize } from "./platforms";
import { Session } from "./session";

/** What can't be made, from the first things to the last. */
const missing = rows(
  [
    "aws:eks/cluster:Cluster::cluster-cluster-eksCluster",
    "kubernetes:karpenter.sh/v1:NodePool::kafka-nodes-pool",
    "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding::web-pods-binding",
    "kubernetes:apps/v1:StatefulSet::kafka-broker",
  ],
  [
    "aws:ec2/vpc:Vpc::network",
    "aws:ec2/subnet:Subnet::network-private-2",
    "aws:ec2/route:Route::network-private-1",
    "aws:ec2/natGateway:NatGateway::network-1",
    "aws:eks/nodeGroup:NodeGroup::cluster-system",
    "aws:sns/topic:Topic::alerts-page",
    "aws:kms/key:Key::cluster-key",
    "aws:iam/openIdConnectProvider:OpenIdConnectProvider::cluster-oidc",
    "aws:eks/addon:Addon::cluster-vpc-cni",
    "aws:eks/addon:Addon::cluster-coredns",
    "aws:sqs/queue:Queue::karpenter-interruptions",
    "kubernetes:helm.sh/v3:Release::karpenter-crds",
    "kubernetes:helm.sh/v3:Release::karpenter-release",
    "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass::general-nodes-class",
    "aws:lb/loadBalancer:LoadBalancer::edge-alb",
    "aws:lb/listener:Listener::edge-https",
    "kubernetes:helm.sh/v3:Release::lbc-release",
    "aws:lb/targetGroup:TargetGroup::web-tg",
    "aws:lb/listenerRule:ListenerRule::web-rule",
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule::edge-net-ingress",
    "tls:index/selfSignedCert:SelfSignedCert::kafka-cluster-ca",
    "kubernetes:core/v1:Namespace::kafka",
    "kubernetes:apps/v1:Deployment::web-app-deployment",
    "kubernetes:apps/v1:Deployment::kafka-demo-producer",
  ],
);

describe("destroy after an up that stopped", () => {
  let session: Session;
  beforeAll(async () => {
    session = await Session.open();
    await initialize(session, dev);
  });
  afterAll(() => session.close());

  test.each(missing)("for want of %s leaves nothing", async (urn) => {
    const { cloud } = session;
    cloud.fault = (kind, other) => (kind === "create" && other.endsWith(urn) ? "AccessDenied" : undefined);
    const { code, output } = await session.pulumi("up", "--yes", "--skip-preview", "--stack", "dev");
    expect(code).not.toBe(0);
    expect(output).toContain("AccessDenied");
    expect(cloud.living).not.toEqual([]);

    await session.succeed("destroy", "--yes", "--skip-preview", "--stack", "dev");
    expect(cloud.living).toEqual([]);
    expect(broken(session, dev)).toEqual([]);
    expect(session.state("dev").resources).toEqual([]);
  });
});
