import { encodedIn } from "../../lib/encoded";

/**
 * How a script, a program, a workflow or a manifest registers a target, in the spellings of the AWS CLI, the SDKs, the query API, Step
 * Functions and Scheduler (`aws-sdk:elasticloadbalancingv2:registerTargets`), Systems Manager's `aws:executeAwsApi`, PowerShell, Terraform and
 * Pulumi, Ansible, Cloud Control, and Kubernetes with its clients.
 * `RegisterTargets` alone is only a word: a permission (`elasticloadbalancing:RegisterTargets`), an event's name, a metric's label.
 */
const calls: readonly RegExp[] = [
  /(?<!de|un|(?<![a-z])de[-_])register[-_]targets/i,
  /(?<![dD]e|[uU]n)registerTargets/,
  /RegisterTargets(?=\w|\s*\()|(?:\b(?:[aA]ction|Api)\W{1,8}|action\/|call\W{1,3})RegisterTargets/,
  /register-elb2target/i,
  /target_?group_?attachment/i,
  /\belb_target\b(?!\.)/i,
  /\bkind\W{1,5}endpoint(?:s|slice)\b/i,
  // Looks back from the resource, which is said, and isn't a secret as the rest of the line may be.
  /\bendpoint(?:s|slices?)\b(?<=\bkubectl\b[^\n;&|]{0,150}[\s"'](?:edit|patch|replace)[\s"',][^\n;&|]{0,150})/i,
  /(?:create|patch|replace)_?namespaced_?endpoint(?:s|_?slice)/i,
  /\bcloudcontrol\s+(?:create|update)-resource\b(?=[^]{0,2000}::TargetGroup\b)(?=[^]{0,2000}\bTargets\b)/i,
];

/** What a text says to run that registers a target; undefined if it doesn't. Says the words only: a text may hold secrets. */
export function registrationIn(text: string): string | undefined {
  return (
    callIn(text) ??
    encodedIn(text)
      .map(callIn)
      .find((call) => call !== undefined)
  );
}

function callIn(text: string): string | undefined {
  const run = asRun(text);
  return calls.map((call) => call.exec(run)?.[0]).find((found) => found !== undefined);
}

/** A text as it is run: without lines of comment, and with words in one that a shell or a program puts together. */
function asRun(text: string): string {
  return text
    .replace(/\\\r?\n[ \t]*/g, "")
    .replace(/^[ \t]*(?:#|\/\/).*$/gm, "")
    .replace(/''|""|["'`][ \t]*\+[ \t]*["'`]/g, "");
}
