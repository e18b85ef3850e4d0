#!/bin/bash
# code.sh FOLDER: puts the examples' jars into a folder, which e2e.sh takes as CODE where there is no registry.
# First: mvn package -DskipTests -pl examples/tomcat,examples/netty,examples/grpc,examples/spring-boot,examples/work,examples/admission-webhook,kubernetes,drill -am
set -euo pipefail
folder=${1:?usage: code.sh FOLDER}
root=$(cd "$(dirname "$0")/../../.." && pwd)
rm -rf "$folder/work"
mkdir -p "$folder/work"
for name in tomcat netty grpc spring-boot admission-webhook; do
  cp "$root/examples/$name/target/$name.jar" "$folder/"
done
cp "$root"/kubernetes/target/lastcall-kubernetes-*.jar "$folder/lastcall-kubernetes.jar"
for module in core probe-server kubernetes examples/work; do
  find "$root/$module/target" -maxdepth 1 -name 'lastcall-*.jar' ! -name '*-tests.jar' -exec cp {} "$folder/work/" \;
done
cp -r "$root/examples/work/target/test-classes" "$folder/work/without"
repository=${MAVEN_REPOSITORY:-$HOME/.m2/repository}
for jar in com/h2database/h2/2.3.232/h2-2.3.232 org/slf4j/slf4j-api/2.0.20/slf4j-api-2.0.20 org/slf4j/slf4j-simple/2.0.20/slf4j-simple-2.0.20; do
  cp "$repository/$jar.jar" "$folder/work/"
done
chmod -R a+rX "$folder"
