import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/** Annotation by which the controller knows that it need not look at a binding (pkg/targetgroupbinding; clearing it is the workaround of its issue 4343). */
export const checkpoint = "elbv2.k8s.aws/checkpoint";

/** Target group bindings, in the API of Kubernetes. */
export const bindings = { group: "elbv2.k8s.aws", resource: "targetgroupbindings" };

const kept = "it may only take the checkpoint away";

/**
 * Refuses every change of a binding by one user but that the checkpoint goes. Creating and deleting are up to the user's role, which
 * needs neither.
 *
 * @param userName who is fenced in, as the API server names them.
 */
export function checkpointFence(
  name: string,
  parent: pulumi.Resource,
  userName: pulumi.Output<string>,
): k8s.admissionregistration.v1.ValidatingAdmissionPolicyBinding {
  const policy = new k8s.admissionregistration.v1.ValidatingAdmissionPolicy(
    `${name}-fence`,
    {
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: [bindings.group],
              apiVersions: ["*"],
              operations: ["UPDATE"],
              resources: [bindings.resource, `${bindings.resource}/*`],
            },
          ],
        },
        matchConditions: [
          {
            name: "only-this-account",
            expression: userName.apply((user) => `request.userInfo.username == ${JSON.stringify(user)}`),
          },
        ],
        variables: [
          { name: "before", expression: "oldObject.metadata.?annotations.orValue({})" },
          { name: "after", expression: "object.metadata.?annotations.orValue({})" },
        ],
        validations: [
          { expression: "object.?spec == oldObject.?spec", message: `spec must stay: ${kept}` },
          { expression: "object.?status == oldObject.?status", message: `status must stay: ${kept}` },
          ...["labels", "finalizers", "ownerReferences"].map((field) => ({
            expression: `object.metadata.?${field} == oldObject.metadata.?${field}`,
            message: `metadata.${field} must stay: ${kept}`,
          })),
          {
            expression: `!("${checkpoint}" in variables.after)`,
            message: `the checkpoint must go: ${kept}`,
          },
          {
            expression:
              "variables.after.all(key, key in variables.before && variables.after[key] == variables.before[key])",
            message: `no annotation may be added or changed: ${kept}`,
          },
          {
            expression: `variables.before.all(key, key == "${checkpoint}" || key in variables.after)`,
            message: `other annotations must stay: ${kept}`,
          },
        ],
      },
    },
    { parent },
  );
  return new k8s.admissionregistration.v1.ValidatingAdmissionPolicyBinding(
    `${name}-fence-binding`,
    { spec: { policyName: policy.metadata.name, validationActions: ["Deny"] } },
    { parent },
  );
}
