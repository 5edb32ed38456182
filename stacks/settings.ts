import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";
import { AlarmEndpointProtocol, LoadBalancerScheme, NodeArchitecture } from "../components";
import { problemsOf } from "./settings-problems";

const cidr = z.string().regex(/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/, "must be an IPv4 CIDR block such as 10.20.0.0/16");
const arn = (service: string) =>
  z
    .string()
    .regex(new RegExp(`^arn:[^:]+:${service}:[^:]*:\\d{12}:.+$`), `must be an ARN such as arn:aws:${service}:...`);
const zone = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, "must be the name of an availability zone such as eu-west-1a");

const nodes = z.strictObject({
  architecture: z.enum(NodeArchitecture).optional(),
  instanceTypes: z.array(z.string()).min(1).optional(),
  minSize: z.int().optional(),
  maxSize: z.int().optional(),
});

const endpoint = z.strictObject({ protocol: z.enum(AlarmEndpointProtocol), address: z.string().min(1) });

/** Every key of Pulumi.<stack>.yaml under `moorings:`. Unknown keys are errors: a misspelt one would silently keep a default. */
const schema = z.strictObject({
  network: z.strictObject({
    cidrBlock: cidr,
    availabilityZones: z.array(zone).min(2, "must name at least two zones").max(6),
    natGateways: z.enum(["single", "one-per-zone"]),
  }),
  alerts: z.strictObject({
    pageEndpoints: z
      .record(z.string(), endpoint)
      .refine((e) => Object.keys(e).length > 0, "must name somebody who is paged"),
    ticketEndpoints: z.record(z.string(), endpoint).default({}),
  }),
  cluster: z.strictObject({
    name: z.string(),
    kubernetesVersion: z.string('must be text: write "1.36" in quotes').optional(),
    apiAccessCidrs: z.array(cidr).min(1, "must name the networks that may reach the Kubernetes API"),
    admins: z
      .record(z.string(), arn("iam"))
      .refine((a) => Object.keys(a).length > 0, "must name somebody who may administer the cluster"),
    systemNodes: nodes.optional(),
    workloadNodes: nodes.optional(),
    logRetentionDays: z.int().default(90),
    deletionProtection: z.boolean().default(true),
  }),
  edge: z
    .strictObject({
      scheme: z.enum(LoadBalancerScheme),
      visitors: z.record(z.string(), cidr).refine((v) => Object.keys(v).length > 0, "must name who may visit"),
      certificateArn: arn("(acm|iam)").optional(),
      domain: z.string().optional(),
      zoneId: z.string().optional(),
      deletionProtection: z.boolean().default(true),
      web: z
        .strictObject({
          hosts: z.array(z.string()).min(1),
          image: z.string(),
          minReplicas: z.int().min(2),
          maxReplicas: z.int(),
        })
        .refine((w) => w.maxReplicas >= w.minReplicas, {
          path: ["maxReplicas"],
          message: "must be at least minReplicas",
        }),
    })
    .refine((e) => (e.certificateArn === undefined ? e.domain && e.zoneId : !e.domain && !e.zoneId), {
      path: ["certificateArn"],
      message: "give either certificateArn, or domain and zoneId to have a certificate made",
    }),
});

/** The configuration of one environment, checked and with defaults. */
export type Settings = z.infer<typeof schema> & { readonly region: string };

/**
 * Reads the configuration of a stack as one frozen object. All problems are reported at once, each with its key, and an unknown
 * key with the nearest right name.
 *
 * @param config all configuration by full key, as `pulumi.runtime.allConfig()` gives it.
 */
export function readSettings(config: Readonly<Record<string, string>>, project: string, stack: string): Settings {
  const prefix = `${project}:`;
  const problems: string[] = [];
  const own: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config)) {
    if (!key.startsWith(prefix)) continue;
    try {
      own[key.slice(prefix.length)] = JSON.parse(value);
    } catch {
      own[key.slice(prefix.length)] = value;
    }
  }
  const region = config["aws:region"];
  if (region === undefined) problems.push("aws:region: is missing; write the region, such as eu-west-1");

  const parsed = schema.safeParse(own);
  const elsewhere =
    parsed.data?.network.availabilityZones.filter((z) => region !== undefined && !z.startsWith(region)) ?? [];
  if (elsewhere.length > 0) {
    problems.push(`${prefix}network.availabilityZones: ${elsewhere.join(", ")} isn't in aws:region (${region ?? ""})`);
  }
  if (!parsed.success) problems.push(...problemsOf(schema, parsed.error.issues, prefix));
  if (problems.length > 0 || !parsed.success || region === undefined) {
    throw new pulumi.RunError(`Pulumi.${stack}.yaml is wrong:\n${problems.map((p) => `  - ${p}`).join("\n")}`);
  }
  return deepFreeze({ ...parsed.data, region });
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) deepFreeze(member as object);
  return Object.freeze(value);
}
