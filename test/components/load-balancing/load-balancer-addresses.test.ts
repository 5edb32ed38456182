import * as pulumi from "@pulumi/pulumi";
import {
  ApplicationLoadBalancer,
  LoadBalancerAddressType,
  LoadBalancerScheme,
  type ApplicationLoadBalancerArgs,
} from "../../../components/load-balancing";
import { run } from "../../support/harness";
import { inputs, loadBalancerArgs, messages, state, types } from "./setup";

describe("ApplicationLoadBalancer over IPv6", () => {
  const { DualStack, DualStackWithoutPublicIPv4 } = LoadBalancerAddressType;
  const dual: Partial<ApplicationLoadBalancerArgs> = {
    addressType: DualStack,
    ingressIpv6Cidrs: { office6: "2001:db8:100::/48" },
  };
  const make = (change: Partial<ApplicationLoadBalancerArgs>) =>
    run(() => void new ApplicationLoadBalancer("edge", { ...loadBalancerArgs, ...change }), { state });

  test("admits whom it was told to, of each kind by rules of its own", async () => {
    const { resources, errors } = await make(dual);
    expect(errors).toEqual([]);
    expect(inputs(resources, types.lb)["ipAddressType"]).toBe("dualstack");
    const rules = resources.filter((r) => r.type === types.ingress);
    const found = rules.map((r) => [r.name, r.inputs["cidrIpv4"], r.inputs["cidrIpv6"], r.inputs["fromPort"]]);
    expect(found.sort()).toEqual([
      ["edge-office-443", "203.0.113.0/24", undefined, 443],
      ["edge-office-80", "203.0.113.0/24", undefined, 80],
      ["edge-office6-443", undefined, "2001:db8:100::/48", 443],
      ["edge-office6-80", undefined, "2001:db8:100::/48", 80],
    ]);
  });

  const domain = {
    certificateArn: undefined,
    domain: "example.com",
    alternativeNames: ["*.example.com"],
    zoneId: "Z1",
  };
  const scheme = LoadBalancerScheme.InternetFacing;
  const publicOnly6 = { ...dual, addressType: DualStackWithoutPublicIPv4, scheme };
  test.each<[string, Partial<ApplicationLoadBalancerArgs>, string[]]>([
    ["IPv4", {}, ["A"]],
    ["both", dual, ["A", "AAAA"]],
    ["no public IPv4", publicOnly6, ["AAAA"]],
  ])("%s: each name gets the records by which it is found", async (_, change, expected) => {
    const { resources, errors } = await make({ ...change, ...domain });
    expect(errors).toEqual([]);
    const aliases = resources.filter((r) => r.type === types.alias && r.inputs["aliases"] !== undefined);
    expect(aliases.map((r) => [r.inputs["name"], r.inputs["type"]])).toEqual(
      ["example.com", "*.example.com"].flatMap((name) => expected.map((type) => [name, type])),
    );
    for (const { inputs: record } of aliases)
      expect(record["aliases"]).toEqual([
        { name: "edge-alb.eu-west-1.elb.amazonaws.com", zoneId: "Z32O12XQLNTSW2", evaluateTargetHealth: true },
      ]);
    expect(aliases.map((r) => r.name)).toEqual(
      ["example.com", "*.example.com"].flatMap((name) =>
        expected.map((type) => `edge-${type === "A" ? "alias" : "alias6"}-${name}`),
      ),
    );
  });

  test("IPv6 alone may connect", async () => {
    expect((await make({ ...publicOnly6, ingressCidrs: {} })).errors).toEqual([]);
  });

  test.each(["::/0", "2001:db8::/32", "2001:db8:0:1::/64", "fd00::1/128", "2600:1f14:1000::/36"])(
    "takes %s",
    async (range) => expect((await make({ ...dual, ingressIpv6Cidrs: { a: range } })).errors).toEqual([]),
  );

  const of6 = (range: pulumi.Input<string>) => ({ ...dual, ingressIpv6Cidrs: { a: range } });
  test.each<[string, Partial<ApplicationLoadBalancerArgs>, RegExp]>([
    ["nobody who may connect over IPv6", { addressType: DualStack }, /ingressIpv6Cidrs: names nobody, but/],
    ["IPv6 ranges without IPv6", { ingressIpv6Cidrs: { a: "::/0" } }, /ingressIpv6Cidrs: has no effect without IPv6/],
    // AWS, "Introducing dual-stack without public IPv4 Application Load Balancer": for internet-facing ones.
    ["no public addresses of a private one", { ...publicOnly6, scheme: undefined }, /addressType: has no public addr/],
    ["a name of both kinds", { ...dual, ingressIpv6Cidrs: { office: "::/0" } }, /write another, such as office6/],
    ["a range twice", { ...dual, ingressIpv6Cidrs: { a: "::/0", b: "::/0" } }, /ingressIpv6Cidrs\.b: is the same as/],
    ["IPv4 in its place", of6("203.0.113.0/24"), /ingressIpv6Cidrs\.a must be an IPv6 range/],
    ["half an address", of6("2001:db8/32"), /must be an IPv6 range such as 2001:db8::\/48, not "2001:db8\/32"/],
    ["too long a prefix", of6("::/129"), /must be an IPv6 range/],
    ["another spelling than AWS's", of6("2001:DB8:0::/48"), /must be written as "2001:db8::\/48"/],
    ["a range that AWS would rewrite", of6("2001:db8::1/64"), /must begin at the first address of a \/64/],
    ["a late one", of6(pulumi.output("2001:db8:1::/32")), /ingressIpv6Cidrs\.a must begin at the first address of a/],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });
});
