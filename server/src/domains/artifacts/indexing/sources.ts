/** Source files that lie in a bundle of their own, for maps that name sources without their content. */
import type { Archive, ArchiveEntry } from '../bundle/archive.ts';
import type { BundleFile } from '../bundle/manifest.ts';
import { maxSourceBytes } from '../limits.ts';
import { resolveUrl } from '../urls.ts';

export interface BundledSources {
  /** Content of a source as the map at `mapUrl` names it. */
  of(source: string, mapUrl: string): string | undefined;
  /** Changes when any of the contents does; '' where there are none. */
  readonly id: string;
}

/** Those that fit into the limit, in the order of the manifest. */
export async function readSources(archive: Archive, files: readonly BundleFile[]): Promise<BundledSources> {
  const contents = new Map<string, string>();
  const ids: string[] = [];
  let left = maxSourceBytes;
  for (const { type, path, url } of files) {
    const entry: ArchiveEntry | undefined = type === 'source' ? archive.entries.get(path) : undefined;
    if (!entry || entry.bytes > left) continue;
    left -= entry.bytes;
    contents.set(url, new TextDecoder().decode(await archive.read(entry)));
    ids.push(`${url} ${entry.bytes} ${entry.crc}`);
  }
  return {
    of(source, mapUrl) {
      if (contents.size === 0) return undefined;
      return contents.get(source) ?? contents.get(resolveUrl(source, mapUrl) ?? '');
    },
    id: ids.join('\n'),
  };
}
