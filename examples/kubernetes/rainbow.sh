#!/bin/bash
# One Deployment per release. A new one takes the Service over; the old ones run on until they are idle.
set -euo pipefail
usage="usage: rainbow.sh release NAME   lays out rainbow/release.yaml as release NAME, waits for it, and moves the Service there
       rainbow.sh retire         takes idle pods away from each release that the Service has left, and the release with the last
       rainbow.sh status         the releases, and whether each pod is idle
kubectl's context and namespace count. Needs the right to get, for release to create, and before
Kubernetes 1.22 for retire to create and delete, pods/proxy.
First: kubectl apply -f rainbow/service.yaml. TEMPLATE is a command that prints the manifests of the release that its argument
names, without the Service, whose selector it would reset; by default rainbow/release.yaml with the name put in."
here=$(cd "$(dirname "$0")" && pwd)
namespace=$(kubectl config view --minify -o jsonpath='{..namespace}')
namespace=${NAMESPACE:-${namespace:-default}}
k() { kubectl -n "$namespace" "$@"; }
template() { sed "s/RELEASE/$1/g" "$here/rainbow/release.yaml"; }

current() { k get service rainbow -o jsonpath='{.spec.selector.release}'; }
releases() { k get deployments -l app=rainbow -o jsonpath='{range .items[?(@.spec.replicas>0)]}{.metadata.labels.release}{"\n"}{end}'; }
pods() { k get pods -l "app=rainbow,release=$1" -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}'; }
probe() { echo "/api/v1/namespaces/$namespace/pods/$1:9090/proxy$2"; }

# The API server passes the question on to the pod's probe port, which answers 503 until nothing is in progress.
idle() { kubectl get --raw "$(probe "$1" /idle)" > /dev/null 2>&1; }

# Out of service: readiness fails, and each response asks its client to go elsewhere.
take_out_of_service() {
  for pod in $(pods "$1"); do
    kubectl create --raw "$(probe "$pod" "/lameduck/$(token)")" -f /dev/null > /dev/null
  done
}
token() { k get secret rainbow -o jsonpath='{.data.token}' | base64 -d; }

release() {
  local old
  ${TEMPLATE:-template} "$1" | k apply -f - > /dev/null
  k rollout status "deployment/rainbow-$1" --timeout=300s > /dev/null
  k patch service rainbow -p "{\"spec\":{\"selector\":{\"release\":\"$1\"}}}" > /dev/null
  echo "release $1 serves"
  for old in $(releases); do
    if [ "$old" != "$1" ]; then take_out_of_service "$old"; fi
  done
}

retire() {
  local busy idle old
  for old in $(releases); do
    if [ "$old" = "$(current)" ]; then continue; fi
    busy=() idle=()
    for pod in $(pods "$old"); do
      if idle "$pod"; then idle+=("$pod"); else busy+=("$pod"); fi
    done
    if [ ${#busy[@]} = 0 ]; then
      k scale "deployment/rainbow-$old" --replicas=0 > /dev/null
      echo "release $old was idle, and is scaled to zero"
    elif [ ${#idle[@]} = 0 ]; then
      echo "release $old: ${#busy[@]} pods are not idle"
    else
      shrink "$old"
      echo "release $old: ${#busy[@]} pods are not idle, and the ${#idle[@]} that were are gone"
    fi
  done
}

# shrink RELEASE: to its pods in busy. Which ones the ReplicaSet takes is said by a cost, from Kubernetes 1.22 on; before
# that it takes those that are not ready first, so that the busy ones are back in service for that moment.
shrink() {
  if [ "$(minor)" -ge 22 ]; then
    for pod in "${busy[@]}"; do k annotate pod "$pod" controller.kubernetes.io/pod-deletion-cost=100 --overwrite > /dev/null; done
    for pod in "${idle[@]}"; do k annotate pod "$pod" controller.kubernetes.io/pod-deletion-cost=-100 --overwrite > /dev/null; done
    k scale "deployment/rainbow-$1" --replicas=${#busy[@]} > /dev/null
    return
  fi
  for pod in "${busy[@]}"; do kubectl delete --raw "$(probe "$pod" "/lameduck/$(token)")" > /dev/null; done
  if k wait --for=condition=Ready "${busy[@]/#/pod/}" --timeout=60s > /dev/null; then
    k scale "deployment/rainbow-$1" --replicas=${#busy[@]} > /dev/null
    # Chosen once they are being deleted: only then may the others be unready again.
    for pod in "${idle[@]}"; do chosen "$pod"; done
  fi
  for pod in "${busy[@]}"; do kubectl create --raw "$(probe "$pod" "/lameduck/$(token)")" -f /dev/null > /dev/null; done
}
minor() { kubectl version -o json | tr -d ' \n' | sed -n 's/.*"serverVersion":{[^}]*"minor":"\([0-9]*\).*/\1/p'; }
chosen() {
  local tries=0
  until [ -n "$(k get pod "$1" -o jsonpath='{.metadata.deletionTimestamp}' 2>&1)" ] || [ $tries = 30 ]; do
    tries=$((tries + 1))
    sleep 0.5
  done
}

status() {
  for name in $(releases); do
    for pod in $(pods "$name"); do
      echo "$name$([ "$name" = "$(current)" ] && echo ' (serves)' || true) $pod $(idle "$pod" && echo idle || echo busy)"
    done
  done
}

case "${1:-} $#" in
  "release 2") [[ "$2" =~ ^[a-z0-9]([-a-z0-9]{0,40}[a-z0-9])?$ ]] || { echo "release '$2': allowed are a-z, 0-9 and -, at most 42"; exit 2; }; release "$2" ;;
  "retire 1") retire ;;
  "status 1") status ;;
  *) echo "$usage"; exit 2 ;;
esac
