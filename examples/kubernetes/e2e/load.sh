# The load of e2e.sh, and its table. Sourced.

address() { k get service "$1" -o jsonpath='{.spec.clusterIP}'; }

declare -A loads # process ids by service

# load SERVICE [RATE]: the drill's mix of requests, half of it on kept-alive connections, until unload.
load() {
  follow "$1"
  java -Xmx256m -XX:+UseSerialGC -cp "$DRILL" io.lastcall.drill.ServiceLoad "$(address "$1"):80" \
    --rate="${2:-$RATE}" --nodes=10 --longest-work=500ms > "$work/load-$1" &
  loads[$1]=$!
}
unload() {
  kill "${loads[$1]}"
  wait "${loads[$1]}" || true
  unset "loads[$1]"
}

rows=()
# row SCENARIO SERVICE MODE SINCE: takes what the load of this service came to, and how its pods ended.
row() {
  local came failed=- requests=- ends
  came=$(cat "$work/load-$2" 2> /dev/null || true)
  if [ -n "$came" ]; then
    failed=$(cut -d' ' -f1 <<< "$came")
    requests=$(cut -d' ' -f4 <<< "$came")
  fi
  ends=$(exits "$2" "$4")
  add "$1|$2|$3|$failed of $requests|$ends|$(message "$2" "$4")"
  say "${rows[-1]}"
  say "$came"
  [ "$failed" = 0 ] || [ "$failed" = - ] || [[ "$3" == without* ]] || lost=1
  rm -f "$work/load-$2" "$work/log-$2"*
}
add() { rows+=("$1"); }

print_table() {
  printed=yes
  echo "| Scenario | Service | Library | Failed | Exit, s | Exit code | Termination message, its first line |"
  echo "|---|---|---|---|---|---|---|"
  for each in "${rows[@]}"; do echo "| ${each//|/ | } |"; done
}
