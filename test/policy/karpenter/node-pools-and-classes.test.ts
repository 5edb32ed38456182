import { nodeClassPinsAmi } from "../../../policy/rules/karpenter/node-class-pins-ami";
import { nodePoolExpiryNeedsGrace } from "../../../policy/rules/karpenter/node-pool-expiry-needs-grace";
import { nodePoolHasBudgets } from "../../../policy/rules/karpenter/node-pool-has-budgets";
import { nodePoolHasLimits } from "../../../policy/rules/karpenter/node-pool-has-limits";
import { checkResource, unknown } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";
import { classType, onPool, poolType, stateful, stateless } from "./setup";

const odd = rows(undefined, null, "text", 7, [], [null], { limits: [], disruption: "x", template: [1] });

describe.each([nodePoolHasLimits, nodePoolHasBudgets, nodePoolExpiryNeedsGrace].map((r) => [r.name, r] as const))(
  "%s",
  (_, rule) => {
    const check = onPool(rule);

    test("is content with both profiles, in any version of the API", () => {
      for (const type of [poolType, "kubernetes:karpenter.sh/v1beta1:NodePool"]) {
        expect(check(stateless, {}, type)).toEqual(ok);
        expect(check(stateful, {}, type)).toEqual(ok);
      }
      expect(check({}, {}, "kubernetes:karpenter.sh/v1:NodeClaim").notApplicable).toBe(true);
      expect(check({}, {}, "kubernetes:apps/v1:Deployment").notApplicable).toBe(true);
    });

    test.each(odd)("takes %j for a pool that says nothing", (spec) => {
      expect(check(spec).violations).toHaveLength(1);
      expect(check(spec, {}, "kubernetes:karpenter.sh/v1beta1:NodePool").violations).toHaveLength(1);
    });

    test("says nothing about what a patch leaves out", () => {
      expect(check({ weight: 10 }, {}, `${poolType}Patch`)).toEqual(ok);
    });

    test("an unknown specification is advisory, or a violation if configured so", () => {
      expect(check(unknown)).toEqual(advisory("spec"));
      expect(check(unknown, { unknownValues: "violation" })).toEqual(refused(/^spec isn't known yet and may /));
    });
  },
);

describe("node-pool-has-limits", () => {
  const check = onPool(nodePoolHasLimits);
  const limited = (limits: unknown) => check({ ...stateless, limits });

  test.each([{ cpu: "200", memory: "800Gi" }, { nodes: 9 }, { nodes: "0" }, { cpu: 8, memory: unknown }])(
    "%j bounds the pool",
    (limits) => {
      expect(limited(limits)).toEqual(ok);
    },
  );

  test.each([{}, { cpu: "200" }, { memory: "800Gi" }, { cpu: "200", memory: null }, { "nvidia.com/gpu": 4 }, "200"])(
    "%j doesn't",
    (limits) => {
      expect(limited(limits)).toEqual(refused(/^spec\.limits leaves the pool without a bound.*cpu: "200"/));
    },
  );

  test("none are missing; a pool of fixed size needs none", () => {
    expect(limited(undefined)).toEqual(refused(/^spec\.limits is missing/));
    expect(check({ ...stateless, limits: undefined, replicas: 3 })).toEqual(ok);
    expect(limited(unknown)).toEqual(advisory("spec.limits"));
  });
});

describe("node-pool-has-budgets", () => {
  const check = onPool(nodePoolHasBudgets);
  const budgeted = (budgets: unknown) => check({ ...stateless, disruption: { ...stateless.disruption, budgets } });
  const freeze = { nodes: "0", schedule: "0 7 * * mon-fri", duration: "10h" };

  test("the implied ten percent aren't written, an empty list limits nothing", () => {
    expect(budgeted(undefined)).toEqual(refused(/^spec\.disruption\.budgets is missing/));
    expect(budgeted([])).toEqual(refused(/^spec\.disruption\.budgets is empty/));
    expect(check({ ...stateless, disruption: undefined })).toEqual(refused(/is missing/));
  });

  // karpenter v1.14.1 nodepool.go: an inactive budget, and one for other reasons, allow MaxInt32.
  test("freeze windows alone limit nothing outside of them", () => {
    expect(budgeted([freeze]).violations.map((v) => v.message)).toEqual([
      expect.stringMatching(/no budget without a schedule for the reason Underutilized/),
      expect.stringMatching(/no budget without a schedule for the reason Drifted/),
    ]);
    expect(budgeted([freeze, { nodes: "2", reasons: ["Underutilized", "Drifted"] }])).toEqual(ok);
  });

  test.each([
    ["Drifted", [{ nodes: "0", reasons: ["Underutilized"] }]],
    ["Underutilized", [{ nodes: "1", reasons: ["Empty", "Drifted"] }]],
    [
      "Drifted",
      [
        { nodes: "0", reasons: ["Underutilized"] },
        { ...freeze, reasons: ["Drifted"] },
      ],
    ],
  ])("%s without a budget of its own is refused: %j", (reason, budgets) => {
    expect(budgeted(budgets)).toEqual(refused(new RegExp(`for the reason ${reason}`)));
  });

  test("an empty list of reasons holds for none", () => {
    expect(budgeted([{ nodes: "1", reasons: [] }]).violations).toHaveLength(2);
  });

  test("unknowns decide nothing, unless another budget does", () => {
    expect(budgeted(unknown)).toEqual(advisory("budgets"));
    expect(budgeted([unknown])).toEqual(advisory("budgets.0"));
    expect(budgeted([{ nodes: "1", reasons: unknown }])).toEqual(advisory("reasons"));
    expect(budgeted([{ nodes: "1", schedule: unknown, duration: "1h" }])).toEqual(advisory("schedule"));
    expect(budgeted([unknown, { nodes: unknown }])).toEqual(ok);
  });
});

describe("node-class-pins-ami", () => {
  const check = (terms: unknown, config?: object, type = classType) =>
    checkResource(nodeClassPinsAmi, { type, name: "class", props: { spec: { amiSelectorTerms: terms } } }, config);
  const parameter = (path: string) => ({ ssmParameter: path });
  const aws = "/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/standard";

  test.each([
    { alias: "al2023@v20250801" },
    { alias: "bottlerocket@v1.46.0" },
    { id: "ami-0123456789abcdef0" },
    { id: unknown },
    { name: "golden-eks-1.35-20250801", owner: "123456789012" },
    { name: "golden-eks-1.35-20250801", tags: { team: "platform" } },
    parameter("/acme/eks/ami:7"),
    parameter(`${aws}/amazon-eks-node-al2023-x86_64-standard-1.35-v20250801/image_id`),
    parameter("arn:aws:ssm:eu-west-1::parameter/aws/service/bottlerocket/aws-k8s-1.35/x86_64/1.46.0/image_id"),
  ])("%j names one image", (term) => {
    expect(check([term])).toEqual(ok);
  });

  test.each([
    [{ alias: "al2023@latest" }, "follows al2023@latest"],
    [{ alias: "bottlerocket@LATEST" }, "follows bottlerocket@LATEST"],
    [{ alias: "al2023" }, "follows al2023"],
    [parameter(`${aws}/recommended/image_id`), "follows the SSM parameter"],
    [parameter("/aws/service/bottlerocket/aws-k8s-1.35/x86_64/latest/image_id"), "follows the SSM parameter"],
    [parameter(`${aws}/recommended`), "follows the SSM parameter"],
    [parameter("/acme/eks/ami"), "follows the SSM parameter /acme/eks/ami"],
    [{ name: "golden-eks-*" }, "takes the newest image whose name matches golden-eks-\\*"],
    [{ name: "golden-eks-1.3?" }, "takes the newest image whose name"],
    [{ tags: { golden: "true" } }, "takes the newest image that matches its tags"],
    [{ owner: "self" }, "takes the newest image that matches its tags"],
    [{ id: "" }, "has the id , which is none"],
  ])("%j follows another one", (term, text) => {
    expect(check([term])).toEqual(refused(new RegExp(`^spec\\.amiSelectorTerms\\[0\\] ${text}.*Pin it`)));
  });

  test("every term counts, and is named", () => {
    const found = check([{ id: "ami-0123456789abcdef0" }, { tags: { golden: "true" } }]);
    expect(found).toEqual(refused(/^spec\.amiSelectorTerms\[1\] /));
  });

  test("what a pipeline moves on purpose is allowed by name", () => {
    const config = { allowedSsmParameters: ["/acme/eks/*"], allowSelectionByTags: true };
    expect(check([parameter("/acme/eks/ami")], config)).toEqual(ok);
    expect(check([parameter("/other/ami")], config).violations).toHaveLength(1);
    expect(check([{ tags: { golden: "true" }, owner: "self" }], config)).toEqual(ok);
    expect(check([{ name: "golden-*" }], config).violations).toHaveLength(1);
  });

  test.each(rows(undefined, null, [], "al2023@v20250801", {}, [null], ["x"]))("%j selects nothing", (terms) => {
    expect(check(terms)).toEqual(refused(/selects nothing/));
  });

  test("a patch that leaves the terms out is none of its business, nor is another kind", () => {
    expect(check(undefined, {}, `${classType}Patch`)).toEqual(ok);
    expect(check([{ alias: "al2023@latest" }], {}, `${classType}Patch`).violations).toHaveLength(1);
    expect(check([{ alias: "al2023@latest" }], {}, "kubernetes:karpenter.k8s.aws/v1beta1:EC2NodeClass").violations) //
      .toHaveLength(1);
    expect(check([], {}, poolType).notApplicable).toBe(true);
  });

  test("unknowns are advisory, or violations if configured so", () => {
    expect(check(unknown)).toEqual(advisory("amiSelectorTerms"));
    expect(check([{ alias: unknown }])).toEqual(advisory("alias"));
    expect(check([{ ssmParameter: unknown }, { alias: "al2023@latest" }])).toMatchObject({
      violations: [{ message: expect.stringContaining("[1]") as string }],
      undecided: expect.stringContaining("ssmParameter") as string,
    });
    expect(check([{ alias: unknown }], { unknownValues: "violation" })).toEqual(
      refused(/^spec\.amiSelectorTerms\[0\]\.alias isn't known yet and may select the newest image/),
    );
  });
});

describe("node-pool-expiry-needs-grace", () => {
  const check = onPool(nodePoolExpiryNeedsGrace);
  const template = (spec: object) => check({ ...stateless, template: { spec } });

  test("nodes that never expire need no grace", () => {
    expect(template({ expireAfter: "Never" })).toEqual(ok);
  });

  test("nodes that expire do, also by default", () => {
    expect(template({ expireAfter: "336h" })).toEqual(refused(/^Nodes expire after 336h, but/));
    expect(template({})).toEqual(refused(/^Nodes expire after 720h \(the default\), but/));
    expect(template({ terminationGracePeriod: null })).toEqual(refused(/720h/));
    expect(template({ terminationGracePeriod: "1h" })).toEqual(ok);
  });

  // v1beta1 had it under disruption; the v1 CRD has no such field and prunes it.
  test.each([
    ["spec.disruption.expireAfter", { disruption: { ...stateless.disruption, expireAfter: "Never" } }],
    ["spec.disruption.terminationGracePeriod", { disruption: { terminationGracePeriod: "1h" } }],
    ["spec.expireAfter", { expireAfter: "720h" }],
    ["spec.terminationGracePeriod", { terminationGracePeriod: "1h" }],
  ])("%s is dropped by the API server", (path, wrong) => {
    const found = check({ ...stateless, ...wrong });
    expect(found).toEqual(refused(/has no effect.*write it under spec\.template\.spec/));
    expect(found.violations[0]!.message.startsWith(path)).toBe(true);
  });

  test("Never in the wrong place doesn't keep nodes from expiring", () => {
    const found = check({ disruption: { expireAfter: "Never" }, template: { spec: {} } });
    expect(found.violations.map((v) => v.message)).toEqual([
      expect.stringMatching(/^spec\.disruption\.expireAfter has no effect/),
      expect.stringMatching(/^Nodes expire after 720h/),
    ]);
  });

  test("unknowns are advisory; a known half that decides does", () => {
    expect(template({ terminationGracePeriod: unknown })).toEqual(advisory("terminationGracePeriod"));
    expect(template({ expireAfter: unknown })).toEqual(advisory("expireAfter"));
    expect(template({ expireAfter: unknown, terminationGracePeriod: "1h" })).toEqual(ok);
    expect(template({ expireAfter: "Never", terminationGracePeriod: unknown })).toEqual(ok);
  });
});
