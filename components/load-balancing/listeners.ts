import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { tagsFor } from "../internal/tags";
import { domainCertificate, type Domain } from "./domain-certificate";
import { defaultTlsPolicy, type ApplicationLoadBalancerArgs } from "./load-balancer-args";

/** Certificates' ARNs of the arguments, checked. */
export interface Certificates {
  readonly certificateArn: pulumi.Input<string> | undefined;
  readonly furtherCertificateArns: Record<string, pulumi.Input<string>>;
}

/**
 * Makes the listeners: plain HTTP is sent to HTTPS, and HTTPS answers 404 until services add their rules.
 *
 * @returns the TLS listener.
 */
export function listeners(
  name: string,
  args: ApplicationLoadBalancerArgs,
  certificates: Certificates,
  domain: Domain | undefined,
  loadBalancerArn: pulumi.Input<string>,
  parent: pulumi.Resource,
): aws.lb.Listener {
  new aws.lb.Listener(
    `${name}-http`,
    {
      loadBalancerArn,
      port: 80,
      protocol: "HTTP",
      defaultActions: [{ type: "redirect", redirect: { protocol: "HTTPS", port: "443", statusCode: "HTTP_301" } }],
      tags: tagsFor(args.tags, `${name}-http`),
    },
    { parent },
  );
  const listener = new aws.lb.Listener(
    `${name}-https`,
    {
      loadBalancerArn,
      port: 443,
      protocol: "HTTPS",
      sslPolicy: args.tlsPolicy ?? defaultTlsPolicy,
      certificateArn:
        domain === undefined ? certificates.certificateArn : domainCertificate(name, domain, args.tags, parent),
      defaultActions: [
        {
          type: "fixed-response",
          fixedResponse: { statusCode: "404", contentType: "text/plain", messageBody: "Not found" },
        },
      ],
      tags: tagsFor(args.tags, `${name}-https`),
    },
    { parent },
  );
  for (const [key, certificateArn] of Object.entries(certificates.furtherCertificateArns))
    new aws.lb.ListenerCertificate(
      // AWS knows it by its ARN only: under another key it would be put on anew, and then taken off with the old key.
      `${name}-${typeof certificateArn === "string" ? idIn(certificateArn) : key}-certificate`,
      { listenerArn: listener.arn, certificateArn },
      { parent },
    );
  return listener;
}

/** Last part of an ARN. */
function idIn(arn: string): string {
  return arn.slice(arn.lastIndexOf("/") + 1);
}
