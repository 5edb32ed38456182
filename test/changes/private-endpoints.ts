import { type Change, Nodes } from "./change";

export const privateEndpoints: readonly Change[] = [
  {
    argument: "vpcId",
    after: { vpcId: "vpc-0fedcba9876543210" },
    nodes: Nodes.Stay,
    effects: [
      "replace 14 VpcEndpoint",
      "replace SecurityGroup group",
      "replace SecurityGroupIngressRule from-10.20.0.0-16",
    ],
    note: "Endpoints of another VPC. The nodes of the old one lose theirs.",
  },
  { argument: "subnetIds", what: "one is added", nodes: Nodes.Stay, effects: ["update 14 VpcEndpoint"] },
  { argument: "routeTableIds", nodes: Nodes.Stay, effects: ["create VpcEndpoint s3"] },
  {
    argument: "allowedCidrs",
    what: "another block",
    after: { allowedCidrs: ["10.30.0.0/16"] },
    nodes: Nodes.Stay,
    effects: ["create SecurityGroupIngressRule from-10.30.0.0-16", "remove SecurityGroupIngressRule from-10.20.0.0-16"],
  },
  {
    argument: "allowedSecurityGroupIds",
    nodes: Nodes.Stay,
    effects: ["create SecurityGroupIngressRule from-runner"],
  },
  { argument: "services", what: "three of them only", nodes: Nodes.Stay, effects: ["remove 11 VpcEndpoint"] },
  { argument: "furtherServices", nodes: Nodes.Stay, effects: ["create VpcEndpoint secretsmanager"] },
  {
    argument: "tags",
    nodes: Nodes.Stay,
    effects: [
      "update 14 VpcEndpoint",
      "update SecurityGroup group",
      "update SecurityGroupIngressRule from-10.20.0.0-16",
    ],
  },
];
