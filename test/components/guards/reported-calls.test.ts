import { matches } from "../../support/event-pattern";
import { callNames, event, identityNames, make, rulesOf, type Call, type Identity } from "../../support/recorded-calls";

/*
 * Which calls are reported, and as what: each recorded call by each identity, against the patterns that the component registers.
 */

type Report = "hand-registration" | "registration-refused" | "rules-revoked" | "guard-changed";

/** Calls that are reported, by whomever but the exempt. */
const table: Partial<Record<Call, Report>> = {
  register: "hand-registration",
  deregister: "hand-registration",
  "register: refused": "registration-refused",
  "register: refused, without its request": "registration-refused",
  "revoke: by group and range": "rules-revoked",
  "revoke: by group, an old answer": "rules-revoked",
  "revoke: egress": "rules-revoked",
  "revoke: by rule id": "rules-revoked",
  "revoke: by rule id, of two groups": "rules-revoked",
  "revoke: no group anywhere": "rules-revoked",
  "rule modified": "rules-revoked",
  "group deleted": "rules-revoked",
  "tag removed": "guard-changed",
  "tag changed": "guard-changed",
  "trust changed": "guard-changed",
  "policy attached": "guard-changed",
  "role made under the path": "guard-changed",
  "policy of the path changed": "guard-changed",
  "guard's policy changed": "guard-changed",
  "guard's policy detached": "guard-changed",
  "trail stopped": "guard-changed",
  "rule disabled": "guard-changed",
  "target taken off": "guard-changed",
  "topic deleted": "guard-changed",
};

/** The controller registers, deployments change: nobody else does either. */
const exempt: Record<Report, Identity> = {
  "hand-registration": "the controller",
  "registration-refused": "the controller",
  "rules-revoked": "the deployment",
  "guard-changed": "the deployment",
};

let patterns: [string, Parameters<typeof matches>[0]][];
beforeAll(async () => {
  const { resources, errors } = await make();
  expect(errors).toEqual([]);
  patterns = rulesOf(resources).map((rule) => [
    rule.name.replace("tampering-", ""),
    JSON.parse(rule.inputs["eventPattern"] as string) as Parameters<typeof matches>[0],
  ]);
});
const sentBy = (call: Call, who: Identity) =>
  patterns.flatMap(([name, pattern]) => (matches(pattern, event(call, who)) ? [name] : []));

test.each(callNames)("%s", (call) => {
  const report = table[call];
  // What IAM reports in its region is sent here as well; the rule for that is in that region.
  const here = (who: Identity) => sentBy(call, who).filter((name) => name !== "identity");
  const expected = (who: Identity) => (report === undefined || exempt[report] === who ? [] : [report]);
  expect(identityNames.map((who) => [who, here(who)])).toEqual(identityNames.map((who) => [who, expected(who)]));
});

test("the region of IAM's calls sends what is about the controller's identity, and nothing else", () => {
  const sent = callNames.filter((call) => sentBy(call, "a user").includes("identity"));
  expect(sent).toEqual([
    "trust changed",
    "policy attached",
    "role made under the path",
    "policy of the path changed",
    "guard's policy changed",
    "guard's policy detached",
  ]);
  expect(callNames.filter((call) => sentBy(call, "the deployment").includes("identity"))).toEqual([]);
});

test("the second outage: the controller revokes a rule, and somebody is woken up", () => {
  expect(sentBy("revoke: by group and range", "the controller")).toEqual(["rules-revoked"]);
  expect(sentBy("revoke: failed race", "the controller")).toEqual([]);
});
