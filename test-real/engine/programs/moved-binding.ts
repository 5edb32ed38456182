import * as k8s from "@pulumi/kubernetes";
import { TargetGroupBinding } from "../../../components";

/*
 * A binding to a target group that exists, in one of two namespaces.
 */

const provider = new k8s.Provider("shop", { context: "shop" });
const [shop, store] = ["shop", "store"].map(
  (name) => new k8s.core.v1.Namespace(name, { metadata: { name } }, { provider }),
);

new TargetGroupBinding(
  "web",
  {
    namespace: "shop",
    serviceName: "web",
    servicePort: 80,
    targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067",
  },
  { providers: [provider], dependsOn: [shop!, store!] },
);
