import * as pulumi from "@pulumi/pulumi";
import { checked, isLate, type Problems } from "./validate";

/*
 * Labels, as Kubernetes takes them (apimachinery, pkg/api/validate/content/kube.go, `IsLabelKey` and `IsLabelValue`). Taints, readiness
 * gates and requirements of nodes have the same keys and values.
 */

/** Labels, by their keys. */
export type Labels = Record<string, pulumi.Input<string>>;

const word = "([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)";
const keyPattern = new RegExp(`^(?:([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)/)?${word}$`);
const valuePattern = new RegExp(`^${word}?$`);
const longestPrefix = 253;

const wordRule = "at most 63 letters, digits, - , _ and . that begin and end with a letter or digit";

/** What is wrong with the key of a label, or undefined. */
export function labelKeyProblem(key: string): string | undefined {
  const [matched, prefix = ""] = keyPattern.exec(key) ?? [];
  return matched !== undefined && prefix.length <= longestPrefix
    ? undefined
    : `must be a key such as "team" or "example.com/team", its name ${wordRule}, not "${key}"`;
}

/** What is wrong with the value of a label, or undefined. */
export function labelValueProblem(value: string): string | undefined {
  return typeof value === "string" && valuePattern.test(value) ? undefined : `must be ${wordRule}, not "${value}"`;
}

/** Checks labels, each by its own name, and returns what to use in their place. */
export function checkedLabels(
  problems: Problems,
  argument: string,
  labels: Labels,
  keyProblem = labelKeyProblem,
): Labels {
  const check = ([key, value]: [string, pulumi.Input<string>]): [string, pulumi.Input<string>] => {
    const where = `${argument}["${key}"]`;
    problems.add(where, keyProblem(key));
    return [key, problems.input(value, where, labelValueProblem)];
  };
  return Object.fromEntries(Object.entries(labels).map(check));
}

/** The same for labels of which not even the keys need to be known. */
export function checkedLabelsInput(
  problems: Problems,
  argument: string,
  labels: pulumi.Input<Labels>,
  keyProblem = labelKeyProblem,
): pulumi.Input<Labels> {
  if (!isLate<Labels>(labels)) return checkedLabels(problems, argument, labels, keyProblem);
  return checked(labels, argument, (known) => {
    for (const [key, value] of Object.entries(known)) {
      const reason = keyProblem(key) ?? labelValueProblem(value);
      if (reason !== undefined) return `has "${key}", which ${reason}`;
    }
    return undefined;
  });
}
