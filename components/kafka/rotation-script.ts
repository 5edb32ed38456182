/**
 * Restarts, one after the other, the pods among `$1` (role, name and address in a line; controllers first) in the namespace `$2` that show another
 * certificate than the file of their role. Kafka reads its certificates when it starts, so that what a node shows is also what it calls others
 * with.
 *
 * It evicts pods, which their disruption budgets may put off, and does nothing while anything is away or behind. Whatever goes wrong, it
 * stops: at most one node is away because of it, and the next run goes on where it was.
 *
 * openssl speaks with the API server, because the image has no other tool that checks certificates. What curl would do in a line must be
 * written out; HTTP/1.0 answers in one piece.
 */
export const rotationScript = `
nodes=$1 namespace=$2
pause=\${PAUSE:-10} patience=\${PATIENCE:-120}
account=/var/run/secrets/kubernetes.io/serviceaccount
api=kubernetes.default.svc
command -v openssl >/dev/null || { echo "This image has no openssl: use one that is built like apache/kafka, or restart pods yourself." >&2; exit 1; }

fingerprint() { openssl x509 -noout -fingerprint -sha256 2>/dev/null || true; }
certificate() { echo "$CERTIFICATES/$1/tls-combined.pem"; }
served() {
  { timeout 10 openssl s_client -connect "$1" -servername "\${1%:*}" -cert "$(certificate admin)" -key "$(certificate admin)" \\
    </dev/null 2>/dev/null || true; } | fingerprint
}
wanted() { fingerprint <"$(certificate "$1")"; }

# Whether peers would take it: signed by the authority, not ended, and of the name by which Kafka knows who may do everything.
usable() {
  local file; file=$(certificate "$1")
  openssl verify -CAfile "$CERTIFICATES/$1/ca.crt" -untrusted "$file" "$file" >/dev/null || return 1
  [[ $(openssl x509 -noout -subject -nameopt RFC2253 -in "$file") =~ ^subject=CN=\${2%-*}(,|$) ]]
}

# No replica behind, and every controller within some seconds of the leader: two records a second are written even when nothing happens.
healthy() {
  local behind quorum voters=0 lag status
  behind=$(tool kafka-topics --describe --under-replicated-partitions) || return 1
  [[ -z $behind ]] || return 1
  quorum=$(tool kafka-metadata-quorum describe --replication) || return 1
  while read -r _ _ _ lag _ _ status; do
    [[ ! $status =~ ^(Leader|Follower) ]] || ((lag > 20)) || voters=$((voters + 1))
  done <<<"$quorum"
  ((voters == controllers))
}

evict() {
  local body answer status
  body='{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"'$1'","namespace":"'$namespace'"}}'
  for ((try = 0; try < patience; try++)); do
    answer=$(printf 'POST /api/v1/namespaces/%s/pods/%s/eviction HTTP/1.0\\r\\nHost: %s\\r\\nAuthorization: Bearer %s\\r\\nContent-Type: application/json\\r\\nContent-Length: %s\\r\\n\\r\\n%s' \\
      "$namespace" "$1" "$api" "$(<"$account/token")" "\${#body}" "$body" |
      timeout 30 openssl s_client -quiet -connect "$api:443" -servername "$api" -CAfile "$account/ca.crt" -verify_return_error -verify_hostname "$api" 2>/dev/null) || true
    status=$(cut -d' ' -f2 <<<"\${answer%%$'\\r'*}")
    case $status in
      201) return ;;
      429) sleep "$pause" ;; # the budget
      *) echo "$1 can't be evicted: the API server answers \${status:-nothing}." >&2; return 1 ;;
    esac
  done
  echo "$1 can't be evicted: its disruption budget doesn't allow it." >&2
  return 1
}

# until WHAT COMMAND...: tries it for a while
until_true() {
  local what=$1; shift
  for ((try = 0; try < patience; try++)); do
    if "$@"; then return; fi
    sleep "$pause"
  done
  echo "$what" >&2
  return 1
}
shows_wanted() { [[ $(served "$2") == "$(wanted "$1")" ]]; }

controllers=$(grep -c ^controller <<<"$nodes")
stale=""
while read -r role pod address; do
  shown=$(served "$address")
  [[ -n $shown ]] || { echo "$pod shows no certificate at $address. Nothing is restarted while a node is away." >&2; exit 1; }
  [[ $shown == "$(wanted "$role")" ]] || stale+="$role $pod $address"$'\\n'
done <<<"$nodes"
[[ -n $stale ]] || { echo "All nodes show the certificates of their Secrets."; exit 0; }

while read -r role pod address <&3; do
  [[ -n $pod ]] || continue
  usable "$role" "$pod" || { echo "The certificate in the Secret of $role has ended, is of another authority than its ca.crt, or isn't for CN=\${pod%-*}: $pod keeps its own." >&2; exit 1; }
  until_true "Partitions or controllers are behind: $pod isn't restarted." healthy
  echo "$pod shows an old certificate: it is restarted."
  evict "$pod"
  until_true "$pod doesn't show its new certificate: look at its log." shows_wanted "$role" "$address"
done 3<<<"$stale"
until_true "Partitions or controllers stay behind after the last restart." healthy
echo "All nodes show the certificates of their Secrets now."
`;
