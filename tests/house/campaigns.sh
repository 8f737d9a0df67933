#!/bin/bash
# A campaign that was asked for by name and finds nothing to run on does not end as if it had passed: campaigns.sh FOLDER, an empty one.
set -euo pipefail
work=$1
cd "$(dirname "$0")/../.."
mkdir -p build
export CLUSTER_STATE=$work/no_cluster
for campaign in gluster hosts requeue; do
  status=0
  said=$(scripts/campaign "$campaign" 1 2>&1) || status=$?
  [ "$status" = 77 ] || { echo "campaign $campaign ended with $status, and not with 77: $said"; exit 1; }
  grep -q SKIPPED <<<"$said" || { echo "campaign $campaign does not say that it was skipped: $said"; exit 1; }
done
