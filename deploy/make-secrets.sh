#!/bin/sh
# Makes the secrets of compose.yaml that do not exist yet, in secrets/. Only the folder is closed to other users: the processes in
# the containers have other accounts than yours and have to read the files.
set -eu
umask 022
cd "$(dirname "$0")"
mkdir -p -m 700 secrets
cd secrets

make() {
  [ -s "$1" ] || printf '%s\n' "$2" >"$1"
}
random() {
  od -An -N"$1" -tx1 /dev/urandom | tr -d ' \n'
}

make secret_key "$(random 48)"
make database_password "$(random 24)"
make database_url "postgres://nori:$(cat database_password)@postgres:5432/nori"
make s3_access_key_id "$(random 10)"
make s3_secret_access_key "$(random 24)"
make s3_config "{\"identities\":[{\"name\":\"nori\",\"credentials\":[{\"accessKey\":\"$(cat s3_access_key_id)\",\"secretKey\":\"$(cat s3_secret_access_key)\"}],\"actions\":[\"Admin\",\"Read\",\"Write\",\"List\"]}]}"
make grafana_password "$(random 12)"
[ -s bot_token ] || {
  : >bot_token
  echo 'Write the token that BotFather gave you into secrets/bot_token.'
}
