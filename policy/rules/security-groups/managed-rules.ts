import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, isProperties, itemsAt } from "../../lib/kubernetes";
import { networkKey } from "../../lib/networks";
import { exact, type Part } from "../../lib/parts";
import { stringAt, valueAt } from "../../lib/paths";
import { chartValue, isController } from "../controller/controllers";
import { isBindingType } from "../targets/bindings";
import { isSecurityGroup } from "./groups";
import { protocolKey, type Permission } from "./rule-tuples";

/** Every port: what the controller opens with disableRestrictedSecurityGroupRules, or where a binding names none. */
const all = [0, 65535] as const;

/** The rules that the controller makes for one source and protocol. */
interface Managed {
  readonly by: PolicyResource;
  /** Ports that bindings ask for: a rule goes from the lowest to the highest of those that are there at the time. */
  readonly ports: Set<number>;
  /** Whether the ports aren't to be seen: those of Ingresses, for which the controller makes the bindings. */
  any: boolean;
  /** Whether this may be another group: one of several that the binding came from. */
  readonly doubt: Unknown | undefined;
}

/**
 * What security group rules the AWS Load Balancer Controller may make, as far as the stack shows it. Its rules have the protocol tcp or udp,
 * a source of a binding's `networking` or its backend group, and ports between two that bindings ask for, or all (v3.5.0,
 * pkg/targetgroupbinding/networking_manager.go).
 */
export class ManagedRules {
  private readonly bySource = new Map<string, Managed>();

  constructor(resources: readonly PolicyResource[]) {
    for (const resource of resources) {
      if (isBindingType(resource.type) && !isPatch(resource)) this.addBinding(resource);
      else if (isController(resource)) this.addBackend(resource);
    }
  }

  /** The resource for which the controller may make an equal rule; undefined if none, an unknown if that can't be told. */
  makerOf(permission: Permission): PolicyResource | Unknown | undefined {
    const { direction, protocol, ports, source } = permission;
    if (direction.key !== "ingress") return undefined;
    const managed = this.bySource.get(keyOf(source, protocol.key));
    if (managed === undefined || !ports.every(({ doubt }) => doubt === undefined)) return undefined;
    const [from = NaN, to = NaN] = ports.map(({ key }) => Number(key));
    const equal = managed.ports.has(from) && managed.ports.has(to);
    const whole = from === all[0] && to === all[1];
    // One of the shapes that it never makes (from port 1 on) is the way out where its ports can't be seen.
    const hidden = managed.any && !(from === 1 && to === all[1]);
    return equal || whole || hidden ? (managed.doubt ?? managed.by) : undefined;
  }

  private addBinding(binding: PolicyResource): void {
    const rules = itemsAt(binding.props, ["spec", "networking", "ingress"]).filter(isProperties);
    const from = rules.map((rule) => itemsAt(rule, ["from"]).filter(isProperties));
    const ids = from.flat().map((peer) => stringAt(peer, ["securityGroup", "groupID"]));
    const origins = groupsBehind(binding, "spec");
    const unknown = ids.filter(isUnknown);
    rules.forEach((rule, i) => {
      const sources = from[i]!.flatMap((peer): { part: Part; doubt?: Unknown }[] => {
        const id = stringAt(peer, ["securityGroup", "groupID"]);
        const cidr = stringAt(peer, ["ipBlock", "cidr"]);
        if (typeof id === "string") return [{ part: exact(id) }];
        if (typeof cidr === "string") return [{ part: exact(networkKey(cidr)) }];
        if (id === undefined) return [];
        // As many unknown ids as groups, or more: then it is each of them.
        const doubt = unknown.length >= origins.length ? undefined : id;
        return origins.map((origin) => ({ part: fromGroup(origin), ...(doubt === undefined ? {} : { doubt }) }));
      });
      const asked = itemsAt(rule, ["ports"]).filter(isProperties);
      for (const { part, doubt } of sources)
        for (const port of asked) {
          const protocol = stringAt(port, ["protocol"]) ?? "TCP";
          if (isUnknown(protocol)) continue;
          const number = valueAt(port, ["port"]);
          this.add(part, protocolKey(protocol), binding, typeof number === "number" ? number : undefined, false, doubt);
        }
    });
  }

  private addBackend(chart: PolicyResource): void {
    const id = chartValue(chart, ["backendSecurityGroup"]);
    const [origin, ...others] = isUnknown(id) ? groupsBehind(chart, "values") : [];
    const part =
      typeof id === "string" && id !== "" ? exact(id) : origin && others.length === 0 ? fromGroup(origin) : undefined;
    if (part !== undefined)
      for (const protocol of ["tcp", "udp"]) this.add(part, protocol, chart, undefined, true, undefined);
  }

  private add(
    source: Part,
    protocol: string,
    by: PolicyResource,
    port: number | undefined,
    any: boolean,
    doubt: Unknown | undefined,
  ): void {
    const key = keyOf(source, protocol);
    const found = this.bySource.get(key);
    // What is certain stays so, whoever else may ask for it.
    const managed = found !== undefined && (found.doubt === undefined || doubt !== undefined) ? found : undefined;
    const next = managed ?? { by, ports: new Set(found?.ports), any: found?.any ?? false, doubt };
    if (port !== undefined) next.ports.add(port);
    next.any ||= any;
    this.bySource.set(key, next);
  }
}

function keyOf(source: Part, protocol: string): string {
  return `${protocol} ${source.key}`;
}

/** The same as what `partOf` makes of an id that isn't known yet and came from this group alone. */
function fromGroup(group: PolicyResource): Part {
  return exact(`from ${group.urn}`);
}

function groupsBehind(holder: PolicyResource, property: string): PolicyResource[] {
  return (holder.propertyDependencies[property] ?? []).filter((r) => isSecurityGroup(r.type));
}
