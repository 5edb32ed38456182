// Jest gives tests a copy of `process` whose `on` never fires. The harness must see the unhandled rejections
// that a failing Pulumi program leaves behind, so this environment hands it the real one.
const { TestEnvironment } = require("jest-environment-node");

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.hostProcess = process;
  }
};
