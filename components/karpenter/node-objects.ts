import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { withResource } from "../internal/known";

/**
 * Makes Pulumi wait for the object's condition. Karpenter tries a dry run with AWS first, so a wrong role, image or group fails the
 * update that brought it.
 */
const waitForReady = { "pulumi.com/waitFor": "condition=Ready" };

/** An object of Karpenter's, but for its kind. */
interface NodeObject {
  readonly name: string;
  readonly labels?: Record<string, string>;
  readonly spec: pulumi.Inputs;
}

/** Makes an EC2NodeClass, and its name for pools: known in every preview, and with the class as what it depends on. */
export function classObject(resourceName: string, object: NodeObject, options: pulumi.CustomResourceOptions) {
  const nodeClass = make(resourceName, "karpenter.k8s.aws/v1", "EC2NodeClass", object, options);
  return { nodeClass, nodeClassName: withResource(object.name, nodeClass) };
}

/** Makes a NodePool. */
export function poolObject(resourceName: string, object: NodeObject, options: pulumi.CustomResourceOptions) {
  return make(resourceName, "karpenter.sh/v1", "NodePool", object, options);
}

function make(
  resourceName: string,
  apiVersion: string,
  kind: string,
  { name, labels, spec }: NodeObject,
  options: pulumi.CustomResourceOptions,
) {
  return new k8s.apiextensions.CustomResource(
    resourceName,
    { apiVersion, kind, metadata: { name, annotations: waitForReady, labels }, spec },
    options,
  );
}
