/**
 * The stored floor, a process of its own with the same engine: the least that a program on this runtime does that accepts
 * errors durably and stores them where they can be asked for. As the floor it writes bodies to LMDB and answers; a thread
 * reads them back, parses each, compresses payloads 32 to a chunk, kin beside kin, onto the disk, and inserts a row with
 * their place into the table that Culprit has, with its views.
 *
 * It leaves out: keys, limits, checking of envelopes, sealing, decompression, normalising, scrubbing, in-app, grouping,
 * titles, user agents, digests, source maps, columns of stacks and texts, facts, issues, releases, outcomes, live updates,
 * alerts, the API, and every retry but that of the engine's token.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { open } from 'lmdb';
import { createEncoder } from '../server/src/ports/events/blocks/encode.ts';
import type { EventsAddress } from '../server/src/ports/events/events.ts';
import { connectEvents, openEvents } from '../server/src/ports/events/open.ts';
import type { ErrorRow } from '../server/src/base/tables/errors.ts';
import { columnsOf } from '../server/src/base/tables/index.ts';
import { readBody } from './read-body.ts';

/** What is left out of every row. */
const texts = columnsOf('errors').filter(({ kind, optional }) => kind === 'text' && !optional);
type Texts = { [Name in keyof ErrorRow as ErrorRow[Name] extends string ? Name : never]: string };
const nothing = Object.fromEntries(texts.map(({ name }) => [name, ''])) as Texts;

/** As the pipeline takes them. */
const [batchRecords, batchMs] = [4_000, 300];

interface Sent {
  readonly event_id: string;
  readonly timestamp: number;
  readonly exception?: { readonly values?: readonly { readonly type?: string; readonly value?: string }[] };
  readonly [name: string]: unknown;
}

interface Setup {
  readonly dir: string;
  readonly address: EventsAddress;
  readonly stored: Int32Array;
}

const openRecords = (dir: string) =>
  open({ path: join(dir, 'stored-floor.mdb'), overlappingSync: false, mapSize: 64 * 2 ** 30 }).openDB<Buffer, number>({
    name: 'records',
    encoding: 'binary',
  });

await (isMainThread ? listen() : storeAll(workerData as Setup));

async function listen(): Promise<void> {
  const { values } = parseArgs({ options: { dir: { type: 'string' } } });
  if (!values.dir) throw new Error('usage: node bench/stored-floor.ts --dir DIR');
  const store = await openEvents({ url: '', dataDir: values.dir });
  await store.prepare({ retentionDays: 90 });
  const records = openRecords(values.dir);
  const stored = new Int32Array(new SharedArrayBuffer(4));
  const setup: Setup = { dir: values.dir, address: store.events.address, stored };
  const resourceLimits = { maxYoungGenerationSizeMb: 16 };
  const thread = new Worker(new URL(import.meta.url), { workerData: setup, resourceLimits });
  thread.unref();
  let position = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') await records.put(++position, await readBody(request));
    const text = request.method === 'POST' ? '{"id":""}' : String(Atomics.load(stored, 0));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    response.end(text);
  });
  process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object') process.stdout.write(`${JSON.stringify({ port: address?.port })}\n`);
  });
}

/** One batch is computed while the one before it is stored. */
async function storeAll({ dir, address, stored }: Setup): Promise<never> {
  const records = openRecords(dir);
  const events = connectEvents(address);
  const payloads = events.payloads?.createWriter();
  if (!payloads) throw new Error('payloads do not lie beside the rows');
  let storing: Promise<void> = Promise.resolve();
  for (let next = 1; ;) {
    const due = performance.now() + batchMs;
    const from = next;
    const rows = createEncoder('errors');
    const batch = payloads.batch();
    for (const { key, value } of records.getRange({ start: from, limit: batchRecords })) {
      next = key + 1;
      const payload = value.subarray(value.indexOf(10, value.indexOf(10) + 1) + 1);
      const sent = JSON.parse(payload.toString()) as Sent;
      const { type = '', value: said = '' } = sent.exception?.values?.[0] ?? {};
      const { segment, ordinal } = batch.add([payload], type);
      rows.add({ ...rowOf(sent, type, said), payload_segment: segment, payload_ordinal: ordinal });
    }
    const count = next - from;
    const block = rows.block();
    await storing;
    storing = (async () => {
      if (!block) return;
      await payloads.write(batch);
      await events.insertBlock('errors', block, `floor:${from}-${next}`);
      let removed: Promise<unknown> = Promise.resolve();
      for (let position = from; position < next; position++) removed = records.remove(position);
      await removed;
      rows[Symbol.dispose]();
      batch[Symbol.dispose]();
      Atomics.add(stored, 0, count);
    })();
    if (count < batchRecords) await delay(Math.max(0, due - performance.now()));
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function rowOf(sent: Sent, type: string, value: string): ErrorRow {
  const { tags, user, contexts } = sent as { tags?: object; user?: { id?: unknown }; contexts?: { trace?: object } };
  const trace = contexts?.trace as { trace_id?: unknown; span_id?: unknown } | undefined;
  const id = textOf(user?.id);
  const transaction = textOf(sent['transaction']);
  const name = `${type}: ${transaction}`;
  return {
    ...nothing,
    project_id: 1,
    group_hash: name,
    group_hashes: [name],
    timestamp: Math.round(sent.timestamp * 1000),
    received_at: Date.now(),
    event_id: sent.event_id,
    level: 'error',
    platform: textOf(sent['platform']),
    environment: textOf(sent['environment']),
    release: textOf(sent['release']),
    transaction,
    error_type: type,
    error_value: value,
    handled: null,
    user: id && `id:${id}`,
    user_id: id,
    trace_id: textOf(trace?.trace_id),
    span_id: textOf(trace?.span_id),
    tags: { ...(tags as Record<string, string> | undefined) },
    missing_scripts: [],
  };
}
