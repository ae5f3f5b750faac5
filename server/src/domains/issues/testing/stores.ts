/** Real stores in a directory of their own, and events put into them the way the pipeline does. For tests. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Events, EventsAddress } from '../../../ports/events/events.ts';
import { openPreparedEvents, type PreparedOptions } from '../../../ports/events/testing/prepared.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { openMigratedCopy } from '../../../ports/state/testing/migrated.ts';
import type { State } from '../../../ports/state/state.ts';
import { recordBatch } from '../record.ts';

export interface TestStores extends AsyncDisposable {
  readonly dataDir: string;
  readonly state: State;
  readonly events: Events;
  /** Where threads find the engine. */
  readonly address: EventsAddress;
}

export async function openTestStores(options?: PreparedOptions): Promise<TestStores> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-test-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const state = opened.use(await openMigratedCopy(dataDir));
  const store = opened.use(await openPreparedEvents(dataDir, options));
  const everything = opened.move();
  return {
    dataDir,
    state,
    events: store.events,
    address: store.events.address,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** 32 hex digits that stand for a text. */
export const hash = (text: string): string => createHash('md5').update(text).digest('hex');

let counter = 0;

/** An event with what the test does not say filled in: an unhandled TypeError, now. */
export function errorRow(fields: Partial<ErrorRow> & { project_id: number; group_hash: string }): ErrorRow {
  counter += 1;
  const timestamp = fields.timestamp ?? Date.now();
  const value = fields.error_value ?? "Cannot read properties of null (reading 'price')";
  const type = fields.error_type ?? 'TypeError';
  const eventId = fields.event_id ?? hash(`event ${counter}`);
  return {
    group_hashes: [fields.group_hash],
    grouping_version: 'culprit:test',
    timestamp,
    received_at: timestamp + 20,
    event_id: eventId,
    level: 'error',
    platform: 'javascript',
    environment: 'production',
    release: 'shop@1.0.0',
    dist: '',
    transaction: '/product/[id]',
    title: `${type}: ${value}`,
    culprit: 'app/product/page.tsx in getPrice',
    message: '',
    error_type: type,
    error_value: value,
    issue_type: '',
    handled: 0,
    mechanism: 'generic',
    user: '',
    user_id: '',
    user_email: '',
    user_username: '',
    user_ip: '',
    digest: '',
    trace_id: '',
    span_id: '',
    sdk_name: 'sentry.javascript.nextjs',
    sdk_version: '10.78.0',
    tags: {},
    missing_scripts: [],
    payload: JSON.stringify({ event_id: eventId, type: 'error', exception: { values: [{ type, value }] } }),
    facts: fields.payload ?? '{}',
    ...fields,
  };
}

let batches = 0;

/** Creates their issues and stores the events, as one batch. */
export async function store(stores: TestStores, rows: readonly ErrorRow[]): Promise<void> {
  await recordIssues(stores, rows);
  batches += 1;
  await stores.events.insert('errors', rows, `test:${process.pid}:${batches}`);
}

/** As far as a batch comes that ends before its events are stored. */
export async function recordIssues({ state }: TestStores, rows: readonly ErrorRow[]): Promise<void> {
  await recordBatch(
    state,
    rows.map((row) => ({
      row,
      grouping: {
        version: row.grouping_version,
        hashes: row.group_hashes,
        basis: 'exception',
        tree: [{ id: 'type', name: 'type', contributes: true, value: row.error_type }],
      },
      seed: {
        title: row.title,
        culprit: row.culprit,
        level: row.level,
        platform: row.platform,
        type: row.error_type ? 'error' : 'default',
        metadata: { type: row.error_type, value: row.error_value },
      },
    })),
    Date.now(),
  );
}
