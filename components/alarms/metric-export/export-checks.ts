import type * as pulumi from "@pulumi/pulumi";
import { keyArnProblem } from "../../internal/formats";
import { retentionProblem } from "../../internal/log-retention";
import { requireNameFits } from "../../internal/names";
import { oneOf, type Problems } from "../../internal/validate";
import { alarmNameOf, asciiProblem, requireAlarmName } from "../alarm-parts";
import { AlarmSeverity, routesProblems } from "../routes";
import { destinations } from "./destinations";
import { exportAlarms } from "./export-alarms";
import { MetricDestination, type MetricExportArgs } from "./export-args";
import { filterProblem } from "./filters";

/** Arguments with their defaults, checked now or when they are known. */
export interface CheckedExport {
  readonly url: pulumi.Input<string>;
  readonly secretArn: pulumi.Input<string>;
  readonly secretKeyArn: pulumi.Input<string> | undefined;
  readonly backupRetentionDays: number;
  readonly logRetentionDays: number;
  readonly runbookUrl: pulumi.Input<string> | undefined;
}

/** Records what is wrong with the arguments. */
export function checkedExport(problems: Problems, name: string, args: MetricExportArgs): CheckedExport {
  for (const child of [`${name}-delivery`, `${name}-stream`]) requireNameFits(problems, "IAM role", child);
  requireNameFits(problems, "delivery stream", `${name}-delivery`);
  requireNameFits(problems, "bucket", `${name}-backup`);
  problems.unless(
    /^[a-z0-9][a-z0-9-]*$/.test(name),
    "name",
    `makes the bucket "${name}-backup": use lower-case letters, digits and hyphens, as S3 does`,
  );
  for (const { suffix } of exportAlarms) requireAlarmName(problems, alarmNameOf(args.namePrefix, name, suffix));
  routesProblems(problems, args.routes);
  problems.add("metrics", filterProblem(args.metrics ?? {}));

  const backupRetentionDays = args.backupRetentionDays ?? 14;
  problems.unless(
    Number.isInteger(backupRetentionDays) && backupRetentionDays >= 1 && backupRetentionDays <= 365,
    "backupRetentionDays",
    `must be a whole number from 1 to 365, not ${backupRetentionDays}`,
  );
  const logRetentionDays = args.logRetentionDays ?? 14;
  problems.add("logRetentionDays", retentionProblem(logRetentionDays));

  const unknown = oneOf(MetricDestination, String(args.destination));
  problems.add("destination", unknown);
  problems.add("severity", oneOf(AlarmSeverity, args.severity));
  const url = args.url ?? (unknown === undefined ? destinations[args.destination].url : undefined);
  if (unknown === undefined && url === undefined)
    problems.add("url", "is missing: MetricDestination.Generic has no address of its own");
  return {
    url: problems.input(url ?? "https://", "url", urlProblem),
    secretArn: problems.input(args.accessKeySecretArn, "accessKeySecretArn", (arn) =>
      // The value isn't repeated: somebody may have given the key itself.
      /^arn:[^:]+:secretsmanager:[^:]+:\d{12}:secret:\S+$/.test(arn)
        ? undefined
        : "must be the ARN of a secret in Secrets Manager, never the key itself",
    ),
    secretKeyArn: problems.input<string>(args.accessKeySecretKmsKeyArn, "accessKeySecretKmsKeyArn", keyArnProblem),
    backupRetentionDays,
    logRetentionDays,
    runbookUrl: problems.input<string>(args.runbookUrl, "runbookUrl", asciiProblem),
  };
}

/** The address isn't repeated: it may carry a key. */
function urlProblem(url: string): string | undefined {
  return url.startsWith("https://") && url.length <= 1000
    ? undefined
    : "must start with https:// and have at most 1000 characters (Firehose, HttpEndpointConfiguration)";
}
