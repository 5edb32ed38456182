#!/usr/bin/env bash
# Checks environments offline, compares each with the plan of the base branch, and writes the result as one Markdown comment.
# Each is judged by its profile, policy/profiles/ENVIRONMENT.json, where there is one.
# Needs two checkouts with `npm ci` done, and nothing else.
#
#   .github/scripts/offline-preview.sh BASE_CHECKOUT COMMENT_FILE [ENVIRONMENT...]
#
# Exits with the highest code of the checks: 0 fine, 1 a program failed, 2 wrong usage, 3 a mandatory policy was violated.
set -euo pipefail

if (($# < 2)); then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
if [[ ! -d "$1" ]]; then
  echo "there is no folder $1: give a checkout of the base branch" >&2
  exit 2
fi
base="$(cd "$1" && pwd)"
comment="$(cd "$(dirname "$2")" && pwd)/$(basename "$2")"
shift 2
cd "$(dirname "$0")/../.."
(($# > 0)) || set -- dev staging prod

plans="$(mktemp -d)"
trap 'rm -rf "$plans"' EXIT
worst=0
# GitHub takes comments of 65,536 characters; each environment gets its share.
share=$((60000 / $#))

{
  echo "<!-- moorings-preview -->"
  echo "## Offline preview"
  for environment in "$@"; do
    against=()
    note=""
    if [[ ! -f "Pulumi.$environment.yaml" ]]; then
      note="There is no Pulumi.$environment.yaml."
    elif [[ ! -f "$base/Pulumi.$environment.yaml" ]]; then
      note="New environment: the base branch has none of this name."
    else
      # A base branch that violates a policy (3) still has a plan to compare with.
      (cd "$base" && npm run -s moorings -- preview --stack "$environment" --json "$plans/$environment.json") >"$plans/base.log" 2>&1 || true
      if [[ -f "$plans/$environment.json" ]]; then
        against=(--against "$plans/$environment.json")
      else
        note="The base branch's program failed, so there is nothing to compare with: $(tail -n 3 "$plans/base.log" | tr '\n' ' ')"
      fi
    fi

    profile=()
    [[ ! -f "policy/profiles/$environment.json" ]] || profile=(--policy-pack-config "policy/profiles/$environment.json")
    code=0
    NO_COLOR=1 npm run -s moorings -- check --stack "$environment" ${profile[@]+"${profile[@]}"} \
      ${against[@]+"${against[@]}"} >"$plans/head.log" 2>&1 || code=$?
    ((code > worst)) && worst=$code
    case $code in
      0) verdict="fine" ;;
      1) verdict="**the program failed**" ;;
      3) verdict="**a mandatory policy is violated**" ;;
      *) verdict="**wrong usage**" ;;
    esac
    summary="$(grep -m 1 '^Against the other plan:' "$plans/head.log" | sed 's/^Against the other plan: //' || true)"
    printf '\n### %s: %s%s\n\n' "$environment" "$verdict" "${summary:+ · $summary}"
    [[ -z "$note" ]] || printf '%s\n\n' "$note"
    printf '<details><summary>Report</summary>\n\n````text\n'
    head -c "$share" "$plans/head.log"
    if (($(wc -c <"$plans/head.log") > share)); then printf '\n[cut here: the log of the workflow has all of it]\n'; fi
    printf '\n````\n\n</details>\n'
    cat "$plans/head.log" >&2
  done
} >"$comment"
exit "$worst"
