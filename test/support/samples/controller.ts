import * as moorings from "../../../components";
import { sample, tags, type Sample } from "./sample";

/** Samples of what a controller that makes load balancers itself needs. */
export const controllerSamples: Record<string, Sample> = {
  IngressSecurityGroups: sample(
    moorings.IngressSecurityGroups,
    {
      vpcId: "vpc-0123456789abcdef0",
      frontSecurityGroupId: "sg-0front",
      targetSecurityGroupIds: { nodes: "sg-0nodes" },
    },
    { targetSecurityGroupIds: { nodes: "sg-0nodes", shop: "sg-0shop" }, fromPort: 8000, toPort: 9000, tags },
    { args: { fromPort: 0, toPort: 70000 }, messages: ["fromPort", "toPort"] },
  ),
  CheckpointReset: sample(
    moorings.CheckpointReset,
    {},
    {
      namespace: "web",
      everyMinutes: 10,
      image: "registry.acme.io/kubectl:v1.36.4",
      nodeSelector: { pool: "system" },
    },
    { args: { everyMinutes: 7, image: "" }, messages: ["everyMinutes", "image"] },
    { kubernetes: true },
  ),
};
