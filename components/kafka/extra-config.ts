import * as pulumi from "@pulumi/pulumi";
import { checked, type Problems } from "../internal/validate";
import { configurationFields } from "./configuration";

interface Modeled {
  readonly property: RegExp;
  /** What to do instead, as the second half of a sentence. */
  readonly instead: string;
}

const copies =
  "every partition has 3 copies and 2 of them in sync by default; give single topics other values when you create them";
const listeners = "there are three listeners, CLIENT, REPLICATION and CONTROLLER, all with mutual TLS";

/** Server properties that the component sets itself, and those that would work against them. */
const modeled: readonly Modeled[] = [
  { property: /^(process\.roles|node\.id|broker\.id.*)$/, instead: "each pod gets its own from its ordinal" },
  { property: /^(advertised\.)?listeners$/, instead: listeners },
  { property: /^(listener\.|controller\.listener\.names$|early\.start\.listeners$)/, instead: listeners },
  { property: /^(inter\.broker\.listener\.name|security\.inter\.broker\.protocol)$/, instead: listeners },
  { property: /^ssl\./, instead: "use certificates" },
  {
    property: /^(authorizer\.class\.name|super\.users|allow\.everyone\.if\.no\.acl\.found|principal\.builder\.class)$/,
    instead: "nobody may anything but what clients says",
  },
  { property: /^controller\.quorum\.(voters|bootstrap\.servers|auto\.join\.enable)$/, instead: "use controllers" },
  {
    property: /^(log\.dirs?|metadata\.log\.dir)$/,
    instead: "each node has one volume; use brokerStorageGiB for its size",
  },
  { property: /^(broker\.rack|replica\.selector\.class)$/, instead: "the rack is the zone of the node; see zones" },
  {
    property:
      /^(default\.replication\.factor|min\.insync\.replicas|(offsets\.topic|transaction\.state\.log|share\.coordinator\.state\.topic)\.(replication\.factor|min\.isr))$/,
    instead: copies,
  },
  { property: /^num\.partitions$/, instead: "topics are never made by accident; name a number when you create one" },
  {
    property: /^unclean\.leader\.election\.enable$/,
    instead: "it loses acknowledged messages; in an emergency elect by hand (kafka-leader-election.sh)",
  },
  { property: /^auto\.create\.topics\.enable$/, instead: "a misspelt topic would be created; create topics yourself" },
  { property: /^num\.recovery\.threads\.per\.data\.dir$/, instead: "it is 4, so that recovery fits the startup probe" },
];

/** Refuses properties that the component sets itself. */
export function extraConfigProblems(extra: Record<string, unknown>, problems: Problems): void {
  for (const property of Object.keys(extra)) {
    const where = `extraConfig["${property}"]`;
    problems.unless(
      /^[a-z][A-Za-z0-9._-]*$/.test(property),
      where,
      'is no name of a server property: write one such as "socket.receive.buffer.bytes"',
    );
    const field = configurationFields.get(property);
    if (field !== undefined) problems.add(where, `is a field of configuration: write configuration.${field}`);
    const known = modeled.find((m) => m.property.test(property));
    if (known !== undefined) problems.add(where, `is set by this component: ${known.instead}`);
  }
}

/** The values, once they are known: a line break would begin another property. */
export function extraProperties(extra: Record<string, pulumi.Input<string>>): pulumi.Output<Record<string, string>> {
  return pulumi.output(
    Object.fromEntries(
      Object.entries(extra).map(([property, value]) => [
        property,
        checked(value, `extraConfig["${property}"]`, (known) =>
          /[\r\n\0]/.test(known) ? "must be a single line" : undefined,
        ),
      ]),
    ),
  );
}
