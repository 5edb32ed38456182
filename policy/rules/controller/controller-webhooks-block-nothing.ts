import { isUnknown, type Unknown } from "../../lib/known";
import type { KubernetesObject } from "../../lib/kubernetes";
import { chartSays, chartValue } from "./controllers";
import { controllerRule, filesAreNotRead, releaseExample } from "./controller-rule";

/**
 * Issues 4140, 2013, 1807 and 4627 of the controller's repository, and eks-charts 1058. The selectors: templates/webhook.yaml of chart 3.5.0,
 * where the one value goes into both webhooks on pods.
 */
export const controllerWebhooksBlockNothing = controllerRule({
  name: "controller-webhooks-block-nothing",
  displayName: "The controller's webhooks block nothing of others",
  description:
    "The chart's webhook on Services must be off (it sees every new Service of the cluster and fails closed, so that a first installation or an outage of the " +
    "controller stops everybody), and webhookNamespaceSelectors unset: it would put every pod of those namespaces behind a second webhook that fails closed.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Switch the first off. It only makes the controller the default for Services of type LoadBalancer; write \`loadBalancerClass\` where you want it:

${releaseExample(`
enableServiceMutatorWebhook: false,`)}

Namespaces get readiness gates by the label \`elbv2.k8s.aws/pod-readiness-gate-inject: enabled\`, without any value of the chart.

${filesAreNotRead}`,
  check: (chart, findings) => {
    const blocks = blocksServices(chart);
    if (isUnknown(blocks)) findings.unknown(blocks, "may leave the webhook on every new Service on");
    else if (blocks)
      findings.report(
        "values.enableServiceMutatorWebhook isn't false: whenever the controller doesn't answer, nobody can make a Service in this cluster. Write enableServiceMutatorWebhook: false.",
      );

    const selectors = chartSays(chart, ["webhookNamespaceSelectors"]);
    if (isUnknown(selectors)) findings.unknown(selectors, "may set webhookNamespaceSelectors");
    else if (selectors)
      findings.report(
        "values.webhookNamespaceSelectors also replaces the selector of the webhook quicid.elbv2.k8s.aws, which fails closed: no pod of those namespaces starts while the controller doesn't answer. Leave it out, and label the namespaces elbv2.k8s.aws/pod-readiness-gate-inject: enabled.",
      );
  },
  repair: {
    writes:
      'leaves the webhook on Services on, and writes `serviceMutatorWebhookConfig: { failurePolicy: "Ignore" }`: nobody waits for it any more. `webhookNamespaceSelectors` stays as it is, and a violation.',
    values: (chart) => (blocksServices(chart) === true ? [{ path: failurePolicy, value: "Ignore" }] : []),
  },
});

const failurePolicy = ["serviceMutatorWebhookConfig", "failurePolicy"];

/** Whether the webhook on Services is on and fails closed, as both are by default. */
function blocksServices(chart: KubernetesObject): boolean | Unknown {
  const on = chartValue(chart, ["enableServiceMutatorWebhook"]) ?? true;
  const policy = chartValue(chart, failurePolicy) ?? "Fail";
  if (on === false || policy === "Ignore") return false;
  return [on, policy].find(isUnknown) ?? true;
}
