import * as pulumi from "@pulumi/pulumi";
import { protectInside, protectOwn } from "../../stacks/protection";
import { stackConfig } from "../support/environments";
import { run } from "../support/harness";
import { previewState } from "../support/provider-state";

/** Runs stacks/index.ts, which acts when it is loaded, with this file's copy of the SDK, some of it replaced. */
const program = (environment: string, preview: boolean, runtime: Partial<typeof pulumi.runtime> = {}) =>
  run(
    () => {
      jest.resetModules();
      const log = { ...pulumi.log, info: () => Promise.resolve() }; // mocks would print it
      jest.doMock("@pulumi/pulumi", () => ({ ...pulumi, log, runtime: { ...pulumi.runtime, ...runtime } }));
      jest.doMock("../../stacks/protection", () => ({ protectInside, protectOwn }));
      return void jest.requireActual<object>("../../stacks/index");
    },
    { project: "moorings", stack: environment, config: stackConfig(environment), preview, state: previewState },
  );

test("example values stop an update before it makes anything, and name the keys", async () => {
  const { errors, resources } = await program("dev", false);
  expect(errors[0]?.message).toContain("Pulumi.dev.yaml still holds example values");
  expect(errors[0]?.message).toContain("- moorings:edge.certificateArn");
  expect(errors[0]?.message).toContain("- moorings:kafka.clusterId");
  expect(resources.filter((r) => r.type !== "pulumi:pulumi:Stack")).toEqual([]);
});

test.each([
  ["dev", false],
  ["staging", false],
  ["prod", true],
])("%s protects what is its own and what is inside remote components: %p", async (environment, protects) => {
  const own = jest.fn();
  const inside = jest.fn();
  await program(environment, true, { registerStackTransformation: own, registerResourceTransform: inside });
  expect(own.mock.calls).toEqual(protects ? [[protectOwn]] : []);
  expect(inside.mock.calls).toEqual(protects ? [[protectInside]] : []);
});
