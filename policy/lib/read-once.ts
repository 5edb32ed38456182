interface Unpacking {
  deserializeProperties?: (message: object, keepSecrets: boolean) => object;
}

/**
 * The server of `@pulumi/policy` unpacks a resource's properties anew for every policy of a pack, although no policy of this one changes
 * them: most of what a resource costs. With this each message is unpacked once. Only repairs change what they get, and these keep secrets
 * marked: what is read for them is theirs alone. Where a release of the SDK does it in another way, it stays as it is, and slow.
 */
export function readOnce(sdk: Unpacking = unpackingOfSdk()): void {
  const read = sdk.deserializeProperties;
  if (typeof read !== "function") return;
  const done = new WeakMap<object, object>();
  sdk.deserializeProperties = (message, keepSecrets) => {
    if (keepSecrets) return read(message, true);
    const properties = done.get(message) ?? read(message, false);
    done.set(message, properties);
    return properties;
  };
}

function unpackingOfSdk(): Unpacking {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a release without this file must not keep the pack from starting
    return require("@pulumi/policy/deserialize") as Unpacking;
  } catch {
    return {};
  }
}
