/** Namespaces of configuration that means something here, besides the project's own. */
const namespaces = ["aws", "aws-native", "awsx", "eks", "kubernetes", "pulumi", "tls"];

/**
 * What is wrong with keys that the providers and Pulumi read. They are checked here, because nobody else says a word when a guard is
 * misspelt: then it simply isn't there.
 */
export function foreignProblems(config: Readonly<Record<string, string>>, project: string): string[] {
  const problems: string[] = [];
  if (config["aws:region"] === undefined) problems.push("aws:region: is missing; write the region, such as eu-west-1");

  const accounts = listOf(config["aws:allowedAccountIds"]);
  if (accounts.length === 0 || !accounts.every((account) => /^\d{12}$/.test(account)))
    problems.push(
      'aws:allowedAccountIds: must list the accounts that may be changed, such as ["210987654321"]; without it any credentials would do',
    );
  const disabled = listOf(config["pulumi:disable-default-providers"]);
  if (!disabled.includes("kubernetes") && !disabled.includes("*"))
    problems.push(
      "pulumi:disable-default-providers: must be [kubernetes]; without it an object could go to the cluster of somebody's kubeconfig",
    );

  for (const key of Object.keys(config)) {
    const namespace = key.split(":")[0]!;
    if (namespace !== project && !namespaces.includes(namespace))
      problems.push(`${key}: ${namespace} is nobody's namespace; this program reads ${project}:...`);
  }
  return problems;
}

function listOf(value: string | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(value ?? "");
    return Array.isArray(parsed) ? parsed.map(String) : [];
  } catch {
    return [];
  }
}
