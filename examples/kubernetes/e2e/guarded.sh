# The leader behind the admission webhook, in e2e.sh: whatever stops it, it hands over first. Sourced.

scenario_guarded() {
  if [ -z "$CODE" ]; then
    add "guarded|leader|with|not run: its database comes from CODE|-|-|-"
    return
  fi
  if kubectl get namespace lastcall-admission > /dev/null 2>&1; then cannot "namespace lastcall-admission exists: the webhook is installed already"; fi
  guarding=yes
  kubectl label namespace "$NAMESPACE" lastcall.io/guard=true > /dev/null
  webhook
  database
  apply overlays/guarded "$(worker StatefulSet leader leader.Leader "\"$URL\", \$(POD_NAME)")"
  ready statefulset/leader
  follow_leaders
  guarded_delete
  guarded_dry_run
  guarded_rollout
  guarded_drain
  guarded_drain "webhook rolled"
  guarded_drain "webhook killed"
  guarded_namespace
  remove_webhook
  guarding=
}

webhook() {
  say "the admission webhook"
  mkdir "$work/manifests/webhook"
  cp "$here"/../../integrations/admission-webhook/manifests/webhook.yaml "$work/manifests/webhook/"
  printf 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- webhook.yaml\n' > "$work/manifests/webhook/kustomization.yaml"
  [ -z "$OLD_KUSTOMIZE" ] || old_kustomization "$work/manifests/webhook/kustomization.yaml"
  render webhook "$(code Deployment admission-webhook "[-jar, /app/admission-webhook.jar]" | sed 's/^metadata: .*/metadata: {name: admission-webhook, namespace: lastcall-admission}/')" |
    kubectl apply -f - > /dev/null
  "$here"/../../integrations/admission-webhook/manifests/certificates.sh "$work/ca" "$NAMESPACE" > /dev/null
  kubectl -n lastcall-admission rollout status deployment/admission-webhook --timeout=120s > /dev/null ||
    cannot "the webhook does not get ready"
  follow_webhook
}
follow_webhook() {
  local pod
  for pod in $(kubectl -n lastcall-admission get pods -l app=admission-webhook --field-selector=status.phase=Running -o name); do
    [ -e "$work/webhook-${pod#pod/}" ] || kubectl -n lastcall-admission logs -f --timestamps "$pod" > "$work/webhook-${pod#pod/}" 2> /dev/null &
  done
}
remove_webhook() {
  kubectl delete validatingwebhookconfiguration lastcall-admission > /dev/null 2>&1 || true
  kubectl delete clusterrole,clusterrolebinding lastcall-admission-webhook > /dev/null 2>&1 || true
  kubectl delete namespace lastcall-admission --timeout=90s > /dev/null 2>&1 || true
}

# A person deletes the leader, is refused by 429, and tries again.
guarded_delete() {
  local since pod tries=0
  pod=$(leading)
  say "kubectl delete $pod, which leads"
  since=$EPOCHREALTIME
  until k delete pod "$pod" --wait=false > /dev/null 2> "$work/refused-$tries"; do
    say "$(cat "$work/refused-$tries")"
    tries=$((tries + 1))
    [ $tries -lt 60 ] || cannot "$pod is never prepared"
    sleep 0.5
  done
  gone "$pod"
  guarded_row delete "$(denied "$since")" "$since"
}

# Asks nothing of the leader: it leads on.
guarded_dry_run() {
  local since=$EPOCHREALTIME
  say "kubectl delete --dry-run=server"
  k delete pod "$(leading)" --dry-run=server > /dev/null
  sleep 3
  guarded_row "delete --dry-run=server" "nothing else" "$since"
}

guarded_rollout() {
  local since
  say "kubectl rollout restart, three pods"
  since=$EPOCHREALTIME
  k rollout restart statefulset/leader > /dev/null
  sleep 1
  while ! timeout 5 kubectl -n "$NAMESPACE" rollout status statefulset/leader > /dev/null; do follow_leaders; done
  guarded_row rollout "$(denied "$since")" "$since"
}

# drain MODE: all three pods, on a node that is made schedulable again at once.
guarded_drain() {
  local since node drain
  say "kubectl drain ${1:-}"
  node=$(k get pod leader-0 -o jsonpath='{.spec.nodeName}')
  since=$EPOCHREALTIME
  kubectl drain "$node" --pod-selector=app=leader --ignore-daemonsets --delete-emptydir-data --timeout=240s > "$work/drain" 2>&1 &
  drain=$!
  sleep 2
  kubectl uncordon "$node" > /dev/null
  case "${1:-}" in
    "webhook rolled") kubectl -n lastcall-admission rollout restart deployment/admission-webhook > /dev/null ;;
    "webhook killed")
      kubectl -n lastcall-admission delete pod --grace-period=0 --force \
        "$(kubectl -n lastcall-admission get pods -l app=admission-webhook -o jsonpath='{.items[0].metadata.name}')" > /dev/null 2>&1 ;;
  esac
  while kill -0 $drain 2> /dev/null; do
    follow_leaders
    follow_webhook
    sleep 2
  done
  wait $drain && drain=0 || { drain=$? lost=1; cat "$work/drain"; }
  ready statefulset/leader
  guarded_row "drain${1:+ $1}" "exit $drain, $(denied "$since")" "$since"
}

# The namespace's end asks nobody.
guarded_namespace() {
  local since=$EPOCHREALTIME
  say "kubectl delete namespace"
  kubectl delete namespace "$NAMESPACE" --timeout=120s > /dev/null || lost=1
  kubectl create namespace "$NAMESPACE" > /dev/null # for scenarios after this one
  add "guarded: namespace|leader|with|deleted after $(awk -v since="$since" -v now="$EPOCHREALTIME" 'BEGIN { printf "%.0f", now - since }') s|-|-|-"
  say "${rows[-1]}"
}

gone() {
  local uid
  uid=$(k get pod "$1" -o jsonpath='{.metadata.uid}' 2> /dev/null) || return 0
  while [ "$(k get pod "$1" -o jsonpath='{.metadata.uid}' 2> /dev/null)" = "$uid" ]; do sleep 1; done
  ready statefulset/leader
  follow_leaders
}

# A StatefulSet's pods keep their names, so that a log is named by the pod's uid.
follow_leaders() {
  local pod uid
  k get pods -l app=leader --field-selector=status.phase=Running -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.uid}{"\n"}{end}' | while read -r pod uid; do
    [ -e "$work/log-leader-$uid" ] || k logs -f --timestamps "$pod" > "$work/log-leader-$uid" 2> /dev/null &
  done
}

# guarded_row NAME WORDS SINCE: what the leaders' orders say.
guarded_row() {
  local all
  sleep 2
  all=$(leaders "$3")
  add "guarded: $1|leader|with|$all; $2|$(exits leader "$3")|$(message leader "$3")"
  say "${rows[-1]}"
  [[ "$all" == "0 orders cut, never two"* ]] || lost=1
}
# leaders SINCE: orders that were begun and not done, leaders at once, and the longest time between two leaders' orders.
leaders() {
  awk '$2 == "taken" || $2 == "done" { print $1, $2, FILENAME }' "$work"/log-leader-* | sort | awk -v since="$(date -u -d "@$1" +%FT%T)" '
    function seconds(t) { split(t, p, /[T:Z]/); return p[2] * 3600 + p[3] * 60 + p[4] }
    $1 < since { known = 1; last = $3; ended = seconds($1); next }
    $2 == "taken" { open[$3] = 1; for (pod in open) if (pod != $3) two++
      if (last && $3 != last) { moved++; if (seconds($1) - ended > longest) longest = seconds($1) - ended }
      last = $3 }
    $2 == "done" { delete open[$3]; ended = seconds($1) }
    END { for (pod in open) cut++; if (cut > 0 && last in open) cut--
      if (!known) { printf "no order was seen before it"; exit }
      printf "%d orders cut, %s two leaders at once, leadership moved %d times in at most %.2f s", cut, two ? two " times" : "never", moved, longest }'
}

# denied SINCE: by the webhooks' logs: how often it said no, and the longest time from a pod's first no to its yes.
denied() {
  sort "$work"/webhook-* | awk -v since="$(date -u -d "@$1" +%FT%T)" '
    function seconds(t) { split(t, p, /[T:Z]/); return p[2] * 3600 + p[3] * 60 + p[4] }
    $1 < since || ! /AdmissionWebhook - .*leader-/ { next }
    { match($0, /leader-[012]/); pod = substr($0, RSTART, RLENGTH) }
    /: denied / { denied++; if (!(pod in first)) first[pod] = seconds($1) }
    /: allowed prepared/ && (pod in first) { took = seconds($1) - first[pod]; if (took > longest) longest = took; delete first[pod] }
    END { printf "denied %d times, for at most %.1f s", denied, longest }'
}
