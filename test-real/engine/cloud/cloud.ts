import type { JsonObject } from "../../../cli/engine/values";
import { plain, text } from "./plain";

/** A thing that exists in the simulated cloud. */
export class Living {
  constructor(
    /** Another one after it was renamed with an alias. */
    public urn: string,
    readonly type: string,
    readonly id: string,
    /** Inputs and state as the engine sent and got them: secrets are marked. */
    public sent: JsonObject,
    public state: JsonObject,
  ) {}

  get inputs(): JsonObject {
    return plain(this.sent);
  }

  get arn(): string {
    return this.text("arn");
  }

  /** One of its outputs, which is a text. */
  text(output: string): string {
    return text(plain(this.state)[output]);
  }
}

export type OperationKind = "create" | "update" | "delete";

export interface Operation {
  readonly kind: OperationKind;
  readonly urn: string;
  readonly id: string;
}

/** What lives in the simulated cloud and what was done to it, across all operations of the engine. */
export class Cloud {
  readonly living: Living[] = [];
  /** Operations that succeeded, in order. */
  readonly operations: Operation[] = [];
  /** What a provider was asked without changing anything, such as `aws:index/getRegion:getRegion`. */
  readonly invokes: string[] = [];

  /** Of the cluster, where a real API server stands in for it. */
  kubeconfig: string | undefined;

  /** Makes an operation fail: the text of the error, or undefined to let it be. */
  fault: (kind: OperationKind, urn: string) => string | undefined = () => undefined;
  /** Lets an operation wait, so that a test can do something in the middle of it. */
  hold: (kind: OperationKind, urn: string) => Promise<void> | undefined = () => undefined;

  ofType(...types: readonly string[]): Living[] {
    return this.living.filter((thing) => types.includes(thing.type));
  }

  find(type: string, id: string): Living | undefined {
    return this.living.find((thing) => thing.type === type && thing.id === id);
  }

  add(thing: Living): void {
    // What AWS makes but once, however often it is asked for.
    const twin = this.find(thing.type, thing.id);
    if (twin !== undefined) this.living.splice(this.living.indexOf(twin), 1);
    this.living.push(thing);
    this.operations.push({ kind: "create", urn: thing.urn, id: thing.id });
  }

  change(thing: Living, urn: string, sent: JsonObject, state: JsonObject): void {
    thing.urn = urn;
    thing.sent = sent;
    thing.state = state;
    this.operations.push({ kind: "update", urn: thing.urn, id: thing.id });
  }

  remove(thing: Living): void {
    this.living.splice(this.living.indexOf(thing), 1);
    this.operations.push({ kind: "delete", urn: thing.urn, id: thing.id });
  }

  /** Forgets what was done so far, and returns it. */
  takeOperations(): Operation[] {
    return this.operations.splice(0);
  }
}
