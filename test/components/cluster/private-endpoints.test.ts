import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EksCluster, PrivateClusterEndpoints, type PrivateClusterEndpointsArgs } from "../../../components/cluster";
import { defaultServices } from "../../../components/cluster/private-endpoints-plan";
import { find, reaches } from "../../support/graph";
import { answersIn, run } from "../../support/harness";
import { minimal, state, types } from "./setup";

const endpointType = "aws:ec2/vpcEndpoint:VpcEndpoint";
const ruleType = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const given: PrivateClusterEndpointsArgs = {
  vpcId: "vpc-1",
  subnetIds: ["subnet-a", "subnet-b"],
  routeTableIds: ["rtb-1"],
  allowedCidrs: ["10.20.0.0/16"],
};
const make = (args: Partial<PrivateClusterEndpointsArgs> = {}, place = { partition: "aws", region: "eu-west-1" }) =>
  run(() => new PrivateClusterEndpoints("shop", { ...given, ...args }).securityGroupId, {
    state: ({ name }) => ({ id: `sg-${name}` }),
    call: answersIn(place),
  });
const thrown = async (args: Partial<PrivateClusterEndpointsArgs>) =>
  (await make(args)).errors.map((e) => e.message.split("\n  - ").slice(1).join("\n")).join();

describe("PrivateClusterEndpoints", () => {
  test("leads to every service that the components call, and to S3", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    const made = resources.filter((r) => r.type === endpointType);
    // EKS user guide, "Deploy private clusters": ec2, ecr, sts, elasticloadbalancing, eks, eks-auth, logs, S3; the rest: who calls it.
    expect(Object.fromEntries(made.map((r) => [r.name, r.inputs["serviceName"]]))).toEqual({
      // AWS PrivateLink guide, "AWS services that integrate": ARC's zonal shift. Karpenter asks when it starts.
      "shop-arc-zonal-shift": "com.amazonaws.eu-west-1.arc-zonal-shift",
      "shop-ec2": "com.amazonaws.eu-west-1.ec2",
      "shop-ecr-api": "com.amazonaws.eu-west-1.ecr.api",
      "shop-ecr-dkr": "com.amazonaws.eu-west-1.ecr.dkr",
      "shop-eks": "com.amazonaws.eu-west-1.eks",
      "shop-eks-auth": "com.amazonaws.eu-west-1.eks-auth",
      "shop-elasticloadbalancing": "com.amazonaws.eu-west-1.elasticloadbalancing",
      "shop-logs": "com.amazonaws.eu-west-1.logs",
      "shop-monitoring": "com.amazonaws.eu-west-1.monitoring",
      "shop-sqs": "com.amazonaws.eu-west-1.sqs",
      "shop-ssm": "com.amazonaws.eu-west-1.ssm",
      "shop-ssmmessages": "com.amazonaws.eu-west-1.ssmmessages",
      "shop-ec2messages": "com.amazonaws.eu-west-1.ec2messages",
      "shop-sts": "com.amazonaws.eu-west-1.sts",
      "shop-s3": "com.amazonaws.eu-west-1.s3",
    });
    for (const { name, inputs } of made)
      expect([name, inputs]).toEqual([
        name,
        expect.objectContaining(
          name === "shop-s3"
            ? { vpcId: "vpc-1", vpcEndpointType: "Gateway", routeTableIds: ["rtb-1"] }
            : {
                vpcId: "vpc-1",
                vpcEndpointType: "Interface",
                subnetIds: ["subnet-a", "subnet-b"],
                securityGroupIds: ["sg-shop-group"],
                privateDnsEnabled: true,
              },
        ),
      ]);
  });

  test("says in the documentation who calls what", () => {
    const text = readFileSync(join(__dirname, "../../../docs/eks-cluster.md"), "utf8");
    const rows = text.slice(text.indexOf("| endpoint | who calls it |"), text.indexOf("In China some"));
    const named = [...rows.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) => cell!.match(/[a-z0-9.-]+(?=`)/g) ?? []);
    expect(new Set(named)).toEqual(new Set(Object.keys(defaultServices)));
  });

  test("lets in HTTPS from who is named, and nothing out", async () => {
    const { resources } = await make({ allowedSecurityGroupIds: { runner: "sg-0a" } });
    const rules = resources.filter((r) => r.type === ruleType);
    const https = { securityGroupId: "sg-shop-group", ipProtocol: "tcp", fromPort: 443, toPort: 443 };
    expect(rules.map((r) => r.inputs)).toMatchObject([
      { ...https, cidrIpv4: "10.20.0.0/16" },
      { ...https, referencedSecurityGroupId: "sg-0a" },
    ]);
    const group = find(resources, "aws:ec2/securityGroup:SecurityGroup").inputs;
    expect([group["ingress"], group["egress"]]).toEqual([undefined, undefined]);
    expect(resources.filter((r) => /Egress/.test(r.type))).toEqual([]);
    // An endpoint's private name leads to it at once: with a rule still missing, every caller in the VPC would be cut off.
    for (const rule of rules) expect(reaches(resources, find(resources, endpointType, "shop-sts"), rule)).toBe(true);
  });

  // The names that aws ec2 describe-vpc-endpoint-services gives in Beijing; eks-auth, elb, logs and ssm have no "cn." there.
  test("calls services in China as they are called there", async () => {
    const { resources } = await make({}, { partition: "aws-cn", region: "cn-north-1" });
    const named = resources.filter((r) => r.type === endpointType).map((r) => r.inputs["serviceName"]);
    expect(new Set(named)).toEqual(
      new Set([
        "com.amazonaws.cn-north-1.arc-zonal-shift",
        "cn.com.amazonaws.cn-north-1.ec2",
        "cn.com.amazonaws.cn-north-1.ecr.api",
        "cn.com.amazonaws.cn-north-1.ecr.dkr",
        "cn.com.amazonaws.cn-north-1.eks",
        "com.amazonaws.cn-north-1.eks-auth",
        "com.amazonaws.cn-north-1.elasticloadbalancing",
        "com.amazonaws.cn-north-1.logs",
        "cn.com.amazonaws.cn-north-1.monitoring",
        "cn.com.amazonaws.cn-north-1.sqs",
        "com.amazonaws.cn-north-1.ssm",
        "com.amazonaws.cn-north-1.ssmmessages",
        "com.amazonaws.cn-north-1.ec2messages",
        "cn.com.amazonaws.cn-north-1.sts",
        "com.amazonaws.cn-north-1.s3",
      ]),
    );
  });

  test("takes other services and further ones, by full names too", async () => {
    const { resources } = await make({
      services: ["ec2"],
      furtherServices: ["secretsmanager", "cn.com.amazonaws.cn-north-1.batch"],
      routeTableIds: undefined,
    });
    expect(resources.filter((r) => r.type === endpointType).map((r) => [r.name, r.inputs["serviceName"]])).toEqual([
      ["shop-ec2", "com.amazonaws.eu-west-1.ec2"],
      ["shop-secretsmanager", "com.amazonaws.eu-west-1.secretsmanager"],
      ["shop-batch", "cn.com.amazonaws.cn-north-1.batch"],
    ]);
  });

  test("is there before the cluster that depends on it, and after", async () => {
    const { resources, errors } = await run(
      () => {
        const endpoints = new PrivateClusterEndpoints("shop", given);
        new EksCluster("shop-cluster", minimal, { dependsOn: [endpoints] });
      },
      { state },
    );
    expect(errors).toEqual([]);
    const [cluster, nodes] = [find(resources, types.cluster), find(resources, types.nodes)];
    for (const endpoint of resources.filter((r) => r.type === endpointType))
      for (const later of [cluster, nodes])
        expect([later.name, endpoint.name, reaches(resources, later, endpoint)]).toEqual([
          later.name,
          endpoint.name,
          true,
        ]);
  });

  test.each<[string, Partial<PrivateClusterEndpointsArgs>, string]>([
    ["nobody", { allowedCidrs: [] }, "allowedCidrs: names nobody, so nobody could reach the endpoints"],
    ["everybody", { allowedCidrs: ["0.0.0.0/0"] }, "allowedCidrs[0]: 0.0.0.0/0 opens the endpoints to everybody"],
    ["no subnet", { subnetIds: [] }, "subnetIds: must name at least one subnet"],
    ["no route table", { routeTableIds: [] }, "routeTableIds: must name at least one route table, or be left out"],
    [
      "what is no route table",
      { routeTableIds: ["main"] },
      'routeTableIds: must be ids of route tables (rtb-...), not "main"',
    ],
    ["an interface to S3", { furtherServices: ["s3"] }, "furtherServices[0]: gets a gateway, which costs nothing"],
    ["a service twice", { furtherServices: ["sts"] }, "furtherServices[0]: sts is there twice: leave one out"],
    [
      "a service twice in other words",
      { furtherServices: ["com.amazonaws.eu-west-1.sts"] },
      "furtherServices[0]: com.amazonaws.eu-west-1.sts is there twice: leave one out",
    ],
    ["an address", { services: ["https://ec2"] }, "services[0]: must be a service such as ec2 or ecr.api"],
  ])("refuses %s", async (_, args, message) => expect(await thrown(args)).toContain(message));
});
