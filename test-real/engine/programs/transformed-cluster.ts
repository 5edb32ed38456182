import type * as pulumi from "@pulumi/pulumi";
import { ClusterAccessLevel, EksCluster, type EksClusterArgs } from "../../../components";

/*
 * Three clusters: what is inside the first is changed by whoever uses the component, the second is as it comes, and the roles of the third
 * are bounded by the component's argument.
 */

const boundary = "arn:aws:iam::987654321098:policy/boundary";

/** Two levels down: the cluster, and the role that `eks.Cluster` makes for it. */
const ofUser: pulumi.ResourceTransform = ({ type, props, opts }) => {
  switch (type) {
    case "aws:eks/cluster:Cluster":
      return {
        props: { ...props, deletionProtection: false, zonalShiftConfig: { enabled: false } },
        opts: { ...opts, protect: true },
      };
    case "aws:iam/role:Role":
      return { props: { ...props, permissionsBoundary: boundary }, opts };
    default:
      return undefined;
  }
};

const args: EksClusterArgs = {
  vpcId: "vpc-0a1b2c3d4e5f60000",
  privateSubnetIds: ["subnet-0a1b2c3d4e5f60001", "subnet-0a1b2c3d4e5f60002"],
  accessEntries: {
    deployer: {
      principalArn: "arn:aws:iam::987654321098:role/deployer",
      level: ClusterAccessLevel.ClusterAdmin,
    },
  },
};

new EksCluster("shop", args, { transforms: [ofUser] });
new EksCluster("plain", args);
new EksCluster("bounded", { ...args, permissionsBoundaryArn: "arn:aws:iam::987654321098:policy/given" });
