import { changeCode, useProgram } from "./edits/project-code";
import { done } from "./edits/effects";
import { givenPlatform } from "./given-platform";
import { Session } from "./session";

/*
 * A binding moves to another namespace, and its target group stays. A group takes one binding: what the controller's webhook refuses,
 * `deleteBeforeReplace` makes possible, in one update.
 */

const program = "test-real/engine/programs/moved-binding.ts";
const stack = ["--stack", "shop"];
let session: Session;
beforeAll(async () => {
  session = await Session.open();
  useProgram(session.project, program);
  givenPlatform(session.cloud);
  await session.succeed("stack", "init", "shop");
  await session.succeed("up", "--yes", "--skip-preview", ...stack);
  session.cloud.takeOperations();
}, 120_000);
afterAll(() => session.close());

const bindings = () => session.cloud.ofType("kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding");
const namespaces = () => bindings().map(({ inputs }) => (inputs["metadata"] as { namespace: string }).namespace);
const change = (from: string, to: string) => changeCode(session.project, [{ file: program, from, to }]);

test("the new one beside the old one is refused, and the old one stands", async () => {
  change('namespace: "shop"', 'namespace: "store"');
  const { code, output } = await session.pulumi("up", "--yes", "--skip-preview", ...stack);
  expect(code).not.toBe(0);
  expect(output).toContain("is already bound to");
  expect(namespaces()).toEqual(["shop"]);
  session.cloud.takeOperations();
});

test("with deleteBeforeReplace the old one goes first, and the next update, without it, touches nothing", async () => {
  const back = change("servicePort: 80,", "servicePort: 80,\n    deleteBeforeReplace: true,");
  await session.succeed("up", "--yes", "--skip-preview", ...stack);
  expect(done(session.cloud.takeOperations())).toEqual(["recreate TargetGroupBinding web-binding"]);
  expect(namespaces()).toEqual(["store"]);
  back();
  await session.succeed("up", "--yes", "--skip-preview", ...stack);
  expect(session.cloud.takeOperations()).toEqual([]);
});
