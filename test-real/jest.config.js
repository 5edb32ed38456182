const base = require("../jest.config.js");

module.exports = {
  ...base,
  rootDir: "..",
  testMatch: ["<rootDir>/test-real/**/*.test.ts"],
  // These take many minutes: `npm run test:deep` runs them, too (test/support/deep.ts).
  testPathIgnorePatterns: process.env.MOORINGS_DEEP === "1" ? [] : ["\\.deep\\.test\\.ts$"],
  modulePathIgnorePatterns: ["<rootDir>/test/fixtures/(packs|programs)/", "<rootDir>/dist/"],
  // One test may run the engine a dozen times, on shared cores; the bound only stops a hang, no test asserts a time.
  testTimeout: 600_000,
};
