# The examples without a server, in e2e.sh. Sourced.

scenario_work() {
  if [ -z "$CODE" ]; then
    add "work|consumer, job, leader|with|not run: their database comes from CODE|-|-|-"
    return
  fi
  for mode in with without; do
    database
    consumer $mode
    job $mode
    leader $mode
    remove
  done
}

# A table of orders, and the lease, in an H2 server.
database() {
  k apply -f - > /dev/null << Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: orders-database}
spec:
  selector: {matchLabels: {app: orders-database}}
  template:
    metadata: {labels: {app: orders-database}}
    spec:
      dnsPolicy: Default
      containers:
      - name: orders-database
        image: $IMAGE
        imagePullPolicy: Never
        command: [java, -cp, "/app/work/*", org.h2.tools.Server, -tcp, -tcpAllowOthers, -ifNotExists]
        readinessProbe: {tcpSocket: {port: 9092}, periodSeconds: 1, timeoutSeconds: 5, failureThreshold: 10}
        volumeMounts: [{name: code, mountPath: /app, readOnly: true}]
      volumes:
      - {name: code, hostPath: {path: $CODE}}
---
apiVersion: v1
kind: Service
metadata: {name: orders-database}
spec: {selector: {app: orders-database}, ports: [{port: 9092}]}
Y
  ready deployment/orders-database
  answers "$(address orders-database)" 9092
  URL="jdbc:h2:tcp://$(address orders-database):9092/mem:orders;DB_CLOSE_DELAY=-1"
  sql "CREATE TABLE orders (name VARCHAR PRIMARY KEY, done BOOLEAN NOT NULL);
       INSERT INTO orders SELECT 'order-' || x, FALSE FROM SYSTEM_RANGE(1, 20000);
       CREATE TABLE lease (holder VARCHAR, until TIMESTAMP WITH TIME ZONE, candidate VARCHAR, seen TIMESTAMP WITH TIME ZONE);
       INSERT INTO lease VALUES ('', CURRENT_TIMESTAMP, '', CURRENT_TIMESTAMP)"
}
sql() { java -Dh2.socketConnectTimeout=5000 -cp "$CODE/work/*" org.h2.tools.Shell -url "$URL" -user "" -password "" -sql "$1" > "$work/sql"; }
# answers ADDRESS PORT: waits until this node routes there. A pod is ready before kube-proxy has its rule; a connection whose SYN
# was sent before that never gets there, so that each try is a connection of its own.
answers() {
  local tries=0
  until timeout 2 bash -c "exec 3<> /dev/tcp/$1/$2" 2> /dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || cannot "nothing answers at $1:$2: $(k get pods,endpointslices -o wide)"
    sleep 1
  done
}

# An example of examples/work, run from CODE: kind, name, main class, arguments.
worker() { code "$1" "$2" "[-cp, '/app/work/*:/app/work/without', io.lastcall.examples.work.$3, $4]"; }

# no_probes KIND NAME: what has no library has no probes.
no_probes() {
  printf 'apiVersion: %s\nkind: %s\nmetadata: {name: %s}\nspec:\n  template:\n    spec:\n      containers:\n      - name: %s\n        startupProbe: null\n        readinessProbe: null\n        livenessProbe: null\n' \
    "$([ "$1" = Job ] && echo batch/v1 || echo apps/v1)" "$1" "$2" "$2"
}

# orders LABEL: of all that its pods' logs say: begun and not done, done more than once.
orders() {
  cat "$work"/log-"$1"* | awk '$2 == "taken" { taken[$3]++ } $2 == "done" { finished[$3]++ }
    END { for (order in taken) { if (taken[order] > finished[order]) cut++; if (finished[order] > 1) twice++ }
          printf "%d orders cut, %d done twice", cut, twice }'
}

consumer() {
  local since main=poller.Poller patches=()
  say "consumer, $1"
  [ "$1" = with ] || { main=poller.PollerWithout; patches=("$(no_probes Deployment consumer)"); }
  apply consumer "$(worker Deployment consumer $main "\"$URL\"")" "${patches[@]}"
  ready deployment/consumer
  sleep 5
  follow consumer
  since=$EPOCHREALTIME
  k rollout restart deployment/consumer > /dev/null
  ready deployment/consumer
  settled consumer
  sleep 2
  add "roll|consumer|$1|$(orders consumer)|$(exits consumer "$since")|$(message consumer "$since")"
  say "${rows[-1]}"
  rm -f "$work"/log-*
  k delete deployment consumer --grace-period=1 > /dev/null
}

# The pod of a Job is deleted; the next one goes on.
job() {
  local since main=checkpoint.LongJob patches=() pod data=$CODE/../job-data-$1
  say "Job, $1"
  rm -rf "$data" && mkdir -m 777 "$data"
  [ "$1" = with ] || { main=checkpoint.LongJobWithout; patches=("$(no_probes Job job)"); }
  patches+=("$(printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: job}\nspec:\n  template:\n    spec:\n      volumes:\n      - {name: data, persistentVolumeClaim: null, hostPath: {path: %s}}\n' "$(realpath "$data")")")
  apply job "$(worker Job job $main "/data/checkpoint, '3000'")" "${patches[@]}"
  until [ -e "$data/checkpoint" ]; do sleep 0.5; done
  sleep 4
  follow job
  pod=$(k get pods -l app=job -o name)
  since=$EPOCHREALTIME
  k delete "$pod" > /dev/null
  sleep 3
  follow job
  k wait --for=condition=Complete job/job --timeout=120s > /dev/null
  sleep 2
  add "delete|job|$1|$(orders job)|$(exits "${pod#pod/}" "$since")|$(message "${pod#pod/}" "$since")"
  say "${rows[-1]}"
  rm -f "$work"/log-*
  k delete job job > /dev/null
}

# The pod that has the lease.
leading() {
  local tries=0
  until sql "SELECT 'holder ' || holder FROM lease" && grep -o 'leader-[0-9]' "$work/sql"; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || cannot "nobody has the lease: $(cat "$work/sql")"
    sleep 1
  done
}

# leads LOG: waits until an order of the leader is in the log that is followed; what is deleted before that leaves no log.
leads() {
  local tries=0
  until grep -qs ' taken ' "$1"; do
    tries=$((tries + 1))
    [ $tries -lt 60 ] || cannot "no order of the leader in its log $1"
    sleep 0.5
  done
}

# The pod that leads is deleted; without the hand-over it is gone at once, as after a crash.
leader() {
  local since pod options=()
  say "leader, $1"
  apply leader "$(worker StatefulSet leader leader.Leader "\"$URL\", \$(POD_NAME)")"
  ready statefulset/leader
  pod=$(leading)
  follow leader
  leads "$work/log-$pod"
  [ "$1" = with ] || options=(--grace-period=0 --force)
  since=$EPOCHREALTIME
  k delete pod "$pod" "${options[@]}" --wait=false > /dev/null 2>&1
  sleep 20
  add "delete|leader|$([ "$1" = with ] && echo with || echo "without: --force")|$(gap "$pod") without a leader|$(exits "$pod" "$since")|$(message "$pod" "$since")"
  say "${rows[-1]}"
  rm -f "$work"/log-*
  k delete statefulset leader --grace-period=1 > /dev/null
}
# gap POD: from its last order's end to the first order of any other.
gap() {
  local last next
  last=$(awk '$2 == "done" { time = $1 } END { print time }' "$work/log-$1")
  next=$(cat "$work"/log-leader-* | awk -v last="$last" -v pod="$1" '$2 == "taken" && $1 > last && index($3, pod) == 0 { print $1 }' | sort | sed -n 1p)
  [ -n "$last" ] && [ -n "$next" ] || { printf "unknown time"; return; }
  awk -v from="$(date -d "$last" +%s.%N)" -v to="$(date -d "$next" +%s.%N)" 'BEGIN { printf "%.2f s", to - from }'
}
