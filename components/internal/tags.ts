import * as pulumi from "@pulumi/pulumi";

/** Tags as every component takes them. */
export type Tags = Record<string, pulumi.Input<string>>;

/** The caller's tags plus `Name`, which the AWS console shows. The caller's values win. */
export function tagsFor(
  tags: pulumi.Input<Tags> | undefined,
  name: pulumi.Input<string>,
  own: Tags = {},
): pulumi.Output<Record<string, string>> {
  return pulumi
    .all([pulumi.output(tags ?? {}), pulumi.output(name), pulumi.output(own)])
    .apply(([given, Name, ours]): Record<string, string> => ({ Name, ...given, ...ours }));
}
