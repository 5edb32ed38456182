import { parseAllDocuments } from "yaml";
import type { ResourceRecord } from "./records";
import { type Json, type JsonObject, unknown } from "./values";

/** What an invoke may be answered from. */
export interface InvokeContext {
  /** Inputs of the provider that the invoke goes to: its region, its allowed accounts. */
  readonly provider: JsonObject;
  find(urn: string): ResourceRecord | undefined;
}

type Answer = (args: JsonObject, context: InvokeContext) => JsonObject;

/** Partition and DNS suffixes of a region, by the prefix of its name (AWS General Reference, "ARN format"). */
const partitions: readonly { prefix: string; partition: string; dnsSuffix: string; reverseDnsPrefix: string }[] = [
  { prefix: "cn-", partition: "aws-cn", dnsSuffix: "amazonaws.com.cn", reverseDnsPrefix: "cn.com.amazonaws" },
  { prefix: "us-gov-", partition: "aws-us-gov", dnsSuffix: "amazonaws.com", reverseDnsPrefix: "com.amazonaws" },
];
const commercial = { partition: "aws", dnsSuffix: "amazonaws.com", reverseDnsPrefix: "com.amazonaws" };

function regionOf(context: InvokeContext): string {
  const region = context.provider["region"];
  return typeof region === "string" ? region : unknown;
}

/** The account is known only when the configuration allows exactly one. */
function accountOf(context: InvokeContext): string {
  let allowed: Json | undefined = context.provider["allowedAccountIds"];
  if (typeof allowed === "string") allowed = JSON.parse(allowed) as Json;
  return Array.isArray(allowed) && allowed.length === 1 && typeof allowed[0] === "string" ? allowed[0] : unknown;
}

/** One statement of `aws.iam.getPolicyDocument`, rendered as the provider renders it: singletons as strings, conditions grouped. */
function statementJson(statement: JsonObject): JsonObject {
  const list = (value: Json | undefined): Json | undefined =>
    Array.isArray(value) && value.length === 1 ? value[0] : value;
  const principals = (value: Json | undefined): Json | undefined => {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const byType: JsonObject = {};
    for (const entry of value as { type: string; identifiers: Json[] }[])
      byType[entry.type] = list(entry.identifiers) ?? null;
    return "*" in byType ? "*" : byType;
  };
  const conditions: Record<string, JsonObject> = {};
  for (const c of (statement["conditions"] ?? []) as { test: string; variable: string; values: Json[] }[]) {
    (conditions[c.test] ??= {})[c.variable] = list(c.values) ?? null;
  }
  const rendered: Record<string, Json | undefined> = {
    Sid: statement["sid"],
    Effect: statement["effect"] ?? "Allow",
    Principal: principals(statement["principals"]),
    NotPrincipal: principals(statement["notPrincipals"]),
    Action: list(statement["actions"]),
    NotAction: list(statement["notActions"]),
    Resource: list(statement["resources"]),
    NotResource: list(statement["notResources"]),
    Condition: Object.keys(conditions).length === 0 ? undefined : conditions,
  };
  return Object.fromEntries(
    Object.entries(rendered).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}

const answers: Readonly<Record<string, Answer>> = {
  "pulumi:pulumi:getResource": (args, context) => {
    const { urn } = args as { urn: string };
    const found = context.find(urn);
    if (found === undefined) throw new Error(`no resource has the URN ${urn}`);
    return { urn, id: found.custom ? unknown : "", state: found.inputs };
  },
  "aws:index/getPartition:getPartition": (_, context) => {
    const region = regionOf(context);
    if (region === unknown) return { partition: unknown, dnsSuffix: unknown, reverseDnsPrefix: unknown, id: unknown };
    const found = partitions.find((p) => region.startsWith(p.prefix)) ?? commercial;
    return { ...found, id: found.partition };
  },
  "aws:index/getRegion:getRegion": (args, context) => {
    const asked = args["region"] ?? args["name"];
    const region = typeof asked === "string" && asked !== "" ? asked : regionOf(context);
    return {
      id: region,
      region,
      name: region,
      description: unknown,
      endpoint: region === unknown ? unknown : `ec2.${region}.amazonaws.com`,
    };
  },
  "aws:index/getCallerIdentity:getCallerIdentity": (_, context) => {
    const accountId = accountOf(context);
    return { id: accountId, accountId, arn: unknown, userId: unknown };
  },
  "aws:iam/getPolicyDocument:getPolicyDocument": (args) => {
    const statements = ((args["statements"] ?? []) as JsonObject[]).map(statementJson);
    if ("sourcePolicyDocuments" in args || "overridePolicyDocuments" in args) {
      return { id: unknown, json: unknown, minifiedJson: unknown };
    }
    const document = { Version: args["version"] ?? "2012-10-17", Statement: statements };
    return { id: unknown, json: JSON.stringify(document, null, 2), minifiedJson: JSON.stringify(document) };
  },
  "kubernetes:yaml:decode": (args) => {
    const documents = parseAllDocuments((args as { text?: string }).text ?? "");
    const problem = documents.flatMap((d) => d.errors)[0];
    if (problem !== undefined) throw new Error(`the YAML can't be read: ${problem.message}`);
    return { result: documents.map((d) => d.toJS() as Json).filter((d) => d !== null) };
  },
};

/** Reads of things that exist already (`aws.eks.getCluster`, `aws.ec2.getVpc`, ...): nothing of them is known offline. */
const lookUp = /^aws:[a-zA-Z0-9]+\/get[A-Z][a-zA-Z]*:get[A-Z][a-zA-Z]*$/;

/** Answers an invoke, or explains why it can't be answered offline. */
export function answerInvoke(token: string, args: JsonObject, context: InvokeContext): JsonObject {
  const answer = answers[token];
  if (answer !== undefined) return answer(args, context);
  const hint = lookUp.test(token)
    ? "It reads something that exists in AWS, and this check has no account."
    : "It needs a provider plugin, and this check runs none.";
  throw new Error(
    `can't be answered offline. ${hint} Give its result with --invoke ${token}=FILE (JSON of what it returns), or pass the value in as configuration`,
  );
}
