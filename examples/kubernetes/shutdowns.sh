#!/bin/bash
# What the Events of lastcall-kubernetes say of the last hour's shutdowns, for each Deployment or other owner.
set -euo pipefail
usage="usage: kubectl get events -o json | shutdowns.sh [OWNER]
OWNER is the name of a Deployment, StatefulSet, or of a Pod without an owner. Needs jq. Ends with 1 if a shutdown did not end clean."
case "${1:-}" in -*) echo "$usage"; exit 2 ;; esac
[ $# -le 1 ] || { echo "$usage"; exit 2; }
command -v jq > /dev/null || { echo "shutdowns.sh needs jq"; exit 2; }
lines=$(jq -r --arg owner "${1:-}" --arg now "${NOW:-$(date -u +%FT%TZ)}" '
  def mark($name): .metadata.annotations["lastcall.io/" + $name];
  def worst: ["LastcallHalted", "LastcallIncomplete", "LastcallHandedBack", "LastcallClean"];
  # The state of one pod, by its Events: a first without a second is a kill once its time is over.
  def state: . as $events
    | (first(worst[] | select(. as $reason | $events | any(.reason == $reason))) // null) as $done
    | if $done then ($done | ltrimstr("Lastcall"))
      elif any(.[]; mark("killed-by") > $now) then "Ending"
      else "Killed" end;
  def seconds: if . == floor then tostring else (. * 10 | round / 10 | tostring) end;
  def owner_lines: . as $pods
    | ($pods | map(select(.state != "Ending"))) as $ended
    | ($ended | map(select(.state == "Clean")) | length) as $clean
    | ($pods | map(.last) | map(select(. != null)) | max) as $last
    | ($pods | map(.delay) | map(select(. != null)) | max) as $delay
    # As in docs/report.md: a quarter more and a second, and never less than half of the delay.
    | (if $last then [($last * 1.25 + 1 | ceil), (($delay // 0) / 2 | ceil)] | max else null end) as $enough
    | "\($pods[0].owner): clean \($clean) of \($ended | length)"
      + (if ($ended | length) < ($pods | length) then ", \(($pods | length) - ($ended | length)) still ending" else "" end)
      + (if $last then ", largest last connection \($last | seconds) s"
           + (if $enough < $delay then ": \($enough) s would be enough, the delay is \($delay | seconds) s"
              elif $enough > $delay then ": raise the delay of \($delay | seconds) s to \($enough) s"
              else "" end)
         else "" end),
      ($ended[] | select(.state != "Clean") | "  \(.state): \(.words)");
  [.items[] | select(.source.component == "lastcall" and .related.kind == "Pod")
    | select($owner == "" or .involvedObject.name == $owner)]
  | group_by(.involvedObject.kind, .involvedObject.name)
  | map(group_by(.related.uid)
      | map({owner: "\(.[0].involvedObject.kind) \(.[0].involvedObject.name)",
             state: state,
             last: (map(mark("last-connection-seconds") | select(. != null) | tonumber) | max),
             delay: (map(mark("propagation-delay-seconds") | select(. != null) | tonumber) | max),
             words: (sort_by(.lastTimestamp) | last | .message | split("\n")[0])}))
  | if length == 0 then "no shutdown in the Events of the last hour" else .[] | owner_lines end')
echo "$lines"
! grep -q '^  ' <<< "$lines"
