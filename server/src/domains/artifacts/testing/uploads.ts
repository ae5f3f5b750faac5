/** Stores with an indexer, and uploads as they come in behind the API. For tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { openLoops } from '../../../base/jobs/testing.ts';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import { openBlobs } from '../../../ports/blobs/open.ts';
import { createProject } from '../../projects/index.ts';
import { createFailures } from '../../../base/self/index.ts';
import { openState, type StateOptions } from '../../../ports/state/open.ts';
import type { State } from '../../../ports/state/state.ts';
import { layMigratedCopy } from '../../../ports/state/testing/migrated.ts';
import {
  assembleBundle,
  type Assembly,
  createIndexer,
  indexVersion,
  type IndexedBundle,
  storeChunk,
} from '../index.ts';
import type { Indexer, IndexerOptions } from '../index.ts';
import { chunkSize } from '../limits.ts';
import { sha1 } from './bundle.ts';

export interface Uploads extends AsyncDisposable {
  readonly state: State;
  readonly blobs: Blobs;
  readonly indexer: Indexer & AsyncDisposable;
  readonly organizationId: string;
  readonly projectId: number;
  /** What the indexer told. */
  readonly indexed: IndexedBundle[];
  /** What was logged as a failure of the server. */
  readonly failures: string[];
  /** Uploads, waits until it is indexed and asks again, as a client with --wait does. */
  upload(bundle: Uint8Array, overrides?: Partial<Association>): Promise<Assembly>;
  assemble(bundle: Uint8Array, overrides?: Partial<Association>, now?: number): Promise<Assembly>;
  send(bundle: Uint8Array, now?: number): Promise<void>;
  /** Another one on the same stores, as after a restart. */
  reopen(): Indexer & AsyncDisposable;
}

interface Association {
  readonly release: string;
  readonly dist: string;
  readonly projects: readonly string[];
  readonly debugFile: { readonly name: string; readonly debugId: string };
}

const organizationId = 'org1';

export async function openUploads(
  options: Partial<Pick<IndexerOptions, 'heapMb' | 'slowestMs'>> & { readonly stateUrl?: string } = {},
): Promise<Uploads> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-uploads-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const stateOptions: StateOptions = { url: options.stateUrl ?? '', dataDir };
  if (!options.stateUrl) await layMigratedCopy(dataDir);
  const state = opened.use(await openState(stateOptions));
  await state.db
    .insertInto('organization')
    .values({
      id: organizationId,
      name: 'Acme',
      slug: 'acme',
      logo: null,
      metadata: null,
      createdAt: new Date().toISOString(),
    })
    .execute();
  const { project } = await createProject(state, { organizationId, name: 'Web' });
  const blobsOptions = { url: '', dataDir };
  const blobs = openBlobs(blobsOptions);
  const indexed: IndexedBundle[] = [];
  const failures: string[] = [];
  const logger = pino({ level: 'silent' });
  const open = (): Indexer & AsyncDisposable => {
    const indexer = createIndexer({
      ...options,
      state,
      stateOptions,
      blobs,
      blobsOptions,
      logger,
      failures: createFailures({
        logger: {
          error(fields, message) {
            failures.push(`${message}: ${'err' in fields ? String(fields.err) : ''}`);
          },
        },
      }),
      onIndexed: async (bundle) => void indexed.push(bundle),
    });
    return { ...indexer, [Symbol.asyncDispose]: openLoops(indexer.jobs)[Symbol.asyncDispose] };
  };
  const indexer = opened.use(open());

  const chunksOf = (bundle: Uint8Array): Uint8Array[] =>
    Array.from({ length: Math.ceil(bundle.length / chunkSize) }, (_, index) =>
      bundle.subarray(index * chunkSize, (index + 1) * chunkSize),
    );
  const send: Uploads['send'] = async (bundle, now = Date.now()) => {
    for (const chunk of chunksOf(bundle)) {
      const body = Readable.from([chunk]);
      await storeChunk(
        { state, blobs, limitBytes: Infinity },
        { organizationId, checksum: sha1(chunk), gzip: false, body },
        now,
      );
    }
  };
  const assemble: Uploads['assemble'] = (bundle, overrides, now) =>
    assembleBundle(
      state,
      {
        organizationId,
        checksum: sha1(bundle),
        chunks: chunksOf(bundle).map(sha1),
        projects: ['web'],
        release: '',
        dist: '',
        ...overrides,
      },
      { indexVersion, ...(now !== undefined && { now }) },
    );
  const upload: Uploads['upload'] = async (bundle, overrides) => {
    await send(bundle);
    const first = await assemble(bundle, overrides);
    if (first.state !== 'created') return first;
    indexer.wake();
    await indexer.idle();
    return assemble(bundle, overrides);
  };
  const everything = opened.move();
  return {
    state,
    blobs,
    indexer,
    organizationId,
    projectId: project.id,
    indexed,
    failures,
    upload,
    assemble,
    send,
    reopen: open,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}
