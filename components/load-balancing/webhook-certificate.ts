import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";
import { controllerNamespace } from "./controller-versions";

/** What the controller's webhooks serve with, and what the Kubernetes API trusts them by. All PEM. */
export interface WebhookTls {
  readonly caCert: pulumi.Output<string>;
  readonly cert: pulumi.Output<string>;
  /** A secret. */
  readonly key: pulumi.Output<string>;
}

const hoursPerYear = 8766;

/** The Service in front of the webhooks; the chart gives it this name whatever the release is called. */
const webhookService = `aws-load-balancer-webhook-service.${controllerNamespace}`;

/**
 * Makes a certificate authority and a certificate for the controller's webhooks. Left to itself the chart makes new ones at each
 * upgrade, and until all pods have them the API refuses every target group binding ("x509: certificate signed by unknown
 * authority").
 *
 * Both are renewed long before they expire, by the first update in that time: the authority in its last three years of ten, the
 * certificate in its last two of five. A certificate that is renewed with its authority never outlives it.
 */
export function webhookCertificate(name: string, parent: pulumi.Resource): WebhookTls {
  const caKey = new tls.PrivateKey(`${name}-ca-key`, { algorithm: "ECDSA", ecdsaCurve: "P256" }, { parent });
  const ca = new tls.SelfSignedCert(
    `${name}-ca`,
    {
      privateKeyPem: caKey.privateKeyPem,
      isCaCertificate: true,
      subject: { commonName: `${name} webhooks` },
      allowedUses: ["cert_signing", "crl_signing", "digital_signature"],
      validityPeriodHours: 10 * hoursPerYear,
      earlyRenewalHours: 3 * hoursPerYear,
    },
    { parent },
  );
  const key = new tls.PrivateKey(`${name}-webhook-key`, { algorithm: "ECDSA", ecdsaCurve: "P256" }, { parent });
  const request = new tls.CertRequest(
    `${name}-webhook-request`,
    {
      privateKeyPem: key.privateKeyPem,
      subject: { commonName: `${webhookService}.svc` },
      dnsNames: [webhookService, `${webhookService}.svc`],
    },
    { parent },
  );
  const certificate = new tls.LocallySignedCert(
    `${name}-webhook-certificate`,
    {
      certRequestPem: request.certRequestPem,
      caPrivateKeyPem: caKey.privateKeyPem,
      caCertPem: ca.certPem,
      allowedUses: ["digital_signature", "key_encipherment", "server_auth"],
      validityPeriodHours: 5 * hoursPerYear,
      earlyRenewalHours: 2 * hoursPerYear,
    },
    { parent },
  );
  return { caCert: ca.certPem, cert: certificate.certPem, key: pulumi.secret(key.privateKeyPem) };
}
