# Ends that nobody planned, in e2e.sh: deletions by force, hooks that take too long, a node that restarts. Sourced.

# delete_with SCENARIO MODE OPTION...: a pod of tomcat is deleted so, under load.
delete_with() {
  local since scenario=$1 mode=$2 pod
  shift 2
  load tomcat
  sleep 10
  pod=$(oldest tomcat)
  since=$EPOCHREALTIME
  k delete pod "$pod" "$@" > /dev/null 2>&1
  ready deployment/tomcat
  settled tomcat
  sleep "${AFTER:-3}"
  unload tomcat
  [ "$scenario" != delete0 ] || mode="$mode; $(logged "$pod" "$since")"
  row "$scenario" tomcat "$mode" "$since"
  remove
}

# logged POD SINCE: when its log ended. The object of a pod that is deleted by force is gone at once, and shows no exit.
logged() {
  local last
  last=$(awk 'NF { time = $1 } END { print time }' "$work/log-$1" 2> /dev/null || true)
  [ -n "$last" ] || { echo "no log"; return; }
  awk -v from="$2" -v to="$(date -d "$last" +%s.%N)" 'BEGIN { printf "its log ended after %.1f s", to - from }'
}

# The three modes of a deletion: with lastcall-kubernetes, which sees it, without it, and without the library. deletions SCENARIO PATCH OPTION...
deletions() {
  local scenario=$1 patch=$2
  shift 2
  deploy overlays/own-deadline tomcat "$WITH_KUBERNETES" "$patch"
  delete_with "$scenario" "with lastcall-kubernetes" "$@"
  deploy tomcat tomcat "[-jar, /app/tomcat.jar]" "$patch"
  delete_with "$scenario" "without lastcall-kubernetes" "$@"
  deploy tomcat tomcat "[-jar, /app/tomcat.jar]" "$(without tomcat)" "$patch"
  delete_with "$scenario" "without" "$@"
}

scenario_delete5() {
  say "kubectl delete --grace-period=5"
  deletions delete5 "" --grace-period=5
}

# The process may outlive its object by 30 s on a newer kubelet: the load goes on until its log has ended.
scenario_delete0() {
  say "kubectl delete --grace-period=0 --force"
  AFTER=35 deletions delete0 "" --grace-period=0 --force
}

# The kubelet ends the hook with the grace period, and gives the signal 2 s more.
scenario_long_pre_stop() {
  say "a preStop hook of 40 s in a grace period of 10 s"
  deletions long-pre-stop "$(long_pre_stop)"
}
long_pre_stop() {
  cat << Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: tomcat}
spec:
  template:
    spec:
      terminationGracePeriodSeconds: 10
      containers:
      - name: tomcat
        env:
        - {name: LASTCALL_GRACE_PERIOD, value: 10s}
        - {name: LASTCALL_PROPAGATION_DELAY, value: 4s}
        lifecycle: {preStop: {exec: {command: [sleep, "40"]}}}
Y
}

# The pod that leads is deleted by force: its successor of the same name may run while it still does.
scenario_leader_force() {
  if [ -z "$CODE" ]; then
    add "leader-force|leader|with|not run: its database comes from CODE|-|-|-"
    return
  fi
  local since pod mode tries
  for mode in "with lastcall-kubernetes" "without lastcall-kubernetes"; do
    say "leader deleted by force, $mode"
    database
    k apply -f "$here/overlays/guarded/rbac.yaml" > /dev/null
    apply leader "$(worker StatefulSet leader leader.Leader "\"$URL\", \$(POD_NAME)")" "$([[ "$mode" == without* ]] || leader_token)"
    ready statefulset/leader
    sleep 5
    pod=$(leading)
    follow_leaders
    leads "$work/log-leader-$(k get pod "$pod" -o jsonpath='{.metadata.uid}')"
    sleep 1
    since=$EPOCHREALTIME
    k delete pod "$pod" --grace-period=0 --force --wait=false > /dev/null 2>&1
    # Longer than the lease of 15 s, and than a process may outlive its object. The successor is followed once it runs.
    for tries in {1..40}; do
      follow_leaders
      sleep 1
    done
    ready statefulset/leader
    add "leader-force|leader|$mode|$(leaders "$since")|$(exits leader "$since")|$(message leader "$since")"
    say "${rows[-1]}"
    rm -f "$work"/log-*
    remove
  done
}
leader_token() {
  printf 'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: leader}\nspec:\n  template:\n    spec: {serviceAccountName: leader, automountServiceAccountToken: true}\n'
}

# NODE_RESTART ends the node's containers and brings them back; the pods and their objects stay.
scenario_node_restart() {
  if [ -z "$NODE_RESTART" ]; then
    add "node-restart|tomcat|with|not run: NODE_RESTART is not set|-|-|-"
    return
  fi
  local since mode tries
  for mode in "with lastcall-kubernetes" without; do
    say "node restarted, $mode"
    if [ "$mode" = without ]; then
      deploy tomcat tomcat "[-jar, /app/tomcat.jar]" "$(without tomcat)"
    else
      deploy overlays/own-deadline tomcat "$WITH_KUBERNETES"
    fi
    load tomcat
    sleep 10
    since=$EPOCHREALTIME
    bash -c "$NODE_RESTART" > "$work/node-restart" 2>&1 || { cat "$work/node-restart"; cannot "NODE_RESTART has failed"; }
    tries=0
    until [ "$(k get pods -l app=tomcat -o jsonpath='{range .items[*]}{.status.containerStatuses[0].restartCount}{.status.containerStatuses[0].ready}{"\n"}{end}' 2> /dev/null | grep -c '^[1-9][0-9]*true$')" = 2 ]; do
      tries=$((tries + 1))
      [ $tries -lt 120 ] || cannot "the pods do not come back after NODE_RESTART: $(k get pods)"
      sleep 2
    done
    # The watch of pods ended with the API server, where that runs on the node.
    kill "$watch" 2> /dev/null || true
    watch_pods
    sleep 5
    unload tomcat
    # Requests fail in any case: nothing of the service runs for a while. What counts is what the first ends were.
    add "node-restart|tomcat|$mode|$(failures)|-|$(k get pods -l app=tomcat -o jsonpath='{range .items[*]}{.status.containerStatuses[0].lastState.terminated.exitCode}/{end}')|$(k get pods -l app=tomcat -o jsonpath='{.items[0].status.containerStatuses[0].lastState.terminated.message}' | head -n 1 | grep . || echo -)"
    say "${rows[-1]}"
    remove
  done
}
failures() { awk '{ print $1 " of " $4 }' "$work/load-tomcat"; }

# What is left of a rollout once its pods are gone: two Events of each, about the Deployment.
scenario_events() {
  if ! command -v jq > /dev/null; then
    add "events|tomcat|with lastcall-kubernetes|not run: there is no jq|-|-|-"
    return
  fi
  local since words shown
  say "the Events of a rollout"
  deploy overlays/events tomcat "$WITH_KUBERNETES"
  load tomcat
  sleep 10
  since=$EPOCHREALTIME
  k rollout restart deployment/tomcat > /dev/null
  ready deployment/tomcat
  settled tomcat
  sleep 3
  unload tomcat
  words=$(k get events -o json | "$here/shutdowns.sh" tomcat) || lost=1
  say "$words"
  shown=$(k describe deployment tomcat | grep -c ' Lastcall' || true)
  row "events: $(head -n 1 <<< "$words"); kubectl describe shows $shown" tomcat "with lastcall-kubernetes" "$since"
  remove
}
