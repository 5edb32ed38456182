import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { KarpenterChartVersion, NodePoolProfile } from "../../components/karpenter";
import { fromZero, outcomeOf, type Outcome, type Recording, type Timeline } from "../../test/support/timeline";
import { changed } from "../apiserver/objects";
import { eventually } from "../apiserver/eventually";
import { hasCondition } from "../apiserver/pod-status";
import { frozenAt } from "./adapted";
import { Fleet, ours, unprotected } from "./fleet";
import { patience, startLab, type Lab } from "./lab";
import { rendered, type PoolArgs } from "./rendered";
import { say, told } from "./say";

/*
 * A freeze ends, and the pods of six nodes fit on six others. One fleet has no PodDisruptionBudget, the other one ours. While the first is
 * moved, the freeze of the second still holds.
 */

jest.setTimeout(patience);

const replicas = 6;
/** All at once, the worst case. Our own budgets would let go of one node at a time. */
const pool: PoolArgs = { consolidateAfter: "15s", budgets: [{ nodes: "100%" }], expireAfter: "720h" };
const frozen: PoolArgs = { ...pool, freezeWindows: [frozenAt(new Date())] };

let lab: Lab;
beforeAll(async () => {
  lab = await startLab(["bare", "guarded"]);
});
afterAll(() => lab.stop());

describe("our NodePools", () => {
  const profiles = Object.values(NodePoolProfile);

  test.each(profiles)("are taken by the real definitions and become ready: %s", async (profile) => {
    const { nodePool, dropped } = await rendered(`plain-${profile}`, { profile }, 2);
    say(`${profile}: refers to simulated nodes instead of its EC2NodeClass, without ${dropped.join(", ")}`);
    const { status, warnings, body } = await lab.client.apply(nodePool);
    expect([status, body["message"], warnings]).toEqual([201, undefined, []]);
    const found = await eventually(
      () => lab.client.read(nodePool),
      (read) => hasCondition(read, "Ready"),
      300,
    );
    expect(hasCondition(found, "Ready")).toBe(true);
    await lab.client.remove(nodePool);
  });

  test("wouldn't be with a slip: the definitions refuse it, and a missing class keeps a pool from being ready", async () => {
    const { nodePool } = await rendered("slip", {}, 2);
    const slip = changed(nodePool, { "spec/disruption/consolidationPolicy": "WhenUnderutilized" });
    expect((await lab.client.apply(slip)).status).toBe(422);

    const lost = changed(nodePool, { "spec/template/spec/nodeClassRef/name": "missing" });
    expect((await lab.client.apply(lost)).status).toBe(201);
    const judged = await eventually(
      () => lab.client.read(lost),
      (read) => read["status"] !== undefined,
      300,
    );
    expect(hasCondition(judged, "Ready")).toBe(false);
    await lab.client.remove(lost);
  });
});

describe("when a freeze ends and pods fit elsewhere", () => {
  let bare: Fleet;
  let guarded: Fleet;
  const timelines: Record<string, Timeline> = {};
  const outcomes: Record<string, Outcome> = {};

  beforeAll(async () => {
    bare = await Fleet.deploy(lab, "bare", frozen, replicas, unprotected);
    guarded = await Fleet.deploy(lab, "guarded", frozen, replicas, ours);
    for (const fleet of [bare, guarded]) await fleet.untilReady();
    for (const fleet of [bare, guarded]) await fleet.fill();
    for (const fleet of [bare, guarded]) await fleet.untilConsolidatable();
  });

  /** Ends the freeze of a fleet, waits until its pods have moved, and returns when it ended. */
  async function thaw(fleet: Fleet): Promise<number> {
    const thawed = lab.recorder.now();
    await fleet.setPool(pool);
    await fleet.until(({ at, nodes, ready }) => at > thawed && nodes.length === replicas && ready.length === replicas);
    timelines[fleet.name] = lab.recorder.since(fleet.name, thawed);
    outcomes[fleet.name] = outcomeOf(timelines[fleet.name]!);
    return thawed;
  }

  test("nothing protects pods without a PodDisruptionBudget: none is ready, and no address is left", async () => {
    const thawed = await thaw(bare);
    say(`without a PodDisruptionBudget: ${told(outcomes["bare"]!)}`);
    expect(outcomes["bare"]).toMatchObject({ originals: 6, fewestReady: 0, originalsLeft: 0 });

    // The freeze of the other one held meanwhile, though its pods would fit elsewhere just so.
    const held = outcomeOf(lab.recorder.since("guarded", thawed));
    say(`frozen meanwhile: ${told(held)}`);
    expect(held).toMatchObject({ originals: 6, fewestReady: 6, originalsLeft: 6, mostLeaving: 0, gone: 0 });
  });

  test("with ours five of six are ready all the time, and still no address is left", async () => {
    await thaw(guarded);
    say(`with ours: ${told(outcomes["guarded"]!)}`);
    expect(outcomes["guarded"]!.fewestReady).toBeGreaterThanOrEqual(replicas - 1);
    expect(outcomes["guarded"]).toMatchObject({ originals: 6, originalsLeft: 0, secondsAtZero: 0 });
  });

  // MOORINGS_RECORD=1 writes down what replays/consolidation draws.
  if (process.env["MOORINGS_RECORD"] === "1")
    test("the timelines are written down", () => {
      const recording: Recording = {
        karpenter: KarpenterChartVersion.V1_14_1,
        day: new Date().toISOString().slice(0, 10),
        fleets: { bare: fromZero(timelines["bare"]!), guarded: fromZero(timelines["guarded"]!) },
      };
      writeFileSync(resolve(__dirname, "../../replays/consolidation/recorded.json"), JSON.stringify(recording));
    });

  test("nobody stumbled who only plays a part", () => {
    expect([lab.kubelets.problems, lab.recorder.problems]).toEqual([[], []]);
  });
});
