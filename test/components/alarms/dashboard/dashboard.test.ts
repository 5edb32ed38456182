import * as aws from "@pulumi/aws";
import {
  LoadBalancerType,
  TargetHealthDashboard,
  targetHealthDashboardUrl,
  type DashboardEdge,
  type TargetHealthDashboardArgs,
} from "../../../../components/alarms";
import { dashboardAddress } from "../../../../components/alarms/dashboard/dashboard-url";
import { find } from "../../../support/graph";
import { run } from "../../../support/harness";

const type = "aws:cloudwatch/dashboard:Dashboard";
const elb = "arn:aws:elasticloadbalancing:eu-west-1:123456789012";
const web: DashboardEdge = {
  loadBalancerArnSuffix: "app/edge/50dc6c495c0c9188",
  targetGroupArnSuffix: "targetgroup/web/73e2d6bc24d8a067",
  minReplicas: 3,
  alarmArns: {
    lowHealthyHosts: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:web-low",
    staleTargets: "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:web-stale",
  },
};

const make = (args: Partial<TargetHealthDashboardArgs> = {}, name = "edge") =>
  run(() => {
    const { dashboardName, dashboardUrl } = new TargetHealthDashboard(name, { edges: { web }, ...args });
    return { dashboardName, dashboardUrl };
  });
const message = async (args: Partial<TargetHealthDashboardArgs>, name?: string) =>
  (await make(args, name)).errors.map((e) => e.message).join("\n");
const edgeMessage = (change: Partial<DashboardEdge>) => message({ edges: { web: { ...web, ...change } } });

test("is made under its own name, with every alarm of every edge, and says where to look", async () => {
  const shop = {
    ...web,
    loadBalancerType: LoadBalancerType.Network,
    loadBalancerArnSuffix: "net/shop/1",
    crossZone: true,
    alarmArns: {},
  };
  const { resources, outputs, errors } = await make({ edges: { web, shop }, hours: 48 });
  expect(errors).toEqual([]);
  const { inputs } = find(resources, type, "edge-dashboard");
  expect(inputs["dashboardName"]).toBe("edge");
  const body = JSON.parse(inputs["dashboardBody"] as string) as {
    start: string;
    widgets: { type: string; properties: { alarms?: string[]; markdown?: string; region?: string } }[];
  };
  expect(body.start).toBe("-PT48H");
  expect(body.widgets.flatMap(({ properties }) => properties.alarms ?? [])).toEqual([
    "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:web-low",
    "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:web-stale",
  ]);
  expect(body.widgets.flatMap(({ properties }) => /^## (\w+)/.exec(properties.markdown ?? "")?.[1] ?? [])).toEqual([
    "web",
    "shop",
  ]);
  expect(new Set(body.widgets.flatMap(({ properties }) => properties.region ?? []))).toEqual(new Set(["eu-west-1"]));
  expect(outputs).toEqual({
    dashboardName: "edge",
    dashboardUrl: "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#dashboards/dashboard/edge",
  });
});

test("previews on a load balancer that doesn't exist yet, and its address is known then: alarms carry it", async () => {
  const { resources, registeredOutputs, errors } = await run(
    () => {
      const loadBalancer = new aws.lb.LoadBalancer("lb");
      new TargetHealthDashboard("edge", { edges: { web: { ...web, loadBalancerArnSuffix: loadBalancer.arnSuffix } } });
    },
    { preview: true },
  );
  expect(errors).toEqual([]);
  const component = find(resources, "moorings:index:TargetHealthDashboard");
  expect(registeredOutputs[component.urn]?.["dashboardUrl"]).toContain("#dashboards/dashboard/edge");
});

test("alarms can carry the address before there is a dashboard", async () => {
  const { outputs } = await run(() => ({ url: targetHealthDashboardUrl("edge", "eu-west-1") }));
  expect(outputs?.url).toBe((await make()).outputs?.dashboardUrl);
});

test.each([
  ["us-east-1", "https://us-east-1.console.aws.amazon.com/cloudwatch/home?region=us-east-1#dashboards/dashboard/x"],
  ["cn-north-1", "https://cn-north-1.console.amazonaws.cn/cloudwatch/home?region=cn-north-1#dashboards/dashboard/x"],
  ["us-gov-west-1", "https://console.amazonaws-us-gov.com/cloudwatch/home?region=us-gov-west-1#dashboards/dashboard/x"],
  // Where the console's address isn't public, a wrong link would cost time at night.
  ["us-iso-east-1", "x in CloudWatch, us-iso-east-1"],
  ["eusc-de-east-1", "x in CloudWatch, eusc-de-east-1"],
])("the console in %s", (region, expected) => expect(dashboardAddress("x", region)).toBe(expected));

describe("what is wrong is said before anything is made", () => {
  test.each<[string, () => Promise<string>, string]>([
    ["a name with a dot", () => message({ dashboardName: "prod.edge" }), "dashboardName: must be letters, digits"],
    ["a long name", () => message({}, "x".repeat(256)), "at most 255"],
    ["nothing to show", () => message({ edges: {} }), "edges: is empty"],
    [
      "more hours than CloudWatch keeps minutes",
      () => message({ hours: 361 }),
      "hours: must be a whole number from 1 to 360",
    ],
    [
      "no target group",
      () => edgeMessage({ targetGroupArnSuffix: undefined }),
      "edges.web.targetGroupArnSuffix: give this",
    ],
    ["one and several", () => edgeMessage({ targetGroupArnSuffixes: { a: "targetgroup/a/1" } }), "and not both"],
    [
      "several, but none",
      () => edgeMessage({ targetGroupArnSuffix: undefined, targetGroupArnSuffixes: {} }),
      "is empty: name a",
    ],
    ["no zones", () => edgeMessage({ availabilityZones: [] }), "edges.web.availabilityZones: is empty"],
    [
      "zones of their own without names",
      () => edgeMessage({ crossZone: false }),
      "edges.web.availabilityZones: is missing",
    ],
    [
      "the load balancer's whole ARN",
      () => edgeMessage({ loadBalancerArnSuffix: `${elb}:loadbalancer/app/edge/50dc6c495c0c9188` }),
      'edges.web.loadBalancerArnSuffix: must start with "app/"',
    ],
    [
      "a Network Load Balancer's suffix without its type",
      () => edgeMessage({ loadBalancerArnSuffix: "net/shop/1" }),
      "or set loadBalancerType: LoadBalancerType.Network",
    ],
    [
      "a target group's whole ARN",
      () => edgeMessage({ targetGroupArnSuffix: `${elb}:targetgroup/web/73e2d6bc24d8a067` }),
      'edges.web.targetGroupArnSuffix: must start with "targetgroup/"',
    ],
    [
      "one of several, known late",
      () =>
        edgeMessage({ targetGroupArnSuffix: undefined, targetGroupArnSuffixes: { a: Promise.resolve("targets/a/1") } }),
      'edges.web.targetGroupArnSuffixes.a must start with "targetgroup/"',
    ],
    [
      "a Network Load Balancer that doesn't say what its nodes count",
      () => edgeMessage({ loadBalancerType: LoadBalancerType.Network, loadBalancerArnSuffix: "net/shop/1" }),
      "edges.web.crossZone: is missing: say whether the Network Load Balancer sends to all zones",
    ],
    ["a minimum of none", () => edgeMessage({ minReplicas: 0 }), "edges.web.minReplicas: must be a whole number"],
    [
      "too much for one dashboard",
      () => message({ edges: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`e${n}`, web])) }),
      "edges: make 505 widgets",
    ],
  ])("%s", async (_, said, expected) => expect(await said()).toContain(expected));

  test("too many alarms for one dashboard, once they are known", async () => {
    const edges = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`e${n}`, web]));
    expect(await message({ edges })).toContain("make 502 widgets");
  });
});
