import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";
import type { Problems } from "../internal/validate";
import { controllerNamespace } from "./controller-versions";

/** Where the certificate of the controller's webhooks comes from. */
export enum WebhookCertificate {
  /** An authority and a certificate in the state of the stack, which updates renew early. Needs nothing in the cluster. */
  Own = "own",
  /**
   * cert-manager, which renews by itself. Its definitions, its controller and its injector must run in the cluster before: let this
   * component depend on them.
   */
  CertManager = "cert-manager",
}

/** An issuer of cert-manager. Its authority should keep its key for years, see {@link LoadBalancerController}. */
export interface CertManagerIssuerArgs {
  /** Name of the issuer; one of kind `Issuer` must be in `kube-system`. */
  name: pulumi.Input<string>;
  /** `Issuer` or `ClusterIssuer`, or the kind of an external issuer. Defaults to `ClusterIssuer`. */
  kind?: pulumi.Input<string>;
  /** API group of the kind. Defaults to `cert-manager.io`. */
  group?: pulumi.Input<string>;
}

/** Records an issuer that nobody would ask. */
export function issuerProblems(
  problems: Problems,
  source: WebhookCertificate,
  issuer: CertManagerIssuerArgs | undefined,
): void {
  problems.unless(
    issuer === undefined || source === WebhookCertificate.CertManager,
    "certManagerIssuer",
    "has no effect without webhookCertificate: WebhookCertificate.CertManager: write that, too, or leave it out",
  );
}

/** Values of the chart for the certificate. */
export function webhookValues(
  source: WebhookCertificate,
  issuer: CertManagerIssuerArgs | undefined,
  name: string,
  parent: pulumi.Resource,
): pulumi.Inputs {
  switch (source) {
    case WebhookCertificate.Own:
      // Given certificates win; the second keeps them if somebody upgrades the release by hand.
      return { webhookTLS: ownCertificate(name, parent), keepTLSSecret: true };
    case WebhookCertificate.CertManager:
      return {
        enableCertManager: true,
        certManager: issuer && {
          issuerRef: {
            name: issuer.name,
            kind: issuer.kind ?? "ClusterIssuer",
            group: issuer.group ?? "cert-manager.io",
          },
        },
      };
  }
}

const hoursPerYear = 8766;

/** The Service in front of the webhooks; the chart gives it this name whatever the release is called. */
const webhookService = `aws-load-balancer-webhook-service.${controllerNamespace}`;

/**
 * Makes a certificate authority and a certificate for the controller's webhooks, all PEM. Left to itself the chart makes new ones at
 * each upgrade, and until all pods have them the API refuses every target group binding ("x509: certificate signed by unknown
 * authority").
 *
 * Both are renewed long before they expire, by the first update in that time: the authority in its last three years of ten, the
 * certificate in its last two of five. Pods see a renewed certificate a minute or so after the API server sees the authority, because
 * the kubelet brings it. That is no gap: the authority is renewed with its key and its name, so either of its certificates proves
 * whatever the other one signed (X.509 compares name and key). The authority's key is therefore never renewed.
 */
function ownCertificate(name: string, parent: pulumi.Resource) {
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
