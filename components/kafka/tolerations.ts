import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { checked } from "../internal/validate";
import type { KafkaToleration } from "./kafka-cluster-args";

/** Tolerations as pods take them. */
export type Tolerations = pulumi.Input<k8s.types.input.core.v1.Toleration>[];

type Check = (value: string) => string | undefined;

/**
 * The tolerations. What the API server would refuse is refused here (pkg/apis/core/validation, `ValidateTolerations`): it sees the pods
 * only when the StatefulSet is made, long after the preview.
 */
export function tolerationsOf(tolerations: KafkaToleration[] | undefined): Tolerations | undefined {
  return tolerations?.map((toleration, index) => {
    const where = `tolerations[${index}]`;
    const given = pulumi.output({
      ...toleration,
      key: ifGiven(toleration.key, `${where}.key`, keyProblem),
      operator: ifGiven(toleration.operator, `${where}.operator`, oneOf("Exists", "Equal")),
      value: ifGiven(toleration.value, `${where}.value`, valueProblem),
      effect: ifGiven(toleration.effect, `${where}.effect`, oneOf("NoSchedule", "PreferNoSchedule", "NoExecute")),
    });
    const withKey = checked(given, `${where}.key`, ({ key = "", operator = "Equal" }) =>
      key === "" && operator === "Equal"
        ? "is missing: write the key of the taint, or the operator Exists to tolerate every taint"
        : undefined,
    );
    return checked(withKey, `${where}.value`, ({ operator, value = "" }) =>
      value !== "" && operator === "Exists"
        ? `must be left out with the operator Exists, which takes any: write Equal if you mean "${value}" only`
        : undefined,
    );
  });
}

function ifGiven(value: pulumi.Input<string> | undefined, where: string, check: Check) {
  return value === undefined ? undefined : checked(value, where, check);
}

function oneOf(...choices: string[]): Check {
  return (value) => (choices.includes(value) ? undefined : `must be ${choices.join(" or ")}, not "${value}"`);
}

const word = "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)";
const keyPattern = new RegExp(`^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?${word}$`);
const valuePattern = new RegExp(`^${word}?$`);

/** An empty key is no key. */
function keyProblem(key: string): string | undefined {
  return key === "" || keyPattern.test(key)
    ? undefined
    : `must be the key of a taint, such as "team" or "example.com/team", not "${key}"`;
}

function valueProblem(value: string): string | undefined {
  return valuePattern.test(value)
    ? undefined
    : `must be at most 63 letters, digits, - , _ and . that begin and end with a letter or digit, not "${value}"`;
}
