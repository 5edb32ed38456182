import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KafkaTopicAccess } from "../../../components/kafka";
import { find } from "../../support/graph";
import { both, make, propertiesOf, specOf, types, type Resources } from "./setup";

/* Who may do what: how Kafka names a connection, who may everything, and the job that keeps the rules of clients. */

const { Produce, Consume } = KafkaTopicAccess;

interface JobSpec {
  template: {
    metadata: { labels: object };
    spec: { containers: { command: string[]; env: { name: string; value: string }[] }[] };
  };
}
const commandOf = (resources: Resources) =>
  (specOf(resources, types.job, "k-access") as unknown as JobSpec).template.spec.containers[0]!.command;

describe("brokers and controllers", () => {
  test.each(both)("%s refuse what no rule allows, and know nodes and the administrator by name", async (role) => {
    const { resources } = await make();
    expect(propertiesOf(resources, role)).toMatchObject({
      "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
      "allow.everyone.if.no.acl.found": "false",
      "super.users": "User:kafka-broker;User:kafka-controller;User:kafka-admin",
    });
  });

  /** Rules as Kafka applies them: the first whose pattern is the whole subject (SslPrincipalMapper). */
  const mapped = (rules: string, subject: string) => {
    for (const [, pattern, replacement] of rules.matchAll(/RULE:((?:\\.|[^\\/])*)\/((?:\\.|[^\\/])*)\//g)) {
      const matcher = new RegExp(`^(?:${pattern!})$`);
      if (matcher.test(subject)) return subject.replace(new RegExp(pattern!), replacement!);
    }
    return subject;
  };

  test.each([
    ["CN=kafka-client-shop", "kafka-client-shop", "kafka-client-shop"],
    ["CN=kafka-client-shop,OU=shop,O=Acme", "kafka-client-shop", "kafka-client-shop"],
    ["CN=kafka-broker", "not-kafka-broker", "kafka-broker"],
    ["CN=kafka-admin,O=Acme", "not-kafka-admin", "kafka-admin"],
    ["CN=kafka-broker+OU=x,O=Acme", "kafka-broker+OU=x", "kafka-broker+OU=x"],
    ["O=CN=kafka-admin,C=AT", "O=CN=kafka-admin,C=AT", "O=CN=kafka-admin,C=AT"],
  ])("%s is %s to clients' listener and %s between nodes", async (subject, asClient, asPeer) => {
    const properties = propertiesOf((await make()).resources, "broker");
    const rulesOf = (listener: string) => properties[`listener.name.${listener}.ssl.principal.mapping.rules`]!;
    expect(mapped(rulesOf("client"), subject)).toBe(asClient);
    expect(mapped(rulesOf("replication"), subject)).toBe(asPeer);
    const controller = propertiesOf((await make()).resources, "controller");
    expect(controller["listener.name.controller.ssl.principal.mapping.rules"]).toBe(rulesOf("replication"));
  });
});

describe("the job", () => {
  const clients = {
    shop: {
      namespace: "shop",
      topics: { orders: [Produce], "events.*": [Produce, Consume] },
      consumerGroups: ["shop-*"],
    },
    audit: { namespace: "sec", topics: { "*": [Consume] }, consumerGroups: [], transactionalIds: ["audit-1"] },
  };

  test("wants a rule for each thing that a client may do, and no others", async () => {
    const { resources } = await make({ clients });
    const [, , , , principals, wanted] = commandOf(resources);
    expect(principals).toBe("User:kafka-client-");
    expect(wanted!.split("\n")).toEqual([
      "GROUP shop- PREFIXED User:kafka-client-shop READ",
      "TOPIC * LITERAL User:kafka-client-audit READ",
      "TOPIC events. PREFIXED User:kafka-client-shop READ",
      "TOPIC events. PREFIXED User:kafka-client-shop WRITE",
      "TOPIC orders LITERAL User:kafka-client-shop WRITE",
      "TRANSACTIONAL_ID audit-1 LITERAL User:kafka-client-audit WRITE",
    ]);
  });

  test("runs after the brokers, as the administrator, who reaches nobody else", async () => {
    const { resources } = await make({ clients });
    const job = find(resources, types.job, "k-access");
    expect(job.dependencies).toContain(find(resources, types.statefulSet, "k-broker").urn);
    const { template } = job.inputs["spec"] as unknown as JobSpec;
    const admin = {
      "app.kubernetes.io/name": "kafka",
      "app.kubernetes.io/instance": "kafka",
      "app.kubernetes.io/component": "admin",
    };
    expect(template.metadata.labels).toEqual(admin);
    const brokers = [100, 101, 102].map((id) => `kafka-broker-${id}.kafka-brokers.events.svc.cluster.local:9094`);
    expect(template.spec.containers[0]!.env).toContainEqual({ name: "BOOTSTRAP_SERVERS", value: brokers.join(",") });
    const policy = specOf(resources, types.policy, "k-admin-policy");
    expect(policy).not.toHaveProperty("ingress");
    expect(policy).toMatchObject({
      podSelector: { matchLabels: admin },
      policyTypes: ["Ingress", "Egress"],
      egress: [{}, { ports: [{ port: 9094, protocol: "TCP" }] }, { ports: [{ port: 9093, protocol: "TCP" }] }],
    });
  });

  test.each([
    ["topics", { topics: { "a b": [Produce] } }, 'clients["shop"].topics["a b"]'],
    ["no access", { topics: { orders: [] } }, 'clients["shop"].topics["orders"]'],
    ["an access that there isn't", { topics: { orders: ["write" as KafkaTopicAccess] } }, 'topics["orders"][0]'],
    ["a consumer without groups", { topics: { orders: [Consume] } }, 'clients["shop"].consumerGroups'],
    ["groups", { consumerGroups: ["a\nb"] }, 'clients["shop"].consumerGroups[0]'],
    ["ids", { transactionalIds: [""] }, 'clients["shop"].transactionalIds[0]'],
  ])("%s: wrong ones are refused by name", async (_, client, path) => {
    const { errors } = await make({ clients: { shop: { namespace: "shop", ...client } } });
    expect(errors.map(({ message }) => message).join()).toContain(`${path}: `);
  });
});

/* The script with tools that keep their rules in a file, and show them as Kafka's do (kafka.admin.AclCommand). */
describe("the script", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "access-"));
    const tool = join(folder, "kafka-acls.sh");
    writeFileSync(tool, acls);
    chmodSync(tool, 0o755);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const wants = async (rules: string[], before: string[]) => {
    writeFileSync(join(folder, "rules"), before.map((rule) => `${rule}\n`).join(""));
    const [shell, option, script, name, principals] = commandOf((await make()).resources);
    const log = execFileSync(
      shell!,
      [option!, script!.replaceAll("/opt/kafka/bin", folder), name!, principals!, rules.join("\n")],
      {
        env: { ...process.env, BOOTSTRAP_SERVERS: "b:9094", ADMIN_PROPERTIES: join(folder, "admin.properties") },
        encoding: "utf8",
      },
    );
    const lines = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n").filter(Boolean);
    return { rules: lines("rules").sort(), calls: lines("calls"), log };
  };
  const shop = "User:kafka-client-shop";
  const rule = (rest: string, principal = shop) => `${rest.replace(/ (\S+)$/, ` ${principal} $1`)}`;

  test("adds what is missing before it takes away what is needless, and touches nothing else", async () => {
    const others = [
      rule("TOPIC orders LITERAL READ", "User:somebody"),
      rule("CLUSTER kafka-cluster LITERAL ALTER", "User:kafka-client-shop2-not"),
    ];
    const { rules, calls } = await wants(
      [rule("TOPIC orders LITERAL WRITE"), rule("GROUP shop- PREFIXED READ"), rule("TOPIC * LITERAL READ")],
      [
        rule("TOPIC orders LITERAL WRITE"),
        rule("TOPIC old LITERAL READ"),
        rule("TRANSACTIONAL_ID t LITERAL WRITE"),
        ...others,
      ],
    );
    expect(rules).toEqual(
      [
        rule("TOPIC orders LITERAL WRITE"),
        rule("GROUP shop- PREFIXED READ"),
        rule("TOPIC * LITERAL READ"),
        ...others,
      ].sort(),
    );
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["--list", "--add", "--add", "--remove", "--remove"]);
  });

  test("asks once, where all is as wanted", async () => {
    const wanted = [rule("TOPIC orders LITERAL WRITE")];
    const { calls, log } = await wants(wanted, wanted);
    expect(calls).toEqual(["--list"]);
    expect(log).toContain("Access rules of User:kafka-client-*: 1 as wanted.");
  });

  test("takes all rules of clients that are gone", async () => {
    const { rules } = await wants([], [rule("TOPIC orders LITERAL WRITE"), rule("GROUP g LITERAL READ")]);
    expect(rules).toEqual([]);
  });

  test("fails where the tool does", async () => {
    writeFileSync(join(folder, "kafka-acls.sh"), "#!/bin/bash\nexit 1\n");
    await expect(wants([], [])).rejects.toThrow();
  });
});

const acls = `#!/bin/bash
set -eu
cd "$(dirname "$0")"
shift 4
echo "$*" >> calls
verb=$1; shift
while (($#)); do
  case $1 in
    --force) shift ;;
    --allow-principal) principal=$2; shift 2 ;;
    --operation) operation=$2; shift 2 ;;
    --resource-pattern-type) pattern=\${2^^}; shift 2 ;;
    --topic) kind=TOPIC name=$2; shift 2 ;;
    --group) kind=GROUP name=$2; shift 2 ;;
    --transactional-id) kind=TRANSACTIONAL_ID name=$2; shift 2 ;;
  esac
done
case $verb in
  --list)
    while read -r kind name pattern principal operation; do
      echo "Current ACLs for resource \\\`ResourcePattern(resourceType=$kind, name=$name, patternType=$pattern)\\\`: "
      echo " 	(principal=$principal, host=*, operation=$operation, permissionType=ALLOW)"
      echo " 	(principal=$principal, host=10.0.0.1, operation=ALL, permissionType=DENY)"
      echo
    done < rules ;;
  --add) echo "$kind $name $pattern $principal $operation" >> rules ;;
  --remove) grep -vxF "$kind $name $pattern $principal $operation" rules > left || true; mv left rules ;;
esac
`;
