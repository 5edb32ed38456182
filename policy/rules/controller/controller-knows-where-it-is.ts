import { anyOf, isUnknown } from "../../lib/known";
import { chartSays } from "./controllers";
import { controllerRule, filesAreNotRead, releaseExample } from "./controller-rule";

const needed = [
  { name: "region", instead: [["region"]], example: '"eu-west-1"' },
  { name: "vpcId", instead: [["vpcId"], ["vpcTags"]], example: "vpc.id" },
];

/** Issues 2231, 1561, 3604, 4307 and 3955 of the controller's repository. */
export const controllerKnowsWhereItIs = controllerRule({
  name: "controller-knows-where-it-is",
  displayName: "The controller is told its region and VPC",
  description:
    "The chart of the AWS Load Balancer Controller needs region and vpcId: without them the controller asks the instance metadata service, which " +
    "today's nodes keep from pods (hop limit 1) and Fargate doesn't have, and it never starts.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Write both:

${releaseExample(`
region: "eu-west-1",
vpcId: vpc.id,`)}

\`vpcTags\` may stand for \`vpcId\`: then the controller looks the VPC up by them.

${filesAreNotRead}`,
  check: (chart, findings) => {
    for (const { name, instead, example } of needed) {
      const said = anyOf(instead.map((path) => chartSays(chart, path)));
      if (isUnknown(said)) findings.unknown(said, `may leave ${name} out`);
      else if (!said)
        findings.report(
          `values.${name} is missing: the controller would ask the instance metadata service, which doesn't answer pods. Write ${name}: ${example}.`,
        );
    }
  },
});
