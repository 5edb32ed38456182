import certificates from "../../test/fixtures/crds/cert-manager.io_certificates.json";
import bindings from "../../test/fixtures/crds/elbv2.k8s.aws_targetgroupbindings.json";
import nodeClasses from "../../test/fixtures/crds/karpenter.k8s.aws_ec2nodeclasses.json";
import nodePools from "../../test/fixtures/crds/karpenter.sh_nodepools.json";
import type { ApiClient, KubernetesObject } from "./api-client";
import { eventually } from "./eventually";

/** What is read of a definition. */
export interface Definition extends KubernetesObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

/** Those that Helm charts bring in a real cluster. */
const ofCharts: readonly Definition[] = [bindings, certificates, nodeClasses, nodePools];

/** Installs custom resource definitions, and waits until they are served. */
export async function installDefinitions(client: ApiClient, definitions = ofCharts): Promise<void> {
  for (const definition of definitions) {
    const { status, body } = await client.apply(definition);
    if (status !== 201) throw new Error(`${definition.metadata.name}: ${String(body["message"])}`);
    const { group, names, versions } = definition.spec;
    for (const { name } of versions) {
      const isServed = () =>
        client.list(`${group}/${name}`, names.kind).then(
          () => true,
          () => false,
        );
      await eventually(isServed, (served) => served);
    }
  }
}
