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

  /** Records a problem. `reason` says what to write instead and doesn't repeat the argument's name. */
  add(argument: string, reason: string): void {
    this.found.push({ propertyPath: argument, reason });
  }

  /** Records a problem unless `ok` holds. */
  unless(ok: boolean, argument: string, reason: string): void {
    if (!ok) this.add(argument, reason);
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

/** What the offline preview gives a program in place of an encrypted configuration value, which only its owner can decrypt. */
const encrypted = "[secret]";

/**
 * Checks a value that may only be known later. The check runs inside the `apply` that the value flows through anyway, so a
 * bad value stops the registration that would have used it. An encrypted value that the offline preview can't know passes.
 *
 * @param check returns what is wrong with the value, or undefined.
 */
export function checked<T>(
  value: pulumi.Input<T>,
  where: string,
  check: (value: pulumi.Unwrap<T>) => string | undefined,
): pulumi.Output<pulumi.Unwrap<T>> {
  return pulumi.output(value).apply((known) => {
    const reason = known === encrypted ? undefined : check(known);
    if (reason !== undefined)
      throw new pulumi.InputPropertyError({ propertyPath: where, reason: `${where} ${reason}` });
    return known;
  });
}
