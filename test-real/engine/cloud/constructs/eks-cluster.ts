import type { provider } from "../../../../cli/engine/proto";
import { type JsonObject, unknown } from "../../../../cli/engine/values";
import type { Cloud } from "../cloud";
import { text } from "../plain";
import { type Child, outputOf, reference, Registrar } from "./registrar";

const trust = JSON.stringify({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service: "eks.amazonaws.com" }, Action: "sts:AssumeRole" }],
});
const clusterPolicy = "arn:aws:iam::aws:policy/AmazonEKSClusterPolicy";

/**
 * The children of `eks.Cluster` for the arguments that EksCluster gives (`@pulumi/eks` 4.3.0, seen with its own provider in the real
 * engine): role and attachment, cluster, access entries, and no node group, security group or add-on.
 */
export async function eksCluster(
  request: provider.ConstructRequest,
  cloud: Cloud,
): Promise<provider.ConstructResponse> {
  const registrar = new Registrar(request);
  const { name, inputs } = registrar;
  await registrar.open();

  const service = await registrar.child("eks:index:ServiceRole", `${name}-eksRole`, {}, { custom: false });
  const role = await registrar.child(
    "aws:iam/role:Role",
    `${name}-eksRole-role`,
    { assumeRolePolicy: trust, description: "Allows EKS to manage clusters on your behalf." },
    { parent: service.urn },
  );
  const attachment = await registrar.child(
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
    `${name}-eksRole-4b490823`,
    { role: role.id, policyArn: clusterPolicy },
    { parent: service.urn, after: [role] },
  );
  const cluster = await registrar.child("aws:eks/cluster:Cluster", `${name}-eksCluster`, clusterInputs(inputs, role), {
    after: [
      role,
      attachment,
      "privateSubnetIds",
      "publicSubnetIds",
      "encryptionConfigKeyArn",
      "vpcId",
      "name",
      "version",
    ],
  });
  const clusterName = outputOf(cluster, "name");
  const entries = Object.entries((inputs["accessEntries"] ?? {}) as Record<string, JsonObject>);
  for (const [key, entry] of entries) {
    const { accessPolicies, ...rest } = entry;
    const made = await registrar.child(
      "aws:eks/accessEntry:AccessEntry",
      `${name}-${key}`,
      { ...rest, clusterName },
      { after: [cluster] },
    );
    for (const [policy, association] of Object.entries((accessPolicies ?? {}) as Record<string, JsonObject>)) {
      await registrar.child(
        "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
        `${name}-${key}-${policy}`,
        { ...association, clusterName, principalArn: rest["principalArn"] ?? null },
        { after: [cluster, made] },
      );
    }
  }
  const endpoint = outputOf(cluster, "endpoint");
  const issuer = outputOf(cluster, "identities", 0, "oidcs", 0, "issuer");
  const from = [cluster];
  return registrar.close({
    eksCluster: { value: reference(cluster), from },
    kubeconfigJson: { value: endpoint === unknown ? unknown : (cloud.kubeconfig ?? kubeconfig(text(endpoint))), from },
    oidcIssuer: { value: issuer === unknown ? unknown : text(issuer).replace("https://", ""), from },
  });
}

function clusterInputs(inputs: JsonObject, role: Child): JsonObject {
  const subnetIds = inputs["privateSubnetIds"] ?? [];
  return {
    ...pick(inputs, [
      "name",
      "version",
      "enabledClusterLogTypes",
      "bootstrapSelfManagedAddons",
      "upgradePolicy",
      "tags",
      "deletionProtection",
    ]),
    roleArn: outputOf(role, "arn"),
    accessConfig: {
      authenticationMode: inputs["authenticationMode"] ?? null,
      bootstrapClusterCreatorAdminPermissions: true,
    },
    encryptionConfig: { provider: { keyArn: inputs["encryptionConfigKeyArn"] ?? null }, resources: ["secrets"] },
    vpcConfig: { subnetIds, ...pick(inputs, ["endpointPrivateAccess", "endpointPublicAccess", "publicAccessCidrs"]) },
  };
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "kubernetes", cluster: { server } }],
    contexts: [{ name: "aws", context: { cluster: "kubernetes", user: "aws" } }],
    "current-context": "aws",
  });
}
