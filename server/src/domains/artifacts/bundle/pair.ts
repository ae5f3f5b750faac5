/** Which map belongs to which script. */
import { resolveUrl } from '../urls.ts';
import { mapProblems } from '../../../base/texts/artifacts.ts';
import type { BundleFile } from './manifest.ts';

export interface Pair {
  /** Of the script, or what it would be where only the map was uploaded. */
  readonly url: string;
  /** '' for none. */
  readonly debugId: string;
  /** Path in the zip. */
  readonly script: string | undefined;
  /** Path in the zip. */
  readonly map: string | undefined;
  /** Where the map is, or would be; '' for none. */
  readonly mapUrl: string;
  /** Why there is no map that could be used, where there is more to say than that there is none. */
  readonly problem: string;
}

/** By the same debug id; else by the script's header `sourcemap`, relative to its URL. In the order of the manifest. */
export function pairFiles(files: readonly BundleFile[]): Pair[] {
  const maps = files.filter(({ type }) => type === 'source_map');
  const byDebugId = new Map(maps.filter(({ debugId }) => debugId !== '').map((map) => [map.debugId, map]));
  const byUrl = new Map(maps.map((map) => [map.url, map]));
  const taken = new Set<BundleFile>();
  const pairs: Pair[] = [];
  for (const script of files) {
    if (script.type !== 'minified_source') continue;
    const isInlined = script.sourceMap.startsWith('data:');
    const named = isInlined ? undefined : resolveUrl(script.sourceMap, script.url);
    const map =
      (script.debugId === '' ? undefined : byDebugId.get(script.debugId)) ??
      (named === undefined ? undefined : byUrl.get(named)) ??
      byUrl.get(named?.split(/[?#]/, 1)[0] ?? '');
    if (map) taken.add(map);
    pairs.push({
      url: script.url,
      debugId: script.debugId || (map?.debugId ?? ''),
      script: script.path,
      map: map?.path,
      mapUrl: map?.url ?? named ?? '',
      problem: !map && isInlined ? mapProblems.inlined : '',
    });
  }
  for (const map of maps) {
    if (taken.has(map)) continue;
    const { debugId, path, url } = map;
    pairs.push({ url: url.replace(/\.map$/, ''), debugId, script: undefined, map: path, mapUrl: url, problem: '' });
  }
  return pairs;
}
