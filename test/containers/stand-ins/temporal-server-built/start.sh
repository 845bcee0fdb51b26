#!/usr/bin/env bash
# The variables that the start script of the published image sets.
set -euo pipefail
own_address() { getent hosts "$(hostname)" | awk '{ print $1; exit }'; }
export BIND_ON_IP="${BIND_ON_IP:-$(own_address)}"
if [ "$BIND_ON_IP" = 0.0.0.0 ]; then export TEMPORAL_BROADCAST_ADDRESS="${TEMPORAL_BROADCAST_ADDRESS:-$(own_address)}"; fi
exec temporal-server start
