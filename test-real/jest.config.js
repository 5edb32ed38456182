const base = require("../jest.config.js");

module.exports = {
  ...base,
  rootDir: "..",
  testMatch: ["<rootDir>/test-real/**/*.test.ts"],
  modulePathIgnorePatterns: ["<rootDir>/test/fixtures/(packs|programs)/"],
};
