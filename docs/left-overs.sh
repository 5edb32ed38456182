#!/usr/bin/env bash
# What a destroyed cluster left behind in AWS: instances that nobody takes away any more, and what keeps a VPC from being deleted. It only looks.
#
#     docs/left-overs.sh CLUSTER [REGION]            REGION defaults to AWS_REGION
#
# It needs the AWS CLI with ec2:Describe*, iam:ListInstanceProfiles, logs:DescribeLogGroups and tag:GetResources.
# Exit codes: 0 nothing is left, 1 something is, 2 it couldn't look everywhere.
set -euo pipefail

refuse() { echo "$0: $1" >&2; exit 2; }

[ $# -ge 1 ] && [ $# -le 2 ] && [ -n "$1" ] || refuse "write: $0 CLUSTER [REGION]"
cluster=$1
export AWS_REGION=${2:-${AWS_REGION:-}}
[ -n "$AWS_REGION" ] || refuse "write: $0 CLUSTER REGION, or set AWS_REGION"
export AWS_DEFAULT_REGION=$AWS_REGION # version 1 of the CLI reads this one only

# EKS, Karpenter and the EBS driver tag with it what belongs to the cluster alone.
owned="Name=tag:kubernetes.io/cluster/$cluster,Values=owned"
left=0

# look WHAT HOW_IT_GOES COMMAND...: says which of the kind are there, and how they are removed.
look() {
  local what=$1 how=$2 found
  shift 2
  found=$(aws "$@" --output text) || refuse "the $what can't be read, so nothing is known of them"
  found=$(tr -s '[:space:]' '\n' <<<"$found" | grep -vx -e None -e '' | sort || true)
  [ -n "$found" ] || return 0
  left=1
  echo "$what ($how):"
  sed 's/^/  /' <<<"$found"
}

look "instances" "aws ec2 terminate-instances --instance-ids" \
  ec2 describe-instances --filters "$owned" Name=instance-state-name,Values=pending,running,stopping,stopped \
  --query 'Reservations[].Instances[].InstanceId'
look "launch templates" "aws ec2 delete-launch-template --launch-template-id" \
  ec2 describe-launch-templates --filters "$owned" --query 'LaunchTemplates[].LaunchTemplateId'
look "instance profiles" "aws iam remove-role-from-instance-profile, then delete-instance-profile" \
  iam list-instance-profiles --path-prefix "/karpenter/$AWS_REGION/$cluster/" --query 'InstanceProfiles[].InstanceProfileName'
look "network interfaces of pods" "aws ec2 delete-network-interface --network-interface-id" \
  ec2 describe-network-interfaces --filters "Name=tag:cluster.k8s.amazonaws.com/name,Values=$cluster" Name=status,Values=available \
  --query 'NetworkInterfaces[].NetworkInterfaceId'
look "security groups" "aws ec2 delete-security-group --group-id" \
  ec2 describe-security-groups --filters "$owned" --query 'SecurityGroups[].GroupId'
look "load balancers, target groups and groups that the controller made" "by their own delete commands" \
  resourcegroupstaggingapi get-resources --tag-filters "Key=elbv2.k8s.aws/cluster,Values=$cluster" \
  --query 'ResourceTagMappingList[].ResourceARN'
look "volumes: those kept on purpose are among them" "aws ec2 delete-volume --volume-id, of those that you wrote down" \
  ec2 describe-volumes --filters "$owned" --query 'Volumes[].VolumeId'
look "log groups" "aws logs delete-log-group --log-group-name" \
  logs describe-log-groups --log-group-name-prefix "/aws/eks/$cluster/" --query 'logGroups[].logGroupName'

[ $left -eq 0 ] && echo "nothing of $cluster is left in $AWS_REGION"
exit $left
