import type { Violation } from "./engine/records";
import { describe, typeOf } from "./engine/urn";
import type { Plan } from "./plan";

/** With `--fail-on-closed-box` each remote component whose type isn't allowed is a violation: nobody saw what is inside. */
export function closedBoxViolations(plan: Plan, allowed: readonly string[]): Violation[] {
  const unseen = plan.closedBoxes.filter((urn) => !allowed.includes(typeOf(urn)));
  return unseen.map((urn) => ({
    pack: "moorings check",
    policy: "closed-box",
    urn,
    enforcement: "mandatory",
    severity: "medium",
    message: `${describe(urn)} is a remote component: what it creates can't be seen offline`,
    remediation: `Review what the component creates, then allow it with --allow-closed-box ${typeOf(urn)}; "pulumi preview --policy-pack" sees inside.`,
    url: "",
  }));
}
