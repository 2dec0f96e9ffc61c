#!/bin/sh
# Announces the trams.
last=$(($(date +%s) / 10))
while sleep 2; do
  turn=$(($(date +%s) / 10))
  if [ "$turn" != "$last" ]; then
    last=$turn
    echo "$(date -u -d @$((turn * 10)) +%T) line 3, market, 4 min"
  fi
done
