#!/bin/sh
# Pin the images that are not built here by their digests, as the registries have them now:
#   make images
# It asks by `docker buildx`, and writes NAME:TAG@sha256:... into the Dockerfile and the compose file,
# or nothing where an answer is missing. Run it again for newer images, and commit what it writes.
set -eu

cd "$(dirname "$0")"
images=$(sed -n -E 's/^(ARG BASE=| +image: )([^ @]+:[^ @]+)(@.*)?$/\2/p' Dockerfile compose.yaml)
changes=
for image in $images; do
    digest=$(docker buildx imagetools inspect "$image" | sed -n 's/^Digest: *//p')
    if ! printf '%s\n' "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}'; then
        echo "The registry has no digest for $image. Nothing was changed." >&2
        exit 1
    fi
    changes="$changes;s#^(ARG BASE=| +image: )$image(@.*)?\$#\\1$image@$digest#"
    echo "$image@$digest"
done
sed -i -E "$changes" Dockerfile compose.yaml
