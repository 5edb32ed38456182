import { rows } from "../../test/support/deep";
import type { OperationKind } from "./cloud/cloud";
import { type Course, type Pace, untilGreen } from "./faults";
import { depth } from "./graph";
import { violations } from "./order";
import { dev, initialize, type Platform, prod, staging } from "./platforms";
import type { Changes } from "./project";
import { Session } from "./session";

/** Changes that update a resource of every kind that can be updated: tags for AWS, and what the settings reach in Kubernetes. */
const everywhere: Changes = new Map<readonly string[], unknown>([
  [["aws:defaultTags"], { tags: { "cost-center": "platform" } }],
  [["moorings:cluster", "nodePools", "amiAlias"], "al2023@v20261001"],
  [["moorings:cluster", "nodePools", "general", "limits", "cpu"], "10"],
  [["moorings:cluster", "nodePools", "kafka", "limits", "cpu"], "66"],
  [["moorings:edge", "web", "image"], "ghcr.io/stefanprodan/podinfo:6.9.1"],
  [["moorings:edge", "web", "maxReplicas"], 7],
  [["moorings:kafka", "brokerSize", "cpu"], "300m"],
  [["moorings:kafka", "controllerSize", "cpu"], "150m"],
]);

/** One run for each resource takes its time. This only ends what hangs. */
const longest = 3_600_000;

interface Row {
  readonly platform: Platform;
  readonly environment: string;
  readonly pace: Pace;
}

const row = (platform: Platform, pace: Pace): Row => ({ platform, environment: platform.environment, pace });

describe.each(
  rows([row(dev, "all at once")], [row(staging, "all at once"), row(prod, "all at once"), row(dev, "one at a time")]),
)("$environment, where everything fails the first time, $pace", ({ platform, environment, pace }) => {
  let session: Session;
  // Whoever meets one failure needs no more than the same command again. With many, this option saves runs.
  const up = pace === "all at once" ? ["up", "--continue-on-error"] : ["up"];

  /** Runs a command on each stack until it succeeds, and checks what holds for every kind of operation. */
  const course = async (
    kind: OperationKind,
    command: readonly string[],
    stacks = platform.stacks,
  ): Promise<Course[]> => {
    const courses: Course[] = [];
    for (const stack of stacks) {
      const made = await untilGreen(session, platform, stack, command, kind, pace);
      expect(made.problems).toEqual([]);
      // Each that failed succeeded later, once, and nothing else was done.
      const done = made.operations.map((operation) => `${operation.kind} ${operation.urn}`);
      expect(done.sort()).toEqual(made.failed.map((urn) => `${kind} ${urn}`).sort());
      courses.push(made);
    }
    return courses;
  };
  /**
   * A small multiple of the graph's depth, and nowhere near one for each resource: a run ends early where a Check misses what a failed resource
   * would have given (pulumi/pulumi issue 16133), and a component of another package at its first failure. Measured: dev 37 runs, prod's network
   * 16 for a depth of 7.
   */
  const expectFewRuns = (courses: readonly Course[]) => {
    for (const [index, { name }] of platform.stacks.entries()) {
      const { runs = 0, failed = [] } = courses[index] ?? {};
      const most = pace === "all at once" ? 2.5 * depth(session.state(name).resources) : failed.length + 1;
      expect(runs).toBeLessThanOrEqual(most);
    }
  };
  const expectNoChanges = async () => {
    for (const { name, options } of platform.stacks)
      await session.succeed("preview", "--expect-no-changes", "--stack", name, ...options);
  };

  beforeAll(async () => {
    session = await Session.open();
    await initialize(session, platform);
  });
  // The row "one at a time" has one failed run for each resource.
  afterEach(() => session.renewHost());
  afterAll(() => session.close());

  test(
    "Create: up again until green makes each thing once",
    async () => {
      const courses = await course("create", up);
      expectFewRuns(courses);
      expect(
        violations(
          courses.flatMap(({ operations }) => operations),
          "create",
        ),
      ).toEqual([]);
      await expectNoChanges();
    },
    longest,
  );

  test(
    "Update: up again until green changes each thing once, and replaces none",
    async () => {
      session.change(environment, everywhere);
      const courses = await course("update", up);
      expectFewRuns(courses);
      await expectNoChanges();
    },
    longest,
  );

  test(
    "Delete: destroy again until nothing is left",
    async () => {
      if (environment === "prod") {
        session.change("prod", new Map([[["moorings:protected"], false]]));
        for (const { name, options } of platform.stacks)
          await session.succeed("up", "--yes", "--skip-preview", "--stack", name, ...options);
        session.cloud.takeOperations();
      }
      // Never with --continue-on-error: docs/recovery.md.
      const courses = await course("delete", ["destroy"], [...platform.stacks].reverse());
      expect(
        violations(
          courses.flatMap(({ operations }) => operations),
          "delete",
        ),
      ).toEqual([]);
      expect(session.cloud.living).toEqual([]);
      expect(platform.stacks.flatMap(({ name }) => session.state(name).resources)).toEqual([]);
    },
    longest,
  );
});
