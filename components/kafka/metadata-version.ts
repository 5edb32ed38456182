/** What is wrong with a version of Kafka's metadata, or undefined. */
export function metadataVersionProblem(version: string | undefined): string | undefined {
  return version === undefined || /^\d+\.\d+$/.test(version)
    ? undefined
    : `must be a release such as "4.4", not "${version}"`;
}

/**
 * Finalizes the metadata's version and the other features of the release `$1`. Kafka refuses it while a node runs an older one, and takes none of
 * it back that changed what is stored.
 *
 * All but `kraft.version`, which `upgrade --release-version` would raise, too: from 1 on controllers are known by the ids of their directories,
 * and one that lost its volume wouldn't be let in again by the static list, which this image's start script needs.
 */
export const metadataVersionScript = `
wanted=$1
features() { tool kafka-features "$@"; }
present=$(features describe)
echo "$present"
line=$(grep "^Feature: metadata.version" <<<"$present" || true)
[[ $line =~ FinalizedVersionLevel:\\ *([0-9]+)\\.([0-9]+) ]] || {
  echo "What version the metadata has can't be read from the lines above." >&2
  exit 1
}
final=$((BASH_REMATCH[1] * 1000 + BASH_REMATCH[2]))
((final > \${wanted%%.*} * 1000 + \${wanted##*.})) && {
  echo "The metadata is newer than $wanted already: write metadataVersion: \\"\${BASH_REMATCH[1]}.\${BASH_REMATCH[2]}\\"." >&2
  exit 1
}
options=()
while IFS= read -r feature; do
  [[ $feature =~ ^([a-z.]+)=([0-9]+) && \${BASH_REMATCH[1]} != kraft.version ]] && options+=(--feature "\${BASH_REMATCH[1]}=\${BASH_REMATCH[2]}")
done <<<"$(features version-mapping --release-version "$wanted")"
features upgrade "\${options[@]}"
features describe
`;
