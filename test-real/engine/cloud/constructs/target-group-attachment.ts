import type { provider } from "../../../../cli/engine/proto";
import { text } from "../plain";
import { reference, Registrar } from "./registrar";

/** The address of every instance: `awsx` asks AWS for it. */
export const instanceAddress = "10.20.33.17";

/**
 * `awsx.lb.TargetGroupAttachment` (`@pulumi/awsx` 3.9.0) of an instance and a group's ARN. It asks AWS for the group's type, and in a group
 * of any type but `instance` it registers the instance's address. Here the group called `instances` is one, and all others are of type ip.
 */
export async function targetGroupAttachment(request: provider.ConstructRequest): Promise<provider.ConstructResponse> {
  const registrar = new Registrar(request);
  await registrar.open();
  const { targetGroupArn = null, instanceId = null } = registrar.inputs;
  const targetId = text(targetGroupArn).includes(":targetgroup/instances/") ? instanceId : instanceAddress;
  const made = await registrar.child("aws:lb/targetGroupAttachment:TargetGroupAttachment", registrar.name, {
    targetGroupArn,
    targetId,
  });
  return registrar.close({ targetGroupAttachment: { value: reference(made), from: [made] } });
}
