import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { tagsFor, type Tags } from "../internal/tags";

/** Names under which a load balancer is reached. */
export interface Domain {
  readonly name: string;
  readonly alternativeNames: string[];
  readonly zoneId: pulumi.Input<string>;
}

/** All names of a domain, the main one first. */
export function namesOf(domain: Domain): string[] {
  return [domain.name, ...domain.alternativeNames];
}

/**
 * Names that need a record of proof of their own: `*.example.com` is proved by the record of `example.com`, so the two together
 * need one record, and making it twice fails. Without the `*.`, so that adding a wildcard later doesn't rename the record.
 */
export function namesToProve(domain: Domain): string[] {
  return [...new Set(namesOf(domain).map(withoutWildcard))];
}

function withoutWildcard(name: string): string {
  return name.replace(/^\*\./, "");
}

/** Requests a certificate, proves the names by DNS and returns its ARN once it is issued. */
export function domainCertificate(
  name: string,
  domain: Domain,
  tags: pulumi.Input<Tags> | undefined,
  parent: pulumi.Resource,
): pulumi.Output<string> {
  const certificate = new aws.acm.Certificate(
    `${name}-certificate`,
    {
      domainName: domain.name,
      subjectAlternativeNames: domain.alternativeNames,
      validationMethod: "DNS",
      tags: tagsFor(tags, `${name}-certificate`),
    },
    { parent },
  );
  const proofs = namesToProve(domain).map((proved) => {
    const option = certificate.domainValidationOptions.apply((options) => {
      const found = options.find((o) => withoutWildcard(o.domainName) === proved);
      if (found === undefined) throw new Error(`ACM named no validation record for ${proved}`);
      return found;
    });
    return new aws.route53.Record(
      `${name}-proof-${proved}`,
      {
        zoneId: domain.zoneId,
        name: option.resourceRecordName,
        type: option.resourceRecordType,
        records: [option.resourceRecordValue],
        ttl: 300,
      },
      { parent },
    );
  });
  return new aws.acm.CertificateValidation(
    `${name}-issued`,
    { certificateArn: certificate.arn, validationRecordFqdns: proofs.map((record) => record.fqdn) },
    // Minutes when the zone is delegated; when it isn't, AWS would let us wait for 75.
    { parent, customTimeouts: { create: "20m" } },
  ).certificateArn;
}

/** Kinds of records that an alias needs, and what marks each in its resource's name: the names of the first were there first. */
const marks = { A: "alias", AAAA: "alias6" };

/** Points every name of the domain at a load balancer. */
export function aliasRecords(
  name: string,
  domain: Domain,
  types: (keyof typeof marks)[],
  lb: aws.lb.LoadBalancer,
  parent: pulumi.Resource,
): void {
  for (const alias of namesOf(domain))
    for (const type of types)
      new aws.route53.Record(
        `${name}-${marks[type]}-${alias}`,
        {
          zoneId: domain.zoneId,
          name: alias,
          type,
          aliases: [{ name: lb.dnsName, zoneId: lb.zoneId, evaluateTargetHealth: true }],
        },
        { parent },
      );
}
