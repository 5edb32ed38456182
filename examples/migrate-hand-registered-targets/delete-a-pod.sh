#!/usr/bin/env bash
# Deletes one pod behind a target group binding and watches until its load balancer has a healthy one in its place. Nobody registers
# anything meanwhile: that is the proof.
#
#     examples/migrate-hand-registered-targets/delete-a-pod.sh NAMESPACE BINDING
#
# It needs kubectl and the AWS CLI, with access to the cluster and elasticloadbalancing:DescribeTargetHealth. It deletes nothing unless at
# least two targets are healthy. SECONDS_TO_WAIT: after so many it gives up, default 300.
# Exit codes: 0 a new target is healthy and the old one is out, 1 not in time, 2 nothing was deleted.
set -euo pipefail
export LC_ALL=C # one order for all: lines are compared

refuse() { echo "$0: $1" >&2; exit 2; }

[ $# -eq 2 ] || refuse "write: $0 NAMESPACE BINDING (kubectl get targetgroupbindings -A)"
namespace=$1
binding=$2
patience=${SECONDS_TO_WAIT:-300}

field() { kubectl --namespace "$namespace" get "targetgroupbinding/$binding" --output "jsonpath={.spec.$1}"; }
group=$(field targetGroupARN) || refuse "there is no target group binding $binding in namespace $namespace"
service=$(field serviceRef.name)

# One line for each address, "address state", sorted. An address on several ports is healthy if it is on all of them.
targets() {
  aws elbv2 describe-target-health --target-group-arn "$group" --output text \
    --query 'TargetHealthDescriptions[].[Target.Id, TargetHealth.State]' |
    awk '{ if (!($1 in state) || state[$1] == "healthy") state[$1] = $2 } END { for (a in state) print a, state[a] }' | sort
}
state_of() { awk -v address="$1" '$1 == address { print $2 }'; }
healthy_of() { awk '$2 == "healthy" { print $1 }'; }

before=$(targets) || refuse "the targets of $group can't be read"
healthy=$(healthy_of <<<"$before" | grep -c . || true)
[ "$healthy" -ge 2 ] || refuse "$healthy healthy targets in $group: with fewer than two, deleting a pod would be an outage"

# The first pod of the Service that the load balancer finds healthy.
pod="" address=""
while read -r candidate ip; do
  if [ "$(state_of "$ip" <<<"$before")" = healthy ]; then pod=$candidate address=$ip; break; fi
done < <(kubectl --namespace "$namespace" get endpointslices --selector "kubernetes.io/service-name=$service" \
  --output 'jsonpath={range .items[*].endpoints[*]}{.targetRef.name}{" "}{.addresses[0]}{"\n"}{end}')
[ -n "$pod" ] || refuse "no pod of Service $service is a healthy target of $group: is this the group's binding?"

echo "$healthy healthy targets; deleting pod $pod ($address)"
kubectl --namespace "$namespace" delete pod "$pod" --wait=false

shown=$before
left="" # whether the old address was out, or going, at least once
SECONDS=0
while [ "$SECONDS" -lt "$patience" ]; do
  sleep "${POLL_SECONDS:-2}"
  now=$(targets) || { echo "the targets can't be read just now"; continue; }
  if [ "$now" != "$shown" ]; then
    echo "after $SECONDS s:"
    diff <(echo "$shown") <(echo "$now") | sed -n 's/^</  was/p; s/^>/  now/p' || true
    shown=$now
  fi
  old=$(state_of "$address" <<<"$now")
  case $old in "" | draining | initial) left=yes ;; esac
  # New is who is healthy and wasn't before. A pod of a StatefulSet may come back with the address of the old one.
  fresh=$(comm -13 <(healthy_of <<<"$before") <(healthy_of <<<"$now"))
  if [ -n "$left" ] && [ "$old" = healthy ]; then fresh=$address; fi
  if [ -n "$left" ] && [ -n "$fresh" ]; then
    echo "done: $(tr '\n' ' ' <<<"$fresh")took over from $address, and nobody registered it"
    exit 0
  fi
done
why="the group has no new healthy target"
if [ -z "$left" ]; then why="$address is still registered"; fi
echo "$0: after $patience s $why. Look at: kubectl --namespace $namespace describe targetgroupbinding $binding" >&2
exit 1
