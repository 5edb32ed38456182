import * as pulumi from "@pulumi/pulumi";

/**
 * Collects what is wrong with a component's arguments, so that one failed preview shows everything there is to correct.
 *
 *     const problems = new Problems("ApplicationLoadBalancer", name);
 *     problems.unless(args.subnetIds.length >= 2, "subnetIds", "must name subnets in two zones");
 *     problems.throwIfAny();
 */
export class Problems {
  private readonly found: { propertyPath: string; reason: string }[] = [];

  /**
   * @param component what can't be made: a component's class, or a function.
   * @param name the component's name; functions have none.
   */
  constructor(
    private readonly component: string,
    private readonly name?: string,
  ) {}

  /** How many were recorded: what can only be judged of arguments that are right by themselves waits for it. */
  get count(): number {
    return this.found.length;
  }

  /** Records a problem, if there is one. `reason` says what to write instead and doesn't repeat the argument's name. */
  add(argument: string, reason: string | undefined): void {
    if (reason !== undefined) this.found.push({ propertyPath: argument, reason });
  }

  /** Records a problem unless `ok` holds. */
  unless(ok: boolean, argument: string, reason: string): void {
    if (!ok) this.add(argument, reason);
  }

  /** Takes over what was found for a component inside this one, in the words of this one's arguments. */
  takeOver(inner: Problems, inOwnWords: (text: string) => string): void {
    for (const { propertyPath, reason } of inner.found) this.add(inOwnWords(propertyPath), inOwnWords(reason));
  }

  /**
   * Checks an argument that may only be known later, and returns what to use in its place: one that is known is reported together with
   * the rest, any other by {@link checked}. What isn't given isn't checked.
   *
   * @param check returns what is wrong with the value, or undefined.
   */
  input<T>(value: pulumi.Input<T>, argument: string, check: Check<T>): pulumi.Input<pulumi.Unwrap<T>>;
  input<T>(
    value: pulumi.Input<T> | undefined,
    argument: string,
    check: Check<T>,
  ): pulumi.Input<pulumi.Unwrap<T>> | undefined;
  input<T>(
    value: pulumi.Input<T> | undefined,
    argument: string,
    check: Check<T>,
  ): pulumi.Input<pulumi.Unwrap<T>> | undefined {
    if (value === undefined) return undefined;
    if (!isPlain(value)) return checked(value, argument, check);
    const plain = value as pulumi.Unwrap<T>;
    this.add(argument, reasonAgainst(plain, check));
    return plain;
  }

  /**
   * Throws when anything was recorded. `InputPropertiesError` reaches users of every Pulumi language as one error per
   * property; a TypeScript program prints its message, so the message carries the whole list as well.
   */
  throwIfAny(): void {
    if (this.found.length === 0) return;
    const list = this.found.map((p) => `\n  - ${p.propertyPath}: ${p.reason}`).join("");
    const what = this.name === undefined ? this.component : `${this.component} "${this.name}"`;
    throw new pulumi.InputPropertiesError({
      message: `${what} can't be made from these arguments:${list}`,
      errors: this.found,
    });
  }
}

/** What is wrong with a value of an enum, which programs without types may give as any text; or undefined. What isn't given is fine. */
export function oneOf(choices: Readonly<Record<string, string>>, given: string | undefined): string | undefined {
  const known = Object.values(choices);
  return given === undefined || known.includes(given)
    ? undefined
    : `must be one of ${known.join(", ")}, not "${given}"`;
}

/** Says what is wrong with a value, or undefined. */
type Check<T> = (value: pulumi.Unwrap<T>) => string | undefined;

/** Whether a value, but for what is in it, may only be known later. */
export function isLate<T>(value: pulumi.Input<T>): value is pulumi.OutputInstance<T> | Promise<T> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Whether a value is an object with a value for each key, known by itself. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isLate<unknown>(value);
}

/** Whether a value is known, with all that is in it. */
function isPlain(value: unknown): boolean {
  if (isLate(value)) return false;
  return typeof value !== "object" || value === null || Object.values(value).every(isPlain);
}

/** What the offline preview gives a program in place of an encrypted configuration value, which only its owner can decrypt. */
const encrypted = "[secret]";

function reasonAgainst<T>(known: pulumi.Unwrap<T>, check: Check<T>): string | undefined {
  return known === encrypted ? undefined : check(known);
}

/**
 * Checks a value that may only be known later. The check runs inside the `apply` that the value flows through anyway, so a
 * bad value stops the registration that would have used it. An encrypted value that the offline preview can't know passes.
 *
 * @param check returns what is wrong with the value, or undefined.
 */
export function checked<T>(value: pulumi.Input<T>, where: string, check: Check<T>): pulumi.Output<pulumi.Unwrap<T>> {
  return pulumi.output(value).apply((known) => {
    const reason = reasonAgainst(known, check);
    if (reason !== undefined)
      throw new pulumi.InputPropertyError({ propertyPath: where, reason: `${where} ${reason}` });
    return known;
  });
}
