import type * as pulumi from "@pulumi/pulumi";
import { isGraviton, isInstanceType } from "../internal/instance-types";
import { oneOf, type Problems } from "../internal/validate";

/** Processor of a group of nodes. */
export enum NodeArchitecture {
  /** Intel and AMD. */
  X86 = "x86_64",
  /** Graviton. */
  Arm64 = "arm64",
}

/** A managed group of nodes. */
export interface NodesArgs {
  /** Processor. It decides the image. Defaults to `NodeArchitecture.X86`. */
  architecture?: NodeArchitecture;
  /**
   * Instance types, tried in this order. They must fit `architecture`; otherwise the nodes would never boot. Defaults to m7i.large,
   * m6i.large and m5.large, or m7g.large and m6g.large: 2 CPUs and 8 GiB.
   */
  instanceTypes?: pulumi.Input<pulumi.Input<string>[]>;
  /** Number of nodes. At least 2, so that the loss of a zone leaves one. Defaults to 2. */
  minSize?: number;
  /** Most nodes during an update or by hand. At least `minSize`. Defaults to `minSize` + 2. */
  maxSize?: number;
  /** Size of each root volume in GiB, encrypted gp3: 20, which the image needs, to 16384. Defaults to 50. */
  diskSizeInGiB?: pulumi.Input<number>;
}

/** The arguments with all defaults. */
export interface NodesPlan {
  readonly amiType: string;
  readonly instanceTypes: pulumi.Input<string[]>;
  readonly minSize: number;
  readonly maxSize: number;
  readonly diskSizeInGiB: pulumi.Input<number>;
}

const amiTypes = {
  [NodeArchitecture.X86]: "AL2023_x86_64_STANDARD",
  [NodeArchitecture.Arm64]: "AL2023_ARM_64_STANDARD",
};

const defaultInstanceTypes = {
  [NodeArchitecture.X86]: ["m7i.large", "m6i.large", "m5.large"],
  [NodeArchitecture.Arm64]: ["m7g.large", "m6g.large"],
};

/** Applies defaults and checks the numbers. */
export function planNodes(argument: string, args: NodesArgs, problems: Problems): NodesPlan {
  const wrongArchitecture = oneOf(NodeArchitecture, args.architecture);
  problems.add(`${argument}.architecture`, wrongArchitecture);
  const architecture = wrongArchitecture === undefined ? (args.architecture ?? NodeArchitecture.X86) : undefined;
  const minSize = args.minSize ?? 2;
  const maxSize = args.maxSize ?? minSize + 2;
  problems.unless(
    Number.isInteger(minSize) && minSize >= 2,
    `${argument}.minSize`,
    `must be a whole number of at least 2, not ${minSize}: the loss of a single node would stop everything on it`,
  );
  problems.unless(
    Number.isInteger(maxSize) && !(maxSize < minSize), // of a minSize that is no number nothing can be said
    `${argument}.maxSize`,
    `must be a whole number of at least minSize (${minSize}), not ${maxSize}`,
  );
  return {
    amiType: amiTypes[architecture ?? NodeArchitecture.X86],
    instanceTypes: problems.input(
      args.instanceTypes ?? defaultInstanceTypes[architecture ?? NodeArchitecture.X86],
      `${argument}.instanceTypes`,
      (types) => instanceTypesProblem(argument, architecture, types),
    ),
    minSize,
    maxSize,
    diskSizeInGiB: problems.input(args.diskSizeInGiB ?? 50, `${argument}.diskSizeInGiB`, (size) =>
      Number.isInteger(size) && size >= 20 && size <= 16384
        ? undefined
        : `must be a whole number of GiB between 20 and 16384, not ${size}`,
    ),
  };
}

/** What is wrong with instance types for a processor, or undefined. Without a processor only what holds for all can be said. */
function instanceTypesProblem(
  argument: string,
  architecture: NodeArchitecture | undefined,
  types: string[],
): string | undefined {
  if (types.length === 0) return "must name at least one instance type";
  const unknown = types.filter((t) => !isInstanceType(t));
  if (unknown.length > 0) return `must be instance types such as m7i.large, not "${unknown.join('", "')}"`;
  if (architecture === undefined) return undefined;
  const misfits = types.filter((t) => isGraviton(t) !== (architecture === NodeArchitecture.Arm64));
  return misfits.length === 0
    ? undefined
    : `must be ${architecture} types, not ${misfits.join(", ")}: change them or ${argument}.architecture, or the nodes never boot`;
}
