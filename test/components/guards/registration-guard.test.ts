import {
  AwsPartition,
  GuardForm,
  RegistrationGuard,
  registrationGuardDocuments,
  type RegistrationGuardArgs,
  type RegistrationGuardDocumentsArgs,
} from "../../../components/guards";
import { run } from "../../support/harness";
import { allows, type Principal, type Question } from "../../support/iam";
import { providerState } from "../../support/provider-state";

/*
 * Who may do what under the guard, judged by an evaluator of IAM policies: everybody here has `Allow *`, so each "no" is the guard's.
 */

const account = "123456789012";
const role = (name: string, session?: string, of = account): Principal => ({
  arn: `arn:aws:iam::${of}:role/${name}`,
  session,
});
const tag = "moorings-target-registration";
const targetGroup = `arn:aws:elasticloadbalancing:eu-west-1:${account}:targetgroup/web/73e2d6bc24d8a067`;
const tagged = (cluster: string) => ({ [`aws:ResourceTag/${tag}`]: cluster });
const iam = (rest: string) => `arn:aws:iam::${account}:${rest}`;
const controllerRole = iam("role/moorings/shop/lbc-role-1a2b3c4");
const elb = (action: string) => `elasticloadbalancing:${action}`;

type Deed = Pick<Question, "action" | "resource" | "context">;
const tagKeys = (action: string, keys: string[]): Deed => ({
  action: elb(action),
  // The evaluator's data knows AddTags and RemoveTags of load balancers only; the statement is for whatever can have tags.
  resource: action === "CreateTargetGroup" ? targetGroup : targetGroup.replace(/targetgroup.*/, "loadbalancer/web"),
  context: { "aws:TagKeys": keys },
});
const change = (action: string, resource = controllerRole): Deed => ({ action: `iam:${action}`, resource });

/** What is tried. */
const deeds = {
  "register: shop's group": { action: elb("RegisterTargets"), resource: targetGroup, context: tagged("shop") },
  "deregister: shop's group": { action: elb("DeregisterTargets"), resource: targetGroup, context: tagged("shop") },
  "register: blog's group": { action: elb("RegisterTargets"), resource: targetGroup, context: tagged("blog") },
  "register: untagged group": { action: elb("RegisterTargets"), resource: targetGroup },
  "tag: set": tagKeys("AddTags", ["team", tag]),
  "tag: removed": tagKeys("RemoveTags", [tag]),
  "tag: in capitals": tagKeys("AddTags", [tag.toUpperCase()]),
  "tag: on a new group": tagKeys("CreateTargetGroup", [tag]),
  "tag: another": tagKeys("AddTags", ["team"]),
  "path: role made": change("CreateRole", iam("role/moorings/shop/another")),
  "path: trust": change("UpdateAssumeRolePolicy"),
  "path: policy attached": change("AttachRolePolicy"),
  "path: policy put": change("PutRolePolicy"),
  "path: boundary removed": change("DeleteRolePermissionsBoundary"),
  "path: role deleted": change("DeleteRole"),
  "path: role passed": change("PassRole"),
  "path: policy changed": change("CreatePolicyVersion", iam("policy/moorings/shop/lbc-policy-1a2b3c4")),
  "guard: policy changed": change("CreatePolicyVersion", iam("policy/moorings/guards/guard-deny-1a2b3c4")),
  "exempt: role made": change("CreateRole", iam("role/breakglass-mine")),
  "exempt: trust": change("UpdateAssumeRolePolicy", iam("role/moorings-deployer")),
  "other: role made": change("CreateRole", iam("role/service/batch")),
  "other: path read": change("GetRole"),
  "other: targets read": { action: elb("DescribeTargetHealth"), resource: "*" },
} satisfies Record<string, Deed>;
type DeedName = keyof typeof deeds;
const named = (area: string) => (Object.keys(deeds) as DeedName[]).filter((name) => name.startsWith(area));

/** What the guard leaves to everybody. */
const anybodys: DeedName[] = ["register: untagged group", "tag: another", ...named("other:")];
const shops: DeedName[] = ["register: shop's group", "deregister: shop's group"];
const blogs: DeedName[] = ["register: blog's group"];
const tags: DeedName[] = ["tag: set", "tag: removed", "tag: in capitals", "tag: on a new group"];
const identities: DeedName[] = [...named("path:"), ...named("guard:"), ...named("exempt:")];

const args: RegistrationGuardDocumentsArgs = {
  clusterNames: ["shop", "blog"],
  deployRoles: ["moorings-deployer"],
  breakGlassRoles: ["breakglass-*"],
};

/** Who tries, and what of the guarded they may. */
const table: [string, Principal, DeedName[]][] = [
  ["the controller", role("moorings/shop/lbc-role-1a2b3c4", "1765000000"), shops],
  ["another cluster's controller", role("moorings/blog/lbc-role-5e6f7a8", "1765000000"), blogs],
  ["a role of the controller's name, elsewhere", role("lbc-role-1a2b3c4", "jane"), []],
  ["a role under a path that only begins like it", role("moorings/shop-2/lbc-role-1a2b3c4", "jane"), []],
  ["a role that has the path in its name's middle", role("x/moorings/shop/lbc-role-1a2b3c4", "jane"), []],
  [
    "an administrator by single sign-on",
    role("aws-reserved/sso.amazonaws.com/eu-west-1/AWSReservedSSO_AdministratorAccess_0123456789abcdef", "jane"),
    [],
  ],
  ["a user with all rights", { arn: iam("user/jane") }, []],
  ["root of a member account", { arn: iam("root") }, []],
  ["the deployment", role("moorings-deployer", "ci-4711"), [...tags, ...identities]],
  // 23:42 of the first outage: nothing else could have ended it.
  ["whoever took the break-glass role at 23:42", role("breakglass-night", "jane"), [...shops, ...blogs, ...tags]],
  ["a role that is only called like it, under a path", role("team/breakglass-night", "jane"), []],
  ["the cluster's role", role("shop-cluster-0a1b2c3", "AmazonEKS"), []],
];

const documents = registrationGuardDocuments(args);
const forms = {
  "service control policy": { serviceControlPolicy: documents.serviceControlPolicy },
  "permissions boundary": { permissionsBoundary: documents.permissionsBoundary },
  "identity policy": { identityPolicy: documents.identityPolicy },
};
/** Condition keys that requests of a bounded principal carry when it hands its boundary on. */
const handsOn = { "iam:PermissionsBoundary": iam("policy/moorings/guards/guard-boundary-1a2b3c4") };

async function may(principal: Principal, policies: Partial<Question>, names = Object.keys(deeds) as DeedName[]) {
  const answers = await Promise.all(
    names.map(async (name) => {
      const deed: Deed = deeds[name];
      const boundary =
        policies.permissionsBoundary !== undefined && /CreateRole|UpdateAssume/.test(deed.action) ? handsOn : {};
      return (await allows({ principal, ...deed, ...policies, context: { ...deed.context, ...boundary } })) ? name : [];
    }),
  );
  return answers.flat().sort();
}

const one: DeedName[] = [
  "register: shop's group",
  "register: untagged group",
  "tag: removed",
  "path: trust",
  "exempt: role made",
  "other: targets read",
];

describe.each(Object.entries(forms))("by the %s", (form, policies) => {
  const organization = form === "service control policy";
  // Root has no boundary and no policies: only the organization binds it.
  const bound = organization ? table : table.filter(([who]) => !who.startsWith("root"));
  // The forms have the same statements about these, so one of each kind is enough for the others.
  const tried = organization ? (Object.keys(deeds) as DeedName[]) : one;
  test.each(bound)("%s", async (_, principal, guarded) => {
    const expected = [...anybodys, ...guarded].filter((name) => tried.includes(name));
    expect(await may(principal, policies, tried)).toEqual(expected.sort());
  });
});

describe("who is not bound", () => {
  test("ECS's service-linked role registers its own targets, by AWS's rule; reported by TamperDetection", async () => {
    const ecs = role("aws-service-role/ecs.amazonaws.com/AWSServiceRoleForECS", "ecs-service-scheduler");
    const { serviceControlPolicy } = documents;
    expect(await may(ecs, { serviceControlPolicy }, ["register: untagged group", ...shops])).toEqual(
      [...shops, "register: untagged group"].sort(),
    );
  });

  test("a cluster's role registers by itself only where it is said", async () => {
    const { serviceControlPolicy } = registrationGuardDocuments({
      ...args,
      registeringClusterRoles: ["shop-cluster-*"],
    });
    expect(await may(role("shop-cluster-0a1b2c3"), { serviceControlPolicy })).toEqual(
      [...anybodys, ...shops, ...blogs].sort(),
    );
    const trust: Deed = change("UpdateAssumeRolePolicy", iam("role/shop-cluster-0a1b2c3"));
    expect(await allows({ principal: role("admin"), ...trust, serviceControlPolicy })).toBe(false);
  });

  test("a role of the same path in another account gets at no group of this one, guard or not", async () => {
    const stranger = role("moorings/shop/lbc-role-1a2b3c4", "1765000000", "210987654321");
    expect(await may(stranger, {}, [...shops, "register: untagged group"])).toEqual([]);
  });
});

test("nobody frees a group of its tag to register to it", async () => {
  const { serviceControlPolicy } = documents;
  const principal = role("admin", "jane");
  const untagged = await allows({ principal, ...deeds["tag: removed"], serviceControlPolicy });
  const left = untagged ? undefined : deeds["register: shop's group"].context;
  const register = { ...deeds["register: shop's group"], context: left };
  expect(await allows({ principal, ...register, serviceControlPolicy })).toBe(false);
});

test("without names every cluster is guarded, and each controller may", async () => {
  const { serviceControlPolicy } = registrationGuardDocuments({ ...args, clusterNames: undefined });
  expect(await may(role("moorings/any/lbc-role"), { serviceControlPolicy })).toEqual(
    [...anybodys, ...shops, ...blogs].sort(),
  );
  expect(await may(role("admin"), { serviceControlPolicy })).toEqual([...anybodys].sort());
  expect(await may(role("moorings-deployer"), { serviceControlPolicy })).toEqual(
    [...anybodys, ...tags, ...identities].sort(),
  );
});

describe("the forms that bind those who have them can't be shaken off", () => {
  const boundary = iam("policy/moorings/guards/guard-boundary-1a2b3c4");
  const own = iam("role/admin");
  const guard = iam("policy/moorings/guards/guard-deny-1a2b3c4");
  const bounded: [string, Deed, boolean][] = [
    [
      "taking it off",
      { ...change("DeleteRolePermissionsBoundary", own), context: { "iam:PermissionsBoundary": boundary } },
      false,
    ],
    [
      "taking another boundary off",
      { ...change("DeleteRolePermissionsBoundary", own), context: { "iam:PermissionsBoundary": iam("policy/other") } },
      true,
    ],
    [
      "putting another in its place",
      { ...change("PutRolePermissionsBoundary", own), context: { "iam:PermissionsBoundary": iam("policy/other") } },
      false,
    ],
    ["a user without it", change("CreateUser", iam("user/free")), false],
    ["a role without it", change("CreateRole", iam("role/free")), false],
    [
      "a role with it",
      { ...change("CreateRole", iam("role/bound")), context: { "iam:PermissionsBoundary": boundary } },
      true,
    ],
    ["letting oneself assume a role without it", change("UpdateAssumeRolePolicy", iam("role/free")), false],
  ];
  test.each(bounded)("boundary: %s", async (_, deed, expected) => {
    const { permissionsBoundary } = documents;
    expect(await allows({ principal: role("admin"), ...deed, permissionsBoundary })).toBe(expected);
    expect(await allows({ principal: role("moorings-deployer"), ...deed, permissionsBoundary })).toBe(true);
  });

  const attached: [string, Deed, boolean][] = [
    ["from a role", { ...change("DetachRolePolicy", own), context: { "iam:PolicyARN": guard } }, false],
    ["from a user", { ...change("DetachUserPolicy", iam("user/jane")), context: { "iam:PolicyARN": guard } }, false],
    ["from a group", { ...change("DetachGroupPolicy", iam("group/all")), context: { "iam:PolicyARN": guard } }, false],
    ["another policy", { ...change("DetachRolePolicy", own), context: { "iam:PolicyARN": iam("policy/other") } }, true],
  ];
  test.each(attached)("policy: detached %s", async (_, deed, expected) => {
    const { identityPolicy } = documents;
    expect(await allows({ principal: role("admin"), ...deed, identityPolicy })).toBe(expected);
    expect(await allows({ principal: role("moorings-deployer"), ...deed, identityPolicy })).toBe(true);
  });
});

test.each([AwsPartition.AwsChina, AwsPartition.AwsGovCloud])("in %s too", async (partition) => {
  const { serviceControlPolicy } = registrationGuardDocuments({ ...args, partition });
  expect(serviceControlPolicy).not.toContain("arn:aws:");
  const there = (principal: Principal): Principal => ({
    ...principal,
    arn: principal.arn.replace(":aws:", `:${partition}:`),
  });
  const register = { ...deeds["register: shop's group"], resource: targetGroup.replace(":aws:", `:${partition}:`) };
  const asked = (principal: Principal) => allows({ principal: there(principal), ...register, serviceControlPolicy });
  expect(await asked(role("moorings/shop/lbc-role-1a2b3c4"))).toBe(true);
  expect(await asked(role("admin"))).toBe(false);
});

const build = (given: Partial<RegistrationGuardArgs>) =>
  run(
    () => {
      const guard = new RegistrationGuard("guard", { ...args, forms: [GuardForm.ServiceControlPolicy], ...given });
      return { scp: guard.serviceControlPolicy, ids: guard.policyIds };
    },
    { state: providerState },
  );
const made = (resources: { type: string; name: string }[]) =>
  resources.map((r) => `${r.type.split(":").at(-1)} ${r.name}`);

describe("the component", () => {
  test("makes the forms that it is told, and attaches what can be", async () => {
    const { resources, outputs, errors } = await build({
      forms: Object.values(GuardForm),
      targetIds: ["ou-ab12-11111111", "210987654321"],
    });
    expect(errors).toEqual([]);
    expect(made(resources.filter((r) => r.custom)).sort()).toEqual([
      "Policy guard-boundary",
      "Policy guard-deny",
      "Policy guard-scp",
      "PolicyAttachment guard-scp-210987654321",
      "PolicyAttachment guard-scp-ou-ab12-11111111",
    ]);
    expect(outputs!.scp).toBe(documents.serviceControlPolicy);
    expect(Object.keys(outputs!.ids).sort()).toEqual([
      "identity-policy",
      "permissions-boundary",
      "service-control-policy",
    ]);
    const paths = resources.flatMap((r) => (r.type === "aws:iam/policy:Policy" ? [r.inputs["path"]] : []));
    // Where the documents keep them from being changed.
    expect(paths).toEqual(["/moorings/guards/", "/moorings/guards/"]);
  });

  test("takes the partition of its provider", async () => {
    const { outputs } = await run(
      () => ({
        scp: new RegistrationGuard("guard", { ...args, forms: [GuardForm.IdentityPolicy] }).serviceControlPolicy,
      }),
      {
        state: providerState,
        call: () => ({ partition: "aws-cn", dnsSuffix: "amazonaws.com.cn", accountId: account, region: "cn-north-1" }),
      },
    );
    expect(outputs!.scp).toBe(
      registrationGuardDocuments({ ...args, partition: AwsPartition.AwsChina }).serviceControlPolicy,
    );
  });

  test("reports everything at once", async () => {
    const { errors } = await build({
      clusterNames: [],
      deployRoles: [],
      breakGlassRoles: ["arn:aws:iam::123456789012:role/breakglass", "*", "bad role"],
      forms: [GuardForm.IdentityPolicy],
      targetIds: ["my-ou"],
    });
    const text = errors.map((e) => e.message).join("\n");
    for (const part of [
      "clusterNames: names no cluster",
      "deployRoles: must name the role that deploys",
      'breakGlassRoles[0]: must be a role\'s path and name alone, such as "ci/deployer-*"',
      "breakGlassRoles[1]: would let in almost every role",
      "breakGlassRoles[2]: has a character that no role's name has",
      "targetIds: are for the service control policy",
      "targetIds[0]: must be the id of a root",
    ])
      expect(text).toContain(part);
  });
});

describe("size", () => {
  const clusterNames = (n: number) => Array.from({ length: n }, (_, i) => `cluster-${String(i).padStart(2, "0")}`);

  // Counted with `wc -c` on documents written to files: 1451 characters for one of these clusters, 453 or 454 for each other one.
  test("the documents have no white space, and say how long they are when AWS wouldn't store them", () => {
    for (const document of Object.values(documents)) expect(document).not.toMatch(/\s/);
    const most = registrationGuardDocuments({ ...args, clusterNames: clusterNames(9) });
    expect(most.serviceControlPolicy.length).toBeLessThanOrEqual(5120);
    expect(most.permissionsBoundary.length).toBeLessThanOrEqual(6144);
    expect(() => registrationGuardDocuments({ ...args, clusterNames: clusterNames(10) })).toThrow(
      /clusterNames: and the roles make a service control policy of 5528 characters \(serviceControlPolicy\); AWS stores 5120: leave clusterNames out/,
    );
  });

  test("a document that only the longer name of another partition makes too long is refused as well", () => {
    const nine = { ...args, clusterNames: clusterNames(9) };
    expect(() => registrationGuardDocuments({ ...nine, partition: AwsPartition.AwsGovCloud })).toThrow(
      /AWS stores 5120/,
    );
  });
});
