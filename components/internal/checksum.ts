import * as pulumi from "@pulumi/pulumi";

/**
 * SHA-256 of a text in hexadecimal: an annotation with it on a pod template makes a change of the text restart the pods. It uses
 * Web Crypto, a global of Node, because components import nothing but Pulumi.
 */
export function sha256(text: pulumi.Input<string>): pulumi.Output<string> {
  return pulumi.output(text).apply(async (known) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(known));
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
  });
}
