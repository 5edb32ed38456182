import type { Problems } from "../internal/validate";
import { durationProblem, DurationForm, never, secondsOf } from "./durations";
import { freezeProblems, type Freeze } from "./freezes";
import { KarpenterChartVersion } from "./karpenter-versions";
import { scheduleProblem } from "./schedules";

/** Label of the NodePool object that says its profile; policies know stateful pools by it. */
export const profileLabel = "moorings.dev/node-pool-profile";

/*
 * How nodes are taken away. Karpenter has five reasons; budgets hold back the first two only:
 * - consolidation and drift: it makes the replacement first, and asks PodDisruptionBudgets;
 * - expiry: it drains at an age, without a replacement first;
 * - interruptions, and deletion of the pool.
 * Freeze windows, the stateful profile and expiry were tried with the real Karpenter 1.14.1 on simulated nodes.
 */

/** How carefully nodes are taken away. */
export enum NodePoolProfile {
  /** For pods that can be moved at any time, as `DrainSafeDeployment`'s can: consolidated, and renewed after a month. */
  Stateless = "stateless",
  /**
   * For pods that are expensive to move, such as Kafka brokers: never moved to save nodes, never expired, never on spot; new images
   * come one node at a time, at the pace of PodDisruptionBudgets.
   */
  Stateful = "stateful",
}

/** When pods may be moved to save nodes. */
export enum ConsolidationPolicy {
  /** Only nodes without pods go, other than those of DaemonSets. */
  WhenEmpty = "WhenEmpty",
  /** Nodes go whose pods fit elsewhere, or on a cheaper node. */
  WhenEmptyOrUnderutilized = "WhenEmptyOrUnderutilized",
  /** As before, but only where what is saved outweighs the moves. */
  Balanced = "Balanced",
}

/** Why Karpenter takes a node away. */
export enum DisruptionReason {
  /** Its pods fit elsewhere. */
  Underutilized = "Underutilized",
  /** It has no pods. */
  Empty = "Empty",
  /** It isn't what the pool says any more: image, labels, tags. */
  Drifted = "Drifted",
  /** It is broken (gate `nodeRepair`). Known from 1.15.2 on; older versions refuse it. */
  Unhealthy = "Unhealthy",
}

/** How many nodes may be taken away at a time. */
export interface NodePoolBudget {
  /** Number or percentage of the pool's nodes, rounded up: `"1"`, `"10%"`, `"0"` for none, `"100%"` for all. */
  nodes: string;
  /** Reasons that it holds for. Defaults to all. */
  reasons?: DisruptionReason[];
  /**
   * When it begins to hold, as cron expression in UTC: minute, hour, day of month, month, day of week (`0 8 * * mon-fri`). Karpenter
   * knows no time zones. With `duration` only. Defaults to always.
   */
  scheduleUtc?: string;
  /**
   * How long it holds from there, in hours and minutes (`8h`, `1h30m`). With `scheduleUtc` only. A budget of `"0"` must be over before it
   * begins again, at least sometimes.
   */
  duration?: string;
}

/** A time in which no node is taken away. */
export interface FreezeWindow {
  /** When it begins, as cron expression in UTC: minute, hour, day of month, month, day of week (`0 8 * * mon-fri`). */
  scheduleUtc: string;
  /** How long it lasts, in hours and minutes (`8h`, `1h30m`). Windows that leave no time between them are refused. */
  duration: string;
}

/** What of the arguments the plan depends on. */
export interface DisruptionArgs {
  readonly profile: NodePoolProfile;
  readonly consolidationPolicy?: ConsolidationPolicy;
  readonly consolidateAfter?: string;
  readonly budgets?: NodePoolBudget[];
  readonly freezeWindows?: FreezeWindow[];
  readonly expireAfter?: string;
  readonly terminationGracePeriod?: string;
  readonly longestPodGraceSeconds?: number;
  readonly chartVersion?: KarpenterChartVersion;
}

/** How nodes are taken away, with all defaults. */
export interface DisruptionPlan {
  readonly consolidationPolicy: ConsolidationPolicy;
  readonly consolidateAfter: string;
  readonly budgets: NodePoolBudget[];
  readonly expireAfter: string;
  readonly terminationGracePeriod: string;
}

const profiles: Readonly<Record<NodePoolProfile, DisruptionPlan>> = {
  [NodePoolProfile.Stateless]: {
    consolidationPolicy: ConsolidationPolicy.WhenEmptyOrUnderutilized,
    // The default of 0 s moves pods as soon as one ends.
    consolidateAfter: "5m",
    // 10 % of two nodes is one; underutilization never hurries.
    budgets: [{ nodes: "10%" }, { nodes: "1", reasons: [DisruptionReason.Underutilized] }],
    expireAfter: "720h",
    // Without it one pod that may not be disrupted keeps an old image for ever.
    terminationGracePeriod: "1h",
  },
  [NodePoolProfile.Stateful]: {
    consolidationPolicy: ConsolidationPolicy.WhenEmpty,
    consolidateAfter: "15m",
    budgets: [{ nodes: "1" }, { nodes: "0", reasons: [DisruptionReason.Underutilized] }],
    // Expiry asks no budget, and a grace period ends in deletion whatever PodDisruptionBudgets say.
    expireAfter: never,
    terminationGracePeriod: never,
  },
};

/** Applies the profile's defaults and checks what results. */
export function planDisruption(args: DisruptionArgs, problems: Problems): DisruptionPlan {
  const known = Object.values(NodePoolProfile);
  if (!known.includes(args.profile))
    problems.add("profile", `must be one of ${known.join(", ")}, not "${args.profile as string}"`);
  const stateful = args.profile === NodePoolProfile.Stateful;
  const defaults = profiles[stateful ? NodePoolProfile.Stateful : NodePoolProfile.Stateless];
  const plan = {
    consolidationPolicy: args.consolidationPolicy ?? defaults.consolidationPolicy,
    consolidateAfter: args.consolidateAfter ?? defaults.consolidateAfter,
    budgets: [...(args.budgets ?? defaults.budgets), ...freezes(args.freezeWindows ?? [])],
    expireAfter: args.expireAfter ?? defaults.expireAfter,
    terminationGracePeriod: args.terminationGracePeriod ?? defaults.terminationGracePeriod,
  };

  consolidationProblems(problems, plan, stateful);
  budgetProblems(problems, args.budgets, args.chartVersion);
  (args.freezeWindows ?? []).forEach((window, index) => windowProblems(problems, window, `freezeWindows[${index}]`));
  freezeProblems(problems, scheduledFreezes(args));
  problems.unless(
    plan.budgets.length <= 50,
    "budgets",
    "and freezeWindows are more than 50 together, the most that Karpenter takes",
  );
  lifetimeProblems(problems, plan, args.longestPodGraceSeconds ?? 30);
  return plan;
}

/** Minutes for Pulumi to wait for the pool's nodes to go: as long as their draining may take, and a quarter of an hour for the instances. */
export function deleteMinutes(terminationGracePeriod: string): number {
  // Without a bound draining waits for PodDisruptionBudgets; two hours see twenty brokers through their grace of six minutes, one by one.
  return terminationGracePeriod === never ? 120 : Math.ceil(secondsOf(terminationGracePeriod) / 60) + 15;
}

function freezes(windows: FreezeWindow[]): NodePoolBudget[] {
  return windows.map(({ scheduleUtc, duration }) => ({ nodes: "0", scheduleUtc, duration }));
}

/** Whatever allows no node at certain times. */
function scheduledFreezes({ budgets = [], freezeWindows = [] }: DisruptionArgs): Freeze[] {
  const every = Object.values(DisruptionReason);
  const given = budgets.map((budget, index) => ({ ...budget, where: `budgets[${index}]` }));
  const none = given.filter(({ nodes, scheduleUtc }) => /^0+%?$/.test(nodes) && scheduleUtc !== undefined);
  return [
    ...none.map(({ where, reasons = every, scheduleUtc, duration }) => ({ where, reasons, scheduleUtc, duration })),
    ...freezeWindows.map((window, index) => ({ ...window, where: `freezeWindows[${index}]`, reasons: every })),
  ];
}

function consolidationProblems(problems: Problems, plan: DisruptionPlan, stateful: boolean): void {
  const policies = Object.values(ConsolidationPolicy);
  if (!policies.includes(plan.consolidationPolicy))
    problems.add(
      "consolidationPolicy",
      `must be one of ${policies.join(", ")}, not "${plan.consolidationPolicy as string}"`,
    );
  else
    problems.unless(
      !stateful || plan.consolidationPolicy === ConsolidationPolicy.WhenEmpty,
      "consolidationPolicy",
      `must be WhenEmpty with NodePoolProfile.Stateful, not ${plan.consolidationPolicy}: it would move pods that are expensive to move`,
    );
  problems.add("consolidateAfter", durationProblem(plan.consolidateAfter, DurationForm.OrNever));
}

function budgetProblems(
  problems: Problems,
  budgets: NodePoolBudget[] | undefined,
  chartVersion: KarpenterChartVersion | undefined,
): void {
  if (budgets === undefined) return;
  if (budgets.length === 0) {
    problems.add(
      "budgets",
      'is empty, which lets Karpenter take every node at once: write [{ nodes: "10%" }], or leave it out',
    );
    return;
  }
  const reasons = Object.values(DisruptionReason);
  budgets.forEach((budget, index) => {
    const where = `budgets[${index}]`;
    problems.unless(
      typeof budget.nodes === "string" && /^((100|[0-9]{1,2})%|[0-9]+)$/.test(budget.nodes),
      `${where}.nodes`,
      `must be a number or a percentage in quotes, such as "1" or "10%", not "${budget.nodes}"`,
    );
    const given = budget.reasons ?? reasons;
    problems.unless(given.length > 0, `${where}.reasons`, "is empty, so it holds for no reason: leave it out for all");
    problems.unless(
      given.every((reason) => reasons.includes(reason)) && new Set(given).size === given.length,
      `${where}.reasons`,
      `must be different ones of ${reasons.join(", ")}, not ${given.join(", ")}`,
    );
    problems.unless(
      chartVersion !== KarpenterChartVersion.V1_14_1 ||
        !given.includes(DisruptionReason.Unhealthy) ||
        budget.reasons === undefined,
      `${where}.reasons`,
      "has Unhealthy, which Karpenter 1.14.1 refuses: leave it out, or choose a newer chartVersion",
    );
    if (budget.scheduleUtc !== undefined || budget.duration !== undefined) windowProblems(problems, budget, where);
  });

  // Empty nodes carry nothing. Unhealthy isn't asked for, because releases before 1.15.2 refuse the word.
  const always = budgets.filter((b) => b.scheduleUtc === undefined && b.duration === undefined);
  const open = [DisruptionReason.Underutilized, DisruptionReason.Drifted].filter(
    (reason) => !always.some((budget) => budget.reasons === undefined || budget.reasons.includes(reason)),
  );
  problems.unless(
    open.length === 0,
    "budgets",
    `has no budget without schedule for ${open.join(", ")}, so Karpenter may take every node at once: add { nodes: "10%" }, or { nodes: "100%" } if you mean that`,
  );
}

function windowProblems(problems: Problems, window: { scheduleUtc?: string; duration?: string }, where: string): void {
  problems.add(`${where}.scheduleUtc`, scheduleProblem(window.scheduleUtc));
  const duration = durationProblem(window.duration, DurationForm.Budget);
  if (duration !== undefined) problems.add(`${where}.duration`, duration);
  else problems.unless(secondsOf(window.duration!) > 0, `${where}.duration`, "is 0: write how long it lasts");
}

/** Seconds. A node takes some minutes to come, and Karpenter gives it fifteen to join (its `registrationTTL`); pods want to live longer than that. */
const shortestLife = 3600;

function lifetimeProblems(problems: Problems, plan: DisruptionPlan, longestPodGraceSeconds: number): void {
  const expiry = durationProblem(plan.expireAfter, DurationForm.OrNever);
  if (expiry !== undefined) problems.add("expireAfter", expiry);
  else
    problems.unless(
      secondsOf(plan.expireAfter) >= shortestLife,
      "expireAfter",
      `is ${plan.expireAfter}: nodes would go as soon as they come. Write at least 1h; days are 24h each`,
    );

  const graceOk = Number.isInteger(longestPodGraceSeconds) && longestPodGraceSeconds >= 0;
  problems.unless(
    graceOk,
    "longestPodGraceSeconds",
    `must be a whole number of at least 0, not ${longestPodGraceSeconds}`,
  );

  const grace = plan.terminationGracePeriod;
  const reason = durationProblem(grace, DurationForm.OrNever);
  if (reason !== undefined) problems.add("terminationGracePeriod", reason);
  else if (grace === never)
    problems.unless(
      plan.expireAfter === never,
      "terminationGracePeriod",
      `is Never, but nodes expire after ${plan.expireAfter}: a pod that may not be disrupted would keep an expired node for ever. Write how long draining may take, such as 6h, or set expireAfter to Never`,
    );
  else
    problems.unless(
      !graceOk || (secondsOf(grace) > 0 && secondsOf(grace) >= 2 * longestPodGraceSeconds),
      "terminationGracePeriod",
      `is ${grace}, but must be at least ${2 * longestPodGraceSeconds}s, twice longestPodGraceSeconds (${longestPodGraceSeconds}): pods would be cut off while they end`,
    );
}
