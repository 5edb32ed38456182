import * as pulumi from "@pulumi/pulumi";
import { checked } from "../internal/validate";
import type { KafkaToleration } from "./kafka-cluster-args";

const operators = ["Exists", "Equal"];
const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** The tolerations, with a misspelt operator or effect refused: the pods would stay Pending. */
export function tolerationsOf(tolerations: KafkaToleration[] | undefined): KafkaToleration[] | undefined {
  return tolerations?.map((toleration, index) => ({
    ...toleration,
    operator: oneOf(toleration.operator, `tolerations[${index}].operator`, operators),
    effect: oneOf(toleration.effect, `tolerations[${index}].effect`, effects),
  }));
}

function oneOf(value: pulumi.Input<string> | undefined, where: string, choices: string[]) {
  if (value === undefined) return undefined;
  return checked(value, where, (known) =>
    choices.includes(known) ? undefined : `must be ${choices.join(" or ")}, not "${known}"`,
  );
}
