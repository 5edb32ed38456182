import * as pulumi from "@pulumi/pulumi";
import type * as moorings from "../../../components";

/** How the invariants make one component. */
export interface Sample {
  /** Only what is required. */
  minimal: object;
  /** Every argument there is, but for `without`. */
  full: object;
  /** Two arguments that are wrong in one go, and words of both problems. */
  wrong: { args: object; messages: string[] };
  /** Whether it makes Kubernetes objects, and so needs a provider for them. */
  kubernetes: boolean;
  /** Arguments that the full sample can't have, because they exclude others of it. */
  without: string[];
  make(name: string, args: object, opts: pulumi.ComponentResourceOptions): pulumi.ComponentResource;
}

export const tags = { team: "platform" };
/** A value that must never be seen in clear. */
export const secretText = "https://events.pagerduty.com/integration/0123456789abcdef/enqueue";

export const routes: moorings.AlarmRoutes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
export const readyPods: moorings.ReadyPodsMetric = {
  namespace: "ContainerInsights",
  metricName: "service_number_of_running_pods",
  dimensions: { ClusterName: "shop", Namespace: "web", Service: "web" },
};
export const plannedWork: Record<string, moorings.PlannedWorkArgs> = {
  patching: { schedule: "cron(0 2 * * SUN)", durationMinutes: 120, timezone: "Europe/Vienna", description: "Patches." },
};
export const cluster: moorings.ClusterRef = {
  name: "shop",
  endpoint: "https://shop.eks.eu-west-1.amazonaws.com",
  certificateAuthority: "Q0E=",
  oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/ABC",
  oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/ABC",
  securityGroupId: "sg-cluster",
  vpcId: "vpc-0123456789abcdef0",
};
export const loadBalancer: moorings.LoadBalancerRef = {
  arn: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/edge/50dc6c495c0c9188",
  arnSuffix: "app/edge/50dc6c495c0c9188",
  listenerArn:
    "arn:aws:elasticloadbalancing:eu-west-1:123456789012:listener/app/edge/50dc6c495c0c9188/f2f7dc8efc522ab2",
  securityGroupId: "sg-alb",
  vpcId: "vpc-0123456789abcdef0",
};
export const targetGroupArn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067";

/** Ties arguments to their class, so that a sample with a misspelt argument doesn't compile. */
export function sample<Args extends object>(
  component: new (name: string, args: Args, opts?: pulumi.ComponentResourceOptions) => pulumi.ComponentResource,
  minimal: NoInfer<Args>,
  more: Partial<NoInfer<Args>>,
  wrong: { args: Partial<NoInfer<Args>>; messages: string[] },
  { kubernetes = false, without = [] }: { kubernetes?: boolean; without?: (keyof NoInfer<Args> & string)[] } = {},
): Sample {
  return {
    minimal,
    full: { ...minimal, ...more },
    wrong: { args: { ...minimal, ...wrong.args }, messages: wrong.messages },
    kubernetes,
    without,
    make: (name, args, opts) => new component(name, args as Args, opts),
  };
}
