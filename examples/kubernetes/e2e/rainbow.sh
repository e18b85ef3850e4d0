# A rainbow deployment in e2e.sh. Sourced.

# Release 1 is left while a request of a minute is in progress there: it stays until that is answered.
scenario_rainbow() {
  local since long idle_at
  say "rainbow"
  k apply -f "$here/rainbow/service.yaml" > /dev/null
  render rainbow "$(code Deployment tomcat "[-jar, /app/tomcat.jar]" | sed 's/^metadata: {name: tomcat}/metadata: {name: rainbow-RELEASE}/')" |
    awk 'BEGIN { RS = ORS = "---\n" } !/\nkind: (Service|Secret)\n/' > "$work/rainbow.yaml"
  printf '#!/bin/sh\nsed "s/RELEASE/$1/g" %s\n' "$work/rainbow.yaml" > "$work/release"
  chmod +x "$work/release"
  rainbow release one
  load rainbow
  sleep 5
  curl -sS -o "$work/long" -w '%{http_code}' "http://$(address rainbow)/work?ms=60000&async=true" > "$work/long-code" &
  long=$!
  sleep 5
  since=$EPOCHREALTIME
  rainbow release two
  until rainbow retire | tee "$work/retired" | grep -q 'scaled to zero'; do
    say "$(cat "$work/retired")"
    sleep 5
  done
  idle_at=$(awk -v from="$since" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.0f", to - from }')
  wait $long
  until [ -z "$(k get pods -l release=one -o name)" ]; do sleep 1; done
  sleep 3
  unload rainbow
  say "release one was idle ${idle_at} s after two took over; the request of 60 s got $(cat "$work/long-code")"
  row "rainbow: idle after ${idle_at} s, long request $(cat "$work/long-code")" rainbow with "$since"
  remove
}
rainbow() { NAMESPACE=$NAMESPACE TEMPLATE=$work/release "$here/rainbow.sh" "$@"; }
