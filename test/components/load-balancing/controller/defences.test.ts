import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import {
  ControllerChartVersion,
  ControllerPermissions,
  DrainSafeDeployment,
  LoadBalancedService,
  LoadBalancerController,
  SafetyNetRules,
  TargetGroupBinding,
  type TargetGroupBindingArgs,
} from "../../../../components/load-balancing";
import { find, reaches } from "../../../support/graph";
import { run } from "../../../support/harness";
import { providerState } from "../../../support/provider-state";
import { loadBalancer, serviceArgs, workloadArgs } from "../setup";
import { args, documentOf, make, types, valuesOf } from "./setup";

/*
 * What other people's clusters died of, by the numbers of the issues in the controller's repository, and what of it this family prevents.
 * What others prevent stands in their tests: pods that leave (deployment.test.ts: 1719, 1064, 2366, 1834), subnets by name
 * (load-balancer.test.ts: 3212, 2812, 2607), one tagged group on a node (cluster and karpenter: 1897, 2367, 3731, 1594), targets
 * registered by hand and bindings of one group (policy/targets: 2651, 2173, 2757), protection of the definitions (stacks/environments).
 */

const full = ControllerPermissions.Full;
const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";
const targetGroup = "aws:lb/targetGroup:TargetGroup";
const deployment = "kubernetes:apps/v1:Deployment";

const values = async (...of: Parameters<typeof make>) => valuesOf((await make(...of)).resources);
const bindingArgs: TargetGroupBindingArgs = {
  namespace: "shop",
  serviceName: "web",
  servicePort: 80,
  targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/old/0123456789abcdef",
};
const bound = (change: Partial<TargetGroupBindingArgs> = {}) =>
  run(
    () => {
      const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
      const controller = new LoadBalancerController("lbc", args, { providers });
      const given = { ...bindingArgs, ...change };
      new TargetGroupBinding("web", given, { providers, dependsOn: [controller] });
    },
    { state: providerState },
  );
/** A service of its own with its pods, as an application team makes it. */
const service = () =>
  run(
    () => {
      const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
      const { readinessGate } = new LoadBalancedService("web", serviceArgs, { providers });
      new DrainSafeDeployment("app", { ...workloadArgs, readinessGates: [readinessGate] }, { providers });
    },
    { state: providerState },
  );

interface Row {
  /** Numbers of issues; of eks-charts where it says so. */
  readonly issues: string;
  readonly defence: string;
  readonly holds: () => Promise<void>;
}

const rows: Row[] = [
  {
    issues: "4140, 2013, 1807, 4627, eks-charts 1058",
    defence:
      "the webhook that sees every Service is off, a binding waits for the controller, and one pod always serves",
    holds: async () => {
      expect(await values()).toMatchObject({
        enableServiceMutatorWebhook: false,
        replicaCount: 2,
        podDisruptionBudget: { maxUnavailable: 1 },
      });
      const { resources } = await bound();
      expect(reaches(resources, find(resources, binding), find(resources, types.release))).toBe(true);
    },
  },
  {
    issues: "4572, 2473, 2239, 4605, eks-charts 562",
    defence: "an upgrade changes no certificate: they are given, and the chart keeps what it has",
    holds: async () => {
      const made = async (chartVersion: ControllerChartVersion) => (await values({ chartVersion }))["webhookTLS"];
      expect(await made(ControllerChartVersion.V3_7_0)).toEqual(await made(ControllerChartVersion.V3_5_0));
      expect(await values()).toMatchObject({
        webhookTLS: { caCert: "certificate lbc-ca", cert: "certificate lbc-webhook-certificate" },
        keepTLSSecret: true,
      });
    },
  },
  {
    issues: "3014",
    defence: "Helm installs, not a rendered chart, which would be replaced whenever a value isn't known",
    holds: async () => {
      const { resources } = await make();
      expect(resources.filter((r) => r.type.startsWith("kubernetes:helm")).map((r) => r.type)).toEqual([types.release]);
    },
  },
  {
    issues: "4555, eks-charts 1312",
    defence:
      "the definitions are those of the chart, come before it, go after every binding, and aren't Helm's business",
    holds: async () => {
      const { resources } = await bound();
      const [crds, release] = [find(resources, types.crds), find(resources, types.release)];
      expect(crds.inputs["file"]).toContain(`/v${String(release.inputs["version"])}/`);
      expect(release.inputs["skipCrds"]).toBe(true);
      expect(reaches(resources, release, crds)).toBe(true);
      expect(reaches(resources, find(resources, binding), crds)).toBe(true);
      expect(crds.retainOnDelete).toBe(false);
    },
  },
  {
    issues: "4684, 4712",
    defence: "the three Gateway features are off, and no version before 3.2.2 can be chosen",
    holds: async () => {
      for (const permissions of Object.values(ControllerPermissions))
        expect((await values({ permissions }))["controllerConfig"]).toMatchObject({
          featureGates: { ALBGatewayAPI: false, NLBGatewayAPI: false, GatewayListenerSet: false },
        });
      expect(Object.values(ControllerChartVersion)).toEqual(["3.5.0", "3.6.0", "3.7.0"]);
    },
  },
  {
    issues: "2231, 1561, 3604, 4307, 3955",
    defence:
      "pods needn't ask the metadata service: region, VPC and role are given, and the role works before they start",
    holds: async () => {
      const { resources } = await make();
      expect(valuesOf(resources)).toMatchObject({ region: "eu-west-1", vpcId: "vpc-0123456789abcdef0" });
      expect(reaches(resources, find(resources, types.release), find(resources, types.attachment))).toBe(true);
    },
  },
  {
    issues: "1935, 2627, 4199",
    defence: "the account that the role trusts is the one the pods have, and another role starts them anew",
    holds: async () => {
      const { resources } = await make();
      const { serviceAccount, podAnnotations } = valuesOf(resources) as {
        serviceAccount: { name: string; annotations: Record<string, string> };
        podAnnotations: Record<string, string>;
      };
      expect(find(resources, types.role).inputs["assumeRolePolicy"]).toContain(
        `"system:serviceaccount:kube-system:${serviceAccount.name}"`,
      );
      const role = "arn:aws:iam::123456789012:made/lbc-role";
      expect([
        serviceAccount.annotations["eks.amazonaws.com/role-arn"],
        podAnnotations["moorings.dev/role-arn"],
      ]).toEqual([role, role]);
    },
  },
  {
    issues: "1897, 2367, 3731, 1594; 4889, 3637, 2578, 3639, 3756",
    defence: "a binding asks for no rule, the controller may make none, and what opens the way isn't its own",
    holds: async () => {
      const { resources } = await bound();
      expect(find(resources, binding).inputs["spec"]).not.toHaveProperty("networking");
      expect(documentOf(resources)).not.toContain("SecurityGroupIngress");
    },
  },
  {
    issues: "4889, with rules of the controller's own",
    defence: "it keeps one rule for each port or source, instead of a range that it computes anew",
    holds: async () =>
      expect(await values({ permissions: full })).toMatchObject({ disableRestrictedSecurityGroupRules: true }),
  },
  {
    issues: "3809, 3822, 3285, 3952",
    defence: "an id that is none, which would stop the rules of all bindings, reaches no binding",
    holds: async () => {
      const { errors, resources } = await bound({
        managedIngress: [{ securityGroupIds: ["the-alb"], ports: [{ port: 80 }] }],
      });
      expect(errors.map((e) => e.message).join()).toContain("managedIngress[0].securityGroupIds[0]: must be the id");
      expect(resources.filter((r) => r.type === binding)).toEqual([]);
    },
  },
  {
    issues: "4896, 2341",
    defence: "a binding goes before its target group",
    holds: async () => {
      const { resources, errors } = await service();
      expect(errors).toEqual([]);
      expect(reaches(resources, find(resources, binding), find(resources, targetGroup))).toBe(true);
    },
  },
  {
    issues: "2014, 1629, 4043",
    defence: "controller, role and permissions go after the bindings, whose finalizers they remove",
    holds: async () => {
      const { resources } = await bound();
      for (const type of [types.release, types.role, types.policy, types.attachment])
        expect([type, reaches(resources, find(resources, binding), find(resources, type))]).toEqual([type, true]);
    },
  },
  {
    issues: "2764, 4071",
    defence: "another target group makes another binding, and a name of a group can't be given",
    holds: async () => {
      const { resources } = await bound();
      expect(find(resources, binding).replaceOnChanges).toContain("spec.targetGroupARN");
      expect(find(resources, binding).inputs["spec"]).not.toHaveProperty("targetGroupName");
    },
  },
  {
    issues: "2357",
    defence: "labels that mark bindings which the controller made itself are refused",
    holds: async () => {
      for (const key of ["ingress.k8s.aws/stack", "service.k8s.aws/stack", "gateway.k8s.aws.alb/stack"])
        expect((await bound({ labels: { [key]: "x" } })).errors.map((e) => e.message).join()).toContain(
          `labels["${key}"]: marks bindings that the controller generated`,
        );
    },
  },
  {
    issues: "4343",
    defence: "no version before 2.14 can be chosen, and the binding is to a Service that stays",
    holds: async () => {
      expect(Object.values(ControllerChartVersion).every((version) => Number(version.split(".")[0]) >= 3)).toBe(true);
      expect(find((await bound()).resources, binding).inputs["spec"]).toMatchObject({ serviceRef: { name: "web" } });
    },
  },
  {
    issues: "1871, 2809, 4641, 2287",
    defence: "after throttling a pod waits a minute at most, not seventeen",
    holds: async () => expect(await values()).toMatchObject({ targetgroupbindingMaxExponentialBackoffDelay: "60s" }),
  },
  {
    issues: "3299, 1974, 3665, 3403, 2979",
    defence:
      "pods come after their binding, with its condition, so that they are looked at again until they are healthy",
    holds: async () => {
      const { resources } = await service();
      const pods = find(resources, deployment);
      expect(reaches(resources, pods, find(resources, binding))).toBe(true);
      expect(JSON.stringify(pods.inputs)).toContain('"target-health.elbv2.k8s.aws/web-pods-binding-3f7a2b1c"');
    },
  },
  {
    issues: "2711, 2019, 1628",
    defence: "the pods' webhook lets pods through while the controller is away, and selects no further namespaces",
    holds: async () => {
      const made = await values();
      expect(made).toMatchObject({ podMutatorWebhookConfig: { failurePolicy: "Ignore" } });
      expect(made).not.toHaveProperty("webhookNamespaceSelectors");
      expect(made).not.toHaveProperty("objectSelector");
    },
  },
  {
    issues: "4207, 2117",
    defence: "a group of ours is used instead of one that the controller leaves behind",
    holds: async () =>
      expect(await values({ permissions: full, backendSecurityGroupId: "sg-0123456789abcdef0" })).toMatchObject({
        backendSecurityGroup: "sg-0123456789abcdef0",
      }),
  },
  {
    issues: "2185",
    defence: "there is one controller: a second is refused in the program, and has the name of the first elsewhere",
    holds: async () => {
      const { errors } = await run(() => {
        const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
        for (const name of ["one", "two"]) new LoadBalancerController(name, args, { providers });
      });
      expect(errors.map((e) => e.message).join()).toContain("issue 2185");
      expect(find((await make()).resources, types.release).inputs).toMatchObject({
        name: "aws-load-balancer-controller",
        namespace: "kube-system",
      });
    },
  },
  {
    issues: "4360",
    defence: "a limit below the quota can be set, without which the controller stops at it",
    holds: async () =>
      expect(await values({ extraValues: { maxTargetsPerTargetGroup: 1000 } })).toMatchObject({
        maxTargetsPerTargetGroup: 1000,
      }),
  },
  {
    issues: "2252, RulesPerSecurityGroupLimitExceeded",
    defence: "the way to the pods takes one rule of their group's sixty, however many services there are",
    holds: async () => {
      const { resources } = await run(
        () => {
          const pods = new aws.ec2.SecurityGroup("pods", {});
          const net = new SafetyNetRules("net", { loadBalancer, targetSecurityGroupId: pods.id });
          const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
          for (const name of ["web", "api"])
            new LoadBalancedService(name, { ...serviceArgs, safetyNet: net.ref }, { providers });
        },
        { state: providerState },
      );
      expect(
        resources.filter((r) => r.type === "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"),
      ).toHaveLength(1);
    },
  },
];

test.each(rows)("$issues: $defence", ({ holds }) => holds());
