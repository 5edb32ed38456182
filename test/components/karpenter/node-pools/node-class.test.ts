import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  KarpenterChartVersion,
  KarpenterNodeClass,
  KarpenterNodePool,
  type KarpenterNodeClassArgs,
} from "../../../../components/karpenter";
import { find, reaches } from "../../../support/graph";
import { run } from "../../../support/harness";
import { rulesOn, violations } from "./definitions";
import { args, classArgs, classOf, full, make, refusal, sharing, types } from "./setup";

const makeClass = (change: Partial<KarpenterNodeClassArgs> = {}, opts: pulumi.ComponentResourceOptions = {}) =>
  run(() => {
    const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
    new KarpenterNodeClass("shared", { ...classArgs, ...change }, { providers: [cluster], ...opts });
  });
const classRefusal = async (change: Partial<KarpenterNodeClassArgs>) => {
  const { errors, resources } = await makeClass(change);
  expect(resources.filter((r) => r.type === types.nodeClass)).toEqual([]);
  return errors.map((e) => e.message).join("\n");
};

describe("a class that pools share", () => {
  const two = (preview = false) =>
    run(
      () => {
        const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
        const shared = new KarpenterNodeClass("shared", classArgs, { providers: [cluster] });
        const { nodeClassName } = shared;
        for (const name of ["web", "jobs"])
          new KarpenterNodePool(name, { ...args, ...sharing, nodeClassName }, { providers: [cluster] });
        return nodeClassName;
      },
      { preview },
    );

  test.each([false, true])("is made once, before its pools, and goes after them (preview: %s)", async (preview) => {
    const { resources, errors } = await two(preview);
    expect(errors).toEqual([]);
    const nodeClass = find(resources, types.nodeClass, "shared-class");
    expect(resources.filter((r) => r.type === types.nodeClass)).toEqual([nodeClass]);
    for (const name of ["web-pool", "jobs-pool"]) {
      const pool = find(resources, types.pool, name);
      expect(pool.inputs["spec"]).toMatchObject({ template: { spec: { nodeClassRef: { name: "shared" } } } });
      expect(reaches(resources, pool, nodeClass)).toBe(true);
      expect(reaches(resources, nodeClass, pool)).toBe(false);
    }
  });

  test("may be the class of another pool, or of another program", async () => {
    const { resources, errors } = await run(() => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const web = new KarpenterNodePool("web", args, { providers: [cluster] });
      const { nodeClassName } = web;
      new KarpenterNodePool("jobs", { ...args, ...sharing, nodeClassName }, { providers: [cluster] });
      const made = new KarpenterNodePool(
        "old",
        { ...args, ...sharing, nodeClassName: "x.y" },
        { providers: [cluster] },
      );
      return made.nodeClassName;
    });
    expect(errors).toEqual([]);
    const web = find(resources, types.nodeClass, "web-class");
    expect(reaches(resources, find(resources, types.pool, "jobs-pool"), web)).toBe(true);
    expect(find(resources, types.pool, "old-pool").inputs["spec"]).toMatchObject({
      template: { spec: { nodeClassRef: { name: "x.y" } } },
    });
  });

  test("has a fixed name, waits until it is ready, and is given time to go", async () => {
    const { resources } = await makeClass({ className: "al2023" });
    const nodeClass = find(resources, types.nodeClass);
    expect(nodeClass.inputs["metadata"]).toEqual({
      name: "al2023",
      annotations: { "pulumi.com/waitFor": "condition=Ready" },
    });
    expect(nodeClass.customTimeouts).toMatchObject({ create: "15m", delete: "120m" });
    expect([nodeClass.protect, nodeClass.retainOnDelete]).toEqual([false, false]);
    const guarded = await makeClass({ protect: true });
    expect(find(guarded.resources, types.nodeClass).protect).toBe(true);
  });

  test("is what a pool of the same arguments makes for itself", async () => {
    const { resources } = await make();
    const shared = await makeClass();
    expect(classOf(shared.resources)).toEqual(classOf(resources));
  });

  test("takes the place of everything that describes a class; each is refused beside it", async () => {
    const described: Partial<KarpenterNodeClassArgs> = {
      nodeRoleName: "r",
      instanceProfileName: "p",
      subnetIds: ["subnet-0a"],
      amiAlias: "al2023@v20240703",
      ...Object.fromEntries(
        Object.entries(full).filter(([key]) =>
          /^(securityGroup|capacityReservationIds|disk|volumes|kms|instanceStore|connection|detailed|kubelet|userData|nodeTags)/.test(
            key,
          ),
        ),
      ),
    };
    const message = await refusal({ ...sharing, ...described });
    const named = [...message.matchAll(/^ {2}- (\w+): can't be given together with nodeClassName/gm)].map((m) => m[1]);
    expect(named.sort()).toEqual(Object.keys(described).sort());
    expect(named).toHaveLength(17);
  });

  test.each<[string, Partial<KarpenterNodeClassArgs>, RegExp]>([
    ["a name in upper case", { className: "AL2023" }, /- className: must be a DNS label/],
    ["no role", { nodeRoleName: undefined }, /- nodeRoleName: is missing/],
    ["the newest image", { amiAlias: "al2023@latest" }, /- amiAlias: is "al2023@latest", which replaces/],
    ["a tag of EKS", { nodeTags: { "eks:x": "y" } }, /- nodeTags\["eks:x"\]: is a tag by which/],
  ])("%s is refused", async (_, change, expected) => expect(await classRefusal(change)).toMatch(expected));

  test("a name that is none is refused, now or later", async () => {
    expect(await refusal({ ...sharing, nodeClassName: "Shared Class" })).toMatch(/- nodeClassName: must be the name/);
    const later = await make({ ...sharing, nodeClassName: pulumi.output("Shared Class") });
    expect(later.errors.map((e) => e.message).join()).toMatch(/nodeClassName must be the name of an object/);
    expect(await refusal({ subnetIds: undefined, amiAlias: undefined })).toMatch(
      /- subnetIds: is missing[^]*- amiAlias: is missing.*or name a shared class as nodeClassName$/,
    );
  });
});

describe("disks, kubelet, connections", () => {
  test("as given, and as the definition wants them", async () => {
    const { resources, errors } = await make(full);
    expect(errors).toEqual([]);
    const spec = classOf(resources);
    expect(violations("nodeClass", spec)).toEqual([]);
    expect([...rulesOn("nodeClass", spec).refused]).toEqual([]);
    const kmsKeyID = full.kmsKeyId;
    const own = { volumeType: "gp3", encrypted: true, deleteOnTermination: true, kmsKeyID };
    expect(spec).toMatchObject({
      blockDeviceMappings: [
        { deviceName: "/dev/xvda", ebs: { ...own, volumeSize: "100Gi", iops: 50_000, throughput: 2000 } },
        { deviceName: "/dev/sdf", ebs: { ...own, volumeSize: "1Gi", iops: 3000, throughput: 750 } },
      ],
      instanceStorePolicy: "RAID0",
      connectionTracking: { tcpEstablishedTimeout: 432_000, udpStreamTimeout: 60, udpTimeout: 30 },
      detailedMonitoring: true,
      kubelet: { maxPods: 110, allowedUnsafeSysctls: ["net.core.*", "kernel.sem"], registryPullQPS: 10 },
    });
    expect(spec["kubelet"]).not.toHaveProperty("further");
  });

  test("Bottlerocket's system has a volume of its own, under the same key", async () => {
    const bottlerocket = { amiAlias: "bottlerocket@v1.46.0", kmsKeyId: "alias/nodes", instanceStoreRaid0: true };
    const volumes = [{ deviceName: "/dev/xvdc", sizeInGiB: 10 }];
    const { resources, errors } = await make({ ...bottlerocket, volumes, diskIops: 4000 });
    expect(errors).toEqual([]);
    const mappings = classOf(resources)["blockDeviceMappings"] as {
      deviceName: string;
      ebs: Record<string, unknown>;
    }[];
    expect(
      mappings.map(({ deviceName, ebs }) => [deviceName, ebs["volumeSize"], ebs["iops"], ebs["kmsKeyID"]]),
    ).toEqual([
      ["/dev/xvda", "4Gi", undefined, "alias/nodes"],
      ["/dev/xvdb", "50Gi", 4000, "alias/nodes"],
      ["/dev/xvdc", "10Gi", undefined, "alias/nodes"],
    ]);
  });

  const volume = (more: object) => ({ volumes: [{ deviceName: "/dev/xvdf", sizeInGiB: 10, ...more }] });
  const bottlerocket = "bottlerocket@v1.46.0";
  const old = { chartVersion: KarpenterChartVersion.V1_14_1 };
  // gp3: Amazon EBS user guide, "General Purpose SSD volumes". Timeouts: the definition. Kubelet: Karpenter, "AMI Family Support".
  test.each<[string, Partial<KarpenterNodeClassArgs>, RegExp]>([
    [
      "half a GiB",
      { diskSizeInGiB: 50.5 },
      /- diskSizeInGiB: must be a whole number of GiB from 20 to 59000, not 50\.5/,
    ],
    ["too large", { diskSizeInGiB: 59_001 }, /- diskSizeInGiB: .* not 59001/],
    ["2,999 operations", { diskIops: 2999 }, /- diskIops: .* operations a second from 3000 to 80000, not 2999/],
    ["80,001 operations", { diskIops: 80_001, diskSizeInGiB: 200 }, /- diskIops: .* not 80001/],
    ["too many for the size", { diskIops: 25_001 }, /- diskIops: is 25001, but a volume of 50 GiB takes at most 25000/],
    ["too little", { diskThroughput: 124 }, /- diskThroughput: .* MiB a second from 125 to 2000, not 124/],
    ["more than 3,000 carry", { diskThroughput: 751 }, /- diskThroughput: is 751, but 3000 operations .* at most 750/],
    ["late too many", { diskIops: pulumi.output(25_001) }, /diskIops is 25001, but/],
    ["late too much", { diskThroughput: pulumi.output(751) }, /diskThroughput is 751, but/],
    ["no size", volume({ sizeInGiB: 0 }), /- volumes\[0\]\.sizeInGiB: must be a whole number of GiB from 1 to/],
    [
      "a further one",
      volume({ iops: 5001 }),
      /- volumes\[0\]\.iops: is 5001, but a volume of 10 GiB takes at most 5000/,
    ],
    ["of it", volume({ throughput: 2001 }), /- volumes\[0\]\.throughput: must be a whole number/],
    ["no device", volume({ deviceName: "xvdf" }), /- volumes\[0\]\.deviceName: must be a device/],
    [
      "the root",
      volume({ deviceName: "/dev/sda" }),
      /- volumes\[0\]\.deviceName: is \/dev\/sda, which is that of the image/,
    ],
    [
      "Bottlerocket's second",
      { ...volume({ deviceName: "/dev/xvdb" }), amiAlias: bottlerocket },
      /- volumes\[0\]\.deviceName: is \/dev\/xvdb, which is that of the image/,
    ],
    [
      "one letter twice",
      { volumes: ["/dev/sdf", "/dev/xvdf"].map((deviceName) => ({ deviceName, sizeInGiB: 1 })) },
      /- volumes\[1\]\.deviceName: is \/dev\/xvdf, which is that of volumes\[0\]\.deviceName/,
    ],
    ["no key", { kmsKeyId: "nodes" }, /- kmsKeyId: must be a key of KMS/],
    ["a key of S3", { kmsKeyId: "arn:aws:s3:::bucket" }, /- kmsKeyId: must be a key/],
    [
      "an old Bottlerocket",
      { amiAlias: "bottlerocket@v1.21.9", instanceStoreRaid0: true },
      /- instanceStoreRaid0: needs B/,
    ],
    ["no timeout", { connectionTracking: {} }, /- connectionTracking: is empty/],
    [
      "59 s",
      { connectionTracking: { tcpEstablishedTimeout: 59 } },
      /- connectionTracking\.tcpEstablishedTimeout: .* 60 to/,
    ],
    [
      "6 days",
      { connectionTracking: { tcpEstablishedTimeout: 518_400 } },
      /- connectionTracking\.tcpEstab.* to 432000/,
    ],
    [
      "stream",
      { connectionTracking: { udpStreamTimeout: 181 } },
      /- connectionTracking\.udpStreamTimeout: .* 60 to 180/,
    ],
    [
      "UDP",
      { connectionTracking: { udpTimeout: pulumi.output(61) } },
      /connectionTracking\.udpTimeout must .* 30 to 60/,
    ],
    [
      "no sysctl",
      { kubelet: { allowedUnsafeSysctls: ["vm.swappiness"] } },
      /- kubelet\.allowedUnsafeSysctls\[0\]: must be/,
    ],
    ["all of them", { kubelet: { allowedUnsafeSysctls: ["*"] } }, /- kubelet\.allowedUnsafeSysctls\[0\]: must be/],
    [
      "sysctls of 1.14",
      { ...old, kubelet: { allowedUnsafeSysctls: ["net.*"] } },
      /- kubelet\.allowedUnsafeS.* 1\.15 or/,
    ],
    [
      "more of 1.14",
      { ...old, kubelet: { further: { registryPullQPS: 1 } } },
      /- kubelet\.further: needs Karpenter 1\.15/,
    ],
    [
      "a typed one",
      { kubelet: { further: { maxPods: 1 } } },
      /- kubelet\.further\.maxPods: has an argument of its own/,
    ],
    [
      "Karpenter's",
      { kubelet: { further: { registerWithTaints: [] } } },
      /- kubelet\.further\.registerWithTaints: is set/,
    ],
    ["a flag", { kubelet: { further: { "max-pods": 1 } } }, /- kubelet\.further\.max-pods: isn't spelt/],
    [
      "what Bottlerocket has no place for",
      { amiAlias: bottlerocket, kubelet: { podsPerCore: 2, further: { registryPullQPS: 1 } } },
      /- kubelet: has podsPerCore, further, which Karpenter refuses for bottlerocket/,
    ],
    [
      "two resolvers",
      { amiAlias: pulumi.output(bottlerocket), kubelet: { clusterDNS: ["10.0.0.10", "10.0.0.11"] } },
      /kubelet has more than one of clusterDNS/,
    ],
  ])("%s is refused", async (_, change, expected) => expect(await classRefusal(change)).toMatch(expected));

  test("what is just right isn't refused", async () => {
    for (const change of [
      { diskIops: 25_000, diskThroughput: 2000 },
      { diskSizeInGiB: 160, diskIops: 80_000 },
      volume({ sizeInGiB: 1, iops: 3000 }),
      { kmsKeyId: "0f1e2d3c-0123-4567-89ab-0123456789ab" },
      { kmsKeyId: pulumi.output("arn:aws-us-gov:kms:us-gov-west-1:123456789012:alias/nodes") },
      { instanceStoreRaid0: false, amiAlias: "bottlerocket@v1.20.0" },
      { kubelet: { allowedUnsafeSysctls: ["net.*", "net.ipv4.tcp_retries2", "fs.mqueue.msg_max", "kernel.shm*"] } },
      { ...old, kubelet: { maxPods: 10 } },
      { amiAlias: bottlerocket, kubelet: { clusterDNS: ["10.0.0.10"] } },
    ] as Partial<KarpenterNodeClassArgs>[])
      expect([change, (await makeClass(change)).errors]).toEqual([change, []]);
  });
});
