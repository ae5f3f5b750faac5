/** Makes what a bundle holds usable: assembled, verified, a lookup file for each map, a row for each script. */
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { State } from '../../../ports/state/state.ts';
import { openArchive, type Archive } from '../bundle/archive.ts';
import { BundleError } from '../bundle/bundle-error.ts';
import { isPlainSource, parseManifest } from '../bundle/manifest.ts';
import { pairFiles, type Pair } from '../bundle/pair.ts';
import { bundleKey } from '../keys.ts';
import { maxMapBytes, maxScriptBytes } from '../limits.ts';
import { MapError } from '../lookup/index.ts';
import { mapProblems } from '../../../base/texts/artifacts.ts';
import { assembleBlob } from './assembled.ts';
import { readDebugFile, readManifest, readOtherSources } from './debug-file.ts';
import { storeLookup } from './lookups.ts';
import type { IndexedBundle } from './messages.ts';
import { type NewArtifact, readBundle, type StoredBundle, writeArtifacts, writeError } from './rows.ts';
import { type BundledSources, readSources } from './sources.ts';

export interface IndexingContext {
  readonly state: State;
  readonly blobs: Blobs;
  /** Which has claimed the bundle. */
  readonly node: string;
  /** Pairs whose map is not to be read, counted from 1, with the reason in words. */
  readonly skip: ReadonlyMap<number, string>;
  /** Told before each pair, counted from 1, and with 0 after the last. */
  readonly onPair: (number: number) => void;
}

/** Undefined where the bundle was refused, which is written down, is not there any more or another node's by now. */
export async function indexBundle(context: IndexingContext, bundleId: number): Promise<IndexedBundle | undefined> {
  const { state, blobs } = context;
  const bundle = await readBundle(state, bundleId, context.node);
  if (!bundle) return undefined;
  try {
    const key = await assembleBlob(context, bundle);
    if (bundle.kind === 'debug') {
      const { artifact, files } = await readDebugFile(context, bundle, key);
      return await writeArtifacts(state, bundle, [artifact], files);
    }
    const archive = await openArchive(blobs, key, bundle.sizeBytes);
    const artifacts = await readArtifacts(context, bundle, archive);
    return await writeArtifacts(state, bundle, artifacts, archive.entries.size);
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const isLast = await writeError(state, bundle, error);
    if (isLast) await blobs.delete(bundleKey(bundle.organizationId, bundle.checksum));
    return undefined;
  } finally {
    context.onPair(0);
  }
}

async function readArtifacts(
  context: IndexingContext,
  bundle: StoredBundle,
  archive: Archive,
): Promise<readonly NewArtifact[]> {
  const text = await readManifest(archive);
  const files = parseManifest(text, (path) => archive.entries.has(path));
  const sources = await readSources(archive, files);
  const artifacts: NewArtifact[] = [];
  for (const [index, pair] of pairFiles(files.filter(({ url }) => !isPlainSource(url))).entries()) {
    context.onPair(index + 1);
    artifacts.push(await readPair(context, bundle, archive, pair, sources, context.skip.get(index + 1)));
  }
  const others = await readOtherSources(context, bundle, archive, text);
  return others ? [...artifacts, others] : artifacts;
}

async function readPair(
  { state, blobs }: IndexingContext,
  { organizationId }: StoredBundle,
  archive: Archive,
  { url, debugId, script, map, mapUrl, problem }: Pair,
  sources: BundledSources,
  skipped: string | undefined,
): Promise<NewArtifact> {
  const scriptEntry = archive.entries.get(script ?? '');
  const mapEntry = archive.entries.get(map ?? '');
  const artifact: NewArtifact = {
    kind: 'script',
    url,
    debugId,
    mapUrl,
    scriptBytes: scriptEntry?.bytes ?? 0,
    mapBytes: mapEntry?.bytes ?? 0,
    sources: 0,
    lookupKey: '',
    problem: skipped ?? problem,
  };
  if (!mapEntry || skipped !== undefined) return artifact;
  if (mapEntry.bytes > maxMapBytes) {
    return { ...artifact, problem: mapProblems.uploadTooLarge(mapEntry.bytes, maxMapBytes) };
  }
  try {
    const order = {
      organizationId,
      map: await archive.read(mapEntry),
      sourceOf: (source: string) => sources.of(source, mapUrl),
      sourcesId: sources.id,
      ...(scriptEntry && scriptEntry.bytes <= maxScriptBytes && { script: await archive.read(scriptEntry) }),
    };
    const lookup = await storeLookup({ state, blobs }, order, Date.now());
    return { ...artifact, lookupKey: lookup.key, sources: lookup.sources };
  } catch (error) {
    if (!(error instanceof MapError)) throw error;
    return { ...artifact, problem: error.message };
  }
}
