/**
 * The part of an exported stack that the check reads (pulumi/pulumi sdk/go/common/apitype/core.go: UntypedDeployment, DeploymentV3,
 * ResourceV3, OperationV2). Members that it doesn't name are ignored.
 */
export interface Exported {
  version: number;
  features?: string[];
  deployment: { resources?: Stored[]; pending_operations?: { type: string; resource: { urn: string } }[] };
}

/** A resource of a state. */
export interface Stored {
  urn: string;
  type: string;
  custom?: boolean;
  delete?: boolean;
  external?: boolean;
  protect?: boolean;
  retainOnDelete?: boolean;
  parent?: string;
  provider?: string;
  deletedWith?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  dependencies?: string[];
  aliases?: string[];
  ignoreChanges?: string[];
  replaceOnChanges?: string[];
  additionalSecretOutputs?: string[];
  propertyDependencies?: Record<string, string[] | null>;
  customTimeouts?: Record<string, number>;
}

// A Go program writes an empty list as null where it doesn't leave it out.
const texts = { type: ["array", "null"], items: { type: "string" } };
const flag = { type: "boolean" };
const text = { type: "string" };
const object = { type: ["object", "null"] };

const stored = {
  type: "object",
  required: ["urn", "type"],
  properties: {
    urn: { type: "string", pattern: "^urn:pulumi:[^:]*::[^:]*::[^:].*::" },
    type: { type: "string", minLength: 1 },
    ...{ custom: flag, delete: flag, external: flag, protect: flag, retainOnDelete: flag },
    ...{ parent: text, provider: text, deletedWith: text },
    ...{ inputs: object, outputs: object },
    ...{ dependencies: texts, aliases: texts, ignoreChanges: texts, replaceOnChanges: texts },
    additionalSecretOutputs: texts,
    propertyDependencies: { type: ["object", "null"], additionalProperties: texts },
    customTimeouts: { type: ["object", "null"], additionalProperties: { type: "number" } },
  },
};

export const exportedSchema = {
  type: "object",
  required: ["deployment"],
  properties: {
    features: texts,
    deployment: {
      type: "object",
      properties: {
        resources: { type: ["array", "null"], items: stored },
        pending_operations: {
          type: ["array", "null"],
          items: {
            type: "object",
            required: ["type", "resource"],
            properties: {
              type: text,
              resource: { type: "object", required: ["urn"], properties: { urn: stored.properties.urn } },
            },
          },
        },
      },
    },
  },
};
