import { TargetHealthAlarms, TargetHealthDashboard } from "../../components";
import { find } from "../../test/support/graph";
import { run } from "../../test/support/harness";
import { providerState } from "../../test/support/provider-state";
import { picture, type Body } from "./picture";

/** The picture of what the component makes for one edge in three zones. */
export async function examplePicture(): Promise<string> {
  const edge = {
    loadBalancerArnSuffix: "app/shop/50dc6c495c0c9188",
    targetGroupArnSuffix: "targetgroup/web/73e2d6bc24d8a067",
    minReplicas: 6,
  };
  const { resources, errors } = await run(
    () => {
      const routes = {
        pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
        ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
      };
      const { alarmArns } = new TargetHealthAlarms("web", { ...edge, routes });
      const availabilityZones = ["eu-west-1a", "eu-west-1b", "eu-west-1c"];
      new TargetHealthDashboard("shop", { edges: { web: { ...edge, availabilityZones, alarmArns } } });
    },
    {
      state: (resource) => ({
        ...providerState(resource),
        arn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${resource.name}`,
      }),
    },
  );
  if (errors[0] !== undefined) throw errors[0];
  const dashboard = find(resources, "aws:cloudwatch/dashboard:Dashboard");
  return picture(JSON.parse(String(dashboard.inputs["dashboardBody"])) as Body);
}
