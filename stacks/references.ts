import * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, ClusterRef } from "../components";
import type { ClusterContract, NetworkContract, NetworkOutputs } from "./contracts";
import { kubernetesProvider } from "./kubernetes";
import type { Layer } from "./layers";
import { ownerRoutes } from "./owners";
import type { Settings } from "./settings";

/*
 * What a stack of one layer knows of the layers in other stacks: their outputs, written down by platform.ts. Whatever is in the
 * settings comes from there and never from an output, so that nothing about it can become unknown.
 */

/** The network layer of stack `<environment>-network`. */
export function referencedNetwork(settings: Settings): NetworkContract {
  const outputs = stackOf(settings, "network").requireOutput("network") as pulumi.Output<Written>;
  const { vpcId, publicSubnetIds, privateSubnetIds } = outputs;
  return {
    vpcId,
    publicSubnetIds,
    privateSubnetIds,
    alarmRoutes: routesIn(outputs, (written) => written.alarmRoutes),
    ownerRoutes: ownerRoutes((owner) => routesIn(outputs, (w) => w.ownerRoutes?.[owner] ?? w.alarmRoutes)),
    ready: [],
  };
}

/** A network layer's outputs; one that was deployed before layers had owners wrote none of theirs. */
type Written = pulumi.Unwrap<Omit<NetworkOutputs, "ownerRoutes"> & Partial<NetworkOutputs>>;

function routesIn(
  outputs: pulumi.Output<Written>,
  which: (written: Written) => pulumi.Unwrap<AlarmRoutes>,
): AlarmRoutes {
  const routes = outputs.apply(which);
  return { pageTopicArn: routes.pageTopicArn, ticketTopicArn: routes.ticketTopicArn };
}

/**
 * The cluster layer of stack `<environment>-cluster`. The kubeconfig is an output of its own: one secret in an object would make a secret
 * of all of it.
 */
export function referencedCluster(settings: Settings): ClusterContract {
  const stack = stackOf(settings, "cluster");
  const outputs = stack.requireOutput("cluster") as pulumi.Output<pulumi.Unwrap<ClusterRef>>;
  const { endpoint, certificateAuthority, oidcProviderArn, oidcIssuer, securityGroupId, vpcId } = outputs;
  const ref: ClusterRef = {
    name: settings.cluster.name,
    endpoint,
    certificateAuthority,
    oidcProviderArn,
    oidcIssuer,
    securityGroupId,
    vpcId,
    // Stacks that an older release wrote don't say it.
    zonalShift: outputs.apply(({ zonalShift = false }) => zonalShift),
  };
  const kubeconfig = pulumi.secret(stack.requireOutput("kubeconfig")) as pulumi.Output<string>;
  return { ref, kubeconfig, provider: kubernetesProvider(ref.name, kubeconfig, []), ready: [] };
}

function stackOf(settings: Settings, layer: Layer): pulumi.StackReference {
  const name = `${settings.environment}-${layer}`;
  return new pulumi.StackReference(name, { name: `${pulumi.getOrganization()}/${pulumi.getProject()}/${name}` });
}
