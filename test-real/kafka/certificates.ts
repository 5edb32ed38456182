import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../cli/engine/values";
import type { RunOptions } from "../../test/support/harness";
import { opened } from "../apiserver/objects";

/*
 * Plays the provider `tls` of the mocks with real keys and certificates: the Secrets that the component makes then hold what it asked for, and
 * brokers judge whether that will do.
 */

type State = NonNullable<RunOptions["state"]>;

const usages: Record<string, string> = {
  cert_signing: "keyCertSign",
  crl_signing: "cRLSign",
  digital_signature: "digitalSignature",
};
const extended: Record<string, string> = { server_auth: "serverAuth", client_auth: "clientAuth" };

const listed = (uses: readonly string[], names: Record<string, string>) =>
  uses.flatMap((use) => names[use] ?? []).join(",");

interface Asked {
  readonly privateKeyPem: string;
  readonly subject: { readonly commonName: string };
  readonly dnsNames?: readonly string[];
  readonly allowedUses: readonly string[];
  readonly validityPeriodHours: number;
  readonly certRequestPem: string;
  readonly caPrivateKeyPem: string;
  readonly caCertPem: string;
}

const made: Record<string, (asked: Asked) => Record<string, unknown>> = {
  "tls:index/privateKey:PrivateKey": () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    return {
      privateKeyPem: privateKey.export({ type: "sec1", format: "pem" }),
      privateKeyPemPkcs8: privateKey.export({ type: "pkcs8", format: "pem" }),
    };
  },
  "tls:index/selfSignedCert:SelfSignedCert": (asked) => ({
    certPem: openssl(
      { "key.pem": asked.privateKeyPem },
      ["req", "-x509", "-new", "-key", "key.pem", "-subj", subjectOf(asked), "-days", daysOf(asked)],
      ["-addext", `keyUsage=critical,${listed(asked.allowedUses, usages)}`],
    ),
  }),
  "tls:index/certRequest:CertRequest": (asked) => ({
    certRequestPem: openssl(
      { "key.pem": asked.privateKeyPem },
      ["req", "-new", "-key", "key.pem", "-subj", subjectOf(asked)],
      asked.dnsNames === undefined
        ? []
        : ["-addext", `subjectAltName=${asked.dnsNames.map((n) => `DNS:${n}`).join(",")}`],
    ),
  }),
  "tls:index/locallySignedCert:LocallySignedCert": (asked) => ({
    certPem: openssl(
      {
        "request.pem": asked.certRequestPem,
        "ca.key": asked.caPrivateKeyPem,
        "ca.crt": asked.caCertPem,
        extensions: `keyUsage=critical,${listed(asked.allowedUses, usages)}\nextendedKeyUsage=${listed(asked.allowedUses, extended)}\n`,
      },
      [
        "x509",
        "-req",
        "-in",
        "request.pem",
        "-CA",
        "ca.crt",
        "-CAkey",
        "ca.key",
        "-CAcreateserial",
        "-days",
        daysOf(asked),
      ],
      ["-copy_extensions", "copy", "-extfile", "extensions"],
    ),
  }),
};

/** What the provider would compute of a resource of its; nothing of others. */
export const certificateState: State = ({ type, inputs }) =>
  made[type]?.(opened(inputs as JsonObject) as unknown as Asked) ?? {};

const subjectOf = ({ subject }: Asked) => `/CN=${subject.commonName}`;
const daysOf = ({ validityPeriodHours }: Asked) => String(Math.floor(validityPeriodHours / 24));

function openssl(files: Record<string, string>, ...args: string[][]): string {
  const directory = mkdtempSync(join(tmpdir(), "openssl-"));
  try {
    for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text, { mode: 0o600 });
    return execFileSync("openssl", args.flat(), {
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
