import { z } from "zod";
import type { LayerOwner } from "../owners";
import { mostZones } from "../subnets";
import {
  AlarmEndpointProtocol,
  AlarmSeverity,
  CapacityType,
  ChatService,
  LoadBalancerScheme,
  NodeArchitecture,
  type ChatChannel,
  type KarpenterNodePoolArgs,
} from "../../components";

const cidr = z.string().regex(/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/, "must be an IPv4 CIDR block such as 10.20.0.0/16");
const arn = (service: string) =>
  z
    .string()
    .regex(new RegExp(`^arn:[^:]+:${service}:[^:]*:\\d{12}:.+$`), `must be an ARN such as arn:aws:${service}:...`);
const zone = z
  .string()
  .regex(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, "must be the name of an availability zone such as eu-west-1a");
const atLeastOne = (message: string) => [(value: object) => Object.keys(value).length > 0, message] as const;

const systemNodes = z.strictObject({
  architecture: z.enum(NodeArchitecture).optional(),
  instanceTypes: z.array(z.string()).min(1).optional(),
  minSize: z.int().optional(),
  maxSize: z.int().optional(),
});

/** What both node pools have in common; the component checks the values. */
const nodePool = z.strictObject({
  architecture: z.enum(NodeArchitecture).default(NodeArchitecture.X86),
  instanceTypes: z.array(z.string()).min(1).optional(),
  limits: z.strictObject({ cpu: z.string(), memory: z.string(), nodes: z.int().optional() }),
  freezeWindows: z.array(z.strictObject({ scheduleUtc: z.string(), duration: z.string() })).default([]),
}) satisfies z.ZodType<Partial<KarpenterNodePoolArgs>>;

const endpoint = z.strictObject({ protocol: z.enum(AlarmEndpointProtocol), address: z.string().min(1) });
const pageEndpoints = z.record(z.string(), endpoint).refine(...atLeastOne("must name somebody who is paged"));
const ticketEndpoints = z.record(z.string(), endpoint).default({});
const owner = z.strictObject({ pageEndpoints, ticketEndpoints }).optional();
const chatChannel = z.strictObject({
  service: z.enum(ChatService),
  channelId: z.string(),
  workspaceId: z.string(),
  tenantId: z.string().optional(),
  severities: z.array(z.enum(AlarmSeverity)).min(1).optional(),
  owners: z.array(z.string()).min(1).optional(),
}) satisfies z.ZodType<ChatChannel>;
const podSize = z.strictObject({ cpu: z.string(), memoryMiB: z.int() });

const network = z
  .strictObject({
    availabilityZones: z
      .array(zone)
      .min(2, "must name at least two zones")
      .max(mostZones, `must name at most ${mostZones} zones: the VPC has room for no more`),
    cidrBlock: cidr.optional(),
    natGateways: z.enum(["single", "one-per-zone"]).optional(),
    existing: z
      .strictObject({
        vpcId: z.string(),
        publicSubnetIds: z.array(z.string()).min(2),
        privateSubnetIds: z.array(z.string()).min(2),
      })
      .optional(),
  })
  .refine((n) => (n.existing === undefined ? n.cidrBlock && n.natGateways : !n.cidrBlock && !n.natGateways), {
    path: ["cidrBlock"],
    message: "give cidrBlock and natGateways to have a VPC made, or existing to use one that is there",
  });

const cluster = z
  .strictObject({
    name: z.string(),
    kubernetesVersion: z.string('must be text: write "1.36" in quotes').optional(),
    apiAccessCidrs: z.array(cidr).default([]),
    privateApiAccessCidrs: z.array(cidr).default([]),
    admins: z.record(z.string(), arn("iam")).refine(...atLeastOne("must name somebody who may administer the cluster")),
    systemNodes: systemNodes.optional(),
    logRetentionDays: z.int().default(90),
    nodePools: z.strictObject({
      amiAlias: z.string(),
      general: nodePool.extend({ capacityTypes: z.array(z.enum(CapacityType)).min(1).optional() }),
      kafka: nodePool,
    }),
  })
  .refine((c) => c.apiAccessCidrs.length + c.privateApiAccessCidrs.length > 0, {
    path: ["apiAccessCidrs"],
    message:
      "name the networks that may reach the Kubernetes API from the internet, or in privateApiAccessCidrs those inside the VPC",
  });

const roles = z.array(z.string().min(1));

/** Who is no stranger to targets, rules and roles; roles by path and name (docs/registration-guard.md). */
const guards = z.strictObject({
  deployRoles: roles.min(1).default(["moorings-deployer"]),
  breakGlassRoles: roles.default([]),
  trailArn: arn("cloudtrail").optional(),
});

const edge = z
  .strictObject({
    scheme: z.enum(LoadBalancerScheme),
    visitors: z.record(z.string(), cidr).refine(...atLeastOne("must name who may visit")),
    certificateArn: arn("(acm|iam)").optional(),
    domain: z.string().optional(),
    zoneId: z.string().optional(),
    guards: guards.prefault({}),
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
  });

const kafka = z.strictObject({
  clusterId: z.string(),
  brokers: z.int().default(3),
  zones: z.int().min(2).max(3).default(3),
  brokerSize: podSize.default({ cpu: "500m", memoryMiB: 4096 }),
  brokerStorageGiB: z.int().optional(),
  controllerSize: podSize.default({ cpu: "250m", memoryMiB: 1024 }),
  controllerStorageGiB: z.int().optional(),
  retainVolumes: z.boolean().default(true),
});

/** Every key of Pulumi.<stack>.yaml under `moorings:`. Unknown keys are errors: a misspelt one would silently keep a default. */
export const schema = z.strictObject({
  environment: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be small letters, digits and single hyphens, such as dev"),
  protected: z.boolean().default(true),
  network,
  alerts: z.strictObject({
    pageEndpoints,
    ticketEndpoints,
    owners: z
      .strictObject({ loadBalancer: owner, cluster: owner, kafka: owner } satisfies Record<LayerOwner, typeof owner>)
      .default({}),
    chat: z.record(z.string(), chatChannel).default({}),
  }),
  cluster,
  edge,
  kafka,
});

/** The configuration of one environment, checked and with defaults. */
export type Settings = z.infer<typeof schema> & { readonly region: string };
