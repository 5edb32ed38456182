import * as pulumi from "@pulumi/pulumi";
import type { KafkaClusterArgs } from "../../../components/kafka";
import { find, reaches } from "../../support/graph";
import type { RunOptions } from "../../support/harness";
import { both, given, make, state, statefulSet, types, type Role } from "./setup";

describe("a change rolls the pods", () => {
  const annotations = async (role: Role, change: Partial<KafkaClusterArgs>, options: RunOptions = {}) =>
    statefulSet((await make(change, options)).resources, role).template.metadata.annotations;

  test.each(both)("of the configuration of the %s", async (role) => {
    const before = await annotations(role, {});
    const after = await annotations(role, { configuration: { retentionHours: 72 } });
    expect(before["moorings.dev/configuration-checksum"]).toMatch(/^[0-9a-f]{64}$/);
    expect(after["moorings.dev/configuration-checksum"]).not.toBe(before["moorings.dev/configuration-checksum"]);
    expect(after["moorings.dev/certificate-checksum"]).toBe(before["moorings.dev/certificate-checksum"]);
  });

  test.each([
    ["broker", "k-broker-certificate", true, false],
    ["controller", "k-controller-certificate", false, true],
    ["cluster's authority", "k-cluster-ca", true, true],
    ["clients' authority", "k-clients-ca", true, false],
    ["client", "k-client-shop-certificate", false, false],
  ])("of the certificate of the %s, where it is used", async (_, renewed, brokers, controllers) => {
    const renew: RunOptions = {
      state: (resource) => ({
        ...state(resource),
        ...(resource.name === renewed ? { certPem: "RENEWED" } : {}),
      }),
    };
    for (const [role, rolls] of [
      ["broker", brokers],
      ["controller", controllers],
    ] as const) {
      const key = "moorings.dev/certificate-checksum";
      const [before, after] = [(await annotations(role, {}))[key], (await annotations(role, {}, renew))[key]];
      expect(before !== after).toBe(rolls);
    }
  });

  test.each([
    ["its own", "k-client-shop-certificate", ["shop"]],
    ["the brokers' authority", "k-cluster-ca", ["shop", "audit"]],
    // Its renewal signs the client's anew, which counts by itself.
    ["the clients' authority", "k-clients-ca", []],
    ["the brokers'", "k-broker-certificate", []],
  ])("of a client for %s certificate, and of no other", async (_, renewed, rolled) => {
    const checksums = async (renew: string) => {
      const change = { clients: { shop: { namespace: "shop" }, audit: { namespace: "sec" } } };
      const { outputs } = await make(change, {
        state: (resource) => ({ ...state(resource), ...(resource.name === renew ? { certPem: "RENEWED" } : {}) }),
      });
      return outputs!.clientChecksums;
    };
    const [before, after] = [await checksums("nothing"), await checksums(renewed)];
    expect(Object.keys(before)).toEqual(["shop", "audit"]);
    expect(Object.keys(before).filter((client) => before[client] !== after[client])).toEqual(rolled);
  });

  test("the clients' checksums are registered, no secret, and unknown in the first preview only", async () => {
    const registered = async (preview: boolean) => {
      const { resources, registeredOutputs } = await make({}, preview ? { preview, state: () => ({}) } : {});
      return registeredOutputs[find(resources, "moorings:index:KafkaCluster").urn]?.["clientChecksums"];
    };
    expect(await registered(false)).toEqual({ shop: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(JSON.stringify(await registered(true))).toContain(pulumi.runtime.unknownValue);
  });

  test("the checksum is SHA-256 and no secret", async () => {
    const { "moorings.dev/certificate-checksum": checksum } = await annotations("controller", { certificates: given });
    // printf c-tls | sha256sum
    expect(checksum).toBe("74b7f7036d40d5afc56e0f2ca335c6f6a8d9e7da3d72ffca353e3ec97a7ce854");
  });
});

describe("order", () => {
  test("brokers are deleted before controllers, and before everything that they need", async () => {
    const { resources } = await make();
    const brokers = find(resources, types.statefulSet, "k-broker");
    const controllers = find(resources, types.statefulSet, "k-controller");
    expect(reaches(resources, brokers, controllers)).toBe(true);
    expect(reaches(resources, controllers, brokers)).toBe(false);
    const needs = (role: Role) => [
      find(resources, types.serviceAccount),
      find(resources, types.storage),
      find(resources, types.priority),
      find(resources, types.secret, `k-${role}-secret`),
      find(resources, types.config, `k-${role}-config`),
      find(resources, types.service, `k-${role}-headless`),
      find(resources, types.policy, `k-${role}-policy`),
      find(resources, types.budget, `k-${role}-budget`),
    ];
    for (const need of [...needs("broker"), find(resources, types.secret, "k-clients-ca-secret")])
      expect([need.name, reaches(resources, brokers, need)]).toEqual([need.name, true]);
    for (const need of needs("controller"))
      expect([need.name, reaches(resources, controllers, need)]).toEqual([need.name, true]);
    // Pulumi waits for a pod behind it.
    expect(reaches(resources, find(resources, types.service, "k-bootstrap"), brokers)).toBe(true);
  });

  test("no StatefulSet takes an output of a Kubernetes object: its replacement would replace the brokers", async () => {
    const { resources } = await make();
    for (const role of both) {
      const { propertyDependencies } = find(resources, types.statefulSet, `k-${role}`);
      const urns = Object.values(propertyDependencies).flat();
      expect(urns.filter((urn) => urn.includes("kubernetes:"))).toEqual([]);
    }
  });

  test("Pulumi waits long enough", async () => {
    const { resources } = await make({ brokers: 6 });
    // 6 x (360 s grace + 60 s of readiness + 4 min for the move); all at once: 360 s, and the volumes.
    expect(find(resources, types.statefulSet, "k-broker").customTimeouts).toEqual({
      create: "35m",
      update: "66m",
      delete: "15m",
    });
    // The startup probe alone may take 30 minutes.
    expect(find(resources, types.statefulSet, "k-controller").customTimeouts.update).toBe("35m");
  });
});
