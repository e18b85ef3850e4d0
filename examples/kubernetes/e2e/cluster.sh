# What e2e.sh does with the cluster: what it needs, manifests made to fit, pods watched. Sourced.

k() { kubectl -n "$NAMESPACE" "$@"; }
say() { echo "== $(date +%T) $*" >&2; }
cannot() { echo "e2e.sh cannot run: $*" >&2; exit 2; }

require_cluster() {
  command -v kubectl > /dev/null || cannot "there is no kubectl"
  command -v java > /dev/null || cannot "there is no java, which makes the load"
  DRILL=$here/../../verification/drill/target/drill.jar
  [ -e "$DRILL" ] || cannot "verification/drill/target/drill.jar, which makes the load, is not built: mvn package -DskipTests -pl :lastcall-drill -am"
  local answer version
  answer=$(kubectl version -o json --request-timeout=10s 2>&1) || true
  version=$(tr -d ' \n' <<< "$answer" | sed -n 's/.*"serverVersion":{[^}]*"minor":"\([0-9]*\).*/\1/p')
  [ -n "$version" ] || cannot "no cluster answers: $(tail -n 1 <<< "$answer")"
  [ "$version" -ge 20 ] || cannot "Kubernetes 1.$version is too old: 1.20 is the oldest"
  MINOR=$version
  for right in "create namespaces" "create deployments.apps" "delete pods" "create pods/eviction" "patch nodes"; do
    kubectl auth can-i ${right/ / } -n "$NAMESPACE" > /dev/null 2>&1 || cannot "no right to $right"
  done
  if kubectl get namespace "$NAMESPACE" > /dev/null 2>&1; then cannot "namespace $NAMESPACE exists; delete it, or set NAMESPACE"; fi
  [ -n "$REGISTRY$CODE" ] || cannot "set REGISTRY, or CODE and IMAGE: the manifests' registry.example does not exist"
  [ -z "$CODE" ] || [ -n "$IMAGE" ] || cannot "CODE is set and IMAGE is not"
}

# Manifests for this cluster: kustomize of kubectl before 1.21, and kinds and fields that came later.
fit() {
  cp -r "$here" "$work/manifests"
  local client
  client=$(kubectl version --client -o json | tr -d ' \n' | sed -n 's/.*"minor":"\([0-9]*\).*/\1/p')
  OLD_KUSTOMIZE=$([ "$client" -ge 21 ] || echo yes)
  [ -z "$OLD_KUSTOMIZE" ] || find "$work/manifests" -name kustomization.yaml | while read -r file; do old_kustomization "$file"; done
}

# kustomize 2 calls a folder a base, and names a patch without "path".
old_kustomization() {
  awk '/^resources:/ { part = "resources"; next }
       /^patches:/ { part = "patches"; next }
       /^- / { item = $NF
               if (part == "patches") patches = patches "- " item "\n"
               else if (item ~ /\.yaml$/) files = files "- " item "\n"
               else bases = bases "- " item "\n"; next }
       { print }
       END { if (bases) printf "bases:\n%s", bases
             if (files) printf "resources:\n%s", files
             if (patches) printf "patchesStrategicMerge:\n%s", patches }' "$1" > "$1.old"
  mv "$1.old" "$1"
}

# render FOLDER PATCH...: the manifests of a folder, with more patches: texts, each one document.
render() {
  local from=$1 own=$work/manifests/e2e-own number=0 text
  shift
  rm -rf "$own" && mkdir "$own"
  printf 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n- ../%s\npatches:\n' "$from" > "$own/kustomization.yaml"
  for text in "$@"; do
    [ -n "$text" ] || continue
    number=$((number + 1))
    printf '%s\n' "$text" > "$own/$number.yaml"
    echo "- path: $number.yaml" >> "$own/kustomization.yaml"
  done
  [ -z "$OLD_KUSTOMIZE" ] || old_kustomization "$own/kustomization.yaml"
  kubectl kustomize "$own" | older
}
# Fields that the cluster does not know are no error: it leaves them out.
apply() { render "$@" | k apply --validate="$([ "$MINOR" -ge 31 ] && echo true || echo false)" -f - > /dev/null; }

# What this cluster does not know yet.
older() {
  local script="s#registry.example#${REGISTRY:-registry.example}#"
  [ "$MINOR" -ge 21 ] || script="$script; s#^apiVersion: policy/v1\$#apiVersion: policy/v1beta1#"
  sed "$script" | if [ "$MINOR" -ge 30 ]; then cat; else sleep_by_exec; fi
}
sleep_by_exec() {
  awk '/^ *sleep:$/ { indent = $0; sub(/sleep:/, "", indent); getline; print indent "exec:"; print indent "  command: [sleep, \"" $2 "\"]"; next } { print }'
}

# code KIND NAME ARGUMENTS: a patch that runs the jars of a folder on the node.
code() {
  [ -n "$CODE" ] || return 0
  cat << Y
apiVersion: $([ "$1" = Job ] && echo batch/v1 || echo apps/v1)
kind: $1
metadata: {name: $2}
spec:
  template:
    spec:
      dnsPolicy: Default
      containers:
      - name: $2
        image: $IMAGE
        imagePullPolicy: Never
        command: [java]
        args: $3
        volumeMounts: [{name: code, mountPath: /app, readOnly: true}]
      volumes:
      - {name: code, hostPath: {path: $CODE}}
Y
}

# without NAME: a patch that runs an example server without the library, whose probes are on the service's port then.
without() {
  cat << Y
apiVersion: apps/v1
kind: Deployment
metadata: {name: $1}
spec:
  template:
    spec:
      containers:
      - name: $1
        env: [{name: NAIVE, value: "true"}]
        startupProbe: {httpGet: {port: http}}
        readinessProbe: {httpGet: {port: http}}
        livenessProbe: {httpGet: {port: http}}
Y
}

begin() {
  fit
  kubectl create namespace "$NAMESPACE" > /dev/null
  ended=$work/pods
  : > "$ended"
  watch_pods
}

watch_pods() {
  # One line for each change of a pod: name, deletion, container ends (now or before), message.
  local template='{{.metadata.name}}|{{.metadata.deletionTimestamp}}|{{range .status.containerStatuses}}{{.restartCount}}|{{with .state.terminated}}{{.exitCode}}|{{printf "%q" .message}}{{else}}{{with .lastState.terminated}}{{.exitCode}}|{{printf "%q" .message}}{{end}}{{end}}{{end}}{{"\n"}}'
  k get pods --watch -o go-template="$template" 2> /dev/null > >(while IFS= read -r line; do echo "$EPOCHREALTIME|$line"; done >> "$ended") &
  watch=$!
}

# end STATUS: a command that failed ends the script; the rows so far are printed, and the status is that of a script that could not run.
end() {
  local status=$1 failed=$BASH_COMMAND
  trap - EXIT
  if [ -z "${printed:-}" ]; then
    [ "$status" = 2 ] || say "broke off with exit $status at: $failed"
    print_table
    status=2
  fi
  [ -z "${guarding:-}" ] || remove_webhook
  clean_up
  exit "$status"
}
clean_up() {
  say "removing namespace $NAMESPACE"
  kill "${watch:-}" "${loads[@]}" 2> /dev/null || true
  kubectl delete namespace "$NAMESPACE" --wait=true --timeout=120s > /dev/null 2>&1 || true
  rm -rf "$work"
}

ready() { k rollout status "$1" --timeout=300s > /dev/null || { k get pods -o wide >&2; cannot "$1 does not get ready"; }; }

# oldest LABEL: its oldest pod.
oldest() { k get pods -l "app=$1" --sort-by=.metadata.creationTimestamp -o jsonpath='{.items[0].metadata.name}'; }

# Waits until no pod of this label is being deleted.
settled() {
  local tries=0
  while k get pods -l "app=$1" -o jsonpath='{.items[*].metadata.deletionTimestamp}' | grep -q . && [ $tries -lt 100 ]; do
    tries=$((tries + 1))
    sleep 1
  done
}

# exits LABEL SINCE: seconds from the deletion, as first seen, to the container's end, and exit code, of each pod that ended.
exits() {
  awk -F'|' -v name="$1" -v since="$2" '
    index($2, name) != 1 || $1 < since { next }
    $3 != "<no value>" && !($2 in begun) { begun[$2] = $1 }
    $5 != "" && ($2 in begun) && !($2 in ended) { ended[$2] = 1; if ($6 ~ /could not be located/) $5 = "unknown"; took = took sprintf("%s%.1f", took ? "/" : "", $1 - begun[$2]); codes = codes (codes ? "/" : "") $5 }
    END { print (took ? took : "-") "|" (codes ? codes : "-") }' "$ended"
}

# message LABEL SINCE: the first line of the last termination message; the report's in the log where the kubelet has lost the
# container ("could not be located", with exit code 137, whatever the process did).
message() {
  awk -F'|' -v name="$1" -v since="$2" 'index($2, name) == 1 && $1 >= since && $6 != "" && $6 !~ /nil|could not be located/ { last = $6 }
    END { sub(/^"/, "", last); sub(/\\n.*/, "", last); sub(/"$/, "", last); print last }' "$ended" | grep . ||
    { cat "$work"/log-"$1"* 2> /dev/null | sed -n 's/.*\(Shutdown .*exit code [0-9]*\).*/log: \1/p' | tail -n 1 | grep . || echo -; }
}

# follow LABEL: keeps the log of each pod there is now, with the kubelet's times.
follow() {
  local pod
  for pod in $(k get pods -l "app=$1" -o name); do
    k logs -f --timestamps "$pod" > "$work/log-${pod#pod/}" 2> /dev/null &
  done
}
