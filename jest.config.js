module.exports = {
  testEnvironment: "<rootDir>/test/support/environment.js",
  testEnvironmentOptions: { globalsCleanup: "off" }, // Pulumi keeps globals; the clean-up only prints warnings
  transform: {
    // The last is published as ES modules only.
    "\\.ts$|/@marcbachmann/cel-js/lib/.+\\.js$": [
      "@swc/jest",
      {
        jsc: { target: "es2022", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
        sourceMaps: "inline",
      },
    ],
  },
  transformIgnorePatterns: ["/node_modules/(?!@marcbachmann/cel-js/)"],
  // The SDK loads these whenever it is loaded, for functions that it serializes: no test does, and each file would pay a second for them.
  moduleNameMapper: { "^@npmcli/arborist$|/typescript-shim$": "<rootDir>/test/support/not-loaded.js" },
  setupFiles: ["<rootDir>/test/support/no-color.js"],
  // Two, also where there are two cores and Jest would take one: most of the time is spent waiting for child processes.
  maxWorkers: 2,
  testMatch: ["<rootDir>/{test,replays}/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/test/fixtures/", "<rootDir>/examples/", "<rootDir>/dist/"],
  // Suites spawn real programs on shared cores; the bound only stops a hang, no test asserts a time.
  testTimeout: 180_000,
};
