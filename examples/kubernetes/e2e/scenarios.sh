# What e2e.sh does to the examples, one function each. Sourced.

# deploy FOLDER NAME ARGUMENTS [PATCH...]: applies a Deployment, waits for it, and loads it.
deploy() {
  local folder=$1 name=$2 arguments=$3
  shift 3
  apply "$folder" "$(code Deployment "$name" "$arguments")" "$@"
  ready "deployment/$name"
}

remove() {
  k delete deployment,statefulset,job,service,poddisruptionbudget --all > /dev/null
  k delete pods --all --grace-period=0 --force > /dev/null 2>&1
  # The next scenario finds its own pods alone; a ReplicaSet that is left makes new ones, and the EndpointSlice of a Service
  # that is gone would send a new one of the same name to pods that are gone.
  local tries=0
  while k get replicasets,pods,endpointslices -o name | grep -q .; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || cannot "pods of the last scenario do not go: $(k get replicasets,pods,endpointslices -o name)"
    sleep 1
  done
}

# roll SCENARIO NAME MODE: a rolling update under load.
roll() {
  local since
  load "$2"
  sleep 10
  since=$EPOCHREALTIME
  k rollout restart "deployment/$2" > /dev/null
  ready "deployment/$2"
  settled "$2"
  sleep 3
  unload "$2"
  row "$1" "$2" "$3" "$since"
  remove
}

scenario_roll() {
  for name in tomcat netty spring-boot; do
    say "rolling update: $name"
    deploy "$name" "$name" "[-jar, /app/$name.jar]"
    roll roll "$name" with
    deploy "$name" "$name" "[-jar, /app/$name.jar]" "$(without "$name")"
    roll roll "$name" without
  done
}

scenario_variants() {
  local oldest name base
  for each in pre-stop-sleep:20:tomcat pre-stop-http:20:tomcat exec-probes:20:tomcat tcp-probes:20:tomcat grpc-probes:27:netty stop-signal:37:tomcat native-sidecar:29:tomcat; do
    IFS=: read -r name oldest base <<< "$each"
    if [ "$MINOR" -lt "$oldest" ]; then
      say "variant $name needs Kubernetes 1.$oldest"
      add "$name|$base|with|not run: Kubernetes 1.$oldest|-|-|-"
      continue
    fi
    say "variant $name"
    deploy "overlays/$name" "$base" "[-jar, /app/$([ "$name" = grpc-probes ] && echo grpc || echo "$base").jar]"
    roll "$name" "$base" with
  done
}

scenario_drain() {
  for mode in with without; do
    say "kubectl drain, $mode"
    if [ $mode = with ]; then deploy tomcat tomcat "[-jar, /app/tomcat.jar]"; else deploy tomcat tomcat "[-jar, /app/tomcat.jar]" "$(without tomcat)"; fi
    drain drain $mode
  done
}
# drain SCENARIO MODE: a node with pods of tomcat; it is made schedulable again at once, since a cluster of one node has no other.
drain() {
  local since node draining
  node=$(k get pods -l app=tomcat -o jsonpath='{.items[0].spec.nodeName}')
  load tomcat
  sleep 10
  since=$EPOCHREALTIME
  kubectl drain "$node" --pod-selector=app=tomcat --ignore-daemonsets --delete-emptydir-data --timeout=180s > "$work/drain" 2>&1 &
  draining=$!
  sleep 2
  kubectl uncordon "$node" > /dev/null
  wait $draining || { cat "$work/drain"; lost=1; }
  settled tomcat
  sleep 3
  unload tomcat
  row "$1" tomcat "$2" "$since"
  remove
}

# Servers that are not wired to the library, with the agent. Their rows without it are those of roll and drain.
scenario_agent() {
  local name mode="with the agent"
  for name in tomcat netty spring-boot; do
    say "rolling update: $name, $mode"
    unwired "$name"
    roll "agent: roll" "$name" "$mode"
  done
  say "a pod deleted, $mode"
  unwired tomcat
  delete_with "agent: delete" "$mode"
  say "kubectl drain, $mode"
  unwired tomcat
  drain "agent: drain" "$mode"
}
unwired() { deploy "$1" "$1" "[-javaagent:/app/lastcall-agent.jar, -jar, /app/$1.jar]" "$(without "$1")"; }

WITH_KUBERNETES="[-cp, '/app/tomcat.jar:/app/lastcall-kubernetes.jar', io.lastcall.subjects.tomcat.TomcatSubject]"

# The container ends and its pod stays: there is no deletion, and its endpoint leaves when readiness fails.
scenario_in_place() {
  if [ -z "$OTHER_IMAGE" ]; then
    add "in-place|tomcat|with|not run: OTHER_IMAGE is not set|-|-|-"
    return
  fi
  local since pod tries
  for mode in "with lastcall-kubernetes" with without; do
    say "image patched in place, $mode"
    case "$mode" in
      with) deploy tomcat tomcat "[-jar, /app/tomcat.jar]" ;;
      without) deploy tomcat tomcat "[-jar, /app/tomcat.jar]" "$(without tomcat)" ;;
      *) deploy overlays/own-deadline tomcat "$WITH_KUBERNETES" ;;
    esac
    load tomcat
    sleep 10
    pod=pod/$(oldest tomcat)
    since=$EPOCHREALTIME
    k patch "$pod" -p "{\"spec\":{\"containers\":[{\"name\":\"tomcat\",\"image\":\"$OTHER_IMAGE\"}]}}" > /dev/null
    tries=0
    until k get "$pod" -o jsonpath='{.status.containerStatuses[0].restartCount}' | grep -q '^[1-9]'; do
      tries=$((tries + 1))
      [ $tries -lt 90 ] || cannot "$pod was not started again with the other image"
      sleep 1
    done
    k wait --for=condition=Ready "$pod" --timeout=60s > /dev/null
    sleep 3
    unload tomcat
    in_place_row "${pod#pod/}" "$mode" "$since"
    remove
  done
}
in_place_row() {
  local came end
  came=$(cat "$work/load-tomcat")
  end=$(awk -F'|' -v pod="$1" -v since="$3" '$2 == pod && $1 >= since && $5 != "" { text = $6; sub(/^"/, "", text); sub(/\\n.*/, "", text)
    printf "%.1f|%s|%s", $1 - since, $5, text; exit }' "$ended")
  add "in-place|tomcat|$2|$(cut -d' ' -f1 <<< "$came") of $(cut -d' ' -f4 <<< "$came")|$end"
  say "${rows[-1]}"
  say "$came"
  # Only the API server says that the pod stays; else its endpoint leaves after the propagation delay.
  [[ "$2" != *kubernetes ]] || [ "$(cut -d' ' -f1 <<< "$came")" = 0 ] || lost=1
}

scenario_adaptive() {
  local since patch
  say "adaptive propagation: $LOAD_SECONDS s of load on three services"
  for name in tomcat netty spring-boot; do
    patch=$(sed "s/^  name: tomcat/  name: $name/; s/- name: tomcat/- name: $name/" "$here/overlays/adaptive/patch.yaml")
    deploy "$name" "$name" "[-jar, /app/$name.jar]" "$patch"
    load "$name" "$((2 * RATE))" # each of two pods gets RATE
  done
  sleep "$LOAD_SECONDS"
  for name in tomcat netty spring-boot; do
    since=$EPOCHREALTIME
    for round in 1 2; do # both pods have five minutes of history
      k delete pod "$(oldest "$name")" > /dev/null
      ready "deployment/$name"
      sleep 5
    done
    unload "$name"
    row adaptive "$name" with "$since"
  done
  remove
}
