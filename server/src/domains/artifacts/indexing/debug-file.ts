/** Debug files: mappings of ProGuard and R8, and bundles of sources. */
import { createHash } from 'node:crypto';
import { debugFileProblems, manifestProblems, mapProblems } from '../../../base/texts/artifacts.ts';
import { type Archive, openArchive } from '../bundle/archive.ts';
import { BundleError } from '../bundle/bundle-error.ts';
import { isNative } from '../native-files.ts';
import { type BundledSource, isPlainSource, parseSourceManifest } from '../bundle/manifest.ts';
import {
  buildKeyed,
  inOrder,
  keyedVersion,
  type KeyedText,
  looksLikeMapping,
  mappingTexts,
  pathKey,
} from '../keyed/index.ts';
import { lookupKey } from '../keys.ts';
import { bundleLimits, maxBundledSourceBytes, maxBundledSourcesBytes, maxMapBytes } from '../limits.ts';
import type { IndexingContext } from './index-bundle.ts';
import { storeOnce } from './lookups.ts';
import type { NewArtifact, StoredBundle } from './rows.ts';

const headBytes = 64 * 1024;
/** What one debug file is made of. Throws BundleError for one that is none of those that are read. */
export async function readDebugFile(
  context: IndexingContext,
  bundle: StoredBundle,
  key: string,
): Promise<{ readonly artifact: NewArtifact; readonly files: number }> {
  const head = Buffer.from((await context.blobs.range(key, 0, headBytes)) ?? []);
  context.onPair(1);
  if (head.toString('latin1', 0, 4) === 'SYSB') {
    const archive = await openArchive(context.blobs, key, bundle.sizeBytes);
    const { debugId, sources } = parseSourceManifest(await readManifest(archive), (path) => archive.entries.has(path));
    const id = bundle.debugId || debugId;
    if (id === '') throw new BundleError(debugFileProblems.noDebugId);
    if (sources.length === 0) throw new BundleError(debugFileProblems.noSources);
    return { artifact: await sourcesArtifact(context, bundle, archive, sources, id), files: archive.entries.size };
  }
  if (isNative(head)) throw new BundleError(debugFileProblems.native);
  if (!looksLikeMapping(head)) throw new BundleError(debugFileProblems.unknown);
  if (bundle.debugId === '') throw new BundleError(debugFileProblems.noUuid);
  if (bundle.sizeBytes > maxMapBytes) throw new BundleError(mapProblems.uploadTooLarge(bundle.sizeBytes, maxMapBytes));
  return { artifact: await mappingArtifact(context, bundle, key), files: 1 };
}

async function mappingArtifact(context: IndexingContext, bundle: StoredBundle, key: string): Promise<NewArtifact> {
  const artifact: NewArtifact = { ...emptyArtifact(bundle, 'mapping', bundle.debugId), mapBytes: bundle.sizeBytes };
  const skipped = context.skip.get(1);
  if (skipped !== undefined) return { ...artifact, problem: skipped };
  const id = lookupKey(bundle.organizationId, hashOf(`mapping ${bundle.checksum}`));
  const stored = await storeOnce(
    context,
    id,
    async () => {
      const bytes = Buffer.from((await context.blobs.range(key, 0, bundle.sizeBytes)) ?? []);
      const read = mappingTexts(bytes);
      const chunks = read && (await buildKeyed(read.texts));
      if (!read || !chunks) throw new BundleError(debugFileProblems.tooManyClasses);
      return { chunks, sources: read.classes };
    },
    Date.now(),
  );
  return { ...artifact, sources: stored.sources, lookupKey: stored.key };
}

async function sourcesArtifact(
  context: IndexingContext,
  bundle: StoredBundle,
  archive: Archive,
  sources: readonly BundledSource[],
  debugId: string,
): Promise<NewArtifact> {
  const artifact: NewArtifact = { ...emptyArtifact(bundle, 'sources', debugId), scriptBytes: bundle.sizeBytes };
  const skipped = context.skip.get(1);
  if (skipped !== undefined) return { ...artifact, problem: skipped };
  const wanted = sources.flatMap(({ file, path }) => {
    const entry = archive.entries.get(file);
    const key = pathKey(path);
    return entry && key !== undefined && entry.bytes <= maxBundledSourceBytes ? [{ entry, key: Buffer.from(key) }] : [];
  });
  const total = wanted.reduce((sum, { entry }) => sum + entry.bytes, 0);
  if (total > maxBundledSourcesBytes) throw new BundleError(debugFileProblems.sourcesTooLarge(maxBundledSourcesBytes));
  const list = wanted.map(({ entry, key }) => `${key.toString()} ${entry.bytes} ${entry.crc}`);
  const id = lookupKey(bundle.organizationId, hashOf(`sources ${bundle.checksum}\n${list.join('\n')}`));
  const ordered = inOrder(wanted.map(({ key }, index) => ({ key, text: Buffer.from(String(index)) })));
  async function* texts(): AsyncGenerator<KeyedText> {
    for (const { key, text } of ordered) {
      const entry = wanted[Number(text.toString())]?.entry;
      if (entry) yield { key, text: await archive.read(entry) };
    }
  }
  const stored = await storeOnce(
    context,
    id,
    async () => {
      const chunks = await buildKeyed(texts());
      if (!chunks) throw new BundleError(debugFileProblems.sourcesTooLarge(maxBundledSourcesBytes));
      return { chunks, sources: wanted.length };
    },
    Date.now(),
  );
  return { ...artifact, sources: stored.sources, lookupKey: stored.key };
}

/** Sources of other languages in a bundle of scripts; undefined where there are none. */
export async function readOtherSources(
  context: IndexingContext,
  bundle: StoredBundle,
  archive: Archive,
  manifest: string,
): Promise<NewArtifact | undefined> {
  const { sources } = parseSourceManifest(manifest, (path) => archive.entries.has(path));
  const others = sources.filter(({ path }) => isPlainSource(path));
  return others.length === 0 ? undefined : sourcesArtifact(context, bundle, archive, others, '');
}

export async function readManifest(archive: Archive): Promise<string> {
  const manifest = archive.entries.get('manifest.json');
  if (!manifest) throw new BundleError(manifestProblems.missing);
  if (manifest.bytes > bundleLimits.manifestBytes) {
    throw new BundleError(manifestProblems.tooLarge(manifest.bytes, bundleLimits.manifestBytes));
  }
  return new TextDecoder().decode(await archive.read(manifest));
}

const emptyArtifact = ({ name }: StoredBundle, kind: 'mapping' | 'sources', debugId: string): NewArtifact => ({
  kind,
  url: name,
  debugId,
  mapUrl: '',
  scriptBytes: 0,
  mapBytes: 0,
  sources: 0,
  lookupKey: '',
  problem: '',
});

const hashOf = (text: string): string => createHash('sha256').update(`keyed ${keyedVersion} ${text}`).digest('hex');
