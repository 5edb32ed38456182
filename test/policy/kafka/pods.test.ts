import { kafkaKeepsItsData } from "../../../policy/rules/kafka/kafka-keeps-its-data";
import { kafkaPodsGetNothingInjected } from "../../../policy/rules/kafka/kafka-pods-get-nothing-injected";
import { kafkaShutsDownInTime } from "../../../policy/rules/kafka/kafka-shuts-down-in-time";
import { kafkaSpreadsOverZones } from "../../../policy/rules/kafka/kafka-spreads-over-zones";
import { noKafkaServerStopHook } from "../../../policy/rules/kafka/no-kafka-server-stop-hook";
import { edited, type Path } from "../../support/edited";
import { checkResource, unknown, type Given } from "../../support/policy";
import { advisory, ok, rows } from "../../support/verdicts";
import { broker, container, pod, refused, set, withEnv } from "./setup";

describe("kafka-shuts-down-in-time", () => {
  const check = (given: Given, config?: object) => checkResource(kafkaShutsDownInTime, given, config);
  const grace = (seconds: unknown, role = "broker") =>
    check(edited(set(role), [...pod, "terminationGracePeriodSeconds"], seconds));

  test("a broker needs the five minutes that it gives itself", () => {
    expect(grace(300)).toEqual(ok);
    expect(grace(299)).toEqual(refused(/terminationGracePeriodSeconds is 299\. Kafka needs at least 300 s/));
    expect(grace(undefined)).toEqual(refused(/is missing, which means 30/));
    expect(grace(unknown)).toEqual(advisory("terminationGracePeriodSeconds"));
    expect(check(broker, { minimumGraceSeconds: 400 }).violations).toHaveLength(1);
  });

  test("a dedicated controller doesn't, a node that is both does", () => {
    expect(grace(undefined, "controller")).toEqual(ok);
    expect(grace(10, "controller").violations).toHaveLength(1);
    expect(grace(30, "broker,controller").violations).toHaveLength(1);
    const byLabel = withEnv(
      edited(set("controller"), [...pod, "terminationGracePeriodSeconds"], 30),
      "KAFKA_PROCESS_ROLES",
      undefined,
    );
    expect(check(byLabel)).toEqual(ok);
    expect(check(withEnv(byLabel, "KAFKA_PROCESS_ROLES", "broker")).violations).toHaveLength(1);
  });

  const command = (words: unknown, args?: unknown) =>
    check(edited(edited(broker, [...container, "command"], words), [...container, "args"], args));

  test.each(
    rows(
      ["/etc/kafka/docker/run"],
      ["bash", "/scripts/start.sh"],
      ["bash", "-c", "exec /etc/kafka/docker/run"],
      ["/bin/bash", "-e", "-o", "pipefail", "-c", "ulimit -n 100000\nexec \\\n  /etc/kafka/docker/run\n"],
      ["sh", "-ec", "if [ -f /x ]; then exec a; else exec b; fi"],
      ["sh", "-c", "case $X in a) exec a;; *) exec b;; esac"],
      ["sh", "-c", "prepare && KAFKA_X=1 exec run"],
      ["sh", "-c", "run & trap 'kill -TERM $!' TERM; wait"],
      ["sh", "-c", "prepare; . /etc/kafka/docker/run"],
      ["dumb-init", "sh", "-c", "run"],
      ["echo", "sh"],
    ),
  )("%j passes the signal on", (words) => expect(command(words)).toEqual(ok));

  test.each(
    rows(
      ["bash", "-c", "/etc/kafka/docker/run"],
      ["/bin/sh", "-ec", "exec >/log 2>&1\n/etc/kafka/docker/run"],
      ["/bin/sh", "-ec", "# exec is for others\nrun"],
      ["tini", "--", "bash", "-c", "prepare && run"],
      ["sh", "-c", "echo exec run; run"],
    ),
  )("%j keeps it", (words) =>
    expect(command(words)).toEqual(refused(/^The script of container "kafka".*Write exec before the last command/)),
  );

  test("command and args are one line of words; an unknown one is advisory", () => {
    expect(command(["bash", "-c"], ["run"]).violations).toHaveLength(1);
    expect(command(["bash", "-c"], ["exec run"])).toEqual(ok);
    expect(command(undefined, ["run"])).toEqual(ok);
    expect(command(["bash", "-c"], [unknown])).toEqual(advisory("args"));
    expect(command(unknown)).toEqual(advisory("command"));
  });
});

describe("no-kafka-server-stop-hook", () => {
  const hook = (command: unknown) =>
    checkResource(
      noKafkaServerStopHook,
      edited(broker, [...container, "lifecycle"], { preStop: { exec: { command } } }),
    );

  test("is advisory: the hook does no harm", () => expect(noKafkaServerStopHook.enforcementLevel).toBe("advisory"));

  test.each(
    rows(
      ["kafka-server-stop.sh"],
      ["/opt/kafka/bin/kafka-server-stop.sh"],
      ["sh", "-c", "kafka-server-stop"],
      ["bash", "-ec", "echo stopping\n/opt/kafka/bin/kafka-server-stop.sh; sleep 30"],
    ),
  )("%j adds nothing", (command) =>
    expect(hook(command)).toEqual(refused(/^The preStop hook of container "kafka" only/)),
  );

  test.each(
    rows(
      ["sleep", "30"],
      ["/scripts/wait-for-replicas.sh"],
      ["sh", "-c", "kafka-server-stop.sh; while pgrep java; do sleep 1; done"],
      ["sh", "-c", "until kafka-topics.sh --at-min-isr-partitions; do sleep 5; done"],
    ),
  )("%j does something else", (command) => expect(hook(command)).toEqual(ok));

  test("an unknown one is advisory", () => expect(hook(["sh", "-c", unknown])).toEqual(advisory("preStop")));
});

describe("kafka-pods-get-nothing-injected", () => {
  test.each(["enableServiceLinks", "automountServiceAccountToken"])("%s must be false, and written", (field) => {
    const check = (value: unknown) =>
      checkResource(kafkaPodsGetNothingInjected, edited(broker, [...pod, field], value));
    for (const wrong of [undefined, true, "false", null])
      expect(check(wrong)).toEqual(refused(new RegExp(`^spec\\.template\\.spec\\.${field} must be false: `)));
    expect(check(unknown)).toEqual(advisory(field));
  });
});

describe("kafka-spreads-over-zones", () => {
  const check = (path: Path, value: unknown, config?: object) =>
    checkResource(kafkaSpreadsOverZones, edited(broker, path, value), config);
  const constraints = [...pod, "topologySpreadConstraints"];
  const constraint = (field: string, value: unknown, config?: object) =>
    check([...constraints, 0, field], value, config);

  test.each<[string, unknown, RegExp]>([
    ["whenUnsatisfiable", "ScheduleAnyway", /only a wish/],
    ["minDomains", undefined, /minDomains must be at least 2/],
    ["minDomains", 1, /minDomains must be at least 2/],
    ["maxSkew", 2, /maxSkew must be 1/],
    ["labelSelector", undefined, /must select the labels of this set's pods/],
    ["labelSelector", { matchLabels: { "app.kubernetes.io/name": "other" } }, /must select the labels/],
    ["topologyKey", "kubernetes.io/hostname", /has none for topology\.kubernetes\.io\/zone/],
  ])("%s %j leaves it to chance", (field, value, message) => {
    expect(constraint(field, value)).toEqual(refused(message));
  });

  test("no constraint does as well; one good one among others is enough", () => {
    for (const none of [undefined, [], null]) expect(check(constraints, none)).toEqual(refused(/has none for/));
    expect(check([...constraints, 1], { topologyKey: "topology.kubernetes.io/zone", maxSkew: 2 })).toEqual(ok);
    expect(constraint("minDomains", 2)).toEqual(ok);
    expect(constraint("minDomains", 2, { minimumZones: 3 }).violations).toHaveLength(1);
  });

  test("a set of one zone, and a set of one pod, need no spread", () => {
    const unspread = edited(broker, constraints, []);
    const again = (path: Path, value: unknown) => checkResource(kafkaSpreadsOverZones, edited(unspread, path, value));
    const zone = { key: "topology.kubernetes.io/zone", operator: "In" };
    const affinity = (...terms: object[]) => ({
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    });
    expect(again([...pod, "nodeSelector"], { [zone.key]: "eu-west-1a" })).toEqual(ok);
    expect(again([...pod, "nodeSelector"], { [zone.key]: unknown })).toEqual(ok);
    expect(again([...pod, "affinity"], affinity({ matchExpressions: [{ ...zone, values: ["eu-west-1a"] }] }))).toEqual(
      ok,
    );
    const two = { matchExpressions: [{ ...zone, values: ["eu-west-1a", "eu-west-1b"] }] };
    expect(again([...pod, "affinity"], affinity(two)).violations).toHaveLength(1);
    const either = [{ matchExpressions: [{ ...zone, values: ["eu-west-1a"] }] }, two];
    expect(again([...pod, "affinity"], affinity(...either)).violations).toHaveLength(1);
    expect(again(["props", "spec", "replicas"], 1)).toEqual(ok);
    expect(again(["props", "spec", "replicas"], undefined)).toEqual(ok);
    expect(again(["props", "spec", "replicas"], unknown).violations).toHaveLength(1);
  });

  test("unknowns are advisory", () => {
    expect(check(constraints, unknown)).toEqual(advisory("topologySpreadConstraints"));
    expect(check([...constraints, 0], unknown)).toEqual(advisory("topologySpreadConstraints"));
    for (const field of ["topologyKey", "whenUnsatisfiable", "minDomains", "maxSkew", "labelSelector"])
      expect(constraint(field, unknown)).toEqual(advisory(field));
    expect(check(["props", "spec", "template", "metadata", "labels"], unknown)).toEqual(advisory("labels"));
  });
});

describe("kafka-keeps-its-data", () => {
  const check = (given: Given) => checkResource(kafkaKeepsItsData, given);
  const retention = (policy: unknown, given = broker) =>
    check(edited(given, ["props", "spec", "persistentVolumeClaimRetentionPolicy"], policy));
  const disposable = (value: unknown) =>
    edited(broker, ["props", "metadata", "annotations"], { "moorings.dev/disposable-data": value });

  test("retained is the default, and deleted is refused", () => {
    expect(retention({ whenDeleted: "Retain", whenScaled: "Retain" })).toEqual(ok);
    expect(retention({ whenDeleted: "Delete" })).toEqual(
      refused(/whenDeleted is Delete.*"moorings\.dev\/disposable-data"/),
    );
    expect(retention({ whenScaled: "Delete" })).toEqual(refused(/whenScaled is Delete/));
    expect(retention(unknown)).toEqual(advisory("persistentVolumeClaimRetentionPolicy"));
    expect(retention({ whenDeleted: unknown })).toEqual(advisory("whenDeleted"));
  });

  test("disposable data may go with the set, but not on scaling down", () => {
    for (const value of ["true", "rebuilt every night", unknown])
      expect(retention({ whenDeleted: "Delete", whenScaled: "Retain" }, disposable(value))).toEqual(ok);
    expect(retention({ whenScaled: "Delete" }, disposable("true"))).toEqual(refused(/whenScaled is Delete/));
    for (const value of ["false", ""])
      expect(retention({ whenDeleted: "Delete" }, disposable(value)).violations).toHaveLength(1);
    const dim = edited(broker, ["props", "metadata", "annotations"], unknown);
    expect(retention({ whenDeleted: "Delete" }, dim).violations).toHaveLength(1);
  });

  test("a set without volumes of its own keeps nothing", () => {
    const claims: Path = ["props", "spec", "volumeClaimTemplates"];
    const bare = edited(broker, claims, undefined);
    expect(check(bare)).toEqual(refused(/^spec\.volumeClaimTemplates is missing/));
    expect(check(edited(bare, [...pod, "volumes"], [{ name: "data", emptyDir: {} }]))).toEqual(refused(/is missing/));
    expect(
      check(edited(bare, [...pod, "volumes"], [{ name: "data", persistentVolumeClaim: { claimName: "x" } }])),
    ).toEqual(ok);
    expect(check(edited(bare, [...pod, "volumes"], [{ name: "data", hostPath: { path: "/nvme" } }]))).toEqual(ok);
    expect(check(edited(bare, [...pod, "volumes"], unknown))).toEqual(advisory("volumes"));
    expect(check(edited(broker, claims, unknown))).toEqual(ok);
    expect(check(edited(disposable("true"), claims, []))).toEqual(ok);
  });
});
