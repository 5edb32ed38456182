import { each } from "../../lib/paths";
import { typeOf } from "../../lib/tokens";
import type { Carrier } from "./carrier";
import { computeCarriers } from "./compute-carriers";
import { kubernetesCarrier } from "./kubernetes-carriers";

const template: Carrier = {
  scripts: [["templateBody"]],
  templates: [["templateBody"]],
  parameters: ["parameters"],
  elsewhere: [["templateUrl"]],
};
const provisioned: Carrier = { elsewhere: [["productId"], ["productName"]] };
const stored: Carrier = {
  texts: [["content"], ["contentBase64"], ["source"]],
  manifests: [["content"]],
};
const definition: Carrier = { scripts: [["definition"], ["definitionString"], ["definitionSubstitutions"]] };
const schedule: Carrier = {
  scripts: [["target", "input"]],
  texts: [["target", "arn"]],
};
const automation: Carrier = { scripts: [["content"]] };
const command: Carrier = {
  scripts: ["create", "update", "delete", "stdin", "interpreter"].map((name) => [name]),
  texts: [["environment"]],
};
const restApi: Carrier = { texts: [["body"]] };
const resolver: Carrier = { scripts: [["code"], ["requestTemplate"], ["requestMappingTemplate"]] };

/** Tokens in the form of {@link typeOf}: `@pulumi/aws` 7.48.0, `@pulumi/aws-native` 1.79.0, `@pulumi/command` 1.2.1. */
const carriers: ReadonlyMap<string, Carrier> = new Map<string, Carrier>([
  ...computeCarriers,
  ["aws:cloudformation/stack:Stack", template],
  ["aws:cloudformation/stackSet:StackSet", template],
  ["aws-native:cloudformation:Stack", template],
  ["aws-native:cloudformation:StackSet", template],
  ["aws-native:cloudformation:ChangeSet", template],
  ["aws-native:cloudformation:ModuleVersion", { elsewhere: [["modulePackage"]] }],
  [
    "aws-native:cloudformation:CustomResourceEmulator",
    { scripts: [["customResourceProperties"]], given: [["customResourceProperties"]], elsewhere: [["serviceToken"]] },
  ],
  ["aws:cloudcontrol/resource:Resource", { typed: { type: ["typeName"], properties: ["desiredState"] } }],
  ["aws-native:index:ExtensionResource", { typed: { type: ["type"], properties: ["properties"] } }],
  [
    "aws:servicecatalog/product:Product",
    {
      elsewhere: [
        ["provisioningArtifactParameters", "templateUrl"],
        ["provisioningArtifactParameters", "templatePhysicalId"],
      ],
    },
  ],
  [
    "aws:servicecatalog/provisioningArtifact:ProvisioningArtifact",
    { elsewhere: [["templateUrl"], ["templatePhysicalId"]] },
  ],
  ["aws:servicecatalog/provisionedProduct:ProvisionedProduct", provisioned],
  [
    "aws-native:servicecatalog:CloudFormationProduct",
    { elsewhere: [["provisioningArtifactParameters", each, "info"], ["sourceConnection"]] },
  ],
  ["aws-native:servicecatalog:CloudFormationProvisionedProduct", provisioned],
  ["aws:serverlessrepository/cloudFormationStack:CloudFormationStack", { elsewhere: [["applicationId"]] }],
  ["aws:s3/bucketObject:BucketObject", stored],
  ["aws:s3/bucketObjectv2:BucketObjectv2", stored],
  ["command:local:Command", command],
  ["command:remote:Command", command],
  ["aws:ssm/document:Document", automation],
  ["aws-native:ssm:Document", automation],
  ["aws:ssm/association:Association", { scripts: [["parameters"]] }],
  ["aws-native:ssm:Association", { scripts: [["parameters"]] }],
  ["aws:ssm/maintenanceWindowTask:MaintenanceWindowTask", { scripts: [["taskInvocationParameters"]] }],
  ["aws-native:ssm:MaintenanceWindowTask", { scripts: [["taskInvocationParameters"], ["taskParameters"]] }],
  ["aws:sfn/stateMachine:StateMachine", definition],
  ["aws-native:stepfunctions:StateMachine", { ...definition, elsewhere: [["definitionS3Location"]] }],
  ["aws:scheduler/schedule:Schedule", schedule],
  ["aws-native:scheduler:Schedule", schedule],
  ["aws:cloudwatch/eventTarget:EventTarget", { scripts: [["input"], ["inputTransformer"]], texts: [["arn"]] }],
  [
    "aws-native:events:Rule",
    {
      scripts: ["input", "inputTransformer"].map((name) => ["targets", each, name]),
      texts: [["targets", each, "arn"]],
    },
  ],
  ["aws:cloudwatch/eventApiDestination:EventApiDestination", { scripts: [["invocationEndpoint"]] }],
  ["aws-native:events:ApiDestination", { scripts: [["invocationEndpoint"]] }],
  ["aws:pipes/pipe:Pipe", { scripts: [["targetParameters"], ["enrichmentParameters"]] }],
  ["aws-native:pipes:Pipe", { scripts: [["targetParameters"], ["enrichmentParameters"]] }],
  ["aws:apigateway/integration:Integration", { scripts: [["uri"], ["requestParameters"], ["requestTemplates"]] }],
  ["aws:apigateway/restApi:RestApi", restApi],
  ["aws-native:apigateway:Method", { scripts: [["integration"]] }],
  ["aws-native:apigateway:RestApi", restApi],
  ["aws:appsync/function:Function", resolver],
  ["aws:appsync/resolver:Resolver", resolver],
  ["aws-native:appsync:FunctionConfiguration", resolver],
  ["aws-native:appsync:Resolver", resolver],
]);

/** Code in the state of the stack. The engine keeps it from policies, as all that begins with two underscores; they see what it is given. */
const dynamicProvider: Carrier = {
  texts: [[]],
  given: [[]],
  unseen: "its provider is code that the engine shows to no policy",
};

/** What resources of this type carry; undefined if it is nothing that acts. */
export function carrierOf(token: string): Carrier | undefined {
  if (/^pulumi-\w+:dynamic[:/]/.test(token)) return dynamicProvider;
  const type = typeOf(token);
  return carriers.get(type) ?? kubernetesCarrier(type);
}
