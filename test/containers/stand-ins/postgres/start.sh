#!/usr/bin/env bash
# Does what the start script of the published image does for a container that does not run as root: it creates the database at the
# first start, runs the scripts of /docker-entrypoint-initdb.d while only the Unix socket is open, and then starts the server.
set -Eeuo pipefail

from_file() {
  local file="${1}_FILE"
  if [ -n "${!file:-}" ]; then export "$1"="$(< "${!file}")"; fi
}

create_cluster() {
  if [ -z "${POSTGRES_PASSWORD:-}" ]; then
    echo 'Error: Database is uninitialized and superuser password is not specified.' >&2
    exit 1
  fi
  initdb --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD") ${POSTGRES_INITDB_ARGS:-}
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  # Debian's server listens on loopback only, unless it is told otherwise. The published image listens everywhere.
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
}

docker_process_sql() {
  local query=(psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --no-password --no-psqlrc)
  if [ -n "${POSTGRES_DB:-}" ]; then query+=(--dbname "$POSTGRES_DB"); fi
  PGHOST='' PGHOSTADDR='' "${query[@]}" "$@"
}

run_scripts() {
  local file
  for file in /docker-entrypoint-initdb.d/*; do
    echo "$0: running $file"
    case "$file" in
      *.sh) if [ -x "$file" ]; then "$file"; else . "$file"; fi ;;
      *.sql) docker_process_sql -f "$file" ;;
      *.sql.gz) gunzip -c "$file" | docker_process_sql ;;
      *) echo "$0: ignoring $file" ;;
    esac
  done
}

fill_cluster() {
  export PGPASSWORD="${PGPASSWORD:-$POSTGRES_PASSWORD}"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  if [ "$POSTGRES_DB" != postgres ]; then
    POSTGRES_DB='' docker_process_sql --dbname postgres --set db="$POSTGRES_DB" <<< 'create database :"db";'
  fi
  shopt -s nullglob
  run_scripts
  pg_ctl -D "$PGDATA" -m fast -w stop
  unset PGPASSWORD
}

if [ "${1:0:1}" = '-' ]; then set -- postgres "$@"; fi
if [ "$1" = postgres ]; then
  for name in POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_INITDB_ARGS; do from_file "$name"; done
  export POSTGRES_USER="${POSTGRES_USER:-postgres}"
  export POSTGRES_DB="${POSTGRES_DB:-$POSTGRES_USER}"
  mkdir -p "$PGDATA"
  chmod 00700 "$PGDATA" || :
  if [ ! -s "$PGDATA/PG_VERSION" ]; then
    create_cluster
    fill_cluster
  fi
fi
exec "$@"
