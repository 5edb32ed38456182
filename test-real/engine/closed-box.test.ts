import { join } from "node:path";
import { nameOf } from "../../cli/engine/urn";
import { instanceAddress } from "./cloud/constructs/target-group-attachment";
import { useProgram } from "./edits/project-code";
import { root, Session } from "./session";

/*
 * What a remote component makes is hidden from `moorings check`, which judges its arguments and lists it. An engine shows the children to the
 * pack, in the preview and before each is made.
 */

const judged = ["--policy-pack", join(root, "policy"), "--stack", "boxes"];
let session: Session;
beforeAll(async () => {
  session = await Session.open();
  useProgram(session.project, "test-real/engine/programs/closed-box.ts");
  await session.succeed("stack", "init", "boxes");
}, 120_000);
afterAll(() => session.close());

/** The resources that a rule was violated by, by type and name as the CLI prints them. */
function violations(output: string, rule: string): string[] {
  const found = new RegExp(`\\[mandatory\\][^\\n]*${rule} +\\(([^)]+)\\)`, "g");
  return [...output.matchAll(found)].map(([, resource]) => String(resource));
}

test("the preview sees the address that a component would register, and fails", async () => {
  const { code, output } = await session.pulumi("preview", ...judged);
  expect(violations(output, "no-hand-registered-ip-targets")).toEqual([
    "aws:lb/targetGroupAttachment:TargetGroupAttachment: web",
  ]);
  expect(output).toContain(`targetId registers the IP address ${instanceAddress} by hand`);
  expect(code).not.toBe(0);
});

test("the update stops before it, and lets the component have its instance", async () => {
  const { code } = await session.pulumi("up", "--yes", "--skip-preview", ...judged);
  expect(code).not.toBe(0);
  const made = session.cloud.ofType("aws:lb/targetGroupAttachment:TargetGroupAttachment");
  expect(made.map(({ urn }) => nameOf(urn)).filter((name) => name !== "jobs")).toEqual([]);
});
