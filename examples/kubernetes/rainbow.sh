#!/bin/bash
# One Deployment per release. A new one takes the Service over; the old ones run on until they are idle.
set -euo pipefail
usage="usage: rainbow.sh release NAME   lays out rainbow/release.yaml as release NAME, waits for it, and moves the Service there
       rainbow.sh retire         scales to zero each release that the Service has left and whose pods are all idle
       rainbow.sh status         the releases, and whether each pod is idle
kubectl's context and namespace count. Needs the right to get, and for release to create, pods/proxy.
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
lame_duck() {
  local token
  token=$(k get secret rainbow -o jsonpath='{.data.token}' | base64 -d)
  for pod in $(pods "$1"); do
    kubectl create --raw "$(probe "$pod" "/lameduck/$token")" -f /dev/null > /dev/null
  done
}

release() {
  local old
  ${TEMPLATE:-template} "$1" | k apply -f - > /dev/null
  k rollout status "deployment/rainbow-$1" --timeout=300s > /dev/null
  k patch service rainbow -p "{\"spec\":{\"selector\":{\"release\":\"$1\"}}}" > /dev/null
  echo "release $1 serves"
  for old in $(releases); do
    if [ "$old" != "$1" ]; then lame_duck "$old"; fi
  done
}

retire() {
  local busy old
  for old in $(releases); do
    if [ "$old" = "$(current)" ]; then continue; fi
    busy=0
    for pod in $(pods "$old"); do idle "$pod" || busy=$((busy + 1)); done
    if [ $busy = 0 ]; then
      k scale "deployment/rainbow-$old" --replicas=0 > /dev/null
      echo "release $old was idle, and is scaled to zero"
    else
      echo "release $old: $busy pods are not idle"
    fi
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
