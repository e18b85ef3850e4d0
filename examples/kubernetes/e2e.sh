#!/bin/bash
# Ends pods of the drill's servers and of examples/work on the cluster that kubectl points at, under load, and prints what their clients and Kubernetes saw.
# docs/kubernetes.md explains the columns. Ends with 0 if no request was lost with the library, 1 if one was, 2 if it cannot run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage="usage: e2e.sh [SCENARIO...]
  roll        rolling update of tomcat, netty, spring-boot, with the library and without
  variants    rolling update of the overlays of tomcat that the cluster knows
  drain       kubectl drain of a node with pods of tomcat
  delete5     kubectl delete --grace-period=5, with lastcall-kubernetes, without it, and without the library
  delete0     the same by --grace-period=0 --force
  long-pre-stop  a preStop hook that takes longer than the grace period
  leader-force   the leader, deleted by force
  node-restart   the node is restarted by NODE_RESTART
  events      the Events that a rollout leaves, read by shutdowns.sh (needs jq)
  in-place    another image patched into a pod (needs OTHER_IMAGE)
  work        the consumer, the Job and the leader
  adaptive    rolling updates after LOAD_SECONDS (default 380) of load, with adaptive propagation
  agent       servers that are not wired to the library, with its agent: rolling update, kubectl delete, kubectl drain
  rainbow     one Deployment per release
  guarded     the leader, and the admission webhook that has it hand over before anything stops it
The default is all but adaptive. Environment:
  REGISTRY       takes the place of registry.example in the manifests' images
  CODE, IMAGE    without a registry: a folder on the node with the jars, and an image there that has java (code.sh FOLDER fills it)
  NODE_RESTART   for node-restart: a command that restarts the node, or its container runtime, and returns when it is back
  OTHER_IMAGE    for in-place: the same under another name
  NAMESPACE      lastcall-e2e, which must not exist
  RATE           60 requests a second"
NAMESPACE=${NAMESPACE:-lastcall-e2e} RATE=${RATE:-60} LOAD_SECONDS=${LOAD_SECONDS:-380} OTHER_IMAGE=${OTHER_IMAGE:-} NODE_RESTART=${NODE_RESTART:-}
REGISTRY=${REGISTRY:-} CODE=${CODE:-} IMAGE=${IMAGE:-}
. "$here/e2e/cluster.sh"
. "$here/e2e/load.sh"
. "$here/e2e/scenarios.sh"
. "$here/e2e/ends.sh"
. "$here/e2e/work.sh"
. "$here/e2e/rainbow.sh"
. "$here/e2e/guarded.sh"

case "${1:-}" in -h | --help) echo "$usage"; exit 0 ;; esac
for scenario in "$@"; do
  case "$scenario" in
    roll | variants | drain | delete5 | delete0 | long-pre-stop | leader-force | node-restart | events | in-place | work | adaptive | agent | rainbow | guarded) ;;
    *) echo "there is no scenario $scenario"; echo "$usage"; exit 2 ;;
  esac
done
require_cluster
work=$(mktemp -d)
trap 'end $?' EXIT
begin
for scenario in ${*:-roll variants drain delete5 delete0 long-pre-stop leader-force node-restart events in-place work agent rainbow guarded}; do
  "scenario_${scenario//-/_}"
done
print_table
exit ${lost:-0}
