/**
 * Finds the scripts that frames were built into and lets the step `symbolicate` map them: queries per batch and
 * project, lookup files from the blob store through a cache that is bounded in bytes. A source map is never parsed here.
 */
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { mapProblems } from '../../base/texts/artifacts.ts';
import { findByDebugIds, findByUrls, findSources, noteUse, type ScriptArtifact } from './index.ts';
import { createDebugFiles } from './debug-files.ts';
import { createLookupCache } from './lookup/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { State } from '../../ports/state/state.ts';
import {
  addSources,
  type DebugWork,
  missingFiles,
  retraceEvent,
  type Script,
  sourcesKey,
  type Stack,
  symbolicate,
  type WantedScript,
} from '../../process/steps/symbolicate/index.ts';

/** An event's stacks, and by what their scripts may be found beside debug ids. */
export interface SymbolicationRequest {
  readonly projectId: number;
  readonly release: string;
  readonly dist: string;
  readonly stacks: readonly Stack[];
  /** What debug files may tell. */
  readonly work?: DebugWork | undefined;
}

export interface SymbolicationResult {
  /** Frames. */
  readonly mapped: number;
  /** Keys of scripts that would map more. */
  readonly missing: readonly string[];
}

/** Counts since the thread started. */
export interface SymbolicationStats {
  readonly mapped: number;
  readonly unresolved: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  readonly cacheBytes: number;
}

export interface Symbolicator {
  /** Maps the frames in place, one result for each request. */
  symbolicate(requests: readonly SymbolicationRequest[]): Promise<readonly SymbolicationResult[]>;
  /** Writes down which artifacts were used, at most every few seconds unless `now`. */
  flush(now?: boolean): Promise<void>;
  stats(): SymbolicationStats;
}

const cacheBytes = 32 * 1024 * 1024;
/** Of mappings and sources, beside that of source maps. */
const debugCacheBytes = 16 * 1024 * 1024;
const flushEveryMs = 5_000;
const maxBroken = 1_000;

type Scripts = (wanted: WantedScript) => ScriptArtifact | undefined;

export function createSymbolicator({ state, blobs }: { state: State; blobs: Blobs }): Symbolicator {
  const cache = createLookupCache({ read: (key) => readerOf(blobs, key), maxBytes: cacheBytes });
  const debugFiles = createDebugFiles({ read: (key) => readerOf(blobs, key), maxBytes: debugCacheBytes });
  const counts = { mapped: 0, unresolved: 0 };
  let uses = new Map<number, number>();
  let flushedAt = 0;

  /** What turned out to be damaged or gone: its frames say so, and no event waits for it. */
  const broken = new Map<string, string>();

  async function symbolicateOne(request: SymbolicationRequest, artifactOf: Scripts): Promise<SymbolicationResult> {
    for (;;) {
      try {
        return await tryOne(request, artifactOf);
      } catch (error) {
        if (!(error instanceof BrokenLookup)) throw error;
        if (broken.size > maxBroken) broken.clear();
        broken.set(error.key, error.message);
      }
    }
  }

  async function tryOne(request: SymbolicationRequest, artifactOf: Scripts): Promise<SymbolicationResult> {
    const scripts = new Map<number, Script>();
    for (const artifact of artifactsOf(request, artifactOf)) scripts.set(artifact.id, await open(artifact));
    const { mapped, missing } = await symbolicate(request.stacks, (wanted) => {
      const artifact = artifactOf(wanted);
      return artifact && scripts.get(artifact.id);
    });
    let frames = 0;
    for (const [wanted, count] of mapped) {
      frames += count;
      const id = artifactOf(wanted)?.id;
      if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + count);
    }
    counts.mapped += frames;
    counts.unresolved += wantedOf([request]).length - frames;
    return { mapped: frames, missing };
  }

  /** One attempt for each file that turns out to be damaged: what the others tell is still of use. */
  async function withDebugFiles(
    request: SymbolicationRequest,
    find: (request: SymbolicationRequest) => DebugArtifacts,
    scripts: SymbolicationResult = { mapped: 0, missing: [] },
  ): Promise<SymbolicationResult> {
    const { work } = request;
    if (!work) return scripts;
    const { byId, ofRelease } = find(request);
    const usable = (artifact: ScriptArtifact | undefined, kind: ScriptArtifact['kind']): ScriptArtifact[] =>
      artifact?.kind === kind && artifact.lookupKey !== '' && !broken.has(artifact.lookupKey) ? [artifact] : [];
    for (;;) {
      const mappings = work.mappings.flatMap((id) => usable(byId.get(id), 'mapping'));
      const bundles = [...work.bundles.flatMap((id) => usable(byId.get(id), 'sources')), ...ofRelease].flatMap((one) =>
        usable(one, 'sources'),
      );
      try {
        let frames = 0;
        for (const artifact of mappings) {
          const key = artifact.lookupKey;
          const mapping = debugFiles.mapping(key, artifact.debugId);
          const count = await sound(key, () => retraceEvent(work.event, mapping));
          frames += used(artifact, count);
        }
        for (const artifact of bundles) {
          const key = artifact.lookupKey;
          const count = await sound(key, () => addSources(work.event, debugFiles.source(key)));
          frames += used(artifact, count);
        }
        counts.mapped += frames;
        const missing = missingFiles(work).filter((key) => key === sourcesKey || !byId.has(key));
        return { mapped: scripts.mapped + frames, missing: [...scripts.missing, ...missing] };
      } catch (error) {
        if (!(error instanceof BrokenLookup)) throw error;
        if (broken.size > maxBroken) broken.clear();
        broken.set(error.key, error.message);
      }
    }
  }

  function used({ id }: ScriptArtifact, count: number): number {
    if (count > 0) uses.set(id, (uses.get(id) ?? 0) + count);
    return count;
  }

  async function open({ lookupKey, mapUrl, problem }: ScriptArtifact): Promise<Script> {
    const trouble = problem || (broken.get(lookupKey) ?? '');
    if (trouble !== '' || lookupKey === '') return { mapUrl, problem: trouble, lookup: undefined };
    const lookup = await sound(lookupKey, () => cache.get(lookupKey));
    return {
      mapUrl,
      problem,
      lookup: {
        find: (line, column, name) => sound(lookupKey, () => lookup.find(line, column, name)),
        context: (source, line, around) => sound(lookupKey, () => lookup.context(source, line, around)),
      },
    };
  }

  return {
    async symbolicate(requests) {
      const artifactOf = await findScripts(state, requests);
      const results = await Promise.all(requests.map((request) => symbolicateOne(request, artifactOf(request))));
      if (!requests.some(({ work }) => work)) return results;
      const find = await findDebugFiles(state, requests);
      return Promise.all(requests.map((request, index) => withDebugFiles(request, find, results[index])));
    },
    async flush(now = false) {
      if (!uses.size || (!now && Date.now() - flushedAt < flushEveryMs)) return;
      const noted = uses;
      uses = new Map();
      flushedAt = Date.now();
      await noteUse(state, noted, flushedAt);
    },
    stats() {
      const { hits, misses, bytes } = cache.stats();
      return { ...counts, cacheHits: hits, cacheMisses: misses, cacheBytes: bytes };
    },
  };
}

class BrokenLookup extends Error {
  readonly key: string;
  constructor(key: string, message: string) {
    super(message);
    this.key = key;
  }
}

const readerOf =
  (blobs: Blobs, key: string) =>
  async (start: number, length: number): Promise<Uint8Array> => {
    const bytes = await blobs.range(key, start, length);
    if (!bytes) throw new BrokenLookup(key, mapProblems.lookupMissing);
    return bytes;
  };

/** A store that does not answer is tried again; a file that is not what it should be stays so. */
async function sound<T>(key: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const expected = error instanceof CodedError || (error instanceof Error && 'code' in error);
    if (expected || error instanceof BrokenLookup) throw error;
    throw new BrokenLookup(key, mapProblems.lookupDamaged(String(error)));
  }
}

const wantedOf = (requests: readonly SymbolicationRequest[]): WantedScript[] =>
  requests.flatMap(({ stacks }) => stacks.flatMap(({ wanted }) => wanted.filter((one) => one !== undefined)));

function artifactsOf(request: SymbolicationRequest, artifactOf: Scripts): ScriptArtifact[] {
  const artifacts = wantedOf([request]).flatMap((wanted) => artifactOf(wanted) ?? []);
  return [...new Map(artifacts.map((artifact) => [artifact.id, artifact])).values()];
}

/** By debug id first; what has none, or one that nothing was uploaded under, by release, dist and URL. */
async function findScripts(
  state: State,
  requests: readonly SymbolicationRequest[],
): Promise<(request: SymbolicationRequest) => Scripts> {
  const byId = new Map<number, Map<string, ScriptArtifact>>();
  const byUrl = new Map<string, Map<string, ScriptArtifact>>();
  for (const [projectId, ofProject] of Map.groupBy(requests, (request) => request.projectId)) {
    const ids = new Set(wantedOf(ofProject).flatMap(({ debugId }) => debugId || []));
    const found = ids.size ? await findByDebugIds(state, projectId, [...ids]) : new Map<string, ScriptArtifact>();
    byId.set(projectId, found);
    for (const [key, ofRelease] of Map.groupBy(ofProject, releaseKey)) {
      const [first] = ofRelease;
      if (!first || first.release === '') continue;
      const urls = new Set(wantedOf(ofRelease).flatMap(({ debugId, url }) => (found.has(debugId) ? [] : url)));
      if (urls.size) byUrl.set(key, await findByUrls(state, projectId, first.release, first.dist, [...urls]));
    }
  }
  return (request) =>
    ({ debugId, url }) =>
      byId.get(request.projectId)?.get(debugId) ?? byUrl.get(releaseKey(request))?.get(url);
}

interface DebugArtifacts {
  readonly byId: ReadonlyMap<string, ScriptArtifact>;
  readonly ofRelease: readonly ScriptArtifact[];
}

const noArtifacts: DebugArtifacts = { byId: new Map(), ofRelease: [] };

async function findDebugFiles(
  state: State,
  requests: readonly SymbolicationRequest[],
): Promise<(request: SymbolicationRequest) => DebugArtifacts> {
  const found = new Map<string, DebugArtifacts>();
  const wanted = requests.filter(({ work }) => work);
  for (const [projectId, ofProject] of Map.groupBy(wanted, (request) => request.projectId)) {
    const ids = new Set(ofProject.flatMap(({ work }) => [...(work?.mappings ?? []), ...(work?.bundles ?? [])]));
    const byId = ids.size ? await findByDebugIds(state, projectId, [...ids]) : noArtifacts.byId;
    for (const [key, [first]] of Map.groupBy(ofProject, releaseKey)) {
      const ofRelease = first ? await findSources(state, projectId, first.release, first.dist) : [];
      found.set(key, { byId, ofRelease });
    }
  }
  return (request) => found.get(releaseKey(request)) ?? noArtifacts;
}

const releaseKey = ({ projectId, release, dist }: SymbolicationRequest): string =>
  JSON.stringify([projectId, release, dist]);
