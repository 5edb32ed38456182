/**
 * The type token of a Kubernetes object without its API version and without `Patch`: `kubernetes:core:Endpoints` stands for
 * `kubernetes:core/v1:Endpoints`, its patch, and the custom resource form `kubernetes:v1:Endpoints`. Every version of a
 * kind reaches the same API server, so a rule must not be avoidable by choosing another one. Other tokens stay as they are.
 */
export function typeOf(token: string): string {
  const known = types.get(token);
  if (known !== undefined) return known;
  // A stack has hundreds of types. More than thousands are somebody's joke, which must not fill the memory.
  if (types.size >= 10_000) types.clear();
  const type = withoutVersion(token);
  types.set(token, type);
  return type;
}

/** Every rule asks this of every resource. */
const types = new Map<string, string>();

function withoutVersion(token: string): string {
  const match = /^kubernetes:(?:([^/:]+)\/)?[^/:]+:(.+)$/.exec(token);
  if (match === null) return token;
  return `kubernetes:${match[1] ?? "core"}:${match[2]!.replace(/Patch$/, "")}`;
}
