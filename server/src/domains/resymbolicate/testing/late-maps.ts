/** Events of built scripts whose maps come after them, put where processing and indexing would put them. For tests. */
import { createHash } from 'node:crypto';
import { transform } from 'esbuild';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { Events } from '../../../ports/events/events.ts';
import type { State } from '../../../ports/state/state.ts';
import { indexVersion } from '../../artifacts/index.ts';
import { buildLookup } from '../../artifacts/lookup/index.ts';
import { hash } from '../../issues/testing/stores.ts';
import { encodeReceived } from '../../../ports/queue/received.ts';
import { computeBatch, type ComputeInput, finishWaiting } from '../../../pipeline/compute.ts';
import { storeBatch } from '../../../pipeline/store.ts';
import type { Symbolicator } from '../../artifacts/symbolicator.ts';
import { defaultProjectSettings } from '../../../process/types.ts';

const source = `export function applyCoupon(total: number, basket: { coupon: { percent: number } | null }): number {
  const percent = basket.coupon!.percent;
  return total - (total * percent) / 100;
}

export function basketTotal(basket: { coupon: { percent: number } | null }): number {
  return applyCoupon(100, basket);
}

export function shippingCost(basket: { weight: { grams: number } | null }): number {
  return basket.weight!.grams * 2;
}
`;
export const file = 'src/pricing.ts';
export const release = 'shop@1.0.0';

export interface Build {
  readonly code: string;
  readonly map: string;
  readonly debugId: string;
  readonly url: string;
  /** Line and column, 1-based, of a text of the built script. */
  at(text: string): { lineno: number; colno: number };
}

export async function build(name: string): Promise<Build> {
  const { code, map } = await transform(source, {
    loader: 'ts',
    format: 'esm',
    minify: true,
    sourcemap: 'external',
    sourcefile: file,
    banner: `/* ${name} */`,
  });
  const digits = createHash('md5').update(name).digest('hex');
  return {
    code,
    map,
    debugId: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    url: `https://shop.example.com/assets/index-${name}.js`,
    at(text) {
      const before = code.slice(0, code.indexOf(text));
      return { lineno: before.split('\n').length, colno: before.length - before.lastIndexOf('\n') };
    },
  };
}

export interface Thrown {
  readonly projectId: number;
  readonly message?: string;
  readonly build: Build;
  /** Texts of the script, the caller first. */
  readonly stack?: readonly string[];
  readonly withDebugId?: boolean;
  readonly at?: number;
}

export interface LateStores {
  readonly state: State;
  readonly events: Events;
  readonly blobs: Blobs;
  readonly symbolicator: Symbolicator;
}

export async function addProject(state: State, organizationId: string): Promise<number> {
  const organization = { id: organizationId, name: 'Acme', slug: organizationId, logo: null, metadata: null };
  await state.db
    .insertInto('organization')
    .values({ ...organization, createdAt: new Date(0).toISOString() })
    .execute();
  const project = { organization_id: organization.id, slug: 'web', name: 'Web', platform: '', short_id_prefix: 'WEB' };
  const { id } = await state.db
    .insertInto('project')
    .values({ ...project, settings: '{}', created_at: 0, first_event_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

let batches = 0;

/** Sends an event through processing, as the pipeline does. Returns its id. */
export async function send(
  stores: LateStores,
  {
    projectId,
    build: by,
    stack,
    withDebugId = true,
    at = Date.now(),
    message = "Cannot read properties of null (reading 'x')",
  }: Thrown,
): Promise<string> {
  batches += 1;
  const eventId = hash(`late ${batches}`);
  const frames = (stack ?? ['(100,', '.percent']).map((text) => ({ filename: by.url, function: 'n', ...by.at(text) }));
  const event = {
    release,
    platform: 'javascript',
    timestamp: at / 1000,
    exception: {
      values: [{ type: 'TypeError', value: message, stacktrace: { frames } }],
    },
    ...(withDebugId && { debug_meta: { images: [{ type: 'sourcemap', code_file: by.url, debug_id: by.debugId }] } }),
  };
  const body = Buffer.from(`{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify(event)}\n`);
  const value = encodeReceived({ kind: 'envelope', projectId, keyId: 1, receivedAt: at, encoding: '' }, body);
  const bundles = await stores.state.db.selectFrom('artifact_bundle_project').select('project_id').execute();
  const input: ComputeInput = {
    records: [{ position: batches, value }],
    settings: new Map([[projectId, defaultProjectSettings]]),
    withArtifacts: new Set(bundles.map((one) => one.project_id)),
    maxEnvelopeBytes: 1024 * 1024,
    poisoned: new Set<number>(),
  };
  for (const slice of computeBatch(input)) {
    const results = await stores.symbolicator.symbolicate(slice.waiting.map((one) => one.event));
    const missing = new Map(slice.waiting.map((one, index) => [one.event, results[index]?.missing ?? []]));
    finishWaiting(slice, input, (waiting) => missing.get(waiting) ?? []);
    await storeBatch(stores, slice, `late:${process.pid}:${batches}`, Date.now());
  }
  return eventId;
}

/** What indexing leaves of an upload. */
export async function upload(
  { state, blobs }: Pick<LateStores, 'state' | 'blobs'>,
  one: Build,
  place: {
    readonly organizationId: string;
    readonly projectId: number;
    readonly release?: string;
    readonly debugId?: string;
  },
): Promise<void> {
  const key = `artifacts/lookups/${place.organizationId}/${hash(one.map)}`;
  const lookup = buildLookup({ map: Buffer.from(one.map), script: Buffer.from(one.code) });
  await blobs.put(key, Buffer.concat([...lookup.chunks]));
  const { id } = await state.db
    .insertInto('artifact_bundle')
    .values({
      organization_id: place.organizationId,
      checksum: hash(one.url),
      release: place.release ?? '',
      dist: '',
      state: 'ok',
      detail: '',
      chunks: '[]',
      size_bytes: 1,
      file_count: 2,
      index_version: indexVersion,
      created_at: Date.now(),
      uploaded_at: Date.now(),
      indexed_at: Date.now(),
      last_used_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await state.db.insertInto('artifact_bundle_project').values({ bundle_id: id, project_id: place.projectId }).execute();
  await state.db
    .insertInto('artifact')
    .values({
      bundle_id: id,
      url: `~${new URL(one.url).pathname}`,
      debug_id: place.debugId ?? one.debugId,
      map_url: 'index.js.map',
      script_bytes: 1,
      map_bytes: 1,
      sources: 1,
      lookup_key: key,
      problem: '',
      frames_resolved: 0,
      last_used_at: null,
    })
    .execute();
}
