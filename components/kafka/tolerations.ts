import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { labelKeyProblem, labelValueProblem } from "../internal/labels";
import { fields, lateNumber, lateText, listOf, type Shape } from "../internal/shapes";
import type { Problems } from "../internal/validate";
import type { KafkaToleration } from "./kafka-cluster-args";

const tolerationFields: Record<keyof KafkaToleration, Shape> = {
  key: lateText,
  operator: lateText,
  value: lateText,
  effect: lateText,
  tolerationSeconds: lateNumber,
};
/** What an argument with tolerations is. */
export const tolerationsShape = listOf(fields(tolerationFields));

/** Tolerations as pods take them. */
export type Tolerations = pulumi.Input<k8s.types.input.core.v1.Toleration>[];

/**
 * The tolerations. What the API server would refuse is refused here (pkg/apis/core/validation, `ValidateTolerations`): it sees the pods
 * only when the StatefulSet is made, long after the preview.
 */
export function tolerationsOf(
  problems: Problems,
  tolerations: KafkaToleration[] | undefined,
  argument = "tolerations",
): Tolerations | undefined {
  return tolerations?.map((toleration, index) => {
    const at = (member: keyof KafkaToleration) => `${argument}[${index}].${member}`;
    const given = {
      ...toleration,
      key: problems.input(toleration.key, at("key"), keyProblem),
      operator: problems.input(toleration.operator, at("operator"), oneOf("Exists", "Equal")),
      value: problems.input(toleration.value, at("value"), labelValueProblem),
      effect: problems.input(toleration.effect, at("effect"), oneOf("NoSchedule", "PreferNoSchedule", "NoExecute")),
      tolerationSeconds: problems.input(toleration.tolerationSeconds, at("tolerationSeconds"), secondsProblem),
    };
    const withKey = problems.input(given, at("key"), ({ key = "", operator = "Equal" }) =>
      key === "" && operator === "Equal"
        ? "is missing: write the key of the taint, or the operator Exists to tolerate every taint"
        : undefined,
    );
    const withValue = problems.input(withKey, at("value"), ({ operator, value = "" }) =>
      value !== "" && operator === "Exists"
        ? `must be left out with the operator Exists, which takes any: write Equal if you mean "${value}" only`
        : undefined,
    );
    return problems.input(withValue, at("tolerationSeconds"), ({ effect, tolerationSeconds }) =>
      tolerationSeconds !== undefined && effect !== "NoExecute"
        ? "needs the effect NoExecute, the only one that takes pods away: write it, or leave the seconds out"
        : undefined,
    );
  });
}

function oneOf(...choices: string[]): (value: string) => string | undefined {
  return (value) => (choices.includes(value) ? undefined : `must be ${choices.join(" or ")}, not "${value}"`);
}

/** An empty key is no key. */
function keyProblem(key: string): string | undefined {
  return key === "" ? undefined : labelKeyProblem(key);
}

function secondsProblem(seconds: number): string | undefined {
  return Number.isInteger(seconds) && seconds >= 0
    ? undefined
    : `must be a whole number of seconds, 0 or more, not ${seconds}`;
}
