import type { provider } from "../../../../cli/engine/proto";
import type { Cloud } from "../cloud";
import { configFile } from "./config-file";
import { eksCluster } from "./eks-cluster";
import { targetGroupAttachment } from "./target-group-attachment";
import { vpc } from "./vpc";

const components: Readonly<
  Record<string, (request: provider.ConstructRequest, cloud: Cloud) => Promise<provider.ConstructResponse>>
> = {
  "awsx:ec2:Vpc": vpc,
  "awsx:lb:TargetGroupAttachment": targetGroupAttachment,
  "eks:index:Cluster": eksCluster,
  "kubernetes:yaml/v2:ConfigFile": configFile,
};

/** Makes a remote component: registers its children with the engine, as the component's own provider would. */
export function construct(request: provider.ConstructRequest, cloud: Cloud): Promise<provider.ConstructResponse> {
  const make = components[request.getType()];
  if (make === undefined) throw new Error(`the simulated cloud has no component ${request.getType()}`);
  return make(request, cloud);
}
