// The import rules of the house: who may know whom. `npm run check` enforces them; test/imports.test.ts proves that they bite.
const families = ["cluster", "load-balancing", "alarms", "karpenter", "kafka", "guards"];

/** A family may import only these others (the arrows of the architecture picture, reversed). */
const mayImport = {
  cluster: [],
  alarms: ["cluster"],
  karpenter: ["cluster"],
  "load-balancing": ["cluster", "alarms"],
  kafka: ["cluster", "alarms"],
  // One name of the tag and one path of the role serve the controller, the services and the guards.
  guards: ["alarms", "load-balancing"],
};

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "components-stand-alone",
      comment: "components import only @pulumi/* and each other; a file or the network they take as an argument",
      severity: "error",
      from: { path: "^(components/|index\\.ts$)" },
      to: { pathNot: ["^components/", "^node_modules/@pulumi/"] },
    },
    {
      name: "families-by-their-index",
      comment: "a family imports another only through its index.ts",
      severity: "error",
      from: { path: "^components/([^/]+)/" },
      to: {
        path: "^components/[^/]+/",
        pathNot: ["^components/$1/", "^components/internal/", "^components/[^/]+/index\\.ts$"],
      },
    },
    ...families.map((family) => ({
      name: `family-${family}`,
      comment: "the families form the graph of docs/architecture",
      severity: "error",
      from: { path: `^components/${family}/` },
      to: {
        path: "^components/",
        pathNot: [family, ...mayImport[family], "internal"].map((f) => `^components/${f}/`),
      },
    })),
    {
      name: "internal-knows-no-family",
      severity: "error",
      from: { path: "^components/internal/" },
      to: { path: "^components/", pathNot: "^components/internal/" },
    },
    {
      name: "stacks-use-the-public-api",
      comment: "stacks import components only through components/index.ts",
      severity: "error",
      from: { path: "^stacks/" },
      to: { path: "^(components/.+|policy/|cli/|test/|index\\.ts$)", pathNot: "^components/index\\.ts$" },
    },
    {
      name: "policy-stands-alone",
      comment: "the pack is published by itself",
      severity: "error",
      from: { path: "^policy/" },
      to: { pathNot: ["^policy/", "^node_modules/@pulumi/(policy|pulumi)/"], dependencyTypesNot: ["core"] },
    },
    {
      name: "kafka-stall-imports-nothing",
      comment: "the detector runs in any service, and in a browser if need be; its sidecar has Node's core besides",
      severity: "error",
      from: { path: "^kafka-stall/", pathNot: "^kafka-stall/sidecar" },
      to: { pathNot: "^kafka-stall/(?!sidecar)" },
    },
    {
      name: "kafka-sidecar-needs-node-only",
      comment: "a stock image of Node runs it",
      severity: "error",
      from: { path: "^kafka-stall/sidecar" },
      to: { pathNot: "^kafka-stall/", dependencyTypesNot: ["core"] },
    },
    {
      name: "cli-runs-anybodys-program",
      severity: "error",
      from: { path: "^cli/" },
      to: { path: "^((components|stacks|policy|test)/|index\\.ts$)" },
    },
    {
      name: "nobody-needs-real-servers",
      comment: "what test-real has is for its suites; only the tests of its own library look in",
      severity: "error",
      from: { pathNot: "^test(-real)?/" },
      to: { path: "^test-real/" },
    },
    {
      name: "test-real-shares-support-only",
      comment: "suites of real servers take what tests share, not tests, and judge policies by running them",
      severity: "error",
      from: { path: "^test-real/" },
      to: { path: "^(test/|policy/|index\\.ts$)", pathNot: "^test/(support|fixtures)/" },
    },
    {
      name: "nobody-needs-replays",
      comment: "a replay shows what components do; nothing is built on it",
      severity: "error",
      from: { pathNot: "^replays/" },
      to: { path: "^replays/" },
    },
    {
      name: "replays-use-what-users-use",
      comment: "replays run components as programs do, by their public API, in the harness that tests share",
      severity: "error",
      from: { path: "^replays/" },
      to: {
        path: ["^components/", "^stacks/", "^policy/", "^cli/", "^test/", "^index\\.ts$"],
        pathNot: ["^components/index\\.ts$", "^components/[^/]+/index\\.ts$", "^test/(support|fixtures)/"],
      },
    },
    {
      name: "cli-declares-its-packages",
      comment:
        "whoever installs Moorings gets no devDependencies, nor what only another package happens to bring along",
      severity: "error",
      from: { path: "^cli/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
