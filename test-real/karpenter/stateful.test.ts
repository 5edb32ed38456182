import { NodePoolProfile } from "../../components/karpenter";
import { outcomeOf } from "../../test/support/timeline";
import { frozenAt } from "./adapted";
import { Fleet } from "./fleet";
import { patience, startLab, type Lab } from "./lab";
import { labelsOf } from "./recorder";
import type { PoolArgs } from "./rendered";
import { say, told } from "./say";

/*
 * The stateful profile beside the stateless one, and drift. All fleets have our PodDisruptionBudget, and budgets and reasons are the profiles'.
 */

jest.setTimeout(patience);

const replicas = 3;
const stateful: PoolArgs = { profile: NodePoolProfile.Stateful, consolidateAfter: "15s" };
const stateless: PoolArgs = { profile: NodePoolProfile.Stateless, consolidateAfter: "15s" };
/** Nothing but drift takes its nodes. */
const drifting: PoolArgs = { profile: NodePoolProfile.Stateless, consolidateAfter: "Never" };

let lab: Lab;
let kept: Fleet;
let moved: Fleet;
let drifted: Fleet;

beforeAll(async () => {
  lab = await startLab(["kept", "moved", "drifted"]);
  kept = await Fleet.deploy(lab, "kept", stateful, replicas);
  moved = await Fleet.deploy(lab, "moved", { ...stateless, freezeWindows: [frozenAt(new Date())] }, replicas);
  drifted = await Fleet.deploy(lab, "drifted", drifting, replicas);
  for (const fleet of [kept, moved, drifted]) await fleet.untilReady();
});
afterAll(() => lab.stop());

test("drift takes one node at a time, with its replacement first, and one pod", async () => {
  const changedAt = lab.recorder.now();
  await drifted.setPool({ ...drifting, labels: { revision: "2" } });
  const { nodes: old } = lab.recorder.latest("drifted");
  await drifted.until(
    ({ nodes, ready }) =>
      ready.length === replicas && nodes.length === replicas && nodes.every((node) => !old.includes(node)),
  );
  const outcome = outcomeOf(lab.recorder.since("drifted", changedAt));
  say(`another label of the nodes: ${told(outcome)}`);
  expect(outcome).toMatchObject({ originals: 3, originalsLeft: 0, gone: 3, mostLeaving: 1 });
  expect(outcome.fewestReady).toBeGreaterThanOrEqual(replicas - 1);
  const claims = await drifted.claims();
  expect(claims.map(({ metadata }) => labelsOf(metadata)["revision"])).toEqual(["2", "2", "2"]);
});

describe("where pods fit on other nodes", () => {
  beforeAll(async () => {
    for (const fleet of [kept, moved]) await fleet.fill();
    for (const fleet of [kept, moved]) await fleet.untilConsolidatable();
  });

  test("the stateful profile leaves them where they are, while the stateless one moves them one by one", async () => {
    const from = lab.recorder.now();
    await moved.setPool(stateless);
    await kept.setPool({ ...stateful, weight: 1 }); // Karpenter looks again, whatever it had found before
    await moved.until(({ at, nodes, ready }) => at > from && nodes.length === replicas && ready.length === replicas);

    const control = outcomeOf(lab.recorder.since("moved", from));
    say(`stateless: ${told(control)}`);
    expect(control).toMatchObject({ originals: 3, originalsLeft: 0, gone: 3, mostLeaving: 1 });
    expect(control.fewestReady).toBeGreaterThanOrEqual(replicas - 1);

    const outcome = outcomeOf(lab.recorder.since("kept", from));
    say(`stateful meanwhile: ${told(outcome)}`);
    expect(outcome).toMatchObject({ originals: 3, fewestReady: 3, originalsLeft: 3, mostLeaving: 0, gone: 0 });
  });

  test("of the stateful profile a node goes that is empty, and no other", async () => {
    const from = lab.recorder.now();
    await kept.scale(replicas - 1);
    await kept.until(({ nodes }) => nodes.length === 2 * replicas - 1);
    const outcome = outcomeOf(lab.recorder.since("kept", from));
    say(`stateful, with a pod less: ${told(outcome)}`);
    expect(outcome).toMatchObject({ originals: 3, fewestReady: 2, originalsLeft: 2, mostLeaving: 1, gone: 1 });
  });
});

test("nobody stumbled who only plays a part", () => {
  expect([lab.kubelets.problems, lab.recorder.problems]).toEqual([[], []]);
});
