import * as k8s from "@pulumi/kubernetes";
import { DefaultStorageClass, VolumeReclaimPolicy, type DefaultStorageClassArgs } from "../../../components/cluster";
import { find } from "../../support/graph";
import { run } from "../../support/harness";

const type = "kubernetes:storage.k8s.io/v1:StorageClass";
const make = (args: DefaultStorageClassArgs = {}, name = "gp3") =>
  run(() => {
    const provider = new k8s.Provider("given", { kubeconfig: "{}" });
    return new DefaultStorageClass(name, args, { providers: [provider] }).className;
  });
const thrown = async (args: DefaultStorageClassArgs, name?: string) =>
  (await make(args, name)).errors.map((e) => e.message.split("\n  - ").slice(1).join("\n")).join();

describe("DefaultStorageClass", () => {
  test("makes encrypted gp3 the default, in the zone of the pod that asks first", async () => {
    const { resources, outputs, errors } = await make();
    expect(errors).toEqual([]);
    expect(outputs).toBe("gp3");
    // Parameters: aws-ebs-csi-driver, docs/parameters.md; the annotation: Kubernetes, "Storage Classes".
    expect(find(resources, type).inputs).toEqual({
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "gp3", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      provisioner: "ebs.csi.aws.com",
      parameters: { type: "gp3", encrypted: "true" },
      volumeBindingMode: "WaitForFirstConsumer",
      allowVolumeExpansion: true,
      reclaimPolicy: "Delete",
    });
  });

  test("renders every parameter as text, and tags one by one", async () => {
    const { resources } = await make({
      className: "fast",
      kmsKeyArn: "arn:aws:kms:eu-west-1:123456789012:key/0123",
      iops: 8000,
      throughputMiB: 2000,
      reclaimPolicy: VolumeReclaimPolicy.Retain,
      volumeTags: { team: "shop", tier: "gold" },
    });
    expect(find(resources, type).inputs).toMatchObject({
      metadata: { name: "fast" },
      parameters: {
        type: "gp3",
        encrypted: "true",
        kmsKeyId: "arn:aws:kms:eu-west-1:123456789012:key/0123",
        iops: "8000",
        throughput: "2000",
        tagSpecification_1: "team=shop",
        tagSpecification_2: "tier=gold",
      },
      reclaimPolicy: "Retain",
    });
  });

  // Kubernetes refuses a change of these four; the name is taken until the old class is gone.
  test("is replaced for what Kubernetes never lets change, the old one first", async () => {
    const { replaceOnChanges, deleteBeforeReplace } = find((await make()).resources, type);
    expect([...replaceOnChanges].sort()).toEqual(["parameters", "provisioner", "reclaimPolicy", "volumeBindingMode"]);
    expect(deleteBeforeReplace).toBe(true);
  });

  test.each<[string, DefaultStorageClassArgs, string]>([
    ["too few operations", { iops: 2999 }, "iops: must be a whole number between 3000 and 80000, not 2999"],
    ["half an operation", { iops: 3000.5 }, "iops: must be a whole number between 3000 and 80000, not 3000.5"],
    [
      "too much throughput",
      { throughputMiB: 2001 },
      "throughputMiB: must be a whole number between 125 and 2000, not 2001",
    ],
    [
      "throughput that its operations can't carry", // a quarter of 3000 is 750
      { throughputMiB: 751 },
      "throughputMiB: must be at most a quarter of iops (3000), not 751: give iops of at least 3004",
    ],
    [
      "an alias of a key",
      { kmsKeyArn: "alias/ebs" },
      'kmsKeyArn: must be the ARN of a KMS key, such as arn:aws:kms:...:key/..., not "alias/ebs"',
    ],
    [
      "a name that no object has",
      { className: "GP3" },
      'className: must be the name of an object in Kubernetes, not "GP3"',
    ],
    [
      "a driver's tag",
      { volumeTags: { "aws:x": "1" } },
      'volumeTags["aws:x"]: has a key that AWS or the driver uses: choose another',
    ],
    [
      "a tag that would be cut",
      { volumeTags: { "a=b": "1" } },
      'volumeTags["a=b"]: must have a key of 1 to 128 letters, digits, spaces and . : / + - @ _',
    ],
    [
      "a template",
      { volumeTags: { a: "{{ .PVCName }}" } },
      'volumeTags["a"]: must have a value of at most 256 letters, digits, spaces and . : / + - @ _ and =',
    ],
  ])("refuses %s", async (_, args, message) => expect(await thrown(args)).toBe(message));

  test("takes throughput that its operations carry just so", async () =>
    expect(await thrown({ throughputMiB: 750 })).toBe(""));

  test("names the component's name where that makes the class's", async () =>
    expect(await thrown({}, "Fast")).toBe('name: must be the name of an object in Kubernetes, not "Fast"'));
});
