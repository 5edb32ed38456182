#!/usr/bin/env bash
# Proves that alarms reach somebody: CloudWatch never checks whether an alarm's action works. For each topic that alarms of a prefix use, it
# raises one alarm by hand, asks whether the page or ticket has come, and sets the alarm back.
#
#     docs/runbooks/wiring-test.sh PREFIX            one alarm for each topic
#     docs/runbooks/wiring-test.sh --all PREFIX      every alarm
#     docs/runbooks/wiring-test.sh --check PREFIX    raises nothing, only looks at actions, topics and subscriptions
#
# PREFIX is what the alarms' names begin with (alarmNamePrefix). It needs the AWS CLI with cloudwatch:DescribeAlarms, cloudwatch:SetAlarmState
# and sns:ListSubscriptionsByTopic, and a terminal: it pages people, so somebody must say yes. An alarm that is on is left alone.
# Exit codes: 0 everything arrived, 1 something isn't wired, 2 nothing was done.
set -euo pipefail

refuse() { echo "$0: $1" >&2; exit 2; }

mode=one
case ${1:-} in
  --all) mode=all; shift ;;
  --check) mode=check; shift ;;
esac
[ $# -eq 1 ] && [ -n "$1" ] || refuse "write: $0 [--all | --check] PREFIX"
prefix=$1

# One line for each alarm: name, state, whether actions are on, actions on ALARM, actions on OK; "-" stands for none.
alarms=$(aws cloudwatch describe-alarms --alarm-types MetricAlarm CompositeAlarm --alarm-name-prefix "$prefix" --output text --query \
  "[MetricAlarms, CompositeAlarms][].[AlarmName, StateValue, to_string(ActionsEnabled), join(',', AlarmActions) || '-', join(',', OKActions) || '-']") ||
  refuse "the alarms can't be read"
[ -n "$alarms" ] && [ "$alarms" != None ] || refuse "there is no alarm whose name begins with $prefix"

# What composite alarms of the prefix page for: their alarms have no action of their own (combinePages), so that nobody is paged twice. Only these, whose
# own actions are looked at below. Spaces are nobody's, here and where a name is looked for.
rules=$(aws cloudwatch describe-alarms --alarm-types CompositeAlarm --alarm-name-prefix "$prefix" --output text --query 'CompositeAlarms[].[AlarmRule]') ||
  refuse "the rules of the composite alarms can't be read"
rules=${rules// /}

# A rule names an alarm with or without quotation marks, or by its ARN (PutCompositeAlarm, AlarmRule).
is_combined() {
  local name=${1// /} written
  for written in "ALARM(\"$name\")" "ALARM($name)" ":alarm:$name\")" ":alarm:$name)"; do
    if grep -qF -- "$written" <<<"$rules"; then return 0; fi
  done
  return 1
}

problems=0
problem() { echo "NOT WIRED: $1"; problems=$((problems + 1)); }

# A topic that is gone and one without a confirmed subscription swallow every alarm.
check_topic() {
  local subscriptions
  if ! subscriptions=$(aws sns list-subscriptions-by-topic --topic-arn "$1" --output text --query 'Subscriptions[].[SubscriptionArn]' 2>&1); then
    problem "$1 doesn't exist, or can't be read: ${subscriptions##*$'\n'}"
  elif ! grep -q '^arn:' <<<"$subscriptions"; then
    problem "$1 has no confirmed subscription"
  else
    echo "$1: $(grep -c '^arn:' <<<"$subscriptions") confirmed, $(grep -c '^PendingConfirmation' <<<"$subscriptions" || true) waiting for a confirmation"
  fi
}

# Whether the second column of a list of "name<TAB>topic" has the topic.
has_topic() { cut -f2 <<<"$1" | grep -xF -- "$2" > /dev/null; }

seen=""    # each alarm with each of its topics
chosen=""  # those that will be raised
while IFS=$'\t' read -r name state enabled on_alarm on_ok; do
  [ "$enabled" = true ] || problem "$name: its actions are switched off"
  [ "$on_alarm" != - ] || is_combined "$name" || problem "$name: does nothing when it fires, and no composite alarm of $prefix names it"
  [ "$on_alarm" = "$on_ok" ] || problem "$name: its end doesn't go where its beginning goes, so incidents stay open ($on_ok)"
  for action in ${on_alarm//,/ }; do
    case $action in arn:*:sns:*) ;; *) continue ;; esac
    has_topic "$seen" "$action" || check_topic "$action"
    seen+=$name$'\t'$action$'\n'
    if [ "$state" = ALARM ]; then
      echo "left alone, because it is on: $name"
    elif [ "$mode" = all ] || ! has_topic "$chosen" "$action"; then
      chosen+=$name$'\t'$action$'\n'
    fi
  done
done <<<"$alarms"

if [ "$mode" != check ]; then
  while read -r topic; do
    has_topic "$chosen" "$topic" || problem "$topic: all its alarms are on, so none can test it"
  done < <(cut -f2 <<<"$seen" | sed '/^$/d' | sort -u)
  [ -n "$chosen" ] || refuse "there is nothing to raise"

  [ -t 0 ] || refuse "this pages people: run it in a terminal, where somebody can say yes"
  echo "These alarms will be raised, one after the other, and those who are on call are paged:"
  cut -f1 <<<"${chosen%$'\n'}" | sed 's/^/  /'
  read -r -p 'Write "yes" to go ahead: ' answer
  [ "$answer" = yes ] || refuse "nothing was raised"

  raised=""
  lower() {
    [ -z "$raised" ] || aws cloudwatch set-alarm-state --alarm-name "$raised" --state-value OK --state-reason "Moorings wiring test: over"
    raised=""
  }
  trap lower EXIT
  # Whoever presses Ctrl+C twice must not end what sets the alarm back.
  trap 'trap "" INT TERM HUP; exit 130' INT TERM HUP
  while IFS=$'\t' read -r name topic <&3; do
    [ -n "$name" ] || continue
    # Something may have happened since: an alarm that is on must not be set back by a test.
    if [ "$(aws cloudwatch describe-alarms --alarm-types MetricAlarm CompositeAlarm --alarm-names "$name" --output text \
      --query '[MetricAlarms, CompositeAlarms][].StateValue')" = ALARM ]; then
      problem "$name: has come on by itself, so $topic wasn't tested with it"
      continue
    fi
    raised=$name
    aws cloudwatch set-alarm-state --alarm-name "$name" --state-value ALARM \
      --state-reason "Moorings wiring test: nothing has happened. Please say that this arrived."
    read -r -p "$name is raised. Has somebody got it from ${topic##*:}? [y/n] " answer
    [ "$answer" = y ] || problem "$name: nobody got the message of $topic"
    lower
  done 3<<<"$chosen"
fi

[ "$problems" -eq 0 ] || { echo "$problems problems: these alarms would reach nobody" >&2; exit 1; }
if [ "$mode" = check ]; then echo "every alarm has a topic, and every topic a confirmed subscription"; else echo "everything arrived"; fi
