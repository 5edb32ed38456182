import { isUnknown } from "../../lib/known";
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
    const on = chartValue(chart, ["enableServiceMutatorWebhook"]) ?? true;
    const policy = chartValue(chart, ["serviceMutatorWebhookConfig", "failurePolicy"]) ?? "Fail";
    if (on !== false && policy !== "Ignore") {
      const unknown = [on, policy].find(isUnknown);
      if (unknown !== undefined) findings.unknown(unknown, "may leave the webhook on every new Service on");
      else
        findings.report(
          "values.enableServiceMutatorWebhook isn't false: whenever the controller doesn't answer, nobody can make a Service in this cluster. Write enableServiceMutatorWebhook: false.",
        );
    }

    const selectors = chartSays(chart, ["webhookNamespaceSelectors"]);
    if (isUnknown(selectors)) findings.unknown(selectors, "may set webhookNamespaceSelectors");
    else if (selectors)
      findings.report(
        "values.webhookNamespaceSelectors also replaces the selector of the webhook quicid.elbv2.k8s.aws, which fails closed: no pod of those namespaces starts while the controller doesn't answer. Leave it out, and label the namespaces elbv2.k8s.aws/pod-readiness-gate-inject: enabled.",
      );
  },
});
