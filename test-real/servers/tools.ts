import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { buildDirectory } from "./cache";
import type { GoModule } from "./go";

/** A server or command that suites run. */
export interface Tool {
  /** Where it is pinned. */
  readonly module: GoModule;
  /** Its main package. */
  readonly package: string;
}

// Without a version the Automation API refuses the Pulumi CLI, and an API server calls itself v0.0.0.
const pinned: GoModule = {
  folder: "tools",
  stamps: {
    "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version": "github.com/pulumi/pulumi/pkg/v3",
    "k8s.io/component-base/version.gitVersion": "k8s.io/kubernetes",
  },
};

// Its dependencies exclude those of the others.
const kubernetesProvider: GoModule = { folder: "tools/kubernetes-provider", stamps: {} };

/** Its dependencies, too. What it is built with is its own choice, as in its releases. */
export const karpenter: GoModule = {
  folder: "tools/karpenter",
  stamps: {
    "k8s.io/component-base/version.gitVersion": "k8s.io/kubernetes",
    "sigs.k8s.io/karpenter/pkg/operator.Version": "sigs.k8s.io/karpenter",
  },
};

/** All tools, by the name of their program. */
export const tools = {
  pulumi: { module: pinned, package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
  etcd: { module: pinned, package: "go.etcd.io/etcd/server/v3" },
  "kube-apiserver": { module: pinned, package: "k8s.io/kubernetes/cmd/kube-apiserver" },
  "kube-controller-manager": { module: pinned, package: "k8s.io/kubernetes/cmd/kube-controller-manager" },
  "pulumi-resource-kubernetes": {
    module: kubernetesProvider,
    package: "moorings.dev/tools/pulumi-resource-kubernetes",
  },
  "kube-scheduler": { module: karpenter, package: "k8s.io/kubernetes/cmd/kube-scheduler" },
  "karpenter-kwok": { module: karpenter, package: "sigs.k8s.io/karpenter/kwok" },
} as const satisfies Record<string, Tool>;
export type ToolName = keyof typeof tools;

/** Whether there is a program: a full disk leaves empty files. */
export function isTool(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && statSync(path).size > 0;
  } catch {
    return false;
  }
}

/** Path of a tool that `npm run test:real` has built. */
export function toolPath(name: ToolName): string {
  const path = join(buildDirectory(tools[name].module), name);
  if (isTool(path)) return path;
  throw new Error(`${name} isn't built: run "npm run test:real -- SUITE" with a suite that needs it`);
}
