import * as pulumi from "@pulumi/pulumi";
import { CheckpointReset, type CheckpointResetArgs } from "../../../../components/load-balancing";
import { find, reaches } from "../../../support/graph";
import type { RunOptions } from "../../../support/harness";
import { messages, namesOf, previewState, withCluster } from "../setup";

/* What the fence refuses, a real API server says: test-real/apiserver/checkpoint-reset.test.ts. */

const types = {
  account: "kubernetes:core/v1:ServiceAccount",
  fence: "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicy",
  fenceBinding: "kubernetes:admissionregistration.k8s.io/v1:ValidatingAdmissionPolicyBinding",
  job: "kubernetes:batch/v1:CronJob",
  role: "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole",
  roleBinding: "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding",
};
const make = (args: CheckpointResetArgs = {}, name = "reset", options: RunOptions = {}) =>
  withCluster((opts) => {
    const made = new CheckpointReset(name, args, opts);
    return { job: made.cronJobName, namespace: made.namespace };
  }, options);
interface Job {
  schedule: string;
  concurrencyPolicy: string;
  startingDeadlineSeconds: number;
  jobTemplate: {
    spec: { backoffLimit: number; activeDeadlineSeconds: number; template: { spec: Record<string, unknown> } };
  };
}
const jobOf = async (args: CheckpointResetArgs = {}) =>
  find((await make(args)).resources, types.job).inputs["spec"] as Job;

describe("CheckpointReset", () => {
  test("takes the checkpoint away from all bindings every five minutes, one run at a time", async () => {
    const { errors, outputs } = await make();
    expect(errors).toEqual([]);
    expect(outputs).toEqual({ job: "reset-job-1a2b3c4d", namespace: "kube-system" });
    const job = await jobOf();
    expect(job).toMatchObject({ schedule: "*/5 * * * *", concurrencyPolicy: "Forbid", startingDeadlineSeconds: 300 });
    expect(job.jobTemplate.spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 300 });
    const [container] = job.jobTemplate.spec.template.spec["containers"] as { image: string; args: string[] }[];
    expect(container!.args).toEqual([
      "annotate",
      "targetgroupbindings.elbv2.k8s.aws",
      "--all",
      "--all-namespaces",
      "elbv2.k8s.aws/checkpoint-",
    ]);
    expect(container!.image).toBe("registry.k8s.io/kubectl:v1.36.4");
  });

  test("its account may list and patch bindings, and nobody else gets its token", async () => {
    const { resources } = await make({ namespace: "edge" });
    expect(find(resources, types.role).inputs["rules"]).toEqual([
      { apiGroups: ["elbv2.k8s.aws"], resources: ["targetgroupbindings"], verbs: ["list", "patch"] },
    ]);
    expect(find(resources, types.roleBinding).inputs).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "reset-role-1a2b3c4d" },
      subjects: [{ kind: "ServiceAccount", name: "reset-account-1a2b3c4d", namespace: "edge" }],
    });
    expect(find(resources, types.account).inputs["automountServiceAccountToken"]).toBe(false);
  });

  test("the fence is for this account alone, denies, and stands before the account may do anything", async () => {
    const { resources } = await make({ namespace: "edge" });
    expect(find(resources, types.fence).inputs["spec"]).toMatchObject({
      failurePolicy: "Fail",
      matchConditions: [
        { expression: 'request.userInfo.username == "system:serviceaccount:edge:reset-account-1a2b3c4d"' },
      ],
    });
    expect(find(resources, types.fenceBinding).inputs["spec"]).toEqual({
      policyName: "reset-fence-1a2b3c4d",
      validationActions: ["Deny"],
    });
    const [rights, job] = [find(resources, types.roleBinding), find(resources, types.job)];
    expect(reaches(resources, rights, find(resources, types.fenceBinding))).toBe(true);
    expect(reaches(resources, job, rights)).toBe(true);
  });

  test("runs on system nodes, or where it is told to", async () => {
    expect((await jobOf()).jobTemplate.spec.template.spec).toMatchObject({
      nodeSelector: { "moorings.dev/node-role": "system" },
      tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
    });
    expect((await jobOf({ nodeSelector: {} })).jobTemplate.spec.template.spec["nodeSelector"]).toEqual({});
  });

  test("works in a preview", async () => {
    const namespace = pulumi.output("edge");
    const preview = await make({ namespace }, "reset", { preview: true, state: previewState });
    expect(preview.errors).toEqual([]);
    expect(namesOf(preview.resources)).toEqual(namesOf((await make({ namespace })).resources));
  });

  test.each<[string, CheckpointResetArgs, RegExp]>([
    ["a period that doesn't divide the hour", { everyMinutes: 7 }, /everyMinutes: must divide an hour, .* not 7/],
    ["a period as long as the controller's own", { everyMinutes: 60 }, /everyMinutes: must divide an hour/],
    ["no period", { everyMinutes: 0 }, /everyMinutes: must divide an hour/],
    ["a namespace in upper case", { namespace: "Edge" }, /namespace: must be the name of a namespace/],
    ["no image", { image: "" }, /image: must be the name of an image/],
  ])("refuses %s", async (_, args, expected) => {
    expect(messages((await make(args)).errors)).toMatch(expected);
  });

  // batch/v1: the name of a CronJob has 52 characters at most; "-job" and Pulumi's suffix take 13.
  test("refuses a name that is too long for a CronJob", async () => {
    expect((await make({}, "r".repeat(39))).errors).toEqual([]);
    expect(messages((await make({}, "r".repeat(40))).errors)).toMatch(/name: makes the CronJob .* at most 43 fit/);
  });
});
