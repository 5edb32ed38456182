import type { Clock } from "./clock";

/** A pod of a Service. */
export interface Pod {
  /** Its address. A new pod has a new one. */
  readonly address: string;
  readonly createdAt: number;
  readonly ready: boolean;
}

/** A Service with its pods, and the port that they listen on. */
export interface Service {
  readonly port: number;
  readonly pods: readonly Pod[];
}

/** A source of traffic that a binding asks the controller to let in. */
export interface Peer {
  /** Security group or CIDR. */
  readonly source: string;
  /** Undefined stands for all ports. */
  readonly port: number | undefined;
}

/** A TargetGroupBinding. Its target group has its name. */
export interface Binding {
  readonly name: string;
  readonly service: string;
  /** Undefined where `spec.networking` is left out. */
  readonly networking: readonly Peer[] | undefined;
  /** The annotation in which the controller writes down what it has done. */
  readonly checkpoint: string;
  /** It was deleted, and waits for the controller to take its finalizer off. */
  readonly deleting: boolean;
}

/** Objects of one kind: what the API server has, and what the controller's watch has heard of, which is a little older. */
export class Watched<T> {
  private readonly objects = new Map<string, T>();
  private readonly heard = new Map<string, T>();
  private lastHeard = 0;
  private subscriber: (name: string) => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    /** How long, in milliseconds, the watch takes for this change. */
    private readonly lag: () => number,
  ) {}

  get(name: string): T | undefined {
    return this.objects.get(name);
  }

  all(): ReadonlyMap<string, T> {
    return this.objects;
  }

  seen(name: string): T | undefined {
    return this.heard.get(name);
  }

  allSeen(): ReadonlyMap<string, T> {
    return this.heard;
  }

  /** Writes an object, or removes it. */
  set(name: string, object: T | undefined): void {
    replace(this.objects, name, object);
    // A watch delivers in order.
    this.lastHeard = Math.max(this.lastHeard, this.clock.now + this.lag());
    this.clock.at(this.lastHeard, () => {
      replace(this.heard, name, object);
      this.subscriber(name);
    });
  }

  change(name: string, change: (object: T) => T): void {
    const object = this.objects.get(name);
    if (object !== undefined) this.set(name, change(object));
  }

  /** A new watch: it begins with everything that there is. */
  subscribe(subscriber: (name: string) => void): void {
    this.heard.clear();
    for (const [name, object] of this.objects) this.heard.set(name, object);
    this.subscriber = subscriber;
  }
}

function replace<T>(objects: Map<string, T>, name: string, object: T | undefined): void {
  if (object === undefined) objects.delete(name);
  else objects.set(name, object);
}

/** The objects of the cluster that the controller looks at. */
export class Kubernetes {
  readonly services: Watched<Service>;
  readonly bindings: Watched<Binding>;

  constructor(clock: Clock, lag: () => number) {
    this.services = new Watched(clock, lag);
    this.bindings = new Watched(clock, lag);
  }
}
