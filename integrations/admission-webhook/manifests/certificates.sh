#!/bin/sh
# Makes a certificate for the webhook's Service, puts it into its Secret, and registers the webhook with the CA.
#
#   certificates.sh FOLDER [APPLICATION_NAMESPACE...]
#
# FOLDER keeps the CA, whose key is a secret. Run it again before a year has passed: the certificate is new and the
# CA stays, so that the webhook answers at every moment, and needs no restart. The namespaces get the Secret
# prepare-token, which opens /prepare; a token that is there already stays. Needs openssl and kubectl; with
# DRY_RUN=1 it prints what it would apply. REGISTRATION=registration-1.28.yaml is for Kubernetes 1.28 and later.
set -eu
folder=${1:?FOLDER is missing}
shift
here=$(cd "$(dirname "$0")" && pwd)
host=admission-webhook.lastcall-admission.svc
umask 077
mkdir -p "$folder"
cd "$folder"

apply() {
  if [ "${DRY_RUN:-0}" = 1 ]; then
    cat
    echo ---
  else
    kubectl apply -f -
  fi
}

secret() { # namespace, name, key=file...
  namespace=$1
  name=$2
  shift 2
  printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: %s, namespace: %s}\ndata:\n' "$name" "$namespace"
  for entry in "$@"; do
    printf '  %s: %s\n' "${entry%%=*}" "$(base64 < "${entry#*=}" | tr -d '\n')"
  done
}

[ -s ca.key ] || openssl ecparam -genkey -name prime256v1 -noout -out ca.key
[ -s ca.crt ] || openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj "/CN=lastcall-admission CA" -out ca.crt
openssl ecparam -genkey -name prime256v1 -noout | openssl pkcs8 -topk8 -nocrypt -out tls.key
openssl req -new -key tls.key -subj "/CN=$host" -out tls.csr
printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth\n' "$host" > tls.ext
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 365 -sha256 -extfile tls.ext -out tls.crt
[ -s token ] || openssl rand -hex 32 > token

secret lastcall-admission admission-webhook-tls tls.crt=tls.crt tls.key=tls.key | apply
for namespace in lastcall-admission "$@"; do
  secret "$namespace" prepare-token token=token | apply
done
sed "s|CA_BUNDLE|$(base64 < ca.crt | tr -d '\n')|" "$here/${REGISTRATION:-registration.yaml}" | apply
