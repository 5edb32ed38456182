import type { Rule } from "./lib/rule";

/** Configurations of the pack for kinds of environments: `profiles/<name>.json`, written by docs.ts. */
export const profileNames = ["dev", "staging", "prod"] as const;
export type ProfileName = (typeof profileNames)[number];

type Level = "mandatory" | "advisory";

/** What a profile sets for one rule. */
interface Setting {
  readonly enforcementLevel: Level;
  readonly unknownValues?: "violation";
}

/** Rules that a profile sets apart, and why. */
export interface Choice {
  readonly rules: readonly string[];
  readonly setting: Setting;
  readonly why: string;
}

/** A profile: what holds for every rule, and what is set apart. */
export interface Profile {
  readonly all: Level;
  readonly why: string;
  readonly choices: readonly Choice[];
}

/** Their findings are useless things, a project of their own, or something to look at first: advisory by themselves. */
const advisoryByThemselves = [
  "no-kafka-server-stop-hook",
  "controller-chart-is-current",
  "keepalive-is-no-timeout",
  "no-target-registration-in-scripts",
  "carriers-can-be-seen",
];

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  dev: {
    all: "mandatory",
    why: "What stops an update half-way, cuts traffic, loses data or registers pods by hand is as wrong in `dev` as in `prod`, and nothing is saved by it.",
    choices: [
      {
        rules: ["node-pool-has-limits", "node-pool-expiry-needs-grace"],
        setting: { enforcementLevel: "advisory" },
        why: "Money: nodes that nobody bounded or that won't go away. `dev` may find that out on the bill.",
      },
      {
        rules: ["node-pool-has-budgets", "node-class-pins-ami", "stateful-node-pool-never-underutilized"],
        setting: { enforcementLevel: "advisory" },
        why: "Comfort: nodes and brokers that move more often than people like. Moving them for the price is what `dev` is for.",
      },
      {
        rules: ["bound-workload-drains", "controller-survives-a-drain"],
        setting: { enforcementLevel: "advisory" },
        why: "Requests lost during a rollout, and a registration that waits for a drain: one replica of everything is enough where nobody pays for an answer.",
      },
      {
        rules: ["ip-target-group-has-alarms", "outage-alarms-are-never-muted"],
        setting: { enforcementLevel: "advisory" },
        why: "Nobody is woken for `dev`.",
      },
      {
        rules: [
          "kafka-survives-losing-a-broker",
          "kafka-has-a-disruption-budget",
          "kafka-spreads-over-zones",
          "kafka-nodes-outlive-the-shutdown",
        ],
        setting: { enforcementLevel: "advisory" },
        why: "Copies, zones and on-demand nodes cost money, and one broker is a fair `dev`. What loses data although it is paid for (volumes, cluster ids, shutdown) stays mandatory.",
      },
      {
        rules: advisoryByThemselves,
        setting: { enforcementLevel: "advisory" },
        why: "Advisory by themselves: useless rather than harmful, a project of its own, or something to look at first.",
      },
    ],
  },
  staging: {
    all: "mandatory",
    why: "A rehearsal for `prod` with other numbers: what `prod` would refuse is refused here, a day earlier.",
    choices: [
      {
        rules: advisoryByThemselves,
        setting: { enforcementLevel: "advisory" },
        why: "Advisory by themselves: whoever sees the advice here has time until `prod`, which insists.",
      },
    ],
  },
  prod: {
    all: "mandatory",
    why: "Also what is advisory by itself: advice that nobody has to follow isn't read in an incident.",
    choices: [
      {
        rules: [
          "no-attachments-on-ip-target-groups",
          "ip-target-group-needs-binding",
          "ip-target-group-has-alarms",
          "outage-alarms-are-never-muted",
        ],
        setting: { enforcementLevel: "mandatory", unknownValues: "violation" },
        why: "Rules on the stack run after an update's changes, so that the preview is the only one to stop them, and what decides in these (a target type, what an alarm does with silence) is text of the program. A value of it that a preview doesn't know is a mistake by itself.",
      },
      {
        rules: ["no-inline-rules-on-cluster-security-groups", "no-controller-managed-descriptions"],
        setting: { enforcementLevel: "mandatory", unknownValues: "violation" },
        why: "Tags and descriptions are text of the program as well. The update would stop before it writes them, but a stop in the middle of an update of `prod` is late.",
      },
    ],
  },
};

/** Why no profile is strict about more. */
export const whyNotStrict =
  'All other rules keep `unknownValues: "advisory"` in every profile. The repository\'s own stacks pass strict rules throughout, but two things make them noise elsewhere: ' +
  "in the first preview of a cluster the Kubernetes provider knows nothing of its objects, and ids that AWS makes (of instances as targets, of security groups) are unknown " +
  "in every preview that creates them.";

/** The file of a profile, for `--policy-pack-config` of both command lines. */
export function profileFile(name: ProfileName): string {
  const { all, choices } = profiles[name];
  const settings = choices.flatMap(({ rules, setting }) =>
    rules.map((rule) => [rule, setting.unknownValues === undefined ? setting.enforcementLevel : setting]),
  );
  return `${JSON.stringify({ all, ...Object.fromEntries(settings) }, null, 2)}\n`;
}

/** What a profile makes of a rule, in words. */
export function levelIn(name: ProfileName, rule: Rule): string {
  const { all, choices } = profiles[name];
  const { enforcementLevel, unknownValues } =
    choices.find(({ rules }) => rules.includes(rule.name))?.setting ?? ({ enforcementLevel: all } as Setting);
  return unknownValues === undefined ? enforcementLevel : `${enforcementLevel}, strict`;
}
