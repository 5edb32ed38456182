import type { KafkaClusterArgs } from "./kafka-cluster-args";
import { fields, flag, text, type Shape } from "../internal/shapes";
import type { Problems } from "../internal/validate";
import type { KafkaCertificateRotation } from "./rotation-args";
import { fitsShape } from "./shape-checks";

const rotationFields: Record<keyof KafkaCertificateRotation, Shape> = { enabled: flag, schedule: text };
/** What `certificateRotation` is. */
export const rotationShape = fields(rotationFields);

/** Every hour, at a minute that others don't choose. A run that finds nothing to do is over in a second. */
export const defaultSchedule = "17 * * * *";

/** Checks when certificates are looked at. */
export function rotationProblems(args: KafkaClusterArgs, problems: Problems): void {
  const { certificateRotation: rotation, certificates, certManager } = args;
  if (rotation === undefined || !fitsShape(problems, "certificateRotation", rotation, rotationShape)) return;
  problems.unless(
    certificates !== undefined || certManager !== undefined,
    "certificateRotation",
    "is for certificates and certManager: leave it out, certificates of this component's own restart the pods themselves",
  );
  const { schedule = defaultSchedule } = rotation;
  problems.unless(
    /^(@(hourly|daily|midnight|weekly|monthly)|[-*/,0-9A-Za-z?]+( [-*/,0-9A-Za-z?]+){4})$/.test(schedule),
    "certificateRotation.schedule",
    `must be five fields, such as "${defaultSchedule}", not "${schedule}"`,
  );
}
