import type { Edit } from "./edits/edit";
import { done, lines, planned } from "./edits/effects";
import { changeCode } from "./edits/project-code";
import { before, groups } from "./edits/table";
import { Session } from "./session";

let session: Session;
const make = ({ settings = [], code = [] }: Pick<Edit, "settings" | "code">) => {
  session.change("dev", new Map(settings));
  changeCode(session.project, code);
};

beforeAll(async () => {
  session = await Session.open();
  session.useTestValues("dev");
  make(before);
  await session.succeed("stack", "init", "dev");
  await session.succeed("up", "--yes", "--skip-preview", "--stack", "dev");
  session.cloud.takeOperations();
}, 180_000);
afterAll(() => session.close());

describe.each(Object.entries(groups))("%s", (_, edits) => {
  let plan: string[];
  let update: string[];
  const expected = ({ effects }: Edit, ofPreview: boolean) =>
    lines(typeof effects === "function" ? effects(session.state("dev").resources) : effects, { ofPreview });

  beforeAll(async () => {
    edits.forEach(make);
    plan = await planned(session, "--stack", "dev");
    await session.succeed("up", "--yes", "--skip-preview", "--stack", "dev");
    update = done(session.cloud.takeOperations());
  }, 180_000);

  test.each(edits.map((edit) => [edit.what, edit] as const))("%s", (__, edit) => {
    const [inPlan, inUpdate] = [expected(edit, true), expected(edit, false)];
    expect(plan.filter((line) => inPlan.includes(line))).toEqual(inPlan);
    expect(update.filter((line) => inUpdate.includes(line))).toEqual(inUpdate);
  });

  // In a plan, too, that would be what an earlier update has left undone.
  test("nothing else is touched", () => {
    const effects = (ofPreview: boolean) => edits.flatMap((edit) => expected(edit, ofPreview)).sort();
    expect(plan).toEqual(effects(true));
    expect(update).toEqual(effects(false));
  });
});

test("then there is nothing to do", async () => {
  await session.succeed("preview", "--expect-no-changes", "--stack", "dev");
  await session.succeed("refresh", "--yes", "--skip-preview", "--expect-no-changes", "--stack", "dev");
});
