import { isIP } from "node:net";

/** A number as C's inet_aton takes it: decimal, octal or hexadecimal. */
const number = "(?:0x[0-9a-f]+|\\d+)";
const loose = new RegExp(`^${number}(?:\\.${number}){3}$`, "i");

/**
 * The IP address that a text stands for, however it is written: with spaces, brackets, a port, a prefix length or a zone around it, and with
 * octal or hexadecimal numbers. What a registry refuses today, another takes (Kubernetes takes leading zeros); nothing else looks like it.
 */
export function addressIn(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^["']|["']$/g, "")
    .replace(/\/\d{1,3}$/, "")
    .replace(/^\[(.*)\](?::\d+)?$/, "$1")
    .replace(/%[^]*/, "");
  const withoutPort = bare.replace(/^([^:]*):\d+$/, "$1");
  return [bare, withoutPort].find((candidate) => isIP(candidate) !== 0 || loose.test(candidate));
}
