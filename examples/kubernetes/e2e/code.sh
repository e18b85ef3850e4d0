#!/bin/bash
# code.sh FOLDER: puts the drill's servers, with lib/, and examples/work into a folder, which e2e.sh takes as CODE where there is no registry.
# First: mvn package -DskipTests -pl :lastcall-drill-tomcat,:lastcall-drill-netty,:lastcall-drill-grpc,:lastcall-drill-spring-boot,:lastcall-example-work,:lastcall-admission-webhook,:lastcall-kubernetes,:lastcall-agent,:lastcall-drill -am
set -euo pipefail
folder=${1:?usage: code.sh FOLDER}
root=$(cd "$(dirname "$0")/../../.." && pwd)
rm -rf "$folder/work" "$folder/lib"
mkdir -p "$folder/work" "$folder/lib"
for name in tomcat netty grpc spring-boot; do
  target=$root/verification/drill/subjects/$name/target
  cp "$target/$name.jar" "$folder/"
  [ ! -d "$target/lib" ] || cp "$target"/lib/*.jar "$folder/lib/"
done
cp "$root/integrations/admission-webhook/target/admission-webhook.jar" "$folder/"
cp "$root"/integrations/kubernetes/target/lastcall-kubernetes-*.jar "$folder/lastcall-kubernetes.jar"
cp "$root"/integrations/agent/target/lastcall-agent-*-SNAPSHOT.jar "$folder/lastcall-agent.jar"
for module in core integrations/probe-server integrations/kubernetes examples/work; do
  find "$root/$module/target" -maxdepth 1 -name 'lastcall-*.jar' ! -name '*-tests.jar' -exec cp {} "$folder/work/" \;
done
cp -r "$root/examples/work/target/test-classes" "$folder/work/without"
repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
for jar in com/h2database/h2/2.3.232/h2-2.3.232 org/slf4j/slf4j-api/2.0.20/slf4j-api-2.0.20 org/slf4j/slf4j-simple/2.0.20/slf4j-simple-2.0.20; do
  cp "$repository/$jar.jar" "$folder/work/"
done
chmod -R a+rX "$folder"
