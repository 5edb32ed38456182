import * as pulumi from "@pulumi/pulumi";
import { clusterLayer } from "./layers/cluster";
import { edgeLayer } from "./layers/edge";
import { networkLayer } from "./layers/network";
import { placeholdersIn } from "./placeholders";
import { readSettings } from "./settings";

const config = pulumi.runtime.allConfig();
const settings = readSettings(config, pulumi.getProject(), pulumi.getStack());

const placeholders = placeholdersIn(config);
if (placeholders.length > 0) {
  const list = placeholders.map((key) => `\n  - ${key}`).join("");
  const text = `Pulumi.${pulumi.getStack()}.yaml still holds example values; an update stops until you write yours:${list}`;
  if (!pulumi.runtime.isDryRun()) throw new pulumi.RunError(text);
  void pulumi.log.info(text);
}

const network = networkLayer(settings);
const cluster = clusterLayer(settings, network);
const edge = edgeLayer(settings, network, cluster);

export const vpcId = network.vpcId;
export const clusterName = cluster.ref.name;
export const kubeconfig = cluster.kubeconfig;
export const loadBalancerDnsName = edge.loadBalancerDnsName;
export const webTargetGroupArn = edge.webTargetGroupArn;
export const pageTopicArn = network.alarmRoutes.pageTopicArn;
