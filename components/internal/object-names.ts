/*
 * Names that Kubernetes takes (apimachinery, pkg/api/validate/content/dns.go).
 */

/** Longest name that is a label of DNS, or the value of a label. */
const longestLabel = 63;
const longestSubdomain = 253;

const dnsLabel = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const dnsSubdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Whether a name, whatever its length, has the letters of a label of DNS. */
export function isDnsLabel(name: string): boolean {
  return dnsLabel.test(name);
}

/** Whether a Service can have the name, whatever its length: before Kubernetes 1.36 it must begin with a letter (KEP-5311). */
export function isServiceName(name: string): boolean {
  return dnsLabel.test(name) && /^[a-z]/.test(name);
}

/** What is wrong with the name of an object of most kinds, or undefined. */
export function objectNameProblem(name: string): string | undefined {
  return dnsSubdomain.test(name) && name.length <= longestSubdomain
    ? undefined
    : `must be the name of an object in Kubernetes, not "${name}"`;
}

/** What is wrong with a namespace, or undefined. */
export const namespaceProblem = labelOf("a namespace");

/** What is wrong with the name of a Service that exists, or undefined. */
export const serviceNameProblem = labelOf("a Service");

/** What is wrong with the name of a Service's port, or undefined. */
export const portNameProblem = labelOf("a Service's port");

function labelOf(bearer: string): (name: string) => string | undefined {
  return (name) =>
    dnsLabel.test(name) && name.length <= longestLabel
      ? undefined
      : `must be the name of ${bearer} (lower-case letters, digits and hyphens, at most ${longestLabel}), not "${name}"`;
}
