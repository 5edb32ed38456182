import * as k8s from "@pulumi/kubernetes";
import {
  ControllerPermissions,
  IngressSecurityGroups,
  LoadBalancerController,
  SafetyNetRules,
  TargetGroupBinding,
  type LoadBalancerRef,
} from "../../components/load-balancing";
import { shopProd } from "../../test/support/clusters";
import { find } from "../../test/support/graph";
import { run, type Registration } from "../../test/support/harness";
import type { Rule } from "./aws/rules";
import { minute, second } from "./clock";
import { clusterTag, type ControllerSettings } from "./controller/settings";
import type { Peer } from "./kubernetes";
import { clusterName, podGroup, type StaticRule, type Topology } from "./topology";

/** Security group of the load balancer that our services are behind. */
export const loadBalancerGroup = "sg-00000000000000alb";
/** Security group by which visitors come in at the Ingress's load balancer. */
const frontGroup = "sg-000000000000front";

/** What the components register for these topologies. */
export interface Emitted {
  readonly controller: ControllerSettings;
  /** From the load balancer of our services. */
  readonly net: readonly StaticRule[];
  /** To pods behind an Ingress, from the load balancer that the controller makes for it. */
  readonly edgeNet: readonly StaticRule[];
  /** Groups of that load balancer by the annotations, beside which the controller adds its backend group. */
  readonly ingressGroups: readonly string[];
  /** The controller's backend group, by the chart's values. */
  readonly backendGroup: string;
  /** What a binding of ours asks for. */
  readonly networking: readonly Peer[] | undefined;
}

/** Our default: nobody asks the controller for rules, and the load balancer's way in is static. */
export function ourDefault({ controller, net, networking }: Emitted): Topology {
  return {
    name: "ours, default",
    controller,
    groups: { [podGroup]: [clusterTag(clusterName)], [loadBalancerGroup]: [] },
    podGroups: [podGroup],
    staticRules: net,
    way: () => ({ networking, sources: [loadBalancerGroup] }),
  };
}

/**
 * Services of ours beside Ingresses (the even numbers): the controller owns a rule from its backend group for those, and the net's source
 * is the extra group of their load balancer.
 */
export function ourCoexisting(emitted: Emitted): Topology {
  const ours = ourDefault(emitted);
  return {
    ...ours,
    name: "ours, beside Ingress",
    groups: { ...ours.groups, [emitted.backendGroup]: [] },
    staticRules: [...emitted.net, ...emitted.edgeNet],
    way: (service, port) =>
      service % 2 === 0
        ? {
            // With unrestricted rules the controller asks for all ports (pkg/ingress/model_build_target_group.go).
            networking: [{ source: emitted.backendGroup, port: emitted.controller.restricted ? port : undefined }],
            sources: [...emitted.ingressGroups, emitted.backendGroup],
          }
        : ours.way(service, port),
  };
}

/** Runs the components as a program would, and reads what they register. */
export async function emitted(): Promise<Emitted> {
  const { resources, outputs, errors } = await run(
    () => {
      const opts = { providers: [new k8s.Provider("cluster", { kubeconfig: "{}" })] };
      const ingress = new IngressSecurityGroups("ingress", {
        vpcId: shopProd.vpcId,
        frontSecurityGroupId: frontGroup,
        targetSecurityGroupIds: { nodes: podGroup },
      });
      new LoadBalancerController(
        "controller",
        {
          cluster: { ...shopProd, name: clusterName },
          region: "eu-west-1",
          permissions: ControllerPermissions.Full,
          backendSecurityGroupId: ingress.backendSecurityGroupId,
        },
        opts,
      );
      new SafetyNetRules("net", { loadBalancer, targetSecurityGroupId: podGroup });
      const args = {
        namespace: "shop",
        serviceName: "web",
        servicePort: 80,
        targetGroupArn: `${arn}:targetgroup/web/0`,
      };
      new TargetGroupBinding("web", args, opts);
      return ingress.annotations;
    },
    {
      state: ({ type, name }) =>
        type === "aws:ec2/securityGroup:SecurityGroup"
          ? { id: madeGroup(name) }
          : type === "aws:iam/role:Role"
            ? { arn: `arn:aws:iam::123456789012:role/${name}` }
            : {},
    },
  );
  if (errors[0] !== undefined) throw errors[0];
  const values = find(resources, "kubernetes:helm.sh/v3:Release").inputs["values"] as Record<string, unknown>;
  const binding = find(resources, "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding").inputs["spec"] as {
    networking?: Networking;
  };
  return {
    controller: {
      clusterName: values["clusterName"] as string,
      restricted: values["disableRestrictedSecurityGroupRules"] !== true,
      requeue: milliseconds(values["targetgroupbindingRequeueDuration"]),
      longestBackoff: milliseconds(values["targetgroupbindingMaxExponentialBackoffDelay"]),
      syncPeriod: milliseconds(values["syncPeriod"]),
    },
    net: ingressRules(resources, "net"),
    edgeNet: ingressRules(resources, "ingress"),
    ingressGroups: (outputs?.["alb.ingress.kubernetes.io/security-groups"] ?? "").split(","),
    backendGroup: text(values, "backendSecurityGroup"),
    networking: peersOf(binding.networking),
  };
}

/** The id that AWS gives a group, with its name to be read in transcripts. */
const madeGroup = (name: string) => `sg-${name.replaceAll("-", "")}`;

const arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012";
const loadBalancer: LoadBalancerRef = {
  arn: `${arn}:loadbalancer/app/edge/0`,
  arnSuffix: "app/edge/0",
  listenerArn: `${arn}:listener/app/edge/0/1`,
  securityGroupId: loadBalancerGroup,
  vpcId: shopProd.vpcId,
};

/** The inbound rules of one component, as EC2 would hold them. */
function ingressRules(resources: readonly Registration[], component: string): StaticRule[] {
  const made = resources.filter(
    ({ type, name }) =>
      type === "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule" && name.startsWith(`${component}-`),
  );
  if (made.length === 0) throw new Error(`${component} registered no inbound rule`);
  return made.map(({ inputs }) => ({ group: text(inputs, "securityGroupId"), rule: ruleOf(inputs) }));
}

function ruleOf(inputs: Readonly<Record<string, unknown>>): Rule {
  const sources = ["referencedSecurityGroupId", "prefixListId", "cidrIpv4", "cidrIpv6"].filter((key) => key in inputs);
  return {
    protocol: text(inputs, "ipProtocol"),
    from: inputs["fromPort"] as number,
    to: inputs["toPort"] as number,
    source: text(inputs, sources.join(" and ")),
    description: text(inputs, "description"),
  };
}

function text(inputs: Readonly<Record<string, unknown>>, key: string): string {
  const value = inputs[key];
  if (typeof value !== "string") throw new Error(`${key || "a source"} isn't text: ${JSON.stringify(value)}`);
  return value;
}

/** A duration of the chart's values, such as 30m or 5s. */
function milliseconds(duration: unknown): number {
  const [, count, unit] = /^(\d+)([sm])$/.exec(String(duration)) ?? [];
  if (count === undefined) throw new Error(`not a duration in seconds or minutes: ${String(duration)}`);
  return Number(count) * (unit === "m" ? minute : second);
}

interface Networking {
  readonly ingress?: readonly {
    readonly from: readonly { readonly securityGroup: { readonly groupID: string } }[];
    readonly ports: readonly { readonly port?: number }[];
  }[];
}

/** What a binding asks for. Without a port it asks for nothing: a fault of the controller (pkg/networking/networking_manager.go). */
function peersOf(networking: Networking | undefined): readonly Peer[] | undefined {
  return networking?.ingress?.flatMap(({ from, ports }) =>
    from.flatMap(({ securityGroup }) => ports.map(({ port }) => ({ source: securityGroup.groupID, port }))),
  );
}
