import * as pulumi from "@pulumi/pulumi";

/**
 * An output of a component of another package, which must have a value. When a resource inside such a component fails and the update goes on
 * (`pulumi up --continue-on-error`), the engine leaves out what nobody knows, and Pulumi's SDK makes of it undefined, and not unknown as with
 * a program's own resources (3.248): an identity provider would be replaced by one of `https://undefined`. An exception stops what needs it.
 */
export function known<T>(output: pulumi.Output<T>, what: string): pulumi.Output<T> {
  return output.apply((value): T => {
    if (value === undefined) throw new Error(`${what} isn't known, because something that it comes from failed`);
    return value;
  });
}

/** A value whose users wait for a resource, and go before it. URNs are known in every preview, so a value that is known stays known. */
export function withResource<T>(value: pulumi.Input<T>, resource: pulumi.Resource): pulumi.Output<pulumi.Unwrap<T>> {
  return pulumi.all([value, resource.urn]).apply(([known]) => known);
}
