import * as pulumi from "@pulumi/pulumi";
import { imageProblem, portProblem } from "../internal/kubernetes";
import { checkedLabels, labelKeyProblem } from "../internal/labels";
import { namespaceProblem, objectNameProblem } from "../internal/object-names";
import { amountOf, cpuProblem, memoryProblem } from "../internal/quantities";
import type { Problems } from "../internal/validate";
import type { ContainerResourcesArgs, DrainSafeDeploymentArgs } from "./deployment-args";
import { pathProblem } from "../internal/formats";
import { volumeName } from "./pod-template";

/** Records what is wrong with the plain arguments. */
export function deploymentProblems(problems: Problems, args: DrainSafeDeploymentArgs): void {
  problems.add("port", portProblem(args.port));
  problems.unless(
    Object.keys(args.podLabels).length > 0,
    "podLabels",
    'is empty: write at least one label, for example { app: "shop" }',
  );
  const surge = args.maxSurgePercent ?? 25;
  problems.unless(
    Number.isInteger(surge) && surge >= 1 && surge <= 100,
    "maxSurgePercent",
    `must be a whole number between 1 and 100, not ${surge}: a rollout that may add no pod can't proceed`,
  );
  const { livenessPath, startupSeconds } = args.probes;
  problems.unless(
    startupSeconds === undefined || livenessPath !== undefined,
    "probes.startupSeconds",
    "has no effect without probes.livenessPath: leave it out",
  );
  problems.unless(
    startupSeconds === undefined || startupSeconds >= 5,
    "probes.startupSeconds",
    `must be at least 5, not ${startupSeconds ?? ""}`,
  );
  for (const variable of Object.keys(args.env ?? {}))
    // Any printable ASCII but "=" (KEP-4369, without a way back since Kubernetes 1.34).
    problems.unless(
      /^[ -<>-~]+$/.test(variable),
      `env["${variable}"]`,
      "is no name of a variable: write one such as LOG_LEVEL, without =",
    );
  const volumes = new Set<string>();
  for (const [index, path] of (args.writablePaths ?? []).entries()) {
    const volume = volumeName(path);
    problems.unless(
      /^(\/[A-Za-z0-9._-]+)+$/.test(path) && volume.length <= 63,
      `writablePaths[${index}]`,
      `must be an absolute path such as /tmp, not "${path}"`,
    );
    problems.unless(
      !volumes.has(volume),
      `writablePaths[${index}]`,
      `is too like another one ("${path}"): write it once`,
    );
    volumes.add(volume);
  }
}

/**
 * The arguments with every input checked, known now or later: the API server would refuse it in the middle of an update, or worse, take
 * the Deployment and refuse its pods.
 */
export function checkedDeployment(problems: Problems, args: DrainSafeDeploymentArgs): DrainSafeDeploymentArgs {
  const { probes } = args;
  const each = (argument: "readinessGates" | "envFromSecrets", check: (value: string) => string | undefined) =>
    args[argument]?.map((value, index) => problems.input(value, `${argument}[${index}]`, check));
  return {
    ...args,
    namespace: problems.input(args.namespace, "namespace", namespaceProblem),
    image: problems.input(args.image, "image", imageProblem),
    podLabels: checkedLabels(problems, "podLabels", args.podLabels),
    probes: {
      ...probes,
      readinessPath: problems.input(probes.readinessPath, "probes.readinessPath", pathProblem),
      livenessPath: problems.input(probes.livenessPath, "probes.livenessPath", pathProblem),
    },
    resources: checkedResources(problems, args.resources),
    readinessGates: each("readinessGates", labelKeyProblem),
    envFromSecrets: each("envFromSecrets", objectNameProblem),
    serviceAccountName: problems.input(args.serviceAccountName, "serviceAccountName", objectNameProblem),
    runAsUser: problems.input(args.runAsUser, "runAsUser", userProblem),
  };
}

function checkedResources(problems: Problems, { cpu, memory, memoryLimit }: ContainerResourcesArgs) {
  const request = problems.input(memory, "resources.memory", memoryProblem);
  const requests = { cpu: problems.input(cpu, "resources.cpu", cpuProblem), memory: request };
  if (memoryLimit === undefined) return requests;
  const limit = problems.input(memoryLimit, "resources.memoryLimit", memoryProblem);
  const both = problems.input({ request, limit }, "resources.memoryLimit", ({ request, limit }) =>
    (amountOf(limit) ?? Infinity) < (amountOf(request) ?? 0)
      ? `must be at least memory (${request}), not ${limit}`
      : undefined,
  );
  return { ...requests, memoryLimit: pulumi.output(both).limit };
}

/** Pods of user 0 never start, because they must not be root. The largest is Kubernetes' own limit (`IsValidUserID`). */
function userProblem(user: number): string | undefined {
  return Number.isInteger(user) && user >= 1 && user <= 2_147_483_647
    ? undefined
    : `must be a whole number from 1 to 2147483647, not ${user}${user === 0 ? ": the pods must not be root" : ""}`;
}
