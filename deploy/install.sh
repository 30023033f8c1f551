#!/bin/sh
# Install this copy of Slidewise on this machine, beside the ones that are there, and have
# /opt/slidewise/current lead to it: the first time, and for each upgrade.
#
# As root, in the folder of the project: sh deploy/install.sh [FOLDER]
# FOLDER is /opt/slidewise if not given. Nothing is restarted, and nothing removed.
set -eu

cd "$(dirname "$0")/.."
folder=${1:-/opt/slidewise}
python=${PYTHON:-python3}
new=$folder/$(date +%Y-%m-%d-%H%M%S)

# what its services read, though only root may write it
umask 022
mkdir -p "$folder"
"$python" -m venv "$new"
pip="$new/bin/pip --quiet --disable-pip-version-check"
$pip install --require-hashes -r requirements-server.txt -r requirements-build.txt
$pip install --no-deps --no-build-isolation .
# Python's own files are compiled here, since the services cannot write there.
"$new/bin/python" -m compileall -q "$new/lib"
"$new/bin/slidewise" --version
# before a link leads there, so that a power cut leaves no empty files behind it
sync
ln -sfn "$new" "$folder/current"
echo "$folder/current leads to $new"
