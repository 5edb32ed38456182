import { allOf, anyOf, isUnknown, type Unknown } from "../../lib/known";
import type { KubernetesObject } from "../../lib/kubernetes";
import { chartSays, chartValue, isRendered, majorVersion } from "./controllers";
import { controllerRule, filesAreNotRead, releaseExample } from "./controller-rule";

/** Issues 4572, 2473, 2239 and 4605 of the controller's repository; which value wins: templates/_helpers.tpl of chart 3.5.0, webhookCerts. */
export const controllerKeepsItsCertificate = controllerRule({
  name: "controller-keeps-its-certificate",
  displayName: "The controller keeps its webhook certificate",
  description:
    "The controller must keep its webhook certificate, of which the chart makes a new one at each upgrade unless told otherwise: until every pod of it has that, the API " +
    "server calls webhooks with an authority that they don't know (x509), and refuses bindings and Ingresses.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Give the certificate, all three parts, for \`aws-load-balancer-webhook-service.kube-system.svc\`:

${releaseExample(`
webhookTLS: { caCert: ca.certPem, cert: leaf.certPem, key: key.privateKeyPem },
keepTLSSecret: true,`)}

\`keepTLSSecret: true\` alone is enough for a Release: Helm looks the Secret up in the cluster. A Chart is only rendered and can't. \`enableCertManager: true\` is
right for both, if cert-manager is there first.

${filesAreNotRead}`,
  check: (chart, findings) => {
    const fixed = isFixed(chart);
    if (isUnknown(fixed)) findings.unknown(fixed, "may leave the certificate to be made anew at each upgrade");
    else if (!fixed)
      findings.report(
        `values fix no webhook certificate: each upgrade makes a new one. Write webhookTLS with caCert, cert and key, ${isRendered(chart.type) ? "or enableCertManager: true (keepTLSSecret has no effect on a Chart, which can't look into the cluster)" : "keepTLSSecret: true, or enableCertManager: true"}.`,
      );
  },
  repair: {
    writes: "writes `keepTLSSecret: true`: the controller keeps the certificate that it has. Only a Release can.",
    values: (chart) => (isFixed(chart) === false ? [{ path: ["keepTLSSecret"], value: true }] : []),
  },
});

function isFixed(chart: KubernetesObject): boolean | Unknown {
  return anyOf([
    allOf(["caCert", "cert", "key"].map((part) => chartSays(chart, ["webhookTLS", part]))),
    isTrue(chartValue(chart, ["enableCertManager"])),
    isKept(chart),
  ]);
}

function isTrue(value: unknown): boolean | Unknown {
  return isUnknown(value) ? value : value === true;
}

/** Charts of controller 2 (1.x) kept the Secret by default. */
function isKept(chart: KubernetesObject): boolean | Unknown {
  if (isRendered(chart.type)) return false;
  return isTrue(chartValue(chart, ["keepTLSSecret"]) ?? majorVersion(chart) === 1);
}
