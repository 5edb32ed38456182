import { createHook } from "node:async_hooks";
import { gzipSync } from "node:zlib";
import { asset } from "@pulumi/pulumi";
import { carriersCanBeSeen } from "../../../policy/rules/carriers/carriers-can-be-seen";
import { noTargetRegistrationInScripts } from "../../../policy/rules/carriers/no-target-registration-in-scripts";
import { checkResource, unknown } from "../../support/policy";
import { ok } from "../../support/verdicts";

const command = "command:local:Command";

describe("no-target-registration-in-scripts", () => {
  const check = (props: Record<string, unknown>, type = command, config?: object) =>
    checkResource(noTargetRegistrationInScripts, { type, name: "r", props }, config);
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const call = "aws elbv2 register-targets --target-group-arn $TG --targets Id=10.0.1.17";

  // Spellings: AWS CLI, botocore, @aws-sdk/client-elastic-load-balancing-v2, aws-sdk-go-v2, AWS SDK for .NET, the query API, Step Functions'
  // SDK integrations, AWS.Tools.ElasticLoadBalancingV2, terraform-provider-aws, community.aws.
  test.each([
    call,
    'boto3.client("elbv2").register_targets(TargetGroupArn=tg)',
    'client._make_api_call("RegisterTargets", request)',
    "await client.send(new RegisterTargetsCommand(input))",
    "elbv2.registerTargets(params).promise()",
    "svc.RegisterTargets(ctx, &input)",
    "await elb.RegisterTargetsAsync(request)",
    "curl -d 'Action=RegisterTargets&TargetGroupArn=...'",
    "arn:aws:states:::aws-sdk:elasticloadbalancingv2:registerTargets",
    "arn:aws:states:::aws-sdk:vpclattice:registerTargets",
    "Register-ELB2Target -TargetGroupArn $tg",
    'resource "aws_lb_target_group_attachment" "web" {}',
    "new aws.lb.TargetGroupAttachment('web', {})",
    "- community.aws.elb_target:\n    target_id: 10.0.1.17",
    "kubectl apply -f - <<EOF\nkind: Endpoints\nEOF",
    "kubectl -n shop patch endpoints web -p '{\"subsets\": []}'",
    'command: ["kubectl", "replace", "endpointslice", "web-1"]',
    'CoreV1Api().create_namespaced_endpoints("shop", body)',
    "core.patchNamespacedEndpointSlice(name, namespace, body)",
    "aws cloudcontrol create-resource --type-name AWS::ElasticLoadBalancingV2::TargetGroup --desired-state '{\"Targets\": []}'",
    "- action: aws:executeAwsApi\n  inputs:\n    Service: elbv2\n    Api: RegisterTargets",
    '{\\"service\\":\\"elastic-load-balancing-v2\\",\\"action\\":\\"RegisterTargets\\"}',
    "aws elbv2 register-\\\n    targets --targets Id=10.0.1.17",
    "aws elbv2 reg''ister-targets",
    'client["register" + "Targets"](input)',
    `echo ${base64(call)} | base64 -d | sh`,
    gzipSync(call).toString("base64"),
    base64(`#cloud-config\nwrite_files:\n- encoding: b64\n  content: ${base64(call)}\n`),
    `base64 -d <<EOF | sh\n${base64(`export AWS_REGION=eu-west-1 AWS_OUTPUT=json;aws elbv2 ${call.slice(10)}`).replace(/(.{76})/g, "$1\n")}\nEOF`,
    Buffer.from(call, "utf16le").toString("base64"),
  ])("%j is found", (create) => {
    const { violations, undecided } = check({ create });
    expect(violations).toHaveLength(1);
    expect(violations[0]!.message).toMatch(/^create runs "[\w-]+.*". Remove it: .*TargetGroupBinding/);
    expect(violations[0]!.message).not.toContain("10.0.1.17");
    expect(undecided).toBeUndefined();
  });

  test.each([
    "aws elbv2 deregister-targets --target-group-arn $TG",
    "elbv2.deregisterTargets(params)",
    "new DeregisterTargetsCommand(input)",
    'Action: ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"]',
    '"Action": "vpc-lattice:RegisterTargets"',
    'eventName: ["RegisterTargets"]',
    "kubectl get endpoints web -o yaml && kubectl patch service web -p '{}'",
    "kubectl patch deployment web -p '{}'; kubectl get endpointslices",
    "aws cloudcontrol create-resource --type-name AWS::ElasticLoadBalancingV2::TargetGroup --desired-state '{}'",
    'sum(aws_api_calls_total{operation=~"RegisterTargets|DeregisterTargets"})',
    "# register-targets is the controller's",
    "  // registerTargets is the controller's",
    "- community.aws.elb_target_group:\n    name: web",
    "node register.js",
    gzipSync("#!/bin/sh\necho fine").toString("base64"),
    `H4sI${"A".repeat(60)}`, // begins like gzip, and isn't
  ])("%j isn't a call", (create) => {
    expect(check({ create })).toEqual(ok);
  });

  test.each<[string, Record<string, unknown>, string]>([
    [command, { environment: { SCRIPT: call } }, "environment.SCRIPT"],
    [
      "kubernetes:batch/v1:CronJob",
      { spec: { jobTemplate: { spec: { template: { spec: { initContainers: [{ args: ["-c", call] }] } } } } } },
      "spec.jobTemplate.spec.template.spec.initContainers[0].args[1]",
    ],
    [
      "kubernetes:apps/v1:DeploymentPatch",
      { spec: { template: { spec: { containers: [{ lifecycle: { postStart: { exec: { command: [call] } } } }] } } } },
      "spec.template.spec.containers[0].lifecycle.postStart.exec.command[0]",
    ],
    ["kubernetes:core/v1:Secret", { stringData: { "r.sh": call } }, "stringData.r.sh"],
    ["kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", { spec: { userData: call } }, "spec.userData"],
    [
      "kubernetes:argoproj.io/v1alpha1:Workflow",
      { spec: { templates: [{ script: { source: call } }] } },
      "spec.templates[0].script.source",
    ],
    [
      "aws:cloudformation/stack:Stack",
      {
        templateBody: JSON.stringify({
          Resources: { F: { Properties: { Code: { ZipFile: "elb.register_targets(x)" } } } },
        }),
      },
      "templateBody",
    ],
  ])("%s: %j", (type, props, path) => {
    const { violations } = check(props, type);
    expect(violations).toHaveLength(1);
    expect(violations[0]!.message.startsWith(`${path} runs`)).toBe(true);
  });

  test("the text of an asset is searched, also inside an archive", () => {
    const text = new asset.StringAsset("client.register_targets(x)");
    const code = new asset.AssetArchive({ "index.py": text, lib: new asset.FileArchive("./lib") });
    expect(check({ code }, "aws:lambda/function:Function").violations).toHaveLength(1);
    expect(check({ source: text }, "aws:s3/bucketObjectv2:BucketObjectv2").violations).toHaveLength(1);
  });

  test("a target group and an address given to code that nobody sees", () => {
    const dynamic = "pulumi-nodejs:dynamic/shop:Register";
    const given = { targetGroupArn: unknown, targets: [{ ip: "10.0.1.17" }] };
    expect(check(given, dynamic).violations[0]!.message).toContain(
      "hands a target group and the IP address 10.0.1.17 to code",
    );
    expect(check({ ip: "10.0.1.17" }, dynamic)).toEqual(ok);
    expect(check({ targetGroupArn: unknown, cidr: "10.0.0.0/16" }, dynamic)).toEqual(ok);
    const input = JSON.stringify({ TargetGroup: "web", Ips: "10.0.1.17,10.0.1.18" });
    expect(check({ input }, "aws:lambda/invocation:Invocation").violations).toHaveLength(1);
    expect(check(given, "acme:shop:Register")).toEqual(ok); // of a resource nobody knows whether it is code
  });

  test("alsoSearch adds types", () => {
    const type = "github:index/repositoryFile:RepositoryFile";
    expect(check({ content: call }, type)).toEqual(ok);
    expect(check({ content: call }, type, { alsoSearch: ["github:*"] }).violations).toHaveLength(1);
  });

  test("a script that isn't known is advisory, or a violation if configured so, and hides nothing", () => {
    expect(check({ create: unknown }).undecided).toContain("create");
    expect(check({ create: unknown }, command, { unknownValues: "violation" }).violations).toHaveLength(1);
    const beside = check({ create: unknown, update: call });
    expect(beside.violations).toHaveLength(1);
    expect(beside.undecided).toContain("create");
    expect(check({ create: "sh", environment: { TG: unknown } })).toEqual(ok);
  });
});

describe("carriers-can-be-seen", () => {
  // As the SDK does in a running pack. From then on promises show more of themselves.
  const following = createHook({ init: () => undefined }).enable();
  afterAll(() => following.disable());

  const check = (type: string, props: Record<string, unknown>, config?: object) =>
    checkResource(carriersCanBeSeen, { type, name: "r", props }, config);
  const release = "kubernetes:helm.sh/v3:Release";
  const lambda = "aws:lambda/function:Function";

  test.each<[string, Record<string, unknown>, string]>([
    [
      "aws:cloudformation/stack:Stack",
      { templateUrl: "https://a.example.com/t.yaml?sig=hush" },
      "https://a.example.com/t.yaml",
    ],
    ["aws:servicecatalog/product:Product", { provisioningArtifactParameters: { templateUrl: "s3://t" } }, "s3://t"],
    [release, { chart: "shop" }, "shop"],
    [lambda, { s3Bucket: "code", s3Key: "shop.zip" }, "shop.zip"],
    [lambda, { code: new asset.FileArchive("./shop") }, "./shop"],
    [lambda, { code: new asset.AssetArchive({ a: new asset.FileAsset("./a.py") }) }, "./a.py"],
    ["pulumi-nodejs:dynamic:Resource", {}, "pulumi-nodejs:dynamic:Resource"],
    ["pulumi-python:dynamic/shop:Register", {}, "pulumi-python:dynamic/shop:Register"],
  ])("%s with %j is listed, until its source is allowed", (type, props, source) => {
    const { violations } = check(type, props);
    expect(violations).toHaveLength(1);
    expect(violations[0]!.message).toContain(`"allowedSources": ["${source}"]`);
    expect(violations[0]!.message).not.toContain("hush");
    expect(check(type, props, { allowedSources: [source] })).toEqual(ok);
    expect(check(type, props, { allowedSources: ["*"] })).toEqual(ok);
  });

  test("a package is listed also while something follows promises, which then look different to a debugger", () => {
    const hook = createHook({ init: () => undefined }).enable();
    const { violations } = check(lambda, { code: new asset.FileArchive("./shop") });
    hook.disable();
    expect(violations).toHaveLength(1);
  });

  test("a source that isn't known is listed, too", () => {
    expect(check(release, { chart: unknown }).violations[0]!.message).toContain("isn't known yet");
  });

  test("what can be seen isn't listed, nor the controllers that Moorings installs, nor other types", () => {
    expect(check("aws:cloudformation/stack:Stack", { templateBody: "{}" })).toEqual(ok);
    expect(check(lambda, { code: new asset.AssetArchive({ a: new asset.StringAsset("x") }) })).toEqual(ok);
    expect(check(release, { chart: "aws-load-balancer-controller" })).toEqual(ok);
    expect(check(release, { chart: "oci://public.ecr.aws/karpenter/karpenter" })).toEqual(ok);
    expect(check("kubernetes:helm.sh/v4:Chart", { chart: "shop" }).notApplicable).toBe(true);
  });
});
