import { each, type Path } from "../../lib/paths";
import type { Carrier } from "./carrier";

const userData: Carrier = { scripts: [["userData"], ["userDataBase64"]] };
const containers: Carrier = { scripts: [["containerDefinitions"]] };
const task: Carrier = { texts: [["container"], ["containers"]] };
const service: Carrier = { texts: [["taskDefinitionArgs"]] };
const build: Path[] = [
  ["source", "buildspec"],
  ["secondarySources", each, "buildspec"],
];
const pipeline: Carrier = { texts: [["stages"]] };
const lifecycle: Carrier = { scripts: [["onCreate"], ["onStart"], ["studioLifecycleConfigContent"]] };
const batch: Carrier = {
  texts: [["containerProperties"], ["ecsProperties"], ["eksProperties"], ["nodeProperties"]],
};

/** What runs on machines and in functions. */
export const computeCarriers: readonly (readonly [string, Carrier])[] = [
  ["aws:ec2/instance:Instance", userData],
  ["aws:ec2/launchTemplate:LaunchTemplate", userData],
  ["aws:ec2/launchConfiguration:LaunchConfiguration", userData],
  ["aws:ec2/spotInstanceRequest:SpotInstanceRequest", userData],
  ["aws:ec2/spotFleetRequest:SpotFleetRequest", { scripts: [["launchSpecifications", each, "userData"]] }],
  ["aws:lightsail/instance:Instance", userData],
  ["aws-native:ec2:Instance", userData],
  ["aws-native:ec2:LaunchTemplate", { scripts: [["launchTemplateData", "userData"]] }],
  ["aws-native:autoscaling:LaunchConfiguration", userData],
  ["aws-native:lightsail:Instance", userData],
  ["aws:imagebuilder/component:Component", { scripts: [["data"]], elsewhere: [["uri"]] }],
  ["aws-native:imagebuilder:Component", { scripts: [["data"]], elsewhere: [["uri"]] }],
  ["aws:sagemaker/notebookInstanceLifecycleConfiguration:NotebookInstanceLifecycleConfiguration", lifecycle],
  ["aws:sagemaker/studioLifecycleConfig:StudioLifecycleConfig", lifecycle],
  [
    "aws:lambda/function:Function",
    { texts: [["code"], ["environment"]], elsewhere: [["code"], ["s3Key"], ["imageUri"]] },
  ],
  ["aws:lambda/layerVersion:LayerVersion", { texts: [["code"]], elsewhere: [["code"], ["s3Key"]] }],
  [
    "aws-native:lambda:Function",
    {
      scripts: [["code", "zipFile"]],
      texts: [["environment"]],
      elsewhere: [
        ["code", "s3Key"],
        ["code", "imageUri"],
      ],
    },
  ],
  ["aws:lambda/invocation:Invocation", { scripts: [["input"]], given: [["input"]] }],
  ["aws:ecs/taskDefinition:TaskDefinition", containers],
  ["aws:ecs/daemonTaskDefinition:DaemonTaskDefinition", containers],
  ["aws-native:ecs:TaskDefinition", { texts: [["containerDefinitions"]] }],
  ["aws-native:ecs:DaemonTaskDefinition", { texts: [["containerDefinitions"]] }],
  ["awsx:ecs:FargateTaskDefinition", task],
  ["awsx:ecs:EC2TaskDefinition", task],
  ["awsx:ecs:FargateService", service],
  ["awsx:ecs:EC2Service", service],
  ["aws:batch/jobDefinition:JobDefinition", batch],
  ["aws-native:batch:JobDefinition", batch],
  ["aws:codepipeline/pipeline:Pipeline", pipeline], // the action Commands runs a shell
  ["aws-native:codepipeline:Pipeline", pipeline],
  ["aws:codebuild/project:Project", { scripts: build, texts: [["environment"]] }],
];
