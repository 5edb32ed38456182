import { registeredBy } from "../../test/support/platform";
import type { KubernetesObject } from "./api-client";
import { startControlPlane, type ControlPlane } from "./control-plane";
import { installDefinitions } from "./crds";
import { changed, kubernetesObjects, labelOf, podOf } from "./objects";

/*
 * Our own objects, each with one mistake: a server that took these would prove nothing by taking the right ones. The unchanged objects
 * are accepted here first, in the same way.
 */

type Changes = Readonly<Record<string, unknown>>;

let plane: ControlPlane;
let objects: KubernetesObject[];
beforeAll(async () => {
  objects = kubernetesObjects(await registeredBy("dev"));
  plane = await startControlPlane();
  await installDefinitions(plane.client);
  for (const object of objects) await plane.client.apply(object);
  // Pods are made by hand here: no controller makes the account that pods without one of their own belong to.
  for (const { metadata, kind } of objects) {
    if (kind !== "Namespace") continue;
    await plane.client.create({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "default", namespace: metadata.name },
    });
  }
});
afterAll(() => plane.stop());

function objectOf(label: string): KubernetesObject {
  const found = objects.filter((object) => labelOf(object) === label);
  if (found.length !== 1) throw new Error(`${found.length} objects ${label} among ${objects.map(labelOf).join(", ")}`);
  return found[0]!;
}

const generalPool = "NodePool general";
const nodeClass = "EC2NodeClass general";
const binding = "TargetGroupBinding web/web-pods-binding-3f7a2b1c";
const web = "Deployment web/web-app-deployment-3f7a2b1c";
const brokers = "StatefulSet kafka/kafka-broker";
const requirement = (key: string, operator: string, values: string[]) => ({
  "spec/template/spec/requirements/0": { key, operator, values },
});

/** Mistake, object, change, and words of the server's answer. */
const mistakes: [string, string, Changes, string][] = [
  // Karpenter 1.15.2
  [
    "expireAfter where v1beta1 had it",
    generalPool,
    { "spec/disruption/expireAfter": "720h", "spec/template/spec/expireAfter": undefined },
    ".spec.disruption.expireAfter: field not declared in schema",
  ],
  [
    "a policy that v1beta1 had",
    generalPool,
    { "spec/disruption/consolidationPolicy": "WhenUnderutilized" },
    'Unsupported value: "WhenUnderutilized"',
  ],
  [
    "a freeze window that never ends",
    generalPool,
    { "spec/disruption/budgets/0": { nodes: "0", schedule: "0 7 * * mon-fri" } },
    "has(x.schedule) == has(x.duration)",
  ],
  [
    "a budget of more than all",
    generalPool,
    { "spec/disruption/budgets/0": { nodes: "110%" } },
    "spec.disruption.budgets[0].nodes",
  ],
  [
    "an unknown reason",
    generalPool,
    { "spec/disruption/budgets/1/reasons": ["Underutilised"] },
    'Unsupported value: "Underutilised"',
  ],
  ["an expiry in days", generalPool, { "spec/template/spec/expireAfter": "30d" }, "spec.template.spec.expireAfter"],
  [
    "a grace in days",
    generalPool,
    { "spec/template/spec/terminationGracePeriod": "2d" },
    "spec.template.spec.terminationGracePeriod",
  ],
  ["a requirement without values", generalPool, requirement("kubernetes.io/os", "In", []), "x.operator == 'In'"],
  ["an unknown operator", generalPool, requirement("kubernetes.io/os", "Is", ["linux"]), 'Unsupported value: "Is"'],
  [
    "a requirement on a label that Karpenter sets",
    generalPool,
    requirement("karpenter.sh/nodepool", "In", ["x"]),
    "karpenter.sh/nodepool",
  ],
  [
    "a label that Karpenter sets",
    generalPool,
    { "spec/template/metadata": { labels: { "kubernetes.io/hostname": "x" } } },
    "kubernetes.io/hostname",
  ],
  [
    "no node class",
    generalPool,
    { "spec/template/spec/nodeClassRef": undefined },
    "spec.template.spec.nodeClassRef: Required value",
  ],
  [
    "a taint without effect",
    generalPool,
    { "spec/template/spec/taints": [{ key: "x" }] },
    "spec.template.spec.taints[0].effect: Required value",
  ],
  ["a class without a name", generalPool, { "spec/template/spec/nodeClassRef/name": "" }, "self != ''"],
  ["no role", nodeClass, { "spec/role": undefined }, "has(self.role)"],
  ["no timeout at all", nodeClass, { "spec/connectionTracking": {} }, "has(self.tcpEstablishedTimeout)"],
  [
    "a timeout of a minute less a second",
    nodeClass,
    { "spec/connectionTracking": { tcpEstablishedTimeout: 59 } },
    "spec.connectionTracking.tcpEstablishedTimeout",
  ],
  [
    "a timeout of six days",
    nodeClass,
    { "spec/connectionTracking": { tcpEstablishedTimeout: 518_400 } },
    "spec.connectionTracking.tcpEstablishedTimeout",
  ],
  [
    "a volume without a size",
    nodeClass,
    { "spec/blockDeviceMappings/0/ebs/volumeSize": undefined },
    "has(self.snapshotID) || has(self.volumeSize)",
  ],
  [
    "a volume that is too large",
    nodeClass,
    { "spec/blockDeviceMappings/0/ebs/volumeSize": "59001Gi" },
    "spec.blockDeviceMappings[0].ebs.volumeSize",
  ],
  ["disks as a mirror", nodeClass, { "spec/instanceStorePolicy": "RAID1" }, 'Unsupported value: "RAID1"'],
  ["a tag of EKS", nodeClass, { "spec/tags": { "eks:eks-cluster-name": "x" } }, "eks:eks-cluster-name"],
  ["no image", nodeClass, { "spec/amiSelectorTerms": undefined }, "spec.amiSelectorTerms: Required value"],
  [
    "an image that doesn't exist",
    nodeClass,
    { "spec/amiSelectorTerms": [{ alias: "al2024@v20260903" }] },
    "self.split('@')[0] in",
  ],
  [
    "two images",
    nodeClass,
    { "spec/amiSelectorTerms": [{ alias: "al2023@v20260903" }, { id: "ami-0123456789abcdef0" }] },
    "self.size() != 1",
  ],
  ["no subnet", nodeClass, { "spec/subnetSelectorTerms": [] }, "self.size() != 0"],
  ["a tag that Karpenter sets", nodeClass, { "spec/tags": { "karpenter.sh/nodepool": "x" } }, "karpenter.sh/nodepool"],
  ["a role without a name", nodeClass, { "spec/role": "" }, "self != ''"],
  ["a member of nothing", nodeClass, { "spec/metadataOptions/httpHopLimit": 1 }, "field not declared in schema"],
  // AWS Load Balancer Controller 3.5.0
  ["no port", binding, { "spec/serviceRef/port": undefined }, "spec.serviceRef.port: Required value"],
  [
    "a rule without ports",
    binding,
    { "spec/networking": { ingress: [{ from: [{ securityGroup: { groupID: "sg-1" } }] }] } },
    "spec.networking.ingress[0].ports: Required value",
  ],
  ["an unknown kind of target", binding, { "spec/targetType": "pod" }, 'Unsupported value: "pod"'],
  [
    "a misspelt target group",
    binding,
    { "spec/targetGroupArn": "x", "spec/targetGroupARN": undefined },
    "field not declared in schema",
  ],
  // Kubernetes 1.36
  [
    "a profile that doesn't exist",
    "Namespace web",
    { "metadata/labels": { "pod-security.kubernetes.io/enforce": "strict" } },
    "pod-security.kubernetes.io/enforce",
  ],
  ["a selector for other pods", web, { "spec/selector/matchLabels": { app: "api" } }, "selector"],
  [
    "a rollout that can't move",
    web,
    { "spec/strategy/rollingUpdate": { maxSurge: 0, maxUnavailable: 0 } },
    "may not be 0 when `maxSurge` is 0",
  ],
  [
    "a readiness gate that is no label",
    web,
    { "spec/template/spec/readinessGates": [{ conditionType: `target-health.elbv2.k8s.aws/${"x".repeat(64)}` }] },
    "must be no more than 63",
  ],
  [
    "a limit below its request",
    web,
    { "spec/template/spec/containers/0/resources/limits/memory": "32Mi" },
    "must be less than or equal to memory limit",
  ],
  [
    "a pause longer than the grace",
    web,
    { "spec/template/spec/containers/0/lifecycle/preStop/sleep/seconds": 61 },
    "terminationGracePeriodSeconds",
  ],
  [
    "an amount in megabytes",
    web,
    { "spec/template/spec/containers/0/resources/requests/memory": "256MB" },
    "quantities must match the regular expression",
  ],
  [
    "a user beyond the last",
    web,
    { "spec/template/spec/securityContext/runAsUser": 2_147_483_648 },
    "must be between 0 and 2147483647",
  ],
  [
    "no image",
    web,
    { "spec/template/spec/containers/0/image": "" },
    "spec.template.spec.containers[0].image: Required",
  ],
  [
    "a variable with =",
    web,
    { "spec/template/spec/containers/0/env": [{ name: "A=B", value: "x" }] },
    "spec.template.spec.containers[0].env[0].name: Invalid value",
  ],
  [
    "a Secret in upper case",
    web,
    { "spec/template/spec/containers/0/envFrom": [{ secretRef: { name: "Database" } }] },
    "envFrom[0].secretRef.name: Invalid value",
  ],
  [
    "an account in upper case",
    web,
    { "spec/template/spec/serviceAccountName": "Web" },
    "spec.template.spec.serviceAccountName: Invalid value",
  ],
  ["a name with an underscore", web, { "metadata/name": "my_web-deployment-3f7a2b1c" }, "metadata.name: Invalid value"],
  [
    "a label with a space",
    "Service web/web-service-3f7a2b1c",
    { "spec/selector": { "a b": "x" } },
    "spec.selector: Invalid value",
  ],
  [
    "a label's value with a space",
    brokers,
    { "spec/template/spec/nodeSelector": { pool: "a b" } },
    "spec.template.spec.nodeSelector: Invalid value",
  ],
  [
    "a toleration that ends, of an effect that doesn't",
    brokers,
    { "spec/template/spec/tolerations": [{ key: "a", effect: "NoSchedule", tolerationSeconds: 60 }] },
    "effect must be 'NoExecute' when `tolerationSeconds` is set",
  ],
  [
    "fewer at most than at least",
    "HorizontalPodAutoscaler web/web-app-hpa-3f7a2b1c",
    { "spec/maxReplicas": 1 },
    "must be greater than or equal to `minReplicas`",
  ],
  ["two budgets in one", "PodDisruptionBudget kafka/kafka-broker", { "spec/minAvailable": 2 }, "cannot be both set"],
  [
    "a port without a name beside another",
    "Service kafka/kafka-brokers",
    { "spec/ports/0/name": undefined },
    "spec.ports[0].name: Required value",
  ],
  [
    "a network that is none",
    "NetworkPolicy kafka/kafka-broker",
    { "spec/egress/0/to/1/ipBlock/cidr": "169.254.20.10" },
    "cidr",
  ],
  [
    "a priority of the system's",
    "PriorityClass kafka",
    { "metadata/name": "higher", value: 2_000_000_000 },
    "maximum allowed value",
  ],
];

test.each(mistakes)("%s: %s is refused", async (_, label, changes, because) => {
  const object = objectOf(label);
  const right = await plane.client.apply(object, { dryRun: true });
  expect([right.status, right.body["message"]]).toEqual([200, undefined]);
  const wrong = await plane.client.apply(changed(object, changes), { dryRun: true });
  expect([wrong.status, wrong.body["message"]]).toEqual([expect.any(Number), expect.stringContaining(because)]);
  expect(wrong.status).toBeGreaterThanOrEqual(400);
});

test("white space around an image is taken in a Deployment, and refused in its pods", async () => {
  const path = "spec/containers/0/image";
  const { status } = await plane.client.apply(changed(objectOf(web), { [`spec/template/${path}`]: " x" }), {
    dryRun: true,
  });
  expect(status).toBe(200);
  const pod = await plane.client.create(changed(podOf(objectOf(web)), { [path]: " x" }), { dryRun: true });
  expect([pod.status, pod.body["message"]]).toEqual([422, expect.stringContaining("leading or trailing whitespace")]);
});

test("without strict validation the misplaced expireAfter vanishes, and nodes expire by default", async () => {
  const wrong = changed(objectOf(generalPool), {
    "metadata/name": "created",
    "spec/disruption/expireAfter": "240h",
    "spec/template/spec/expireAfter": undefined,
  });
  const { status, body } = await plane.client.create(wrong, { dryRun: true, fieldValidation: "Ignore" });
  const spec = body["spec"] as { disruption: object; template: { spec: object } };
  expect(status).toBe(201);
  expect(spec.disruption).not.toHaveProperty("expireAfter");
  expect(spec.template.spec).toHaveProperty("expireAfter", "720h");
});

/** What can't change in place: the Kubernetes provider must replace, or the update fails. */
const fixed: [string, string, Changes][] = [
  ["size of the volumes", brokers, { "spec/volumeClaimTemplates/0/spec/resources/requests/storage": "20Gi" }],
  ["name of the Service", brokers, { "spec/serviceName": "other" }],
  ["order of the pods", brokers, { "spec/podManagementPolicy": "OrderedReady" }],
  ["value", "PriorityClass kafka", { value: 2_000_000 }],
  // Of these the Kubernetes provider 4.34.2 knows only the first two, so the component names them all.
  ["provisioner", "StorageClass kafka-data", { provisioner: "efs.csi.aws.com" }],
  ["parameters", "StorageClass kafka-data", { parameters: { encrypted: "true", type: "io2" } }],
  ["reclaim policy", "StorageClass kafka-data", { reclaimPolicy: "Retain" }],
  ["binding mode", "StorageClass kafka-data", { volumeBindingMode: "Immediate" }],
  ["group of the node class", generalPool, { "spec/template/spec/nodeClassRef/group": "karpenter.kwok.sh" }],
];

test.each(fixed)("the %s of %s can't be changed", async (_, label, changes) => {
  const { status } = await plane.client.apply(changed(objectOf(label), changes), { dryRun: true });
  expect(status).toBe(422);
});

const restricted = 'violates PodSecurity "restricted:latest": ';
/** Mistake, workload, change of its pods, and the words of Pod Security admission. */
const unsafe: [string, string, Changes, string][] = [
  ["may run as root", web, { "spec/securityContext/runAsNonRoot": undefined }, "runAsNonRoot != true"],
  ["runs as root", web, { "spec/securityContext/runAsUser": 0 }, "runAsUser=0"],
  ["has no seccomp profile", web, { "spec/securityContext/seccompProfile": undefined }, "seccompProfile"],
  [
    "may gain rights",
    web,
    { "spec/containers/0/securityContext/allowPrivilegeEscalation": undefined },
    "allowPrivilegeEscalation != false",
  ],
  [
    "keeps capabilities",
    web,
    { "spec/containers/0/securityContext/capabilities": undefined },
    "unrestricted capabilities",
  ],
  [
    "is on the node's network",
    web,
    { "spec/hostNetwork": true, "spec/containers/0/ports": undefined },
    "host namespaces",
  ],
  [
    "reads the node's files",
    brokers,
    { "spec/volumes/0": { name: "server-properties", hostPath: { path: "/" } } },
    "restricted volume types",
  ],
  [
    "sets a sysctl that isn't safe",
    brokers,
    { "spec/securityContext/sysctls/0/name": "net.ipv4.tcp_retries2" },
    "forbidden sysctls",
  ],
];

test.each(unsafe)("a pod that %s is refused: %s", async (_, label, changes, because) => {
  const pod = podOf(objectOf(label));
  const right = await plane.client.create(pod, { dryRun: true });
  expect([right.status, right.body["message"]]).toEqual([201, undefined]);
  const wrong = await plane.client.create(changed(pod, changes), { dryRun: true });
  expect([wrong.status, wrong.body["message"]]).toEqual([403, expect.stringContaining(restricted)]);
  expect(wrong.body["message"]).toContain(because);
});
