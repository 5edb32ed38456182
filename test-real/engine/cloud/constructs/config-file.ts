import type { provider } from "../../../../cli/engine/proto";
import { Registrar } from "./registrar";

/** Definitions that the AWS Load Balancer Controller 3.5.0 ships (helm/aws-load-balancer-controller/crds/crds.yaml). */
const definitions: readonly string[] = ["ingressclassparams.elbv2.k8s.aws", "targetgroupbindings.elbv2.k8s.aws"];

/** `kubernetes.yaml.v2.ConfigFile`: one child for each document, named by the file's name in Pulumi and the object's own. */
export async function configFile(request: provider.ConstructRequest): Promise<provider.ConstructResponse> {
  const registrar = new Registrar(request);
  await registrar.open();
  for (const name of definitions) {
    await registrar.child(
      "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition",
      `${registrar.name}-${name}`,
      { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name } },
      { after: ["file"] },
    );
  }
  return registrar.close({});
}
