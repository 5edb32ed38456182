import { portProblem } from "../internal/kubernetes";
import type { Problems } from "../internal/validate";
import { ManagedPortProtocol, type ManagedIngressArgs } from "./binding-args";
import { securityGroupIdProblem } from "../internal/formats";
import { ipv4RangeProblem, ipv6RangeProblem } from "../internal/ranges";

/** `spec.networking` of a binding, or undefined: an empty one would let the controller look for the pods' groups all the same. */
export function bindingNetworking(problems: Problems, rules: ManagedIngressArgs[] = []) {
  if (rules.length === 0) return undefined;
  return { ingress: rules.map((rule, index) => ingressRule(problems, `managedIngress[${index}]`, rule)) };
}

function ingressRule(problems: Problems, where: string, rule: ManagedIngressArgs) {
  const { securityGroupIds = [], cidrs = [], ports } = rule;
  problems.unless(
    securityGroupIds.length + cidrs.length > 0,
    `${where}.securityGroupIds`,
    "names no source, nor does cidrs: name the group of the load balancer",
  );
  problems.unless(
    ports.length > 0,
    `${where}.ports`,
    "is empty: the controller would open no port; name the pods' ports one by one",
  );
  return {
    from: [
      ...securityGroupIds.map((id, i) => ({
        securityGroup: { groupID: problems.input(id, `${where}.securityGroupIds[${i}]`, securityGroupIdProblem) },
      })),
      ...cidrs.map((cidr, i) => ({ ipBlock: { cidr: problems.input(cidr, `${where}.cidrs[${i}]`, networkProblem) } })),
    ],
    ports: ports.map((port, i) => ({
      protocol: port.protocol ?? ManagedPortProtocol.Tcp,
      port: problems.input(port.port, `${where}.ports[${i}].port`, portProblem),
    })),
  };
}

/** Another spelling than EC2's own is asked for again and again, and the group's other new rules fail with it. */
function networkProblem(cidr: string): string | undefined {
  return cidr.includes(":") ? ipv6RangeProblem(cidr) : ipv4RangeProblem(cidr);
}
