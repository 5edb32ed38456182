const groupTypes = new Set(["aws:ec2/securityGroup:SecurityGroup", "aws-native:ec2:SecurityGroup"]);

/** Whether resources of this type are one security group each. */
export function isSecurityGroup(type: string): boolean {
  return groupTypes.has(type);
}

/** What the key of a cluster's tag begins with; its name follows. */
export const clusterTagPrefix = "kubernetes.io/cluster/";

/** Whether a tag says that a security group is a cluster's. Its value (owned, shared) tells nothing that matters here. */
export function isClusterTag(key: string): boolean {
  return key.startsWith(clusterTagPrefix);
}
